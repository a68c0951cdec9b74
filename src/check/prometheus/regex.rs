//! Regular expressions.
//!
//! What: an expression that Go's `regexp` does not compile. Why: one of them makes the agent refuse its whole
//! configuration. Example: `regex: "*foo"`, `regex: (?=x)`.

use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::go::regexp::{self, Accepted};

/// An expression that Prometheus puts between `^(?:` and `)$`.
pub fn check_anchored(pattern: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    report(regexp::compile_anchored(pattern), pattern, at, found);
}

/// An expression that is taken as it stands.
pub fn check(pattern: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    report(regexp::compile(pattern), pattern, at, found);
}

fn report(verdict: Result<Accepted, regexp::Error>, pattern: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    match verdict {
        Ok(Accepted::Always) => {}
        Ok(accepted) => found.push(diagnostics::recent_regex(at, pattern, accepted)),
        Err(error) => found.push(diagnostics::invalid_regex(at, pattern, &error)),
    }
}
