//! The flags that `agentctl.yaml` may set: those of the commands that compile.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueHint};

use super::flag_value::{self, is_switch};
use crate::byte_size::ByteSize;
use crate::diagnostic::Diagnostic;
use crate::input::Tree;
use crate::settings::{Flag, FlagValue, Refusal, diagnostics};
use crate::source::Span;

/// What only a single run can be asked for, what the file has keys of its own for, and what would show secrets unasked.
const NOT_SETTABLE: &[&str] = &[
    "agent",
    "all-labels",
    "allow",
    "check",
    "deny",
    "diff",
    "dropped",
    "exit-code",
    "explain",
    "filename",
    "fix",
    "help",
    "job",
    "kustomize",
    "line",
    "load-restrictor",
    "monitor",
    "no-settings",
    "of",
    "output",
    "pass-through",
    "quiet",
    "recursive",
    "series",
    "settings",
    "shards",
    "show-secrets",
    "since",
    "source-map",
    "targets",
    "to",
    "trust-settings",
    "type",
    "version",
    "warn",
    "watch",
];

/// The flags, each with a command that has it.
pub(super) struct Settable<'c> {
    root: &'c Command,
    flags: BTreeMap<&'c str, (&'c Command, &'c Arg)>,
}

impl<'c> Settable<'c> {
    /// Those of every command of `root`; where several have the same flag, the one that `first` has.
    pub(super) fn of(root: &'c Command, first: &'c Command) -> Self {
        let mut flags = BTreeMap::new();
        let commands = root.get_subcommands().filter(|command| Self::is_used_by(command));
        let first = Some(first).filter(|first| Self::is_used_by(first));
        for command in first.into_iter().chain(commands) {
            for arg in command.get_arguments() {
                if let Some(name) = arg.get_long().filter(|name| !NOT_SETTABLE.contains(name)) {
                    flags.entry(name).or_insert((command, arg));
                }
            }
        }
        Self { root, flags }
    }

    /// The flags, sorted by name.
    pub(super) fn into_args(self) -> impl Iterator<Item = &'c Arg> {
        self.flags.into_values().map(|(_, arg)| arg)
    }

    /// Whether a command takes flags from the file: whether it compiles.
    pub(super) fn is_used_by(command: &Command) -> bool {
        command.get_arguments().any(|arg| arg.get_id() == "agent_selector")
    }

    /// The flag of this name.
    pub(super) fn get(&self, name: &str) -> Option<&'c Arg> {
        self.flags.get(name).map(|(_, arg)| *arg)
    }

    /// The argument that a flag of the file stands for; none where it changes nothing. Paths start from `directory`. A file that
    /// is not trusted raises no limit: whoever may change the input would choose how much of it is read.
    pub(super) fn argument(
        &self,
        flag: &Flag,
        directory: &Path,
        is_trusted: bool,
    ) -> Result<Option<Argument>, Box<Diagnostic>> {
        let Some((command, arg)) = self.flags.get(flag.name.as_str()) else {
            let known: Vec<_> = self.flags.keys().copied().collect();
            return Err(diagnostics::unknown_flag(flag, &known).into());
        };
        let refused = |refusal| Box::new(diagnostics::invalid_flag(flag, refusal));
        let Some(text) = written(arg, flag, directory).map_err(refused)? else {
            return Ok(None);
        };
        let args = ["agentctl".into(), command.get_name().into(), text.clone()];
        let error = self.root.clone().try_get_matches_from::<_, OsString>(args).err();
        if let Some(refusal) = error.as_ref().and_then(flag_value::refusal) {
            return Err(refused(refusal));
        }
        if let Some(limit) = raised_limit(arg, flag).filter(|_| !is_trusted) {
            return Err(diagnostics::raised_limit(flag, &limit).into());
        }
        let requires = error.iter().flat_map(missing);
        let requires = requires
            .filter(|name| !is_required(command, name))
            .map(str::to_owned)
            .collect();
        Ok(Some(Argument {
            text,
            flag: flag.name.clone(),
            place: flag.name_span,
            requires,
        }))
    }
}

/// Whether a flag is a limit, which the file can lower only.
pub(super) fn is_limit(arg: &Arg) -> bool {
    arg.get_help_heading() == Some("Limits")
}

/// The default of a limit that the file raises above it.
fn raised_limit(arg: &Arg, flag: &Flag) -> Option<String> {
    let Some(FlagValue::Text(value)) = flag.value.as_ref().filter(|_| is_limit(arg)) else {
        return None;
    };
    let default = arg.get_default_values().first()?.to_str()?;
    let number = |text: &str| text.parse::<ByteSize>().ok();
    // A limit that cannot be compared counts as raised.
    let is_raised = number(value)
        .zip(number(default))
        .is_none_or(|(value, default)| value > default);
    is_raised.then(|| default.to_owned())
}

/// A flag of the file as an argument.
pub(super) struct Argument {
    /// `--flag=value`
    pub(super) text: OsString,
    /// The flag's name.
    pub(super) flag: String,
    /// The place of the name.
    pub(super) place: Span,
    /// The flags without which it means nothing, as `--prune` does without `--output-dir`.
    pub(super) requires: Vec<String>,
}

fn is_required(command: &Command, name: &str) -> bool {
    let mut args = command.get_arguments();
    args.any(|arg| arg.get_long() == Some(name) && arg.is_required_set())
}

/// The names of the flags that an error misses.
pub(super) fn missing(error: &clap::Error) -> impl Iterator<Item = &str> {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) if error.kind() == ErrorKind::MissingRequiredArgument => {
            missing.as_slice()
        }
        _ => &[],
    };
    let names = missing.iter().filter_map(|usage| usage.strip_prefix("--"));
    names.map(|usage| usage.split([' ', '=', '[']).next().unwrap_or(usage))
}

/// How a flag of the file is written on the command line; none where it changes nothing.
fn written(arg: &Arg, flag: &Flag, directory: &Path) -> Result<Option<OsString>, Refusal> {
    let Some(value) = &flag.value else {
        return Ok(None);
    };
    let text = flag_value::text(arg, value)?;
    if is_switch(arg) {
        return Ok((text == "true").then(|| format!("--{}", flag.name).into()));
    }
    let mut argument = OsString::from(format!("--{}=", flag.name));
    if is_path(arg) && text != "-" {
        let tree = Tree::around(directory);
        if !tree.is_ok_and(|tree| tree.holds(directory, Path::new(&text))) {
            return Err(Refusal::new(
                "leads out of the repository around the file, or into its .git",
            ));
        }
        argument.push(directory.join(text));
    } else {
        argument.push(text);
    }
    Ok(Some(argument))
}

fn is_path(arg: &Arg) -> bool {
    matches!(
        arg.get_value_hint(),
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath
    )
}
