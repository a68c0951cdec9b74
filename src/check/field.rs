//! Rules for a text by itself: durations, regular expressions, names of labels, URLs, and what the agent reads otherwise.
//!
//! The agent refuses its whole configuration because of one of them. The operator leaves an empty field out.

use super::place::Place;
use crate::diagnostic::{Code, Severity};
use crate::go::regexp::{self, Accepted};
use crate::go::syntax::{is_label_name, is_label_name_once_sanitized, is_label_template};
use crate::go::{duration, url};
use crate::yaml::{Misread, Node, NodeValue};

/// A duration of Prometheus, which has no fractions: `1.5s` is none.
pub fn duration(text: &str, at: &Place<'_>) {
    if !text.is_empty() && duration::of_prometheus(text).is_none() {
        no_duration(text, at);
    }
}

/// Reports what is no duration of Prometheus.
pub fn no_duration(text: &str, at: &Place<'_>) {
    let message = format!("{} is no duration of Prometheus", at.quoted(text));
    let help = "write whole numbers with the units y, w, d, h, m, s, ms in this order, such as `1m30s`";
    at.report(Code::InvalidDuration, message, help);
}

/// A duration of Go in nanoseconds, where there is one. Go has no days: `1d` is none.
pub fn go_duration(text: &str, at: &Place<'_>) -> Option<i64> {
    let value = duration::of_go(text);
    if value.is_none() && !text.is_empty() {
        let message = format!("{} is no duration of Go", at.quoted(text));
        let help = "write numbers with the units h, m, s, ms, us, ns, such as `1h30m`; there are no days";
        at.report(Code::InvalidDuration, message, help);
    }
    value
}

/// A duration of Go of at least so many nanoseconds, which are `expected`.
pub fn go_duration_from(least: i64, expected: &str, text: &str, at: &Place<'_>) {
    if go_duration(text, at).is_some_and(|value| value < least) {
        let message = format!("found {}, expected {expected}", at.quoted(text));
        at.add(at.diagnostic(Code::InvalidDuration, message));
    }
}

/// A duration of Go that must be above zero.
pub fn positive_go_duration(text: &str, at: &Place<'_>) {
    go_duration_from(1, "a duration above zero", text, at);
}

/// A regular expression of Go that is taken as it stands.
pub fn regex(pattern: &str, at: &Place<'_>) {
    check_regex(regexp::compile(pattern), pattern, at);
}

/// A regular expression that Prometheus puts between `^(?:` and `)$`.
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
                true => format!("a part of it {}", error.problem.predicate()),
                false => error.describe(pattern),
            };
            let message = format!("{} is no regular expression: {why}", at.quoted(pattern));
            let help = "write the expression as Go's RE2 has it, https://golang.org/s/re2syntax";
            return at.report(Code::InvalidRegex, message, help);
        }
    };
    let message = format!("{} uses {what}, which Go has since {release}", at.quoted(pattern));
    let help = "write `(?P<name>…)`, and in `\\p{…}` a short name such as `Lu`, for agents built with an older Go";
    at.report(Code::RecentRegexSyntax, message, help);
}

/// The name of a label, which Prometheus and Loki refuse with other characters than letters, digits and `_`.
pub fn label_name(name: &str, at: &Place<'_>) {
    if !is_label_name(name) {
        no_label_name(name, at);
    }
}

/// The name of a label that a rule of action `replace` writes, which may have references to groups.
pub fn label_template(name: &str, at: &Place<'_>) {
    if !is_label_template(name) {
        no_label_name(name, at);
    }
}

fn no_label_name(name: &str, at: &Place<'_>) {
    let message = format!("{} is no name of a label", at.quoted(name));
    let help = "use letters, digits and `_`, and no digit in front";
    at.report(Code::InvalidLabelName, message, help);
}

/// The names of labels that are the keys of a mapping.
pub fn label_names<'n>(names: impl Iterator<Item = &'n &'n str>, at: &Place<'_>) {
    for name in names {
        label_name(name, &at.key(name));
    }
}

/// Labels of Kubernetes that the operator copies under their sanitised names.
pub fn copied_labels(names: &[&str], at: &Place<'_>) {
    for (i, name) in names.iter().enumerate() {
        if !is_label_name_once_sanitized(name) {
            let at = at.index(i);
            let name = at.quoted(name);
            let message = format!("{name} makes no name of a label: it is empty or starts with a digit");
            let help = "leave it out, and copy the label with a relabelling rule";
            at.report(Code::InvalidLabelName, message, help);
        }
    }
}

/// The schemes that the agent can send to (Go's `http.Transport`).
const SCHEMES: [&str; 2] = ["http", "https"];

/// The schemes that only a proxy may have.
const PROXY_SCHEMES: [&str; 2] = ["socks5", "socks5h"];

/// A URL that may be left out, or be written without its scheme.
pub fn url(text: &str, at: &Place<'_>) {
    url_with(&[], text, at);
}

/// The URL of a proxy.
pub fn proxy_url(text: &str, at: &Place<'_>) {
    url_with(&PROXY_SCHEMES, text, at);
}

/// The URL of a receiver. The agent starts with an empty one, or one without scheme, and fails to send.
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

/// A URL that Go's `url.Parse` takes, with a scheme that the agent can send to, or one of `more`.
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

/// Reports what is wrong with a URL. A text that does not even start like one, such as `mimir:9009`, is a warning whether or not Go
/// can make something of it: it may still be a placeholder that another tool replaces.
fn no_url(text: &str, problem: &str, at: &Place<'_>) {
    // A URL may hold a password or a token, and what is no URL may be meant to.
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

/// A text of several lines that starts with a space, a tab or a line break, such as `separator: "\n"`: the library that the
/// operator writes the configuration with does not write it so that it can be read back. `in_item` as [`crate::yaml::misread`] has
/// it.
pub fn misread(text: &str, in_item: bool, at: &Place<'_>) {
    let message = match crate::yaml::misread(text, in_item) {
        None => return,
        Some(Misread::Indentation) => {
            "the agent cannot read the text as it was meant: the operator writes a text of several lines that starts with a \
             space, a tab or a line break with a wrong indentation"
        }
        Some(Misread::FirstLineBreak) => "the agent reads the text without the line break that it starts with",
    };
    at.report(Code::MisreadText, message, "start the text with something else");
}

/// All texts of a value.
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
