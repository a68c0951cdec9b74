//! `agentctl completions`: scripts that complete the command line.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::session::Session;
use super::{Cli, ExitStatus};
use crate::environment::EnvironmentError;

/// Write a completion script for a shell
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  source <(agentctl completions bash)
  agentctl completions zsh > ~/.zfunc/_agentctl
  agentctl completions fish > ~/.config/fish/completions/agentctl.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "agentctl", &mut script);
        session.write(|out| std::io::Write::write_all(out, &script))?;
        Ok(ExitStatus::Success)
    }
}
