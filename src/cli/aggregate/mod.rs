//! `agentctl aggregate`: APIServices and ExternalNames.

mod diff;
mod discovery;
mod input;
mod render;
mod routes;

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, Subcommand};

use super::ExitStatus;
use super::session::Session;
use crate::aggregate::{PkiOptions, pki};
use crate::emit::write_private;
use crate::environment::EnvironmentError;

/// Compile APIServices and ExternalNames of Grafana's aggregator
///
/// Reads APIServices (apiregistration.k8s.io/v1), ExternalNames (service.grafana.app/v0alpha1) and core Services, and
/// the aggregator's list of remote services. `agentctl check` finds their mistakes together with all others. None of
/// these commands contacts a server; `kubectl get apiservice` shows what a running aggregator says.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate routes apiservices/
  agentctl aggregate discovery apiservices/ --remote-services remote-services.yaml
  agentctl aggregate render --remote-services remote-services.yaml --ca-bundle ca.crt --output-dir - | kubectl apply --server-side -f -
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
    Pki(PkiArgs),
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

/// Make certificates for a local test: a CA, a server and the aggregator as a client
///
/// Writes ca.crt, ca.key, client.crt, client.key, server.crt and server.key, each with mode 0600. The client belongs to
/// system:masters, so these files are for tests only. Keys and dates are new on each run; no other command makes any.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate pki data/grafana-aggregator
  agentctl aggregate pki pki/ --server-name v1.query.grafana.app.default.svc --server-name localhost --days 30")]
pub(super) struct PkiArgs {
    /// Directory to write the files to
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    directory: PathBuf,

    /// DNS name of the server; may be repeated
    ///
    /// The aggregator expects <name>.<namespace>.svc of the service. By default v0alpha1.example.grafana.app.default.svc and
    /// localhost.
    #[arg(long, value_name = "NAME", default_values = ["v0alpha1.example.grafana.app.default.svc", "localhost"], hide_default_value = true)]
    server_name: Vec<String>,

    /// Name of the client
    ///
    /// The server's --requestheader-allowed-names must have it.
    #[arg(long, value_name = "NAME", default_value = "development")]
    client_name: String,

    /// Validity of the certificates in days
    #[arg(long, value_name = "NUMBER", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: u32,

    /// Replace existing files
    #[arg(long)]
    force: bool,
}

impl PkiArgs {
    pub(super) fn run(&self, _session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let options = PkiOptions {
            server_names: self.server_name.clone(),
            client_name: self.client_name.clone(),
            now: SystemTime::now(),
            days: self.days,
        };
        let failed = EnvironmentError::write(&self.directory);
        let files = pki(&options).map_err(|error| failed(io::Error::other(error)))?;
        let texts = files.iter().map(|file| (file.name, file.text.as_str()));
        write_private(texts, &self.directory, self.force)?;
        Ok(ExitStatus::Success)
    }
}
