//! Flags that `agentctl.yaml` can set, taken from the commands that compile.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, Command, ValueHint};

use super::argument::Argument;
use super::diagnostics;
use super::flag::{Flag, Rejection};
use super::form::{is_switch, text};
use super::limit::first_raised;
use super::rules::{Effect, is_limit};
use crate::diagnostic::Diagnostic;
use crate::input::ContainingTree;

/// Settable flags by name, each with a command that accepts it.
pub struct Settable<'c>(BTreeMap<&'c str, (&'c Command, &'c Arg)>);

impl<'c> Settable<'c> {
    /// Returns the settable flags of all subcommands of `root`. If several commands define the same flag, the
    /// definition in `first` is preferred.
    pub fn new(root: &'c Command, first: &'c Command) -> Self {
        let mut flags = BTreeMap::new();
        let commands = std::iter::once(first).chain(root.get_subcommands());
        for command in commands.filter(|command| Self::is_used_by(command)) {
            for arg in command.get_arguments().filter(|arg| arg.get::<Effect>().is_some()) {
                flags.entry(arg.get_long().unwrap_or_default()).or_insert((command, arg));
            }
        }
        Self(flags)
    }

    /// Returns the flags, sorted by name.
    pub fn into_args(self) -> impl Iterator<Item = &'c Arg> {
        self.0.into_values().map(|(_, arg)| arg)
    }

    /// Whether a command compiles, and therefore uses the flags in the file.
    pub fn is_used_by(command: &Command) -> bool {
        command.get_arguments().any(|arg| arg.get_id() == "agent_selector")
    }

    /// Returns the flag with this name.
    pub fn get(&self, name: &str) -> Option<&'c Arg> {
        self.0.get(name).map(|(_, arg)| *arg)
    }

    /// Returns the argument for a flag in the file, or `None` if it changes nothing. Paths are relative to `directory`.
    /// An untrusted file cannot raise limits, because its author could otherwise control how much of the input is read.
    ///
    /// # Errors
    ///
    /// Returns a finding if the flag is unknown or its value is invalid.
    pub fn argument(
        &self,
        flag: &Flag,
        directory: &Path,
        is_trusted: bool,
    ) -> Result<Option<Argument>, Box<Diagnostic>> {
        let Some((command, arg)) = self.0.get(flag.name.as_str()) else {
            let known_flags: Vec<_> = self.0.keys().copied().collect();
            return Err(diagnostics::unknown_flag(flag, &known_flags).into());
        };
        let rejected = |rejection| Box::new(diagnostics::invalid_flag(flag, rejection));
        let Some(value) = &flag.value else {
            return Ok(None);
        };
        let text = text(arg, value).map_err(rejected)?;
        let value = match is_switch(arg) {
            true if text == "false" => return Ok(None),
            true => None,
            false => Some(resolve_value(arg, &text, directory).map_err(rejected)?),
        };
        let argument = Argument::new(flag, arg, value, command).map_err(rejected)?;
        if let Some((name, default)) = first_raised(&text, "").filter(|_| is_limit(arg) && !is_trusted) {
            let rejection = Rejection::new(format!("raises `{name}` above its default of {default}"));
            let help = "pass `--limit` on the command line, or pass `--trust-settings` to accept the file's limits";
            return Err(rejected(rejection.help(help)));
        }
        Ok(Some(argument))
    }
}

/// Returns a flag's value. A path is relative to `directory` and must stay in the repository that contains it.
fn resolve_value(arg: &Arg, text: &str, directory: &Path) -> Result<OsString, Rejection> {
    let hint = arg.get_value_hint();
    if !matches!(hint, ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath) || text == "-" {
        return Ok(text.into());
    }
    match ContainingTree::containing(directory) {
        Ok(tree) if tree.contains(directory, Path::new(text)) => Ok(directory.join(text).into()),
        _ => Err(Rejection::new("points outside the file's repository, or into its `.git`")),
    }
}
