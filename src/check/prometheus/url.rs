//! URLs.
//!
//! What: a URL that Go's `url.Parse` refuses. Why: the agent refuses its whole configuration. Example:
//! `url: http://my host/`. A text that does not even start like a URL, such as `mimir:9009`, is a warning whether or not
//! Go can make something of it: it may still be a placeholder that another tool replaces.

use crate::check::diagnostics;
use crate::check::place::Place;
use crate::check::syntax::url;
use crate::diagnostic::{Diagnostic, Severity};

/// A URL that may be left out, or be written without its scheme.
pub fn check(text: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(problem) = url::problem(text) {
        let finding = diagnostics::invalid_url(at, text, problem);
        let is_meant_so = url::has_scheme(text);
        found.push(if is_meant_so {
            finding
        } else {
            finding.severity(Severity::Warning)
        });
    }
}

/// The URL of a receiver. The agent starts with an empty one, or one without scheme, and fails to send.
pub fn check_receiver(text: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if text.is_empty() {
        found.push(diagnostics::empty_url(at));
    } else if url::problem(text).is_none() && !url::has_scheme(text) && !text.contains('$') {
        let problem = "does not start with a scheme such as `http://`";
        found.push(diagnostics::invalid_url(at, text, problem).severity(Severity::Warning));
    } else {
        check(text, at, found);
    }
}
