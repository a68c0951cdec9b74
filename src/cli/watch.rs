//! `render --watch`: renders again what a change touches, and reports new findings; `check --watch` counts them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ExitStatus;
use super::check::CheckArgs;
use super::render::RenderArgs;
use super::session::{Session, tell, trouble};
use crate::compile::Bundle;
use crate::diagnostic::{Code, Diagnostic, ObjectKey, Severity, Warned, has_errors};
use crate::environment::EnvironmentError;
use crate::input::{Input, Reading, Watch, load};
use crate::manifest::{AgentName, Object};
use crate::printable::{Line, counted};
use crate::report::count;
use crate::source::{Source, Sources};

/// A finding without its place: what is above it may have moved it.
type Finding = (Code, Severity, String, Option<ObjectKey>, Option<String>);

/// What the last rounds left.
#[derive(Default)]
struct Watching {
    sources: Option<Vec<Arc<Source>>>,
    /// The findings that were reported.
    told: BTreeSet<Finding>,
    /// What was rendered: a hash of each object's text, and the agents that they are of.
    objects: BTreeMap<ObjectKey, [u8; 16]>,
    agents: Vec<AgentName>,
    /// Why nothing could be read.
    trouble: Option<String>,
}

/// Renders, and then again whenever an input changes. It ends with the process, or where the output cannot be written.
///
/// # Errors
///
/// What cannot be watched or written. An input that cannot be read is told and waited out: it may come back.
pub(super) fn watch(args: &RenderArgs, session: &Session) -> Result<ExitStatus, EnvironmentError> {
    each_round(&args.inputs(), &args.reading(), |watching, loaded| {
        watching.round(args, loaded, session)
    })
}

/// Checks, and then again whenever an input changes. It ends with the process, or where the output cannot be written.
///
/// # Errors
///
/// As [`watch`].
pub(super) fn watch_check(args: &CheckArgs, session: &Session) -> Result<ExitStatus, EnvironmentError> {
    each_round(&args.inputs(), &args.reading(), |watching, loaded| {
        let input = args.input(loaded, session);
        let checked = args.check(&input, &input.sources);
        watching.report(&checked.diagnostics, &input.sources, session);
        let done = Line::from(format!("watch: {}: ", checked.done(&input)));
        tell(done.join(count(&checked.diagnostics)));
        Ok(())
    })
}

/// Runs `round` over the input, and again whenever it changes.
fn each_round(
    inputs: &[Input],
    reading: &Reading,
    mut round: impl FnMut(&mut Watching, Warned<Sources>) -> Result<(), EnvironmentError>,
) -> Result<ExitStatus, EnvironmentError> {
    let mut watch = Watch::new(inputs)?;
    let mut watching = Watching::default();
    loop {
        let loaded = watching.load(inputs, reading, &mut watch)?;
        round(&mut watching, loaded)?;
        watch.wait()?;
    }
}

impl Watching {
    /// Waits until the inputs can be read and say anything else than before.
    fn load(
        &mut self,
        inputs: &[Input],
        reading: &Reading,
        watch: &mut Watch,
    ) -> Result<Warned<Sources>, EnvironmentError> {
        loop {
            match load(inputs, reading) {
                Ok(loaded) => {
                    let came_back = self.trouble.take().is_some();
                    if self.has_new_text(&loaded.output) {
                        return Ok(loaded);
                    }
                    if came_back {
                        tell("watch: nothing changed");
                    }
                }
                Err(error) => self.wait_out(&error),
            }
            watch.wait()?;
        }
    }

    fn round(
        &mut self,
        args: &RenderArgs,
        mut loaded: Warned<Sources>,
        session: &Session,
    ) -> Result<(), EnvironmentError> {
        let rendered = args.compile(&mut loaded, session);
        self.report(&rendered.diagnostics, &loaded.output, session);
        let errors = rendered.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        if has_errors(&rendered.diagnostics) {
            tell(format!("watch: {}, nothing written", counted(errors.count(), "error")));
            return Ok(());
        }
        let changes = self.changes(&rendered.bundle)?;
        let differs = |object: &Object| changes.objects.contains(&object.key());
        args.write_changes(&rendered.bundle, &loaded.output, differs, session)?;
        tell(changes.line());
        Ok(())
    }

    /// Says once what is wrong with the input as a whole.
    fn wait_out(&mut self, error: &EnvironmentError) {
        let told = error.to_string();
        if self.trouble.as_ref() != Some(&told) {
            trouble(error);
            tell("watch: waiting for the input");
        }
        self.trouble = Some(told);
    }

    /// Whether the input says anything else than before. A file that is only written, or an output directory below the
    /// input, would keep the rounds going otherwise.
    fn has_new_text(&mut self, sources: &Sources) -> bool {
        let sources: Vec<_> = sources.shared().map(|(_, source)| Arc::clone(source)).collect();
        let is_new = !self.sources.as_ref().is_some_and(|before| is_same(before, &sources));
        self.sources = Some(sources);
        is_new
    }

    /// Shows the findings that are new.
    fn report(&mut self, found: &[Diagnostic], sources: &Sources, session: &Session) {
        let is_new = |diagnostic: &&Diagnostic| !self.told.contains(&finding(diagnostic));
        let new: Vec<_> = found.iter().filter(is_new).cloned().collect();
        self.told = found.iter().map(finding).collect();
        if !new.is_empty() {
            session.report(&new, sources);
        }
    }

    /// What is rendered otherwise than before, which it takes the place of.
    fn changes(&mut self, bundle: &Bundle) -> Result<Changes, EnvironmentError> {
        let mut objects = BTreeMap::new();
        for object in bundle.objects.iter() {
            let text = object.to_yaml();
            objects.insert(object.key(), md5::compute(text).0);
        }
        let changed = objects
            .iter()
            .filter(|(key, hash)| self.objects.get(*key) != Some(*hash));
        let changed: BTreeSet<_> = changed.map(|(key, _)| key.clone()).collect();
        let is_gone = |key: &&ObjectKey| {
            !objects.contains_key(*key) && !bundle.left_alone.iter().any(|agent| creates(agent, key))
        };
        let gone: BTreeSet<_> = self.objects.keys().filter(is_gone).cloned().collect();
        let known: BTreeSet<_> = self.agents.iter().chain(rendered_agents(bundle)).collect();
        let of = |agent: &&&AgentName| changed.iter().chain(&gone).any(|key| creates(agent, key));
        let agents = known
            .iter()
            .filter(of)
            .map(|agent| format!("{}/{}", agent.namespace, agent.name));
        let agents = agents.collect();
        self.objects = objects;
        self.agents = rendered_agents(bundle).cloned().collect();
        Ok(Changes {
            agents,
            objects: changed,
            gone: gone.len(),
        })
    }
}

struct Changes {
    agents: Vec<String>,
    objects: BTreeSet<ObjectKey>,
    gone: usize,
}

impl Changes {
    fn line(&self) -> String {
        if self.objects.is_empty() && self.gone == 0 {
            return "watch: nothing changed".to_owned();
        }
        let changed = counted(self.objects.len(), "object");
        let of = match self.agents.as_slice() {
            [] => "objects of no agent".to_owned(),
            agents => agents.join(", "),
        };
        format!("watch: rendered {of}: {changed} changed, {} gone", self.gone)
    }
}

/// Whether sources have the same names and texts.
fn is_same(before: &[Arc<Source>], now: &[Arc<Source>]) -> bool {
    let alike = |(a, b): (&Arc<Source>, &Arc<Source>)| a.name == b.name && a.text == b.text;
    before.len() == now.len() && before.iter().zip(now).all(alike)
}

fn rendered_agents(bundle: &Bundle) -> impl Iterator<Item = &AgentName> {
    bundle.objects.agents.iter().map(|of| &of.agent)
}

fn creates(agent: &AgentName, key: &ObjectKey) -> bool {
    agent.role_of(&key.kind, &key.namespace, &key.name).is_some()
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    let Diagnostic {
        code,
        severity,
        message,
        resource,
        path,
        ..
    } = diagnostic.clone();
    (code, severity, message, resource, path)
}
