//! `render --watch`, which renders what a change affects and reports new findings, and `check --watch`, which also
//! reports the number of findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::session::{Outcome, Session, print_error, print_line};
use crate::compile::Bundle;
use crate::diagnostic::{Code, Diagnostic, EnvironmentError, ObjectKey, Severity, Warned};
use crate::gitops::{DeployedInputs, deployed_roots, load_deployed, several_clusters};
use crate::input::{Input, InputWatcher, ReadLimits};
use crate::manifest::AgentName;
use crate::printable::format_count;
use crate::source::{Source, Sources};

/// A finding without its location. The location changes when lines are inserted above it.
type FindingWithoutLocation = (Code, Severity, String, Option<ObjectKey>, Option<String>);

/// State that is kept between rounds.
#[derive(Default)]
pub(super) struct WatchState {
    sources: Option<Vec<Arc<Source>>>,
    /// Findings that have already been reported.
    reported: BTreeSet<FindingWithoutLocation>,
    /// Hash of each rendered object. `agents` contains the agents that the objects belong to.
    objects: BTreeMap<ObjectKey, [u8; 16]>,
    agents: BTreeSet<AgentName>,
    /// Reason that the input could not be read, or `None` if it was read.
    input_error: Option<String>,
}

/// Calls `round` with the input, and again whenever the input changes. Runs until the process ends or the output cannot
/// be written.
///
/// # Errors
///
/// Returns an error if the input cannot be watched or the output cannot be written. An unreadable input is only
/// reported, because it may become readable again.
pub(super) fn each_round(
    inputs: &[Input],
    reading: &ReadLimits,
    mut round: impl FnMut(&mut WatchState, Warned<Sources>) -> Outcome<()>,
) -> Outcome {
    let mut watch = InputWatcher::new(&[inputs, &deployed_roots(inputs, reading)].concat())?;
    let mut state = WatchState::default();
    loop {
        let loaded = state.load(inputs, reading, &mut watch)?;
        round(&mut state, loaded)?;
        watch.wait()?;
    }
}

impl WatchState {
    /// Reads the inputs once they are readable and their contents have changed.
    fn load(&mut self, inputs: &[Input], reading: &ReadLimits, watch: &mut InputWatcher) -> Outcome<Warned<Sources>> {
        loop {
            let loaded = load_deployed(inputs, reading).and_then(|deployed| match deployed {
                DeployedInputs::Sources { loaded, .. } => Ok(loaded),
                DeployedInputs::Several(clusters) => Err(several_clusters(inputs, &clusters)),
            });
            match loaded {
                Ok(loaded) => {
                    let is_recovered = self.input_error.take().is_some();
                    if self.has_new_text(&loaded.output) {
                        return Ok(loaded);
                    }
                    if is_recovered {
                        print_line("watch: nothing changed");
                    }
                }
                Err(error) => self.report_once(&error),
            }
            watch.wait()?;
        }
    }

    /// Reports that the input is unreadable, unless the same problem was already reported.
    fn report_once(&mut self, error: &EnvironmentError) {
        let message = error.to_string();
        if self.input_error.as_ref() != Some(&message) {
            print_error(error);
            print_line("watch: waiting for the input");
        }
        self.input_error = Some(message);
    }

    /// Whether the contents of the input have changed. Neither rewriting a file without changing it nor writing to an
    /// output directory below the input may start another round.
    fn has_new_text(&mut self, sources: &Sources) -> bool {
        let sources: Vec<_> = sources.shared().map(|(_, source)| Arc::clone(source)).collect();
        let is_new = !self.sources.as_ref().is_some_and(|before| is_same(before, &sources));
        self.sources = Some(sources);
        is_new
    }

    /// Reports the findings that were not reported in the previous round.
    pub(super) fn report(&mut self, findings: &[Diagnostic], sources: &Sources, session: &Session) {
        let is_new = |diagnostic: &&Diagnostic| !self.reported.contains(&finding(diagnostic));
        let new_findings: Vec<_> = findings.iter().filter(is_new).cloned().collect();
        self.reported = findings.iter().map(finding).collect();
        if !new_findings.is_empty() {
            session.report(&new_findings, sources);
        }
    }

    /// Replaces the stored hashes with those of `bundle`. Returns the objects that changed, and a message that
    /// summarizes the changes.
    pub(super) fn changes(&mut self, bundle: &Bundle) -> (BTreeSet<ObjectKey>, String) {
        let objects = bundle.objects.iter();
        let hashes: BTreeMap<_, _> = objects.map(|object| (object.key(), md5::compute(object.to_yaml()).0)).collect();
        let is_new = |(key, hash): &(&ObjectKey, _)| self.objects.get(*key) != Some(*hash);
        let changed_keys: BTreeSet<_> = hashes.iter().filter(is_new).map(|(key, _)| key.clone()).collect();
        let is_removed =
            |key: &&ObjectKey| !hashes.contains_key(*key) && !bundle.left_alone.iter().any(|agent| creates(agent, key));
        let removed_keys: Vec<_> = self.objects.keys().filter(is_removed).collect();
        let rendered: BTreeSet<_> = bundle.objects.agents.iter().map(|objects| objects.agent.clone()).collect();
        let concerned = self.agents.union(&rendered);
        let concerned = concerned
            .filter(|agent| changed_keys.iter().chain(removed_keys.iter().copied()).any(|key| creates(agent, key)));
        let agents: Vec<_> = concerned.map(|agent| format!("{}/{}", agent.namespace, agent.name)).collect();
        let subject = match agents.is_empty() {
            true => "objects without an agent".to_owned(),
            false => agents.join(", "),
        };
        let line = match (changed_keys.len(), removed_keys.len()) {
            (0, 0) => "watch: nothing changed".to_owned(),
            (new, removed_keys) => {
                format!("watch: rendered {subject}: {} changed, {removed_keys} removed", format_count(new, "object"))
            }
        };
        (self.objects, self.agents) = (hashes, rendered);
        (changed_keys, line)
    }
}

/// Whether the sources in both lists have the same names and contents.
fn is_same(before: &[Arc<Source>], now: &[Arc<Source>]) -> bool {
    let is_equal = |(a, b): (&Arc<Source>, &Arc<Source>)| a.name == b.name && a.text == b.text;
    before.len() == now.len() && before.iter().zip(now).all(is_equal)
}

fn creates(agent: &AgentName, key: &ObjectKey) -> bool {
    agent.infer_role(&key.kind, &key.namespace, &key.name).is_some()
}

fn finding(diagnostic: &Diagnostic) -> FindingWithoutLocation {
    let (resource, path) = (diagnostic.resource.clone(), diagnostic.path.clone());
    (diagnostic.code, diagnostic.severity, diagnostic.message.clone(), resource, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;

    #[test]
    fn detects_changed_names_and_contents() {
        let mut watching = WatchState::default();
        for (files, expected) in [
            (&[("a", "1")][..], true),
            (&[("a", "1")], false),
            (&[("a", "2")], true),
            (&[("b", "2")], true),
            (&[("b", "2"), ("c", "")], true),
            (&[("b", "2"), ("c", "")], false),
            (&[("b", "2"), ("c", "1")], true),
            (&[("b", "2")], true),
            (&[], true),
            (&[], false),
        ] {
            let input = files.iter().fold(TestInput::default(), |input, (name, text)| input.file(*name, *text));
            assert_eq!(watching.has_new_text(&input.sources), expected, "{files:?}");
        }
        // The first input always counts as changed, even if it is empty.
        assert!(WatchState::default().has_new_text(&Sources::default()));
    }

    #[test]
    fn recognizes_findings_that_moved() {
        let finding_without_label = || Diagnostic::new(Code::UnknownField, "a").path("spec.a");
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x", "abc", true));
        let moved_finding = finding_without_label().label(crate::source::Span::new(id, 1, 2), "here");
        assert_eq!(finding(&finding_without_label()), finding(&moved_finding));
        for other in [
            Diagnostic::new(Code::UnknownField, "b").path("spec.a"),
            Diagnostic::new(Code::DecodeFailed, "a").path("spec.a"),
            Diagnostic::new(Code::UnknownField, "a").path("spec.b"),
            finding_without_label().resource(ObjectKey::new("Probe", "a", "b")),
        ] {
            assert_ne!(finding(&finding_without_label()), finding(&other));
        }
    }
}
