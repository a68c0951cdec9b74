//! Durations.
//!
//! What: a duration that Prometheus or Go cannot read. Why: the agent refuses its whole configuration. Example:
//! `scrapeTimeout: 1.5s` (Prometheus has no fractions), `maxWALTime: 1d` (Go has no days).

use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::go::duration;

/// A duration of Prometheus in nanoseconds, where there is one. An empty field is left out by the operator.
pub fn check(text: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if !text.is_empty() && duration::of_prometheus(text).is_none() {
        found.push(diagnostics::invalid_prometheus_duration(at, text));
    }
}

/// A duration of Go in nanoseconds, where there is one.
pub fn check_go(text: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) -> Option<i64> {
    if text.is_empty() {
        return None;
    }
    let value = duration::of_go(text);
    if value.is_none() {
        found.push(diagnostics::invalid_go_duration(at, text));
    }
    value
}

/// A duration of Go that must be above zero.
pub fn check_positive(text: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if check_go(text, at, found).is_some_and(|value| value <= 0) {
        found.push(diagnostics::duration_too_short(at, text, "a duration above zero"));
    }
}
