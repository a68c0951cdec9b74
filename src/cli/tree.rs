//! `agentctl tree`: what belongs to what.

use clap::{Args, ValueEnum};

use super::ExitStatus;
use super::compile_args::CompileArgs;
use super::input_args::InputArgs;
use super::session::Session;
use crate::admit;
use crate::check;
use crate::compile;
use crate::diagnostic::{Diagnostic, Severity};
use crate::environment::EnvironmentError;
use crate::input::load;
use crate::insight::graph::Graph;
use crate::insight::tree;
use crate::policy::Policy;
use crate::resolve;

/// Show what belongs to each agent, down to the keys of Secrets
///
/// Under each GrafanaAgent its MetricsInstances, LogsInstances and Integrations, under these the ServiceMonitors,
/// PodMonitors, Probes and PodLogs that they select, and under each of them the Secrets and ConfigMaps that it refers to, with
/// file and line. What several resources use is marked as shared, what is not in the input as missing, and what nothing
/// selects has a section of its own (`agentctl why` tells the reason). No value of a Secret is shown in any format.
///
/// The tree is written even where there are errors, which are reported on standard error.
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

    /// Format of the tree
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: TreeFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// Lines, for people
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
        let mut diagnostics = Vec::new();
        let sources = &load(&self.input.inputs(), &self.compile.reading())?.report_to(&mut diagnostics);
        let options = self.compile.options(false);
        let documents = compile::read(sources, &options).report_to(&mut diagnostics);
        let resources = &admit::decode(&documents, &options.admit.namespace).report_to(&mut diagnostics);
        let selections = resolve::Selections::new(resources);
        let hierarchies =
            resolve::resolve_selected(resources, &selections, &options.resolve).report_to(&mut diagnostics);
        let errors: Vec<Diagnostic> = diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .cloned()
            .collect();
        let status = session.report(&errors, sources);

        let graph = Graph {
            resources,
            selections: &selections,
            hierarchies: &hierarchies,
        };
        let shown = tree::build(graph, sources, &options.resolve, &errors);
        match self.output {
            TreeFormat::Html => {
                diagnostics.extend(check::check(resources, &selections, &hierarchies));
                let allowances = documents.iter().flat_map(|document| &document.allowances);
                let allowances: Vec<_> = allowances.copied().collect();
                let diagnostics = Policy::lenient().apply(diagnostics, &allowances);
                let generated = tree::generated(&shown, &hierarchies);
                session.data(&tree::html(&shown, &generated, &diagnostics))?;
            }
            TreeFormat::Json => {
                let generated = tree::generated(&shown, &hierarchies);
                session.json(&tree::json(&shown, &generated))?;
            }
            TreeFormat::Text => session.show(&tree::text(&shown, session.colors_output()))?,
            TreeFormat::Dot => session.show(&tree::dot(&shown))?,
            TreeFormat::Mermaid => session.show(&tree::mermaid(&shown))?,
        }
        Ok(status)
    }
}
