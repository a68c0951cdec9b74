//! `agentctl tree`: what belongs to what.

use clap::{Args, ValueEnum};

use super::ExitStatus;
use super::compile_args::CompileArgs;
use super::input_args::InputArgs;
use super::session::{Channel, Session};
use crate::admit;
use crate::check;
use crate::compile;
use crate::diagnostic::{Diagnostic, Severity};
use crate::environment::EnvironmentError;
use crate::insight::tree;
use crate::policy::Policy;
use crate::resolve;
use crate::source::load;

/// Show what belongs to each agent, down to the keys of Secrets
///
/// Under each GrafanaAgent its MetricsInstances, LogsInstances and Integrations, under these the ServiceMonitors,
/// PodMonitors, Probes and PodLogs that they select, and under each of them the Secrets and ConfigMaps that it refers to, with
/// file and line. What several resources use is marked as shared, what is not in the input as missing, and what nothing
/// selects has a section of its own (`agentctl why` tells the reason). No value of a Secret is shown in any format.
///
/// The tree is written even where there are errors, which are reported on standard error; the exit status is 1 then.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl tree manifests/
  agentctl tree manifests/ -o html > tree.html
  agentctl tree manifests/ -o dot | dot -Tsvg > tree.svg
  agentctl tree manifests/ -o json | jq -r '.resources[] | select(.state == \"missing\").id'")]
pub(super) struct TreeArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    compile: CompileArgs,

    /// How the tree is written
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        default_value_t,
        value_enum,
        help_heading = "Output"
    )]
    output: TreeFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// Lines, for people
    #[default]
    Text,
    /// One object, for programs
    Json,
    /// A graph for Graphviz
    Dot,
    /// A flowchart for Markdown
    Mermaid,
    /// A page that works offline: fold, search, filter, see sources and scrape jobs
    Html,
}

impl TreeArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let loaded = load(&self.input.inputs(), &self.compile.reading())?;
        let sources = &loaded.output;
        let options = self.compile.options(false);
        let read = compile::read(sources, &options);
        let decoded = admit::decode(&read.output, &options.admit.namespace);
        let resources = &decoded.output;
        let selections = resolve::Selections::new(resources);
        let resolved = resolve::resolve_selected(resources, &selections, &options.resolve);
        let hierarchies = resolved.output;
        let mut diagnostics = loaded.diagnostics;
        diagnostics.extend(read.diagnostics);
        diagnostics.extend(decoded.diagnostics);
        diagnostics.extend(resolved.diagnostics);
        let errors: Vec<Diagnostic> = diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .cloned()
            .collect();
        session.report(&errors, sources, Channel::StandardError)?;

        let graph = tree::build(resources, sources, &options.resolve, &errors);
        match self.output {
            TreeFormat::Html => {
                diagnostics.extend(check::check(resources, &selections, &hierarchies));
                let allowances: Vec<_> = read
                    .output
                    .iter()
                    .flat_map(|document| &document.allowances)
                    .copied()
                    .collect();
                let diagnostics = Policy::lenient().apply(diagnostics, &allowances);
                let generated = tree::generated(&graph, hierarchies);
                session.data(&tree::html(&graph, &generated, &diagnostics))?;
            }
            TreeFormat::Json => {
                let generated = tree::generated(&graph, hierarchies);
                session.json(&tree::json(&graph, &generated))?;
            }
            TreeFormat::Text => session.show(&tree::text(&graph, session.colors_output()))?,
            TreeFormat::Dot => session.show(&tree::dot(&graph))?,
            TreeFormat::Mermaid => session.show(&tree::mermaid(&graph))?,
        }
        Ok(match errors.is_empty() {
            true => ExitStatus::Success,
            false => ExitStatus::Findings,
        })
    }
}
