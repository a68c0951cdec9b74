//! `agentctl lsp`: a language server that runs `check` in an editor.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;

use super::check::CheckArgs;
use super::session::{ExitStatus, Outcome, Session};
use crate::diagnostic::EnvironmentError;
use crate::input::Input;
use crate::lsp::{CheckedWorkspace, Streams, Wanted, WorkspaceChecker, serve};
use crate::source::Sources;

/// Show findings and fixes in an editor as you type
///
/// Speaks the Language Server Protocol over standard input and output. Checks the workspace as `agentctl check` does in the
/// workspace folder, with the agentctl.yaml of that folder; open documents replace their files. Flags of `check` may
/// follow `--`. With `-k`, checks the saved state of an overlay, and shows the findings in the files to edit.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl lsp
  agentctl lsp -- --namespace monitoring --deny warnings
  agentctl lsp -- -k overlays/production

Exit status:
  0  the editor ended the session
  2  usage error, or an editor that does not speak the protocol")]
pub(super) struct LspArgs {
    /// Accepted because editors pass it; standard input and output are always used
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    stdio: bool,

    /// Flags of `check`
    #[arg(last = true, value_name = "FLAG", help_heading = None::<&str>)]
    flags: Vec<OsString>,
}

/// Function that parses a `check` command line, including its settings.
pub(super) type ParseCheck = fn(Vec<OsString>) -> Result<(CheckArgs, Session), String>;

impl LspArgs {
    pub(super) fn run(&self, parse: ParseCheck) -> Outcome {
        let (connection, streams) = Streams::connect(BufReader::new(io::stdin()), io::stdout());
        let result = serve(&connection, &|roots| self.open(roots, parse));
        drop(connection);
        streams.finish().map_err(EnvironmentError::Output)?;
        result.map_err(|problem| EnvironmentError::Output(io::Error::other(problem.to_string())))?;
        Ok(ExitStatus::Success)
    }

    /// Prepares `check` for the folders of a workspace. The settings of the first folder apply.
    fn open(&self, roots: &[PathBuf], parse: ParseCheck) -> Result<WorkspaceChecker, String> {
        let mut args: Vec<OsString> = vec!["agentctl".into(), "check".into()];
        args.extend(self.flags.iter().cloned());
        if let Some(first) = roots.first() {
            env::set_current_dir(first).map_err(|error| error.to_string())?;
        }
        let (mut check, mut session) = parse(args.clone())?;
        // With `-k`, the overlay is the whole input.
        let is_overlay = check.inputs().iter().any(|input| matches!(input, Input::Kustomization(_)));
        if roots.len() > 1 && !is_overlay {
            args.extend(roots.iter().map(|root| root.clone().into()));
            (check, session) = parse(args)?;
        }
        if check.has_groups() {
            return Err("the editor shows the findings of a single input: pass `-k` once, without `--each`".to_owned());
        }
        let check = Rc::new(check);
        Ok(WorkspaceChecker {
            inputs: check.inputs(),
            reading: check.reading(),
            options: check.options(&session),
            check: Box::new(move |loaded, is_wanted| {
                let (check, input) = (Rc::clone(&check), check.input(loaded, &session));
                let sources = input.sources.clone();
                let find = move |sources: &Sources, is_wanted: Wanted<'_>| match is_wanted() {
                    true => check.check_while(&input, sources, is_wanted).diagnostics,
                    false => Vec::new(),
                };
                let (findings, find) = (find(&sources, is_wanted), Box::new(find));
                CheckedWorkspace { sources, findings, find }
            }),
        })
    }
}
