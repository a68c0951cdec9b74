//! `agentctl lsp`: `check` in an editor.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufReader};
use std::path::PathBuf;

use clap::Args;

use super::check::{CheckArgs, Checking};
use super::outcome::{ExitStatus, Outcome};
use super::session::Session;
use crate::compile::Options;
use crate::diagnostic::{Diagnostic, Warned};
use crate::environment::EnvironmentError;
use crate::fix::tried;
use crate::input::{Input, Reading};
use crate::lsp::{Checked, Checker, Streams, serve};
use crate::source::Sources;

/// Show findings and fixes in an editor as you type
///
/// Speaks the Language Server Protocol over standard input and output. Checks the workspace as `agentctl check` does in its folder,
/// with its agentctl.yaml; open documents replace their files. Flags of `check` may follow `--`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl lsp
  agentctl lsp -- --namespace monitoring --deny warnings

Exit status:
  0  the editor ended the session
  2  wrong usage, or an editor that does not speak the protocol")]
pub(super) struct LspArgs {
    /// Accepted because editors pass it; standard input and output are always used
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    stdio: bool,

    /// Flags of `check`
    #[arg(last = true, value_name = "FLAG", help_heading = None::<&str>)]
    flags: Vec<OsString>,
}

/// Parses a command line of `check`, with its settings.
pub(super) type ParseCheck = fn(Vec<OsString>) -> Result<(CheckArgs, Session), String>;

impl LspArgs {
    pub(super) fn run(&self, parse: ParseCheck) -> Outcome {
        let (connection, streams) = Streams::connect(BufReader::new(io::stdin()), io::stdout());
        let served = serve(&connection, &|roots| self.open(roots, parse));
        drop(connection);
        streams.finish().map_err(EnvironmentError::Output)?;
        served.map_err(|problem| EnvironmentError::Output(io::Error::other(problem.to_string())))?;
        Ok(ExitStatus::Success)
    }

    /// The command line of `check` for the folders of a workspace, with the settings of the first one.
    fn open(&self, roots: &[PathBuf], parse: ParseCheck) -> Result<Box<dyn Checker>, String> {
        let mut args: Vec<OsString> = vec!["agentctl".into(), "check".into()];
        args.extend(self.flags.iter().cloned());
        if let Some(first) = roots.first() {
            env::set_current_dir(first).map_err(|error| error.to_string())?;
        }
        if roots.len() > 1 {
            args.extend(roots.iter().map(|root| root.clone().into()));
        }
        let (check, session) = parse(args)?;
        Ok(Box::new(Workspace { check, session }))
    }
}

/// `check` in a workspace.
struct Workspace {
    check: CheckArgs,
    session: Session,
}

impl Checker for Workspace {
    fn inputs(&self) -> Vec<Input> {
        self.check.inputs()
    }

    fn reading(&self) -> Reading {
        self.check.reading()
    }

    fn options(&self) -> Options {
        self.check.options(&self.session)
    }

    fn check<'c>(&'c self, loaded: Warned<Sources>, is_wanted: &dyn Fn() -> bool) -> Box<dyn Checked + 'c> {
        let input = self.check.input(loaded, &self.session);
        let checked = self.check.check_while(&input, &input.sources, is_wanted);
        Box::new(Done {
            check: &self.check,
            found: checked.diagnostics,
            input,
        })
    }
}

/// What `check` found.
struct Done<'c> {
    check: &'c CheckArgs,
    input: Checking,
    found: Vec<Diagnostic>,
}

impl Checked for Done<'_> {
    fn sources(&self) -> &Sources {
        &self.input.sources
    }

    fn found(&self) -> Vec<Diagnostic> {
        self.found.clone()
    }

    fn tried(&self, is_wanted: &dyn Fn() -> bool) -> Vec<Diagnostic> {
        let find = |sources: &Sources| match is_wanted() {
            true => self.check.check_while(&self.input, sources, is_wanted).diagnostics,
            false => Vec::new(),
        };
        tried(self.sources(), self.found(), find)
    }
}
