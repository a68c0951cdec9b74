//! `agentctl targets`: which targets with which labels the agents will have.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::ExitStatus;
use super::agent_args::AgentArgs;
use super::compile_args::CompileArgs;
use super::input_args::WholeInputArgs;
use super::resolved::Resolved;
use super::session::Session;
use crate::admit::AdmittedDocument;
use crate::environment::EnvironmentError;
use crate::insight::source_map::{agent, hierarchy};
use crate::insight::targets::{TargetRecord, each_group};
use crate::observed::Objects;
use crate::printable::Text;
use crate::resolve::Hierarchy;
use crate::scrape::{Cluster, Extent, State};

/// Show which targets with which labels the agents will have
///
/// Reads the objects of the cluster from the same inputs as the resources: Pods, Services, Endpoints, EndpointSlices, Nodes and
/// Ingresses, as `kubectl get -o yaml` prints them. Discovery and relabeling follow the agent's own Prometheus and Promtail.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  kubectl get -A pods,services,endpoints -o yaml | agentctl targets manifests/ -f -
  agentctl targets monitoring/agent manifests/ export.yaml -o json")]
pub(super) struct TargetsArgs {
    #[command(flatten)]
    agent: AgentArgs,

    #[command(flatten)]
    input: WholeInputArgs,

    /// Format of the answer
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: TargetsFormat,

    #[command(flatten)]
    compile: CompileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetsFormat {
    /// A table for people
    Text,
    /// A line with the address of each active target, as `shards` reads them
    List,
    /// One object with all targets and all their labels
    Json,
}

impl TargetsArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let inputs = self.input.inputs_with(&self.agent.paths());
        let compile = self.compile.without_values();
        compile.resolve(&inputs, |input| self.answer(&input, session))
    }

    fn answer<'d>(&self, input: &Resolved<'d>, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let mut found = input.errors();
        let chosen = match self.agent.name() {
            None => input.hierarchies.iter().collect(),
            Some(name) => {
                let catalogue = input.catalogue();
                let chosen = agent(Some(name), &catalogue);
                let chosen = chosen.and_then(|agent| hierarchy(&agent, input.hierarchies, input.resources));
                match chosen {
                    Ok(hierarchy) => vec![hierarchy],
                    Err(error) => {
                        catalogue.retain_hiding(&mut found);
                        found.push(*error);
                        return Ok(session.report(&found, input.sources));
                    }
                }
            }
        };
        let documents = input.documents.iter().map(AdmittedDocument::document);
        let objects = Objects::read(documents, input.sources, &input.options.admit.namespace);
        let status = session.report(&found, input.sources);
        self.show(&chosen, &objects, input, session)?;
        Ok(status)
    }

    fn show<'d>(
        &self,
        hierarchies: &[&'d Hierarchy<'d, 'd>],
        objects: &Objects<'d>,
        input: &Resolved<'d>,
        session: &Session,
    ) -> Result<(), EnvironmentError> {
        let cluster = Cluster::new(objects);
        let hierarchies = hierarchies.iter().copied();
        match self.output {
            TargetsFormat::Json => session.json_lines(|out| {
                let mut result = out.write_all(b"{\"targets\": [");
                let mut separator = "\n";
                each_group(hierarchies, &|_, _| true, &mut |agent, group| {
                    cluster.targets(group, Extent::All, &mut |found| {
                        let record = TargetRecord::new(agent, group, &found, input.sources);
                        if let (Ok(()), Some(record)) = (&result, record) {
                            result = write_record(out, separator, &record);
                            separator = ",\n";
                        }
                    });
                });
                result?;
                out.write_all(b"\n]}\n")
            }),
            TargetsFormat::List | TargetsFormat::Text => {
                let mut list = Text::default();
                each_group(hierarchies, &|_, _| true, &mut |_, group| {
                    cluster.targets(group, Extent::Selected, &mut |found| {
                        if let State::Active { labels, .. } = &found.state {
                            list.line(labels.get("__address__"));
                        }
                    });
                });
                session.show(&list)
            }
        }
    }
}

fn write_record(out: &mut impl Write, separator: &str, record: &TargetRecord<'_>) -> io::Result<()> {
    out.write_all(separator.as_bytes())?;
    serde_json::to_writer(out, record).map_err(io::Error::from)
}
