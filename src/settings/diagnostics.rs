//! What reading `agentctl.yaml` finds.

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::yaml::{Entry, Node};

/// There is nothing of this name to set.
pub(super) fn unknown_key(entry: &Entry<'_>, known: &[&str]) -> Diagnostic {
    let help = match suggest::closest(entry.key, known.iter().copied()) {
        Some(key) => format!("did you mean `{key}`?"),
        None => format!("use one of: `{}`", known.join("`, `")),
    };
    Diagnostic::new(Code::InvalidSettings, format!("`{}` is no setting", entry.key))
        .label(entry.key_span, "")
        .help(help)
}

/// The level is none.
pub(super) fn unknown_level(entry: &Entry<'_>) -> Diagnostic {
    let message = match entry.value.as_str() {
        Some(level) => format!(
            "expected `deny`, `warn` or `allow` for `{}`, found `{level}`",
            entry.key
        ),
        None => format!("expected `deny`, `warn` or `allow` for `{}`", entry.key),
    };
    Diagnostic::new(Code::InvalidSettings, message).label(entry.value.span(), "")
}

/// A mapping belongs here.
pub(super) fn not_a_mapping(node: Node<'_>) -> Diagnostic {
    Diagnostic::new(Code::InvalidSettings, "expected a mapping").label(node.span(), "")
}
