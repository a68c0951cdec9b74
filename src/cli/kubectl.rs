//! The `kubectl agentctl` plugin: its name in help texts, and its completions.

use std::borrow::Cow;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::engine::{CompletionCandidate, complete};

/// Program name under which kubectl runs the plugin.
const PLUGIN: &str = "kubectl-agentctl";

/// Program name under which kubectl requests completions.
const COMPLETER: &str = "kubectl_complete-agentctl";

/// Command that users type to run the program as a plugin.
const DISPLAYED_COMMAND: &str = "kubectl agentctl";

/// Cobra directives that kubectl understands. The first one omits the space after the word; the second one suppresses
/// file names if nothing is printed.
const NO_SPACE: u8 = 2;
const NO_FILES: u8 = 4;

/// Whether the program was run as `name`.
fn is_called(program: Option<&OsString>, name: &str) -> bool {
    program.and_then(|program| Path::new(program).file_stem()) == Some(OsStr::new(name))
}

/// Changes the command's name to the one that users type if kubectl runs the program.
pub(super) fn rename_for_kubectl(root: Command) -> Command {
    if is_called(env::args_os().next().as_ref(), PLUGIN) { root.bin_name(DISPLAYED_COMMAND) } else { root }
}

/// Rewrites an example to use the command name that users type.
pub(super) fn example(line: &str) -> Cow<'_, str> {
    if is_called(env::args_os().next().as_ref(), PLUGIN) {
        Cow::Owned(line.replace("agentctl ", "kubectl agentctl "))
    } else {
        Cow::Borrowed(line)
    }
}

/// Whether kubectl requests completions.
pub(super) fn is_completer(args: &[OsString]) -> bool {
    is_called(args.first(), COMPLETER)
}

/// Prints the candidates for the last argument, one per line, each followed by a tab and its help. The directive comes
/// last.
pub(super) fn print_completions(args: &[OsString], mut root: Command) -> io::Result<()> {
    let working_directory = env::current_dir().ok();
    let last_index = args.len().saturating_sub(1);
    let candidates = complete(&mut root, args.to_vec(), last_index, working_directory.as_deref())?;
    let mut text = String::new();
    for candidate in candidates.iter().filter(|candidate| !candidate.is_hide_set()) {
        text.push_str(&line(candidate));
    }
    let is_folder = |candidate: &CompletionCandidate| candidate.get_value().to_string_lossy().ends_with('/');
    let has_folder = candidates.iter().any(is_folder);
    let directive = if has_folder { NO_FILES | NO_SPACE } else { NO_FILES };
    text.push_str(&format!(":{directive}\n"));
    io::stdout().write_all(text.as_bytes())
}

fn line(candidate: &CompletionCandidate) -> String {
    let value = candidate.get_value().to_string_lossy();
    match candidate.get_help().map(ToString::to_string) {
        Some(help) => format!("{value}\t{}\n", help.lines().next().unwrap_or_default()),
        None => format!("{value}\n"),
    }
}
