//! Rules for the text of one field: durations, regular expressions, label names and URLs.
//!
//! One invalid text makes the agent refuse its whole configuration. An empty field is valid, since the operator omits it.

use std::borrow::Cow;

use super::place::Place;
use crate::diagnostic::{Code, Severity};
use crate::go::regexp::{self, Accepted};
use crate::go::syntax::{is_label_name, is_label_name_once_sanitized, is_label_template};
use crate::go::{duration, url};
use crate::yaml::{Misread, Node, NodeValue};

/// Checks a Prometheus duration. It has no fractions: `1.5s` is not valid.
pub fn duration(text: &str, at: &Place<'_>) {
    if !text.is_empty() && duration::of_prometheus(text).is_none() {
        no_duration(text, at);
    }
}

/// Reports a text that is not a Prometheus duration.
pub fn no_duration(text: &str, at: &Place<'_>) {
    let message = format!("{} is not a valid Prometheus duration", at.quoted(text));
    let help = "write whole numbers with the units y, w, d, h, m, s, ms in this order, such as `1m30s`";
    at.report(Code::InvalidDuration, message, help);
}

/// Checks a Go duration and returns its nanoseconds. Go has no days: `1d` is not valid.
pub fn go_duration(text: &str, at: &Place<'_>) -> Option<i64> {
    let value = duration::of_go(text);
    if value.is_none() && !text.is_empty() {
        let message = format!("{} is not a valid duration", at.quoted(text));
        let help = "write numbers with the units h, m, s, ms, us, ns, such as `1h30m`; there are no days";
        at.report(Code::InvalidDuration, message, help);
    }
    value
}

/// Checks a Go duration of at least `least` nanoseconds; `expected` says so in words.
pub fn go_duration_from(least: i64, expected: &str, text: &str, at: &Place<'_>) {
    if go_duration(text, at).is_some_and(|value| value < least) {
        let message = format!("found {}, expected {expected}", at.quoted(text));
        at.add(at.diagnostic(Code::InvalidDuration, message));
    }
}

/// Checks a Go duration that must be greater than zero.
pub fn positive_go_duration(text: &str, at: &Place<'_>) {
    go_duration_from(1, "a duration above zero", text, at);
}

/// Checks a regular expression that is compiled without anchors.
pub fn regex(pattern: &str, at: &Place<'_>) {
    check_regex(regexp::compile(pattern), pattern, at);
}

/// Checks a regular expression that Prometheus wraps in `^(?:` and `)$`.
pub fn anchored_regex(pattern: &str, at: &Place<'_>) {
    check_regex(regexp::compile_anchored(pattern), pattern, at);
}

fn check_regex(verdict: Result<Accepted, regexp::Error>, pattern: &str, at: &Place<'_>) {
    let (what, release) = match verdict {
        Ok(Accepted::Always) => return,
        Ok(Accepted::SinceGo122) => ("`(?<name>…)` or a recent script in `\\p{…}`", "1.22"),
        Ok(Accepted::SinceGo125) => ("a name in `\\p{…}`", "1.25"),
        Err(error) => {
            let why = match at.is_secret() {
                true => format!("a part of it {}", error.problem),
                false => error.describe(pattern),
            };
            let message = format!("{} is not a valid regular expression: {why}", at.quoted(pattern));
            let help = "use the syntax of Go's RE2: https://golang.org/s/re2syntax";
            return at.report(Code::InvalidRegex, message, help);
        }
    };
    let message = format!("{} uses {what}, which Go has since {release}", at.quoted(pattern));
    let help = "write `(?P<name>…)`, and in `\\p{…}` a short name such as `Lu`, for agents built with an older Go";
    at.report(Code::RecentRegexSyntax, message, help);
}

/// Checks a label name. Prometheus and Loki accept letters, digits and `_`.
pub fn label_name(name: &str, at: &Place<'_>) {
    if !is_label_name(name) {
        no_label_name(name, at);
    }
}

/// Checks the label that a rule of action `replace` writes. It may contain references such as `${1}`.
pub fn label_template(name: &str, at: &Place<'_>) {
    if !is_label_template(name) {
        no_label_name(name, at);
    }
}

fn no_label_name(name: &str, at: &Place<'_>) {
    let message = format!("{} is not a valid label name", at.quoted(name));
    let help = "use letters, digits and `_`, and do not start with a digit";
    at.report(Code::InvalidLabelName, message, help);
}

/// Checks label names that are the keys of a mapping.
pub fn label_names<'n>(names: impl Iterator<Item = &'n str>, at: &Place<'_>) {
    for name in names {
        label_name(name, &at.key(name));
    }
}

/// Checks Kubernetes labels that the operator copies to sanitised label names.
pub fn copied_labels(names: &[&str], at: &Place<'_>) {
    for (i, name) in names.iter().enumerate() {
        if !is_label_name_once_sanitized(name) {
            let at = at.index(i);
            let name = at.quoted(name);
            let message = format!("{name} cannot become a label name: it is empty or starts with a digit");
            let help = "leave it out, and copy the label with a relabelling rule";
            at.report(Code::InvalidLabelName, message, help);
        }
    }
}

/// The schemes that the agent can send to (Go's `http.Transport`).
const SCHEMES: [&str; 2] = ["http", "https"];

/// Additional schemes for proxies.
const PROXY_SCHEMES: [&str; 2] = ["socks5", "socks5h"];

/// Checks a URL that may be empty or have no scheme.
pub fn url(text: &str, at: &Place<'_>) {
    url_with(&[], text, at);
}

/// Checks the URL of a proxy.
pub fn proxy_url(text: &str, at: &Place<'_>) {
    url_with(&PROXY_SCHEMES, text, at);
}

/// Checks the URL of a receiver. With an empty URL, or one without a scheme, the agent starts but cannot send.
pub fn receiver_url(text: &str, at: &Place<'_>) {
    if text.is_empty() {
        let message = "the URL is empty, so nothing can be sent";
        at.report(Code::EmptyUrl, message, "write a URL such as `https://host:8080/path`");
    } else if url::problem(text).is_none() && !url::has_scheme(text) && !text.contains('$') {
        no_url(text, "does not start with a scheme such as `http://`", at);
    } else {
        url(text, at);
    }
}

/// Checks a URL as Go's `url.Parse` does, and its scheme, which may also be one of `more`.
fn url_with(more: &[&str], text: &str, at: &Place<'_>) {
    if let Some(problem) = url::problem(text) {
        no_url(text, problem, at);
    } else if let Some(scheme) = url::scheme(text) {
        let known = |known: &&str| known.eq_ignore_ascii_case(scheme);
        if !SCHEMES.iter().chain(more).any(known) {
            let message = format!("the agent cannot send to a URL with the scheme {}", at.quoted(scheme));
            at.report(Code::InvalidUrl, message, "use `http` or `https`");
        }
    }
}

/// Reports an invalid URL. A text without a scheme, such as `mimir:9009`, is only a warning: it may be a placeholder that
/// another tool replaces.
fn no_url(text: &str, problem: &str, at: &Place<'_>) {
    // A URL may hold a password or a token, and what is not a URL may be meant to.
    let shown = match text.contains(['@', '?']) {
        true => "the URL".to_owned(),
        false => at.quoted(text),
    };
    let finding = at
        .diagnostic(Code::InvalidUrl, format!("{shown} {problem}"))
        .help("write a URL such as `https://host:8080/path`");
    at.add(match url::has_scheme(text) {
        true => finding,
        false => finding.severity(Severity::Warning),
    });
}

/// Reports a text of several lines that starts with a space, a tab or a line break, such as `separator: "\n"`: the YAML library
/// of the operator writes it so that it is read back differently. For `in_item` see [`crate::yaml::misread`].
pub fn misread(text: &str, in_item: bool, at: &Place<'_>) {
    let message = match crate::yaml::misread(text, in_item) {
        None => return,
        Some(Misread::Indentation) => {
            "the agent misreads the text: the operator indents text of several lines wrongly if it starts with a space, a tab \
             or a line break"
        }
        Some(Misread::FirstLineBreak) => "the agent loses the line break at the start of the text",
    };
    at.report(Code::MisreadText, message, "start the text with another character");
}

/// Applies [`misread`] to every text in a value.
pub fn misread_in(value: Node<'_>, in_item: bool, at: &Place<'_>) {
    match value.value() {
        NodeValue::String(text) => misread(text, in_item, at),
        NodeValue::Sequence => {
            for (i, item) in value.items().enumerate() {
                misread_in(item, true, &at.index(i));
            }
        }
        NodeValue::Mapping => {
            for entry in value.entries() {
                // Below a mapping of its own it is in no item any more.
                misread_in(entry.value, in_item && !entry.value.is_mapping(), &at.key(entry.key));
            }
        }
        _ => {}
    }
}

/// A scalar as the agent reads it where a string is expected.
pub fn scalar(node: Node<'_>) -> Option<Cow<'_, str>> {
    Some(match node.value() {
        NodeValue::String(text) => Cow::Borrowed(text),
        NodeValue::Bool(value) => Cow::Owned(value.to_string()),
        NodeValue::Int(value) => Cow::Owned(value.to_string()),
        NodeValue::Float(value) => Cow::Owned(value.to_string()),
        NodeValue::Null | NodeValue::Sequence | NodeValue::Mapping => return None,
    })
}
