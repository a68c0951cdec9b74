//! URLs.
//!
//! What: a URL that Go's `url.Parse` refuses. Why: the agent refuses its whole configuration. Example:
//! `url: http://my host/`. A text that does not even start like a URL, such as `mimir:9009`, is a warning whether or not
//! Go can make something of it: it may still be a placeholder that another tool replaces.

use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::{Diagnostic, Severity};
use crate::go::url;

/// The schemes that the agent can send to (Go's `http.Transport`).
const SCHEMES: [&str; 2] = ["http", "https"];

/// The schemes that only a proxy may have.
const PROXY_SCHEMES: [&str; 2] = ["socks5", "socks5h"];

/// The URL of a proxy.
pub fn check_proxy(text: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    check_scheme(text, &PROXY_SCHEMES, at, found);
}

/// A URL that may be left out, or be written without its scheme.
pub fn check(text: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    check_scheme(text, &[], at, found);
}

fn check_scheme(text: &str, more: &[&str], at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(problem) = url::problem(text) {
        let finding = diagnostics::invalid_url(at, text, problem);
        let is_meant_so = url::has_scheme(text);
        found.push(if is_meant_so {
            finding
        } else {
            finding.severity(Severity::Warning)
        });
    } else if let Some(scheme) = url::scheme(text) {
        let known = |known: &&str| known.eq_ignore_ascii_case(scheme);
        if !SCHEMES.iter().chain(more).any(known) {
            found.push(diagnostics::unknown_scheme(at, scheme));
        }
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
