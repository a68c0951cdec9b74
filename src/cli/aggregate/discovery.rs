//! `agentctl aggregate discovery`: the documents at `/apis`.

use clap::{Args, ValueEnum};

use super::input::AggregateInput;
use crate::aggregate::{group_discovery_list, group_list};
use crate::cli::ExitStatus;
use crate::cli::session::Session;
use crate::environment::EnvironmentError;
use crate::printable::Text;
use crate::yaml::{Style, write};

/// Write the document that the aggregator would serve at /apis
///
/// Groups and versions are sorted by their priorities, then as Kubernetes sorts versions; the first version
/// of a group is the preferred one. The resources of a version are known to its server only.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate discovery apiservices/
  agentctl aggregate discovery apiservices/ --aggregated -o yaml")]
pub(super) struct DiscoveryArgs {
    #[command(flatten)]
    input: AggregateInput,

    /// Write the APIGroupDiscoveryList instead
    ///
    /// Without it, the APIGroupList is written.
    #[arg(long, help_heading = "Output")]
    aggregated: bool,

    /// Put the aggregator's own group in front
    ///
    /// The group is apiregistration.k8s.io; the aggregator itself puts it in front.
    #[arg(long, help_heading = "Output")]
    own_group: bool,

    /// Format of the document
    #[arg(short, long, value_name = "FORMAT", default_value = "json", help_heading = "Output")]
    output: DiscoveryFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiscoveryFormat {
    /// As the server writes it
    Json,
    /// For people
    Yaml,
}

impl DiscoveryArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let written = self.input.compile(session, |registry| {
            let document = match self.aggregated {
                true => group_discovery_list(registry, self.own_group),
                false => group_list(registry, self.own_group),
            };
            match self.output {
                DiscoveryFormat::Json => session.json(&document),
                DiscoveryFormat::Yaml => session.show(&Text::of_lines(&write(&document, Style::Kubernetes))),
            }
        })?;
        Ok(written.map_or(ExitStatus::Findings, |()| ExitStatus::Success))
    }
}
