//! `agentctl completions`: scripts that complete the command line.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::env::Shells;
use clap_complete::{Shell, generate};

use super::completion::VARIABLE;
use super::session::Session;
use super::{Cli, ExitStatus};
use crate::environment::EnvironmentError;

/// Write a completion script for a shell
///
/// The script asks agentctl at every completion, so that it knows the resources in the files of -f and of the working
/// directory, too. It fits this version of agentctl: make it where the shell starts. With --static it stands for itself and
/// completes subcommands, flags, their values and files.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  source <(agentctl completions bash)           # in ~/.bashrc
  source <(agentctl completions zsh)            # in ~/.zshrc
  agentctl completions fish | source            # in ~/.config/fish/config.fish
  agentctl completions zsh --static > ~/.zfunc/_agentctl")]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,

    /// Write a script that needs no agentctl, for packages
    #[arg(long)]
    r#static: bool,
}

impl CompletionsArgs {
    pub(super) fn run(&self, session: &Session) -> Result<ExitStatus, EnvironmentError> {
        let mut script = Vec::new();
        if self.r#static {
            generate(self.shell, &mut Cli::command(), "agentctl", &mut script);
        } else {
            register(self.shell, &mut script).map_err(EnvironmentError::Output)?;
        }
        session.write(|out| out.write_all(&script))?;
        Ok(ExitStatus::Success)
    }
}

/// The script that asks the program that is running: by its name where the shell found it, by its whole path otherwise.
fn register(shell: Shell, script: &mut Vec<u8>) -> io::Result<()> {
    let program = PathBuf::from(env::args_os().next().unwrap_or_else(|| "agentctl".into()));
    let is_path = program.parent().is_some_and(|parent| parent != Path::new(""));
    let program = if is_path {
        env::current_dir()?.join(program)
    } else {
        program
    };
    let shells = Shells::builtins();
    let completer = shells.completer(&shell.to_string());
    let completer = completer.ok_or_else(|| io::Error::other("agentctl completes nothing in this shell"))?;
    completer.write_registration(VARIABLE, "agentctl", "agentctl", &program.to_string_lossy(), script)
}
