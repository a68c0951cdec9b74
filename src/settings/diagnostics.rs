//! What reading `agentctl.yaml` finds.

use super::flag::Flag;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::yaml::{Entry, Node};

fn invalid(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InvalidSettings, message)
}

/// There is nothing of this name to set.
pub(super) fn unknown_key(entry: &Entry<'_>, known: &[&str]) -> Diagnostic {
    invalid(format!("unknown setting `{}`", entry.key))
        .label(entry.key_span, "")
        .help(suggest::one_of(entry.key, known))
}

/// Unknown level.
pub(super) fn unknown_level(entry: &Entry<'_>) -> Diagnostic {
    let message = match entry.value.as_str() {
        Some(level) => format!(
            "expected `deny`, `warn` or `allow` for `{}`, found `{level}`",
            entry.key
        ),
        None => format!("expected `deny`, `warn` or `allow` for `{}`", entry.key),
    };
    invalid(message).label(entry.value.span(), "")
}

/// A mapping belongs here.
pub(super) fn not_a_mapping(node: Node<'_>) -> Diagnostic {
    invalid("expected a mapping").label(node.span(), "")
}

/// A path belongs here.
pub(super) fn not_a_path(node: Node<'_>) -> Diagnostic {
    invalid("expected the path of a file or directory").label(node.span(), "")
}

/// There are inputs, but not one.
pub(super) fn no_inputs(node: Node<'_>) -> Diagnostic {
    invalid("`inputs` has no path")
        .label(node.span(), "")
        .help("name a file or directory, or leave `inputs` out: it is this directory then")
}

/// No flag takes such a value.
pub(super) fn not_a_text(flag: &str, node: Node<'_>) -> Diagnostic {
    invalid(format!("expected a string in `{flag}`"))
        .label(node.span(), "")
        .help("quote it")
}

/// No command has the flag, or it cannot be set in a file.
pub fn unknown_flag(flag: &Flag, known: &[&str]) -> Diagnostic {
    invalid(format!("`{}` is not a flag that can be set here", flag.name))
        .label(flag.name_span, "")
        .help(suggest::one_of(&flag.name, known))
}

/// The flag raises a limit.
pub fn raised_limit(flag: &Flag, default: &str) -> Diagnostic {
    invalid(format!(
        "`{}` raises the limit above its default of {default}",
        flag.name
    ))
    .label(flag.value_span, "")
    .help("pass the flag on the command line, or pass `--trust-settings` to accept limits of the file")
}

/// The flag takes another value.
pub fn invalid_flag(flag: &Flag, problem: &str, help: Option<String>) -> Diagnostic {
    invalid(format!("`{}` {problem}", flag.name))
        .label(flag.value_span, "")
        .help_if(help)
}

/// What is read for an application is not in its repository.
pub fn outside(path: &str) -> Diagnostic {
    invalid(format!(
        "`inputs` of `agentctl.yaml` names `{path}`, which is outside of the repository around it, or belongs to git"
    ))
    .help("name the input on the command line")
}
