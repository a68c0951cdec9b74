//! `agentctl aggregate`: the commands for APIServices and ExternalNames.

mod input;
mod routes;

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, Subcommand, ValueEnum};
use input::AggregateInput;

use super::args::{AgainstArgs, AnswerFormat, OutputArgs, other_side};
use super::session::{ExitStatus, Outcome, Session, Stop};
use crate::aggregate::{self, PkiOptions, Registry, generate_pki, group_discovery_list, group_list, manifests};
use crate::diagnostic::EnvironmentError;
use crate::emit::{empty_render, write_private};
use crate::printable::Text;
use crate::yaml::{LibraryStyle, write};

/// Compile APIServices and ExternalNames for Grafana's aggregator
///
/// Reads APIServices (apiregistration.k8s.io/v1), ExternalNames (service.grafana.app/v0alpha1) and core Services, and
/// the aggregator's list of remote services. `agentctl check` reports mistakes in them together with all others.
/// None of these commands contacts a server; `kubectl get apiservice` shows the state in a running aggregator.
#[derive(Clone, Debug, Subcommand)]
#[command(after_help = "\
Examples:
  agentctl aggregate routes apiservices/
  agentctl aggregate discovery apiservices/ --remote-services remote-services.yaml
  agentctl aggregate render --remote-services remote-services.yaml --ca-bundle ca.crt --output-dir - | kubectl apply --server-side -f -
  agentctl aggregate diff apiservices/ --against rendered/
  agentctl aggregate pki data/grafana-aggregator")]
pub(super) enum AggregateCommand {
    Render(AggregateRenderArgs),
    Routes(RoutesArgs),
    Discovery(DiscoveryArgs),
    Diff(AggregateDiffArgs),
    Pki(PkiArgs),
}

impl AggregateCommand {
    pub(super) fn run(&self, session: &Session) -> Outcome {
        match self {
            AggregateCommand::Render(args) => args.run(session),
            AggregateCommand::Routes(args) => args.run(session),
            AggregateCommand::Discovery(args) => args.run(session),
            AggregateCommand::Diff(args) => args.run(session),
            AggregateCommand::Pki(args) => args.run(),
        }
    }
}

/// File in the output directory that lists the files written by `aggregate render`. `render` has its own list.
const LIST: &str = ".agentctl-aggregate-files";

/// Write APIServices and ExternalNames with their defaults, and expand remote services
///
/// ExternalNames come first, then APIServices, both sorted by namespace and name. Fields that a server adds (status, uid and
/// the like) are omitted. Core Services are read, but not written. Nothing is written if there is an error.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate render apiservices/ -o json
  agentctl aggregate render --remote-services remote-services.yaml --ca-bundle ca.crt --output-dir rendered/")]
pub(super) struct AggregateRenderArgs {
    #[command(flatten)]
    input: AggregateInput,

    #[command(flatten)]
    output: OutputArgs,

    /// Succeed even if nothing is rendered; applying empty output may delete everything
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    allow_empty: bool,
}

impl AggregateRenderArgs {
    fn run(&self, session: &Session) -> Outcome {
        let empty_result = || empty_render("`APIService`, `ExternalName` or remote service", &[]);
        let is_empty = |registry: &Registry<'_>| registry.is_empty() && !self.allow_empty;
        let check = |registry: &Registry<'_>| is_empty(registry).then(empty_result);
        let write = |registry: &Registry<'_>| self.output.write(LIST, &manifests(registry), session);
        self.input.compile_checked(session, check, write)
    }
}

/// List every route in the order in which requests are matched
///
/// AVAILABLE is the APIService's condition, as far as it can be determined offline: True (Local) if the server itself
/// handles the requests, False with a reason if requests cannot reach the service, and otherwise Unknown with the URL that
/// the aggregator would request.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate routes apiservices/
  agentctl aggregate routes apiservices/ -o json | jq -r '.[] | select(.available.status == \"False\").apiService'")]
pub(super) struct RoutesArgs {
    #[command(flatten)]
    input: AggregateInput,

    /// Format of the routes
    #[arg(short, long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    output: RoutesFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RoutesFormat {
    /// Table with one line per route
    Table,
    /// A list of objects
    Json,
}

impl RoutesArgs {
    fn run(&self, session: &Session) -> Outcome {
        self.input.compile(session, |registry| {
            let routes = aggregate::routes(registry);
            match self.output {
                RoutesFormat::Table => session.show(&routes::table(&routes)),
                RoutesFormat::Json => session.json(&routes),
            }
        })
    }
}

/// Write the document that the aggregator would serve at /apis
///
/// Groups and versions are sorted by priority, then in Kubernetes' version order; the first version of a group is the
/// preferred one. The resources of a version are known only to its server.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate discovery apiservices/
  agentctl aggregate discovery apiservices/ --aggregated -o yaml")]
pub(super) struct DiscoveryArgs {
    #[command(flatten)]
    input: AggregateInput,

    /// Write an APIGroupDiscoveryList
    ///
    /// The default is an APIGroupList.
    #[arg(long, help_heading = "Output")]
    aggregated: bool,

    /// List the aggregator's own group first
    ///
    /// The group is apiregistration.k8s.io. A running aggregator lists it first.
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
    /// YAML
    Yaml,
}

impl DiscoveryArgs {
    fn run(&self, session: &Session) -> Outcome {
        self.input.compile(session, |registry| {
            let document = match self.aggregated {
                true => group_discovery_list(registry, self.own_group),
                false => group_list(registry, self.own_group),
            };
            match self.output {
                DiscoveryFormat::Json => session.json(&document),
                DiscoveryFormat::Yaml => session.show(&Text::from_lines(&write(&document, LibraryStyle::Kubernetes))),
            }
        })
    }
}

/// Show which routes and preferred versions are added, removed or changed
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate diff apiservices/ --against rendered/
  kubectl get apiservices,externalnames -A -o yaml | agentctl aggregate diff apiservices/ --against -

Exit status:
  0  nothing differs
  1  something differs
  2  usage error, or one side has errors or cannot be read")]
pub(super) struct AggregateDiffArgs {
    #[command(flatten)]
    input: AggregateInput,

    #[command(flatten)]
    against: AgainstArgs,

    /// Format of the changes
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: AnswerFormat,
}

impl AggregateDiffArgs {
    fn run(&self, session: &Session) -> Outcome {
        other_side(self.against.path(), &self.input.inputs())?;
        let before = self.input.against(self.against.path());
        let compared = before.compile(session, |before| {
            self.input.compile(session, |after| {
                let changes = aggregate::changes(before, after);
                match self.output {
                    AnswerFormat::Text => {
                        let mut text = session.text();
                        changes.iter().for_each(|change| text.line(routes::change(change)));
                        session.show(&text)
                    }
                    AnswerFormat::Json => session.json(&changes),
                }?;
                Ok(ExitStatus::findings_if(!changes.is_empty()))
            })
        });
        match compared {
            // Status 1 is reserved for differences.
            Err(Stop::Reported) => Ok(ExitStatus::Trouble),
            outcome => outcome,
        }
    }
}

/// Create test certificates for a CA, a server, and the aggregator as a client
///
/// Writes ca.crt, ca.key, client.crt, client.key, server.crt and server.key, each with mode 0600. The client belongs to
/// system:masters, so these files are for tests only. Each run creates new keys and dates; no other command does.
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
    /// The aggregator expects the service's <name>.<namespace>.svc. By default, v0alpha1.example.grafana.app.default.svc and
    /// localhost.
    #[arg(long, value_name = "NAME", default_values = ["v0alpha1.example.grafana.app.default.svc", "localhost"], hide_default_value = true)]
    server_name: Vec<String>,

    /// Name of the client
    ///
    /// The server's --requestheader-allowed-names must contain it.
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
    fn run(&self) -> Outcome {
        let options = PkiOptions {
            server_names: self.server_name.clone(),
            client_name: self.client_name.clone(),
            now: SystemTime::now(),
            days: self.days,
        };
        let write_error = EnvironmentError::write(&self.directory);
        let files = generate_pki(&options).map_err(|error| write_error(io::Error::other(error)))?;
        let texts = files.iter().map(|file| (file.name, file.text.as_str()));
        write_private(texts, &self.directory, self.force)?;
        Ok(ExitStatus::Success)
    }
}
