//! `agentctl affected`: the agents and objects that a change affects.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::args::{CompileArgs, WholeInputArgs};
use super::session::{Outcome, Session};
use super::subject::SubjectArgument;
use crate::compile::{CompileOptions, compile};
use crate::diagnostic::severity::Policy;
use crate::diagnostic::{Severity, Warned, has_errors};
use crate::insight::affected::{AffectedObjects, dependents, difference, explain, text};
use crate::insight::catalog::resource_with_since;
use crate::insight::resolved::resolve;
use crate::manifest::Objects;
use crate::printable::Text;
use crate::source::Sources;

/// Show which agents and objects a change affects
///
/// Without --since, shows the agents and objects that depend on the given resources, or on those in the given files.
/// If the resources were removed, these objects would change or disappear. With different labels or namespaces, the
/// resources may affect more.
///
/// With --since, shows exactly which objects are rendered differently than at that revision. agentctl reads the
/// revision's files with git, from the repository that contains the working directory; nothing is checked out, fetched
/// or executed. If the revision has errors, it renders nothing, and everything counts as added.
///
/// `-o names` prints the agents to render again, one NAMESPACE/NAME per line, for `agentctl render --agent`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl affected probe/shop/web manifests/
  agentctl affected manifests/shop.yaml -f manifests/
  agentctl affected --since origin/main manifests/
  agentctl affected --since origin/main -k overlays/production
  agentctl affected --since HEAD~1 manifests/ -o json
  agentctl affected --since origin/main manifests/ -o names")]
pub(super) struct AffectedArgs {
    /// Resources (KIND, KIND/NAME, KIND/NAMESPACE/NAME), or files that contain them; with --since, the input
    ///
    /// After a resource, files and directories are the input, as for `check`, unless -f or -k sets the input.
    #[arg(value_name = "RESOURCE|PATH", required_unless_present = "since", value_hint = clap::ValueHint::AnyPath)]
    subjects: Vec<OsString>,

    /// Compare with the files at this git revision
    #[arg(long, value_name = "REVISION", help_heading = "Input")]
    since: Option<String>,

    #[command(flatten)]
    input: WholeInputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: AffectedFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AffectedFormat {
    /// Human-readable text
    Text,
    /// One object with all agents
    Json,
    /// The agents to render again, one NAMESPACE/NAME per line
    Names,
}

impl AffectedArgs {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        match &self.since {
            Some(revision) => self.run_since(revision, &SubjectArgument::parse_all(&self.subjects), session),
            None => self.run_dependents(session),
        }
    }

    fn run_since(&self, revision: &str, subjects: &[SubjectArgument], session: &Session) -> Outcome {
        let resources = subjects.iter().filter_map(SubjectArgument::as_resource);
        let resources: Vec<_> = resources.map(resource_with_since).collect();
        if !resources.is_empty() {
            return Ok(session.report(&resources, &Sources::default()));
        }
        let (options, reading) = (self.compile.options(session), self.compile.reading());
        let mut inputs: Vec<_> = subjects.iter().filter_map(SubjectArgument::as_input).collect();
        if inputs.is_empty() || self.input.is_given() {
            inputs.extend(self.input.inputs());
        }
        let mut diagnostics = Vec::new();
        let (sources_now, clusters) = session.load_one(&inputs, &reading)?;
        let sources_now = sources_now.report_to(&mut diagnostics);
        let after = render(&sources_now, &options).report_to(&mut diagnostics);
        session.accept(&diagnostics, &sources_now)?;
        let mut diagnostics = Vec::new();
        let sources_then = session.load_at(&inputs, revision, &reading, &clusters)?.report_to(&mut diagnostics);
        let mut before = render(&sources_then, &options).report_to(&mut diagnostics);
        let is_rejected = has_errors(&diagnostics);
        if is_rejected {
            session.note(&format!(
                "the input at `{revision}` has errors, so nothing is rendered from it and everything counts as added"
            ));
            before = Objects::default();
        }
        let affected = difference(&before, &after);
        if is_rejected {
            return self.show(&affected, session);
        }
        resolve(&sources_then, Vec::new(), &options, |sources_then| {
            resolve(&sources_now, Vec::new(), &options, |sources_now| {
                self.show(&explain(affected, &sources_then, &sources_now), session)
            })
        })
    }

    fn run_dependents(&self, session: &Session) -> Outcome {
        let compile = self.compile.with_placeholders();
        let (subjects, paths) = SubjectArgument::split(&self.subjects, self.input.is_given());
        compile.resolve(&self.input.inputs_with(&paths), session, |input| {
            let mut diagnostics = input.errors();
            let rendering = input.rendering().report_to(&mut diagnostics);
            diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);

            let catalog = input.catalog();
            let targets = match SubjectArgument::find_all(&subjects, &catalog, input.sources)? {
                Ok(targets) => targets,
                Err(unknown) => {
                    catalog.retain_explanations(&mut diagnostics);
                    diagnostics.extend(unknown);
                    return Ok(session.report(&diagnostics, input.sources));
                }
            };
            // Errors are also reported, because a rejected resource may depend on the subjects.
            let status = session.report(&diagnostics, input.sources);
            self.show(&dependents(&input, &rendering, &targets), session)?;
            Ok(status)
        })
    }

    fn show(&self, affected: &AffectedObjects<'_>, session: &Session) -> Outcome {
        match self.output {
            AffectedFormat::Text => session.show(&text(affected, session.output)),
            AffectedFormat::Json => session.json(affected),
            AffectedFormat::Names => {
                let mut names = Text::default();
                for agent in affected.agents.iter().filter(|agent| agent.is_rendered) {
                    names.line(format!("{}/{}", agent.namespace, agent.name));
                }
                session.show(&names)
            }
        }
    }
}

/// Renders the sources as `render` does, and returns the errors that it would report.
fn render(sources: &Sources, options: &CompileOptions) -> Warned<Objects> {
    let Warned { output, diagnostics } = compile(sources, options);
    // Only errors are returned, because only `check` reports warnings.
    let mut diagnostics = Policy::lenient().apply(diagnostics, &output.allowances, &|span| span);
    diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
    Warned { output: output.objects, diagnostics }
}
