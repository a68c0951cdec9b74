//! `agentctl aggregate routes`: which requests go where.

use clap::{Args, ValueEnum};

use super::input::AggregateInput;
use crate::aggregate::{Available, Route, routes};
use crate::cli::ExitStatus;
use crate::cli::session::Session;
use crate::cli::terminal::table;
use crate::environment::EnvironmentError;
use crate::printable::Text;

/// List every route in the order in which requests are matched
///
/// AVAILABLE is the condition of the APIService as far as it can be known offline: True (Local) where the server
/// answers itself, False with the reason where requests cannot get through, and otherwise Unknown with the URL that the
/// aggregator would ask.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate routes apiservices/
  agentctl aggregate routes apiservices/ -o json | jq -r '.[] | select(.available.status == \"False\").apiService'")]
pub(super) struct RoutesArgs {
    #[command(flatten)]
    input: AggregateInput,

    /// Format of routes
    #[arg(short, long, value_name = "FORMAT", default_value = "table", help_heading = "Output")]
    output: RoutesFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RoutesFormat {
    /// A line each, for people
    Table,
    /// A list of objects
    Json,
}

impl RoutesArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let written = self.input.compile(session, |registry| {
            let routes = routes(registry);
            match self.output {
                RoutesFormat::Table => session.show(&route_table(&routes)),
                RoutesFormat::Json => session.json(&routes),
            }
        })?;
        Ok(written.map_or(ExitStatus::Findings, |()| ExitStatus::Success))
    }
}

fn route_table(routes: &[Route<'_>]) -> Text {
    let header = ["PATH", "TARGET", "TLS", "AVAILABLE"].map(str::to_owned);
    let rows = routes.iter().map(|route| {
        [
            route.path.clone(),
            target(route).to_owned(),
            route.tls.unwrap_or("-").to_owned(),
            available(&route.available),
        ]
    });
    table(std::iter::once(header).chain(rows).collect())
}

/// The URL, or what is in its place.
pub(super) fn target<'r>(route: &'r Route<'_>) -> &'r str {
    match (&route.target, route.tls) {
        (Some(target), _) => target,
        (None, None) => "<local>",
        (None, Some(_)) => "<none>",
    }
}

fn available(available: &Available) -> String {
    match &available.discovery_url {
        Some(url) => format!("{} ({url})", available.status),
        None => format!("{} ({})", available.status, available.reason),
    }
}
