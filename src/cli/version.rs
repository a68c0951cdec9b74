//! `agentctl version`: of agentctl, and of what it renders for.

use clap::{Args, ValueEnum};
use serde_json::json;

use super::ExitStatus;
use super::session::Session;
use crate::environment::EnvironmentError;

/// The operator whose output is rendered.
const OPERATOR: &str = "v0.44.8";

/// How the versions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A line for people
    #[default]
    Text,
    /// A JSON object
    Json,
}

/// Show the version, and that of the operator whose output is rendered
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl version
  agentctl version -o json")]
pub(super) struct VersionArgs {
    /// How the versions are written
    #[arg(short, long, value_name = "FORMAT", default_value_t, value_enum)]
    output: Output,
}

impl VersionArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let version = env!("CARGO_PKG_VERSION");
        let text = match self.output {
            Output::Text => format!("agentctl {version} (renders for Grafana Agent Operator {OPERATOR})\n"),
            Output::Json => format!("{:#}\n", json!({ "version": version, "operatorVersion": OPERATOR })),
        };
        session.data(&text)?;
        Ok(ExitStatus::Success)
    }
}
