//! `agentctl init`: writes a template for the settings file.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command};

use super::session::{ExitStatus, Outcome, Session};
use crate::diagnostic::EnvironmentError;
use crate::flags::Settable;
use crate::flags::form::{self, help, words};
use crate::input::SETTINGS_FILE;

const HEADER: &str = "\
# Settings of agentctl for this directory and its subdirectories. Flags on the command line override them.
# Only `secrets` is set. To use another setting, remove the `#` before it.
# JSON Schema for editors: agentctl schema settings > agentctl.schema.json

# Files and directories to read, relative to this directory, unless the command line lists others.
#inputs: [.]

# Severity of findings, by code: deny, warn or allow. `agentctl explain` lists the codes; `warnings` applies to all
# warnings that are not listed here.
severity:
  #warnings: warn

# Findings to accept in third-party resources, which you cannot annotate with agentctl.dev/allow. Each exception has a
# code, at least one of kind, namespace, name and file (`*` matches anything), and a reason. For example:
#   - {code: unselected, file: vendor/*, reason: comes with the chart}
#exceptions: []

# Flags of the commands that compile resources, as on the command line. Paths are relative to this directory.
flags:
  # `placeholder` keeps passwords out of committed files: a token replaces each Secret value. `external` writes
  # ExternalSecrets for a store. `inline` writes the values, as the operator does, for output that is not committed.
  secrets: placeholder
";

/// Write an agentctl.yaml with a comment for every setting
///
/// The file contains project defaults: inputs, flags, severities of findings, and exceptions. It sets `secrets:
/// placeholder`, so that no password is committed; all other settings are commented out. An existing file is left
/// unchanged.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  agentctl init
  agentctl init deploy/agents
  agentctl init -")]
pub(super) struct InitArgs {
    /// Directory to write the file to, or - for standard output
    #[arg(value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    directory: OsString,
}

impl InitArgs {
    pub(super) fn run(&self, session: &Session, command: Command) -> Outcome {
        let text = text(command);
        let path = match self.directory.to_str() {
            Some("-") => return session.data(&text),
            Some(".") => PathBuf::from(SETTINGS_FILE),
            _ => Path::new(&self.directory).join(SETTINGS_FILE),
        };
        write_new(&path, &text)?;
        session.print_result(format!("wrote `{}`: it sets only `secrets: placeholder`", path.display()).into());
        Ok(ExitStatus::Success)
    }
}

/// Creates a file. Fails if it already exists.
fn write_new(path: &Path, text: &str) -> Result<(), EnvironmentError> {
    let result = std::fs::File::create_new(path).and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()));
    result.map_err(|error| EnvironmentError::Write {
        path: path.to_owned(),
        error: match error.kind() {
            ErrorKind::AlreadyExists => io::Error::new(ErrorKind::AlreadyExists, "it already exists"),
            _ => error,
        },
    })
}

/// Returns the template for the file, which lists every flag that the file can set, sorted by name.
fn text(mut command: Command) -> String {
    command.build();
    let mut text = HEADER.to_owned();
    let settable = Settable::new(&command, &command).into_args();
    for arg in settable.filter(|arg| arg.get_long() != Some("secrets")) {
        let name = arg.get_long().unwrap_or_default();
        let _ = writeln!(text, "  # {}\n  #{name}:{}", description(arg), default(arg));
    }
    text
}

/// Describes a flag and the values that it accepts.
fn description(arg: &Arg) -> String {
    let (help, words) = (help(arg), words(arg));
    let names = arg.get_value_names().unwrap_or_default();
    let values = match (arg.get_action().takes_values(), words.as_slice()) {
        (false, _) => return help,
        (true, []) => names.iter().map(ToString::to_string).collect(),
        (true, words) => words.join(", "),
    };
    // The help of some flags already lists the values.
    let help = help.strip_suffix(&words.join("|")).unwrap_or(&help);
    format!("{} ({values})", help.trim_end_matches([':', ' ']))
}

/// Quotes `text` if YAML would not read it back as the same string.
fn quote(text: &str) -> Cow<'_, str> {
    match text.starts_with(['{', '[', '*', '&', '!', '|', '>', '%', '@', '`']) {
        true => format!("'{text}'").into(),
        false => text.into(),
    }
}

/// Returns a flag's default value, preceded by a space, or an empty string if there is no default.
fn default(arg: &Arg) -> String {
    match form::default(arg) {
        none if none.is_empty() => none,
        default => format!(" {}", quote(&default)),
    }
}

#[cfg(test)]
mod tests {
    use clap::ArgAction;

    use super::*;

    #[test]
    fn describes_accepted_values_and_default() {
        let arg = |help: &'static str| Arg::new("").help(help).value_name("NAME");
        let mut command = Command::new("check").args([
            arg("Do it").id("on").long("on").action(ArgAction::SetTrue),
            arg("Maximum size: ").id("size").long("size").default_value("1MiB"),
            arg("How: fast|slow").id("listed").long("listed").value_parser(["fast", "slow"]).default_value("fast"),
            arg("How").id("words").long("words").value_parser(["fast", "slow"]),
            arg("What").id("odd").long("odd").value_names(["A", "B"]).default_value("{a: b}"),
        ]);
        command.build();
        for (id, expected) in [
            ("on", ("Do it", " false")),
            ("size", ("Maximum size (NAME)", " 1MiB")),
            ("listed", ("How (fast, slow)", " fast")),
            ("words", ("How (fast, slow)", "")),
            ("odd", ("What (AB)", " '{a: b}'")),
        ] {
            let arg = command.get_arguments().find(|arg| arg.get_id() == id).unwrap();
            assert_eq!((&*description(arg), &*default(arg)), expected, "{id}");
        }
    }

    #[test]
    fn does_not_overwrite_existing_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agentctl.yaml");
        write_new(&path, "a").unwrap();
        let problem = write_new(&path, "b").unwrap_err().to_string();
        assert!(problem.contains("it already exists"), "{problem}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a");
        let problem = write_new(&folder.path().join("gone/agentctl.yaml"), "b").unwrap_err();
        assert!(!problem.to_string().contains("it already exists"), "{problem}");
    }
}
