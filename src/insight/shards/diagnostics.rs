//! What is wrong with a list of targets.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A line, or an address of an answer, is no target. The text is not repeated: the file may be any other, with secrets in it.
pub(super) fn invalid_target(fault: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::InvalidTarget, format!("this is not a target: {fault}"))
        .label(span, "")
        .help("write one address a line, `HOST:PORT`, and its number of series behind it if you like")
}

/// An answer's target cannot be told from others.
pub(super) fn no_address(span: Span) -> Diagnostic {
    let message = "the target has neither a discovered `__address__` nor a URL";
    Diagnostic::new(Code::InvalidTarget, message).label(span, "")
}

/// JSON that is no answer about targets.
pub(super) fn no_answer(span: Span) -> Diagnostic {
    Diagnostic::new(Code::InvalidTarget, "no list of targets")
        .label(span, "")
        .help("give the answer of Prometheus' `/api/v1/targets`, or one address a line")
}

/// There is nothing to share out.
pub(super) fn no_targets(span: Span) -> Diagnostic {
    Diagnostic::new(Code::NoTargets, "the list has no targets").label(span, "")
}
