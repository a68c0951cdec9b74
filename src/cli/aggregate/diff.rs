//! `agentctl aggregate diff`: what a change means to those who send requests.

use clap::{Args, ValueEnum};

use super::input::AggregateInput;
use super::routes::target;
use crate::aggregate::{Change, Route, changes};
use crate::cli::ExitStatus;
use crate::cli::input_args::AgainstArgs;
use crate::cli::session::Session;
use crate::environment::EnvironmentError;

/// Show which routes and preferred versions are added, removed or changed
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl aggregate diff apiservices/ --against rendered/
  kubectl get apiservices,externalnames -A -o yaml | agentctl aggregate diff apiservices/ --against -

Exit status:
  0  nothing differs
  1  something differs
  2  one of the sides has errors, or cannot be read; wrong usage")]
pub(super) struct DiffArgs {
    #[command(flatten)]
    input: AggregateInput,

    #[command(flatten)]
    against: AgainstArgs,

    /// Format of changes
    #[arg(short, long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    output: DiffFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// A line each, for people
    Text,
    /// A list of objects
    Json,
}

impl DiffArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        self.against.input(&self.input.inputs())?;
        let before = self.input.against(self.against.path());
        let compared = before.compile(session, |before| {
            self.input.compile(session, |after| {
                let changes = changes(before, after);
                self.show(&changes, session)?;
                Ok(changes.is_empty())
            })
        })?;
        Ok(match compared.flatten() {
            Some(true) => ExitStatus::Success,
            Some(false) => ExitStatus::Findings,
            None => ExitStatus::Trouble,
        })
    }

    fn show(&self, changes: &[Change<'_>], session: &Session) -> Result<(), EnvironmentError> {
        match self.output {
            DiffFormat::Text => {
                let mut text = session.text();
                changes.iter().for_each(|change| text.line(line(change)));
                session.show(&text)
            }
            DiffFormat::Json => session.json(&changes),
        }
    }
}

fn line(change: &Change<'_>) -> String {
    match change {
        Change::RouteAdded { route } => format!("+ {} {}", route.path, state(route)),
        Change::RouteRemoved { route } => format!("- {} {}", route.path, state(route)),
        Change::RouteChanged { before, after } => {
            let (old, new) = match (state(before), state(after)) {
                (old, new) if old == new => (verified_state(before), verified_state(after)),
                sides => sides,
            };
            format!("~ {} {old} -> {new}", after.path)
        }
        Change::PreferredVersionChanged { group, before, after } => {
            format!("~ {group} prefers {before} -> {after}")
        }
    }
}

/// Where the requests go, how that is verified, and whether they get there.
fn state(route: &Route<'_>) -> String {
    let target = route.service.as_deref().unwrap_or(target(route));
    let tls = route.tls.map(|tls| format!(" {tls}")).unwrap_or_default();
    // As in the table of `aggregate routes`: the reason of Unknown only says that nobody was asked.
    let available = match route.available.status {
        "Unknown" => "Unknown",
        _ => route.available.reason,
    };
    format!("{target}{tls} ({available})")
}

/// The same with the name that the certificate has to be for, which can be all that changes.
fn verified_state(route: &Route<'_>) -> String {
    let name = route.server_name.as_ref();
    let name = name.map(|name| format!(" for {name}")).unwrap_or_default();
    format!("{}{name}", state(route))
}
