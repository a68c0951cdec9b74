//! `agentctl argocd`: the commands of a config management plugin of Argo CD.

mod announcement;
mod generate;

use clap::{Args, Subcommand};

use super::ExitStatus;
use super::session::Session;
use crate::environment::EnvironmentError;

/// Generate manifests as a config management plugin of Argo CD
///
/// The plugin server runs these commands in the directory of an application, see deploy/argocd in the repository of agentctl.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl argocd generate
  agentctl argocd parameters")]
pub(super) struct ArgoCdArgs {
    #[command(subcommand)]
    command: ArgoCdCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum ArgoCdCommand {
    Generate(Box<generate::GenerateArgs>),
    Parameters(announcement::ParametersArgs),
}

impl ArgoCdArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        match &self.command {
            ArgoCdCommand::Generate(args) => args.run(session),
            ArgoCdCommand::Parameters(args) => args.run(session),
        }
    }
}
