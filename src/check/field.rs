//! Rules for individual strings: durations, regular expressions, label names and URLs.
//!
//! One invalid string makes the agent reject its entire configuration. An empty field is valid, because the operator
//! omits it.

use super::misread::{STRING_HELP, misread_verdict};
use super::walk::Expect::{self, As, Help, Is, Text, TextOrEmpty, With};
use super::walk::{Json, Step, Violation, Walk, list_alternatives};
use crate::diagnostic::{Code, Severity};
use crate::go::envsubst::has_variable;
use crate::go::regexp::{self, AcceptingReleases};
use crate::go::syntax::{is_label_name, is_label_name_once_sanitized, is_label_template};
use crate::go::{duration, reloader, url};
use crate::yaml::{NodeValue, read_back};

/// Expects a Prometheus duration, which cannot have fractions: `1.5s` is invalid.
pub const DURATION: Expect = As(Code::InvalidDuration, &Help(DURATION_HELP, &TextOrEmpty(prometheus_duration_problem)));

/// Expects a non-empty Prometheus duration.
pub const SET_DURATION: Expect = As(Code::InvalidDuration, &Help(DURATION_HELP, &Text(prometheus_duration_problem)));

const DURATION_HELP: &str =
    "write whole numbers with the units y, w, d, h, m, s and ms, in that order, such as `1m30s`";

/// Port of Prometheus' `ParseDuration`.
fn prometheus_duration_problem(text: &str) -> Option<String> {
    let is_valid = duration::parse_prometheus(text).is_some();
    (!is_valid).then(|| "is not a valid Prometheus duration".to_owned())
}

/// Expects a Go duration, which cannot have days: `1d` is invalid.
pub const GO_DURATION: Expect = As(Code::InvalidDuration, &Help(GO_DURATION_HELP, &TextOrEmpty(go_duration_problem)));

/// Expects a non-empty Go duration.
pub const SET_GO_DURATION: Expect = As(Code::InvalidDuration, &Help(GO_DURATION_HELP, &Text(go_duration_problem)));

const GO_DURATION_HELP: &str =
    "write numbers with the units h, m, s, ms, us and ns, such as `1h30m`; there is no unit for days";

/// Port of Go's `time.ParseDuration`.
fn go_duration_problem(text: &str) -> Option<String> {
    let is_valid = duration::parse_go(text).is_some();
    (!is_valid).then(|| "is not a valid duration".to_owned())
}

/// Expects a Go duration above zero.
pub const POSITIVE_GO_DURATION: Expect = With(|text, walk| check_go_duration(1, "greater than zero", text, walk));

/// Expects a Go duration of at least one second.
pub const SECONDS: Expect = With(|text, walk| check_go_duration(1_000_000_000, "at least one second", text, walk));

fn check_go_duration<'v>(min_nanoseconds: i64, expected: &str, text: Json<'v>, walk: &mut Walk<'v>) {
    walk.check_rule(&GO_DURATION, text);
    let text = text.as_str().unwrap_or_default();
    if duration::parse_go(text).is_some_and(|value| value < min_nanoseconds) {
        let message = format!("{} is too short: the duration must be {expected}", walk.quote(text));
        walk.report_with_code(Code::InvalidDuration, &[], message, "");
    }
}

/// Expects a regular expression that is compiled without additional anchors.
pub const REGEX: Expect = With(|pattern, walk| {
    let pattern = walk.string(pattern).unwrap_or_default();
    check_regex(regexp::compile(&pattern), &pattern, walk);
});

/// Expects a regular expression that the program itself wraps in `^(?:` and `)$`.
pub const WRAPPED_REGEX: Expect = With(|pattern, walk| {
    let pattern = walk.string(pattern).unwrap_or_default();
    check_regex(regexp::compile_anchored(&pattern), &pattern, walk);
});

/// Expects a non-empty string if the field is set.
pub const NOT_EMPTY: Expect = Text(|text| text.is_empty().then(String::new));

/// Expects a regular expression that Prometheus wraps in `^(?:` and `)$`.
pub const ANCHORED_REGEX: Expect =
    With(|pattern, walk| check_anchored_regex(pattern.as_str().unwrap_or_default(), walk));

pub fn check_anchored_regex(pattern: &str, walk: &mut Walk<'_>) {
    if is_never_parsed(pattern) && walk.context.is_for_agent() {
        let message = format!("the agent cannot parse the regular expression `{pattern}` and does not start");
        let help = match walk.last_key() {
            "regex" => format!("write `({pattern})`"),
            _ => format!("remove it, and use a relabeling rule with `regex: ({pattern})`"),
        };
        walk.report_with_code(Code::MisreadText, &[], message, help);
        return;
    }
    check_regex(regexp::compile_anchored(pattern), pattern, walk);
}

/// Whether go-yaml 2 reads a scalar as null even if it is quoted. The scalar is then not passed to the type that parses
/// it, such as a regular expression or a URL, and the document is rejected (`decoder.prepare`).
fn is_never_parsed(text: &str) -> bool {
    matches!(text, "null" | "~")
}

fn check_regex(verdict: Result<AcceptingReleases, regexp::Error>, pattern: &str, walk: &mut Walk<'_>) {
    let quoted = || walk.quote(pattern);
    let (feature, release, help) = match verdict {
        Ok(AcceptingReleases::Always) => return,
        Ok(AcceptingReleases::NamedGroup) => ("`(?<name>…)`", "1.22", "write `(?P<name>…)`"),
        Ok(AcceptingReleases::RecentScript) => {
            ("`\\p{…}` with a recently added script", "1.22", "use a range of characters")
        }
        Ok(AcceptingReleases::LooseName) => (
            "a name in `\\p{…}` that older releases do not recognize",
            "1.25",
            "spell the name as in Go's `unicode` package, such as `Lu` or `Greek`",
        ),
        Err(error) => {
            let why = match walk.context.is_secret {
                true => error.describe_unquoted(),
                false => error.describe(pattern),
            };
            let message = format!("{} is not a valid regular expression: {why}", quoted());
            let help = "use Go's RE2 syntax: https://golang.org/s/re2syntax";
            walk.report_with_code(Code::InvalidRegex, &[], message, help);
            return;
        }
    };
    let message =
        format!("{} is valid only for agents built with Go {release} or later because it contains {feature}", quoted());
    let help = format!("for agents built with an older Go release, {help}");
    walk.report_with_code(Code::RecentRegexSyntax, &[], message, help);
}

/// Expects a label name. Prometheus and Loki accept letters, digits and `_`.
pub const LABEL_NAME: Expect =
    As(Code::InvalidLabelName, &Help(LABEL_NAME_HELP, &Is(is_label_name, INVALID_LABEL_NAME)));

/// Expects the target label of a `replace` rule, which may contain references such as `${1}`.
pub const LABEL_TEMPLATE: Expect =
    As(Code::InvalidLabelName, &Help(LABEL_NAME_HELP, &Is(is_label_template, INVALID_LABEL_NAME)));

pub const LABEL_NAME_HELP: &str = "use only letters, digits and `_`, and do not start with a digit";

const INVALID_LABEL_NAME: &str = "is not a valid label name";

/// Expects a mapping whose keys are label names.
pub const LABEL_NAMES: Expect = With(|names, walk| {
    // The value of a variable may be a label name.
    let is_variable = |name: &str| has_variable(name) || reloader::find_references(name).next().is_some();
    let is_invalid = |name: &str| !is_label_name(name) && !is_variable(name);
    for (name, _) in names.entries().filter(|(name, _)| is_invalid(name)) {
        let message = match walk.context.is_secret {
            true => format!("the key {INVALID_LABEL_NAME}"),
            false => format!("{} {INVALID_LABEL_NAME}", walk.quote(name)),
        };
        let node = walk.node().filter(|_| walk.context.enclosing_string.is_none());
        let entry = node.and_then(|node| node.entry(name));
        let report = walk.report_with_code(Code::InvalidLabelName, &[Step::Key(name)], message, LABEL_NAME_HELP);
        report.key = entry.map(|entry| (entry.key_span, String::new()));
    }
});

/// Reports `enforcedNamespaceLabel` if it consists of a variable that nothing in the pod sets, because the rule that
/// writes the label would have no target label.
pub fn check_enforced_label<'v>(settings: Json<'v>, walk: &mut Walk<'v>) {
    const FIELD: &str = "enforcedNamespaceLabel";
    let written_label = walk.node().and_then(|node| node.get(FIELD)?.as_str());
    if settings.get(FIELD).is_some_and(Json::is_null) && written_label.is_some_and(|label| !label.is_empty()) {
        let message = "nothing in the pod sets the variable, so the rule for this label has no `target_label` and the agent does not start";
        let help = "set the field to a label name";
        walk.report_with_code(Code::IncompleteRelabeling, &[Step::Key(FIELD)], message, help);
    }
}

/// Expects a Kubernetes label that the operator copies to a label with a sanitized name.
pub const COPIED_LABEL: Expect = As(Code::InvalidLabelName, &Help(COPIED_LABEL_HELP, &Text(copied_label_problem)));

const COPIED_LABEL_HELP: &str = "remove it, and copy the label with a relabeling rule";

fn copied_label_problem(name: &str) -> Option<String> {
    let is_valid = is_label_name_once_sanitized(name);
    (!is_valid).then(|| "cannot become a label name: a label name must not start with a digit".to_owned())
}

/// Schemes of URLs that the agent can send to (Go's `http.Transport`).
const SCHEMES: &str = "http|https";

/// Schemes of proxy URLs.
const PROXY_SCHEMES: &str = "http|https|socks5|socks5h";

/// Expects a URL, which may be empty or lack a scheme.
pub const URL: Expect = With(|text, walk| check_url(SCHEMES, text.as_str().unwrap_or_default(), &[], walk));

pub const PROXY_URL: Expect =
    With(|text, walk| check_url(PROXY_SCHEMES, &walk.string(text).unwrap_or_default(), &[], walk));

/// Expects a receiver with a `url`. If the URL is empty or lacks a scheme, the agent starts but cannot send anything.
pub const RECEIVER_URL: Expect = With(|receiver, walk| {
    let (text, at) = (receiver.text("url"), [Step::Key("url")]);
    if text.is_empty() {
        let written_url = walk.node().and_then(|node| node.get("url"));
        if written_url.is_none_or(|url| url.as_str().is_none_or(str::is_empty)) {
            let message = "the URL is empty, so nothing can be sent";
            walk.report_with_code(Code::EmptyUrl, &at, message, URL_HELP);
        } else {
            // The URL is null if the variable is not set. The agent rejects null, but not an empty string.
            let message = "nothing in the pod sets the variable, so the agent has no URL and does not start";
            walk.report_with_code(Code::InvalidUrl, &at, message, URL_HELP);
        }
    } else if !is_never_parsed(text) && url::problem(text).is_none() && !url::has_scheme(text) && !text.contains('$') {
        report_invalid_url(text, "does not start with a scheme such as `http://`", &at, walk).is_warning = true;
    } else {
        check_url(SCHEMES, text, &at, walk);
    }
});

const URL_HELP: &str = "write a URL such as `https://host:8080/path`";

/// Checks a URL's scheme, and applies the rules of Go's `url.Parse`, which Prometheus' `URL.UnmarshalYAML` calls. The
/// agent starts even if it cannot send to a URL with this scheme.
fn check_url<'v>(schemes: &str, text: &str, path: &[Step<'v>], walk: &mut Walk<'v>) {
    // The agent replaces variables before it parses URLs (`performEnvVarExpansion`).
    if has_variable(text) {
        return;
    }
    if is_never_parsed(text) && walk.context.is_for_agent() {
        let message = format!("the agent cannot parse the URL `{text}` and does not start");
        walk.report_with_code(Code::MisreadText, path, message, URL_HELP);
    } else if let Some(problem) = url::problem(text) {
        report_invalid_url(text, problem, path, walk);
    } else if let Some(scheme) = url::scheme(text)
        && !schemes.split('|').any(|candidate| candidate.eq_ignore_ascii_case(scheme))
    {
        let quoted = match walk.context.is_secret {
            true => "this scheme".to_owned(),
            false => format!("the {} scheme", walk.quote(scheme)),
        };
        let message = format!("the agent cannot send to a URL with {quoted}");
        walk.report_with_code(Code::InvalidUrl, path, message, format!("use {}", list_alternatives(schemes)))
            .is_warning = true;
    }
}

fn report_invalid_url<'w, 'v>(
    text: &str,
    problem: &str,
    path: &[Step<'v>],
    walk: &'w mut Walk<'v>,
) -> &'w mut Violation<'v> {
    // A URL, or any string that was written instead of one, may contain a password or token.
    let quoted = match text.contains(['@', '?']) {
        true => "the URL".to_owned(),
        false => walk.quote(text),
    };
    walk.report_with_code(Code::InvalidUrl, path, format!("{quoted} {problem}"), URL_HELP)
}

/// Reports strings that the agent reads as different strings, such as `separator: "
/// "`. For `in_item`, see [`read_back`].
pub fn report_misread<'v>(value: Json<'v>, in_item: bool, walk: &mut Walk<'v>) {
    match value.value() {
        NodeValue::String(text) => {
            if let Some((message, severity)) = misread_verdict(text, &read_back(text, in_item)) {
                walk.report_with_code(Code::MisreadText, &[], message, STRING_HELP).is_warning |=
                    severity < Severity::Error;
            }
        }
        NodeValue::Sequence => {
            for (i, item) in value.items().enumerate() {
                walk.enter(Step::Index(i), |walk| report_misread(item, true, walk));
            }
        }
        // A scalar in a nested mapping is not directly below a key of the list item.
        _ => {
            for (key, value) in value.entries() {
                let in_item = in_item && !value.is_mapping();
                walk.enter(Step::Key(key), |walk| report_misread(value, in_item, walk));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::check::tests::broken_rules;
    use crate::check::walk::Rows;

    /// Asserts that each value results in the expected message.
    fn assert_messages(rows: Rows, values: &[(&str, Option<&str>)]) {
        for (value, expected) in values {
            let findings = broken_rules(rows, &json!({"a": value}));
            let expected = expected.map(|message| format!("a: {message}"));
            assert_eq!(findings, Vec::from_iter(expected), "{value}");
        }
    }

    #[test]
    fn validates_durations() {
        let help = "write whole numbers with the units y, w, d, h, m, s and ms, in that order, such as `1m30s`";
        let message = format!("`1.5s` is not a valid Prometheus duration; {help}");
        assert_messages(&[("a", DURATION)], &[("", None), ("1d", None), ("1m30s", None), ("1.5s", Some(&message))]);
        let help = "write numbers with the units h, m, s, ms, us and ns, such as `1h30m`; there is no unit for days";
        let message = format!("`1d` is not a valid duration; {help}");
        assert_messages(&[("a", GO_DURATION)], &[("", None), ("1.5s", None), ("-1s", None), ("1d", Some(&message))]);
        assert_messages(
            &[("a", POSITIVE_GO_DURATION)],
            &[
                ("", None),
                ("1ns", None),
                ("0", Some("`0` is too short: the duration must be greater than zero")),
                ("-1s", Some("`-1s` is too short: the duration must be greater than zero")),
                ("1d", Some(&message)),
            ],
        );
        assert_messages(
            &[("a", SECONDS)],
            &[("1s", None), ("999ms", Some("`999ms` is too short: the duration must be at least one second"))],
        );
    }

    #[test]
    fn validates_regular_expressions() {
        let recent_feature = |pattern: &str, release: &str, what: &str, help: &str| {
            format!(
                "`{pattern}` is valid only for agents built with Go {release} or later because it contains {what}; \
                 for agents built with an older Go release, {help}"
            )
        };
        let named_group = recent_feature("(?<n>a)", "1.22", "`(?<name>…)`", "write `(?P<name>…)`");
        let script = "`\\p{…}` with a recently added script";
        let script = recent_feature("\\p{Kawi}", "1.22", script, "use a range of characters");
        let long_repetition = recent_feature(
            "\\p{Letter}",
            "1.25",
            "a name in `\\p{…}` that older releases do not recognize",
            "spell the name as in Go's `unicode` package, such as `Lu` or `Greek`",
        );
        let invalid = "`+` is not a valid regular expression: `+` has nothing to repeat; use Go's RE2 syntax: \
                       https://golang.org/s/re2syntax";
        for rows in [&[("a", REGEX)] as Rows, &[("a", ANCHORED_REGEX)]] {
            assert_messages(
                rows,
                &[
                    ("", None),
                    ("a(b|c)", None),
                    ("(?<n>a)", Some(&named_group)),
                    ("\\p{Kawi}", Some(&script)),
                    ("\\p{Letter}", Some(&long_repetition)),
                    ("+", Some(invalid)),
                ],
            );
        }
        let never_parsed = |text: &str| {
            let help = format!("remove it, and use a relabeling rule with `regex: ({text})`");
            format!("the agent cannot parse the regular expression `{text}` and does not start; {help}")
        };
        assert_messages(
            &[("a", ANCHORED_REGEX)],
            &[("null", Some(&never_parsed("null"))), ("~", Some(&never_parsed("~"))), ("Null", None), ("(~)", None)],
        );
        assert_messages(&[("a", REGEX)], &[("null", None), ("~", None)]);
        // The pattern is invalid, even though `^(?:a)(b)$` would be valid.
        assert_messages(&[("a", ANCHORED_REGEX)], &[("a)(b", None)]);
        assert_eq!(broken_rules(&[("a", REGEX)], &json!({"a": "a)(b"})).len(), 1);
    }

    #[test]
    fn validates_label_names() {
        let invalid = |name: &str| format!("`{name}` is not a valid label name; {LABEL_NAME_HELP}");
        assert_messages(
            &[("a", LABEL_NAME)],
            &[("", None), ("_a1", None), ("a-b", Some(&invalid("a-b"))), ("$1", Some(&invalid("$1")))],
        );
        assert_messages(&[("a", LABEL_TEMPLATE)], &[("", None), ("a_${1}", None), ("a-b", Some(&invalid("a-b")))]);
        let invalid_copy = |shown: &str| {
            format!(
                "{shown} cannot become a label name: a label name must not start with a digit; remove it, and copy the label with a relabeling rule"
            )
        };
        assert_messages(&[("a", COPIED_LABEL)], &[("a-b/c", None), ("1a", Some(&invalid_copy("`1a`")))]);
        assert_eq!(
            broken_rules(&[("a", LABEL_NAMES)], &json!({"a": {"b": "c", "d-e": "f"}})),
            [format!("a.d-e: {}", invalid("d-e"))]
        );
    }

    #[test]
    fn validates_urls() {
        let help = "write a URL such as `https://host:8080/path`";
        let with_help =
            |scheme: &str, help: &str| format!("the agent cannot send to a URL with the `{scheme}` scheme; use {help}");
        let scheme = |scheme| with_help(scheme, "`http` or `https`");
        assert_messages(
            &[("a", URL)],
            &[
                ("", None),
                ("host:80", None),
                ("HTTPS://a", None),
                ("ftp://a", Some(&scheme("ftp"))),
                ("socks5://a", Some(&scheme("socks5"))),
                ("http://a:${PORT}/", None),
                ("${SCHEME}://${HOST}", None),
                ("ftp://a/${1}", Some(&scheme("ftp"))),
            ],
        );
        assert_messages(
            &[("a", PROXY_URL)],
            &[
                ("http://a", None),
                ("socks5://a", None),
                ("socks5h://a", None),
                ("ftp://a", Some(&with_help("ftp", "`http`, `https`, `socks5` or `socks5h`"))),
            ],
        );
        const RECEIVER: Rows = &[("", RECEIVER_URL)];
        let url_findings = |url: Value| broken_rules(RECEIVER, &json!({"url": url}));
        let empty = format!("url: the URL is empty, so nothing can be sent; {help}");
        assert_eq!((url_findings(json!("")), url_findings(json!(null))), (vec![empty.clone()], vec![empty]));
        for (url, expected) in [
            ("https://a/b", None),
            ("${URL}", None),
            ("null", Some("the agent cannot parse the URL `null` and does not start")),
            ("~", Some("the agent cannot parse the URL `~` and does not start")),
            ("a/b", Some("`a/b` does not start with a scheme such as `http://`")),
            ("user@a", Some("the URL does not start with a scheme such as `http://`")),
            ("a?token=b", Some("the URL does not start with a scheme such as `http://`")),
        ] {
            let expected = expected.map(|message| format!("url: {message}; {help}"));
            assert_eq!(url_findings(json!(url)), Vec::from_iter(expected), "{url}");
        }
        // The agent starts with any URL that Go can parse, even if it cannot send to that URL.
        for (url, expected) in [
            ("a/b", true),
            ("ftp://a", true),
            ("http://a b", false),
            ("://a", false),
            ("ht tp://a", false),
            ("http://a:b", false),
        ] {
            let object = json!({"url": url});
            let (violations, _) = crate::check::walk::violations(RECEIVER, Json::Built(&object));
            assert_eq!(violations[0].is_warning, expected, "{url}");
        }
    }

    #[test]
    fn reports_strings_that_yaml_misreads() {
        const ROWS: Rows = &[("", With(|value, walk| report_misread(value, true, walk)))];
        let places = |value: Value| {
            let lines = broken_rules(ROWS, &value);
            lines.into_iter().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(places(json!({"a": "b", "c": ["d\ne", 1], "f": null})), [""; 0]);
        assert_eq!(places(json!({"a": [" b\nc", "d"], "e": {"f": "\tg\nh"}})), ["a[0]", "e.f"]);
        // A string is misread only if it is a list item or directly below a key of a list item.
        assert_eq!(places(json!({"a": " b\nc", "d": {"e": " b\nc", "f": [" b\nc"]}})), ["a", "d.f[0]"]);
    }
}
