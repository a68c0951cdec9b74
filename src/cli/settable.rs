//! The flags that `agentctl.yaml` may set, of the commands that compile, and what each may do to a run that is to judge a pull
//! request, which may change the file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, Command, ValueHint};

use super::args::raised;
use super::flag_value::{is_switch, text, tried};
use crate::diagnostic::Diagnostic;
use crate::input::Tree;
use crate::settings::{Flag, Rejection, diagnostics};
use crate::source::Span;

/// What a setting may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// `check` may find less, but for these values.
    Weakens(&'static str, &'static [&'static str]),
    /// Something else, which is bounded.
    Bounded(&'static str),
    /// Nothing that matters.
    Harmless,
}

use Effect::{Bounded, Harmless, Weakens};

/// The effect of a setting: of the first level of the file, and of every flag that it may set but `limit`, which it cannot raise. The
/// rest is what only a single run can be asked for, what the file has keys of its own for, and what would show secrets unasked.
pub(super) fn effect(name: &str) -> Option<Effect> {
    Some(match name {
        "against" => Bounded("`diff` compares with another file of the repository"),
        "agent-selector" => Weakens("leaves out agents", &[]),
        "allow-empty" => Weakens("accepts an input without resources", &[]),
        "at" => Weakens("checks certificates at another time", &[]),
        "exceptions" => Bounded("accepts findings in resources; `check` says how many"),
        "inputs" => Weakens("leaves out files if the command line has no inputs", &[]),
        "max-findings" => Bounded("shows fewer findings; the exit status counts all"),
        "missing-secrets" => Weakens("accepts missing Secrets", &["error"]),
        "namespace" => Weakens(
            "moves resources to a namespace where nothing selects them",
            &["default"],
        ),
        "namespace-labels" => Weakens("selects other namespaces", &[]),
        "operator-version" => Weakens("checks for another release", &[]),
        "output-dir" => {
            Bounded("writes to another directory of the repository, unless an input is standard input or outside of it")
        }
        "prune" => Bounded("removes files that agentctl wrote"),
        "secret-store" => Weakens("accepts values that no ExternalSecret provides", &[]),
        "secrets" => Weakens("needs no values of Secrets", &["inline", "placeholder"]),
        "severity" => Bounded("reports codes less severely, unless the command line denies them"),
        "target" => Weakens("checks for another program", &["agent"]),
        "validate" => Weakens("accepts unknown fields", &["strict", "warn"]),
        "alloy-discovery" | "alloy-image" | "color" | "config-kind" | "context" | "full" | "kubelet-service" => {
            Harmless
        }
        "labels" | "message-format" | "no-sync" | "owner-references" | "problems" | "remote-key" => Harmless,
        "strict" | "verbose" | "with-rbac" => Harmless,
        _ => return None,
    })
}

/// How an argument of the file may weaken `check`; none where it does not.
pub(super) fn weakens(argument: &Argument) -> Option<&'static str> {
    let Some(Weakens(how, harmless)) = effect(&argument.flag) else {
        return None;
    };
    let text = argument.text.to_string_lossy();
    let value = text.split_once('=').map(|(_, value)| value).unwrap_or_default();
    (!harmless.contains(&value)).then_some(how)
}

/// The flags, each with a command that has it.
pub(super) struct Settable<'c> {
    root: &'c Command,
    flags: BTreeMap<&'c str, (&'c Command, &'c Arg)>,
}

impl<'c> Settable<'c> {
    /// Those of every command of `root`; where several have the same flag, the one that `first` has.
    pub(super) fn of(root: &'c Command, first: &'c Command) -> Self {
        let mut flags = BTreeMap::new();
        let commands = std::iter::once(first).chain(root.get_subcommands());
        for command in commands.filter(|command| Self::is_used_by(command)) {
            for arg in command.get_arguments() {
                let is_settable = |name: &&str| is_limit(arg) || effect(name).is_some();
                if let Some(name) = arg.get_long().filter(is_settable) {
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
        let Some(written) = written(arg, flag, directory).map_err(refused)? else {
            return Ok(None);
        };
        let args = ["agentctl".into(), command.get_name().into(), written.clone()];
        let mut requires = tried(self.root, &args).map_err(refused)?;
        let value = flag.value.as_ref().and_then(|value| text(arg, value).ok());
        if let Some((name, default)) = value.filter(|_| is_limit(arg)).and_then(|value| raised(&value, ""))
            && !is_trusted
        {
            let refusal = Rejection::new(format!("raises `{name}` above its default of {default}"));
            let help = "pass `--limit` on the command line, or pass `--trust-settings` to accept limits of the file";
            return Err(refused(refusal.help(help)));
        }
        let is_required = |name: &String| {
            let mut args = command.get_arguments();
            args.any(|arg| arg.get_long() == Some(name) && arg.is_required_set())
        };
        requires.retain(|name| !is_required(name));
        Ok(Some(Argument {
            text: written,
            flag: flag.name.clone(),
            place: flag.name_span,
            requires,
        }))
    }
}

/// Whether a flag sets limits, which the file can lower only.
pub(super) fn is_limit(arg: &Arg) -> bool {
    arg.get_long() == Some("limit")
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

/// How a flag of the file is written on the command line; none where it changes nothing.
fn written(arg: &Arg, flag: &Flag, directory: &Path) -> Result<Option<OsString>, Rejection> {
    let Some(value) = &flag.value else {
        return Ok(None);
    };
    let text = text(arg, value)?;
    if is_switch(arg) {
        return Ok((text == "true").then(|| format!("--{}", flag.name).into()));
    }
    let mut argument = OsString::from(format!("--{}=", flag.name));
    let hint = arg.get_value_hint();
    if matches!(hint, ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath) && text != "-" {
        let tree = Tree::containing(directory);
        if !tree.is_ok_and(|tree| tree.holds(directory, Path::new(&text))) {
            let problem = "leads out of the repository around the file, or into its .git";
            return Err(Rejection::new(problem));
        }
        argument.push(directory.join(text));
    } else {
        argument.push(text);
    }
    Ok(Some(argument))
}
