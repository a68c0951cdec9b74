//! `agentctl version` and `agentctl man`: what this is.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_mangen::Man;
use serde_json::json;

use super::session::Session;
use super::{Cli, ExitStatus};
use crate::environment::EnvironmentError;

/// The operator whose output is rendered.
const OPERATOR: &str = "v0.44.8";

/// How the versions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A line for people
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
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
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

/// Write the manual page, or all of them into a directory
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl man | man -l -
  agentctl man /usr/local/share/man/man1")]
pub(super) struct ManArgs {
    /// The directory that gets agentctl.1 and one page a subcommand; it must exist
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    directory: Option<PathBuf>,
}

impl ManArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let mut command = Cli::command();
        command.build();
        match &self.directory {
            Some(directory) => write_pages(&command, "agentctl", directory)?,
            None => session.write(|out| Man::new(command).render(out))?,
        }
        Ok(ExitStatus::Success)
    }
}

/// `agentctl.1`, `agentctl-render.1`, `agentctl-aggregate-routes.1` and so on.
fn write_pages(command: &Command, name: &str, directory: &Path) -> Result<(), EnvironmentError> {
    write_page(command, name, directory)?;
    command
        .get_subcommands()
        .filter(|subcommand| subcommand.get_name() != "help")
        .try_for_each(|subcommand| write_pages(subcommand, &format!("{name}-{}", subcommand.get_name()), directory))
}

fn write_page(command: &Command, name: &str, directory: &Path) -> Result<(), EnvironmentError> {
    let path = directory.join(format!("{name}.1"));
    let mut page = Vec::new();
    Man::new(command.clone())
        .title(name)
        .source(concat!("agentctl ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .and_then(|()| fs::write(&path, page))
        .map_err(|error| EnvironmentError::Write { path, error })
}
