//! `agentctl aggregate`: APIServices and ExternalNames.

mod diff;
mod discovery;
mod input;
mod pki;
mod render;
mod routes;

use clap::{Args, Subcommand};

use super::ExitStatus;
use super::session::Session;
use crate::environment::EnvironmentError;

/// Compile APIServices and ExternalNames, as Grafana's aggregator and kube-aggregator do
///
/// Reads APIServices (apiregistration.k8s.io/v1), ExternalNames (service.grafana.app/v0alpha1) and core Services, and
/// the aggregator's list of remote services. `agentctl check` finds their mistakes together with all others. Nothing
/// here asks a server; `kubectl get apiservice` shows what a running aggregator says.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate routes apiservices/
  agentctl aggregate discovery apiservices/ --remote-services remote-services.yaml
  agentctl aggregate render --remote-services remote-services.yaml --ca-bundle ca.crt | kubectl apply --server-side -f -
  agentctl aggregate diff apiservices/ --against rendered/
  agentctl aggregate pki data/grafana-aggregator")]
pub(super) struct AggregateArgs {
    #[command(subcommand)]
    command: AggregateCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum AggregateCommand {
    Render(render::RenderArgs),
    Routes(routes::RoutesArgs),
    Discovery(discovery::DiscoveryArgs),
    Diff(diff::DiffArgs),
    Pki(pki::PkiArgs),
}

impl AggregateArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        match &self.command {
            AggregateCommand::Render(args) => args.run(session),
            AggregateCommand::Routes(args) => args.run(session),
            AggregateCommand::Discovery(args) => args.run(session),
            AggregateCommand::Diff(args) => args.run(session),
            AggregateCommand::Pki(args) => args.run(session),
        }
    }
}
