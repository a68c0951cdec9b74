//! Names of labels.
//!
//! What: a name with other characters than letters, digits and `_`. Why: Prometheus and Loki refuse it. Example:
//! `externalLabels: {my-label: x}`.

use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::go::label_name::{is_label_name, is_label_name_once_sanitized, is_label_template};

/// A name as it stands.
pub fn check_name(name: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if !is_label_name(name) {
        found.push(diagnostics::invalid_label_name(at, name));
    }
}

/// A name that a rule of action `replace` writes, which may have references to groups.
pub fn check_template(name: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if !is_label_template(name) {
        found.push(diagnostics::invalid_label_name(at, name));
    }
}

/// Labels of Kubernetes that the operator copies under their sanitised names.
pub fn check_copied(names: &[&str], at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (i, name) in names.iter().enumerate() {
        if !is_label_name_once_sanitized(name) {
            found.push(diagnostics::digit_in_front(&at.index(i), name));
        }
    }
}
