//! What the check stage finds, one function a finding. Values of Secrets never come here.

use super::place::Place;
use crate::api::{GrafanaAgent, Probe, Resource};
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::go::regexp;
use crate::secrecy::tells_a_secret;
use crate::yaml::Misread;

/// The most characters of a value that a message repeats.
const MAX_QUOTED: usize = 60;

/// A value as a message shows it: not at all where it is secret, or a URL with something secret in it.
fn quoted(at: &Place<'_>, text: &str) -> String {
    if at.is_secret() || tells_a_secret(text) {
        return "the value".to_owned();
    }
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

pub fn invalid_regex(at: &Place<'_>, pattern: &str, error: &regexp::Error) -> Diagnostic {
    let why = match at.is_secret() {
        true => format!("a part of it {}", error.problem.predicate()),
        false => error.describe(pattern),
    };
    let message = format!("{} is no regular expression: {why}", quoted(at, pattern));
    at.diagnostic(Code::InvalidRegex, message)
        .help("write the expression as Go's RE2 has it, https://golang.org/s/re2syntax")
}

pub fn recent_regex(at: &Place<'_>, pattern: &str, accepted: regexp::Accepted) -> Diagnostic {
    let (what, release) = match accepted {
        regexp::Accepted::SinceGo125 => ("a name in `\\p{…}`", "1.25"),
        _ => ("`(?<name>…)` or a recent script in `\\p{…}`", "1.22"),
    };
    let message = format!("{} uses {what}, which Go has since {release}", quoted(at, pattern));
    at.diagnostic(Code::RecentRegexSyntax, message)
        .help("write `(?P<name>…)`, and in `\\p{…}` a short name such as `Lu`, for agents built with an older Go")
}

pub fn invalid_prometheus_duration(at: &Place<'_>, text: &str) -> Diagnostic {
    let message = format!("{} is no duration of Prometheus", quoted(at, text));
    at.diagnostic(Code::InvalidDuration, message)
        .help("write whole numbers with the units y, w, d, h, m, s, ms in this order, such as `1m30s`")
}

pub fn invalid_go_duration(at: &Place<'_>, text: &str) -> Diagnostic {
    let message = format!("{} is no duration of Go", quoted(at, text));
    at.diagnostic(Code::InvalidDuration, message)
        .help("write numbers with the units h, m, s, ms, us, ns, such as `1h30m`; there are no days")
}

pub fn duration_too_short(at: &Place<'_>, text: &str, least: &str) -> Diagnostic {
    let message = format!("found {}, expected {least}", quoted(at, text));
    at.diagnostic(Code::InvalidDuration, message)
}

pub fn reversed_wal_times(minimum: &Place<'_>, maximum: &Place<'_>) -> Diagnostic {
    let message = "the least time in the write-ahead log is above the most";
    minimum
        .diagnostic(Code::InvalidDuration, message)
        .label(maximum.span(), "the most, `4h` where it is not set")
}

pub fn timeout_above_interval(
    at: &Place<'_>,
    timeout: &str,
    interval: &str,
    interval_at: Option<&Place<'_>>,
) -> Diagnostic {
    let message = match at.is_secret() {
        true => "a scrape may take longer than the interval".to_owned(),
        false => format!("a scrape may take `{timeout}`, longer than the interval of `{interval}`"),
    };
    let diagnostic = at.diagnostic(Code::TimeoutAboveInterval, message);
    let diagnostic = match interval_at {
        Some(place) => diagnostic.label(place.span(), "the interval"),
        None => diagnostic,
    };
    diagnostic.help("lower the timeout, or raise the interval")
}

pub fn interval_above_truncation(
    at: &Place<'_>,
    interval: &str,
    truncation: &str,
    truncation_at: &Place<'_>,
) -> Diagnostic {
    let shown = match at.is_secret() {
        true => String::new(),
        false => format!(" of `{interval}`"),
    };
    let message = format!("the interval{shown} is longer than the `{truncation}` after which the log is cut");
    at.diagnostic(Code::IntervalAboveTruncation, message)
        .label(
            truncation_at.span(),
            "`walTruncateFrequency`, `60m` where it is not set",
        )
        .help("scrape more often, or raise `walTruncateFrequency`")
}

pub fn invalid_url(at: &Place<'_>, url: &str, problem: &str) -> Diagnostic {
    // A URL may hold a password or a token, and what is no URL may be meant to.
    let shown = if url.contains(['@', '?']) {
        "the URL".to_owned()
    } else {
        quoted(at, url)
    };
    at.diagnostic(Code::InvalidUrl, format!("{shown} {problem}"))
        .help("write a URL such as `https://host:8080/path`")
}

/// `port` of an endpoint is a number, but selects by name.
pub fn numeric_port_name(at: &Place<'_>, port: &str) -> Diagnostic {
    let message = format!("`port` must be the name of a port, found the number `{port}`");
    at.diagnostic(Code::NumericPortName, message).help(format!(
        "use `targetPort: {port}` for the number of the container's port"
    ))
}

/// A level that the agent's logger does not have (`Level.Set` of dskit's `log`).
pub fn invalid_log_level(at: &Place<'_>, level: &str, levels: &[&'static str]) -> Diagnostic {
    let names: Vec<_> = levels.iter().map(|level| format!("`{level}`")).collect();
    let message = format!(
        "the agent has no log level {}, and does not start with it",
        quoted(at, level)
    );
    let found = at.diagnostic(Code::InvalidLogLevel, message);
    match closest(level, levels.iter().copied()) {
        Some(meant) => found.help(format!("did you mean `{meant}`?")),
        None => found.help(format!("use one of {}", names.join(", "))),
    }
}

/// A URL with a scheme that the agent cannot send to.
pub fn unknown_scheme(at: &Place<'_>, scheme: &str) -> Diagnostic {
    let message = format!("the agent cannot send to a URL with the scheme {}", quoted(at, scheme));
    at.diagnostic(Code::InvalidUrl, message).help("use `http` or `https`")
}

pub fn empty_url(at: &Place<'_>) -> Diagnostic {
    at.diagnostic(Code::EmptyUrl, "the URL is empty, so nothing can be sent")
        .help("write a URL such as `https://host:8080/path`")
}

pub fn invalid_probe_address(at: &Place<'_>, address: &str) -> Diagnostic {
    let message = if address.is_empty() {
        "the prober has no address, so no target can be scraped".to_owned()
    } else {
        format!("{} is a URL or a path, expected host and port", quoted(at, address))
    };
    at.diagnostic(Code::InvalidProbeAddress, message)
        .help("write host and port, such as `blackbox-exporter:9115`; `scheme` and `path` are fields of their own")
}

pub fn invalid_label_name(at: &Place<'_>, name: &str) -> Diagnostic {
    let message = format!("{} is no name of a label", quoted(at, name));
    at.diagnostic(Code::InvalidLabelName, message)
        .help("use letters, digits and `_`, and no digit in front")
}

pub fn digit_in_front(at: &Place<'_>, name: &str) -> Diagnostic {
    let message = format!(
        "{} makes no name of a label: it is empty or starts with a digit",
        quoted(at, name)
    );
    at.diagnostic(Code::InvalidLabelName, message)
        .help("leave it out, and copy the label with a relabelling rule")
}

pub fn reference_in_label(at: &Place<'_>, name: &str, action: &str) -> Diagnostic {
    let message = format!(
        "{} has a reference, which `{action}` does not replace",
        quoted(at, name)
    );
    at.diagnostic(Code::InvalidLabelName, message)
        .severity(Severity::Warning)
}

pub fn misread_text(at: &Place<'_>, misread: Misread) -> Diagnostic {
    let message = match misread {
        Misread::Indentation => {
            "the agent cannot read the text as it was meant: the operator writes a text of several lines that starts with a \
             space, a tab or a line break with a wrong indentation"
        }
        Misread::FirstLineBreak => "the agent reads the text without the line break that it starts with",
    };
    at.diagnostic(Code::MisreadText, message)
        .help("start the text with something else")
}

pub fn unknown_relabel_action(at: &Place<'_>, action: &str) -> Diagnostic {
    let known =
        "replace, keep, drop, hashmod, labelmap, labeldrop, labelkeep, lowercase, uppercase, keepequal, dropequal";
    at.diagnostic(
        Code::UnknownRelabelAction,
        format!("{} is no action of a relabelling rule", quoted(at, action)),
    )
    .help(format!("use one of {known}"))
}

pub fn relabeling_needs(at: &Place<'_>, action: &str, field: &str) -> Diagnostic {
    at.diagnostic(
        Code::IncompleteRelabeling,
        format!("the action `{action}` needs `{field}`"),
    )
    .help(format!("set `{field}`"))
}

pub fn relabeling_must_not_have(at: &Place<'_>, action: &str, field: &str) -> Diagnostic {
    at.diagnostic(
        Code::ConflictingRelabeling,
        format!("the action `{action}` must not have `{field}`"),
    )
    .help(format!("remove `{field}`"))
}

pub fn invalid_label_map(at: &Place<'_>, replacement: &str) -> Diagnostic {
    let message = format!(
        "{} makes no name of a label, as `labelmap` needs it",
        quoted(at, replacement)
    );
    at.diagnostic(Code::InvalidLabelName, message)
        .help("use letters, digits, `_` and references such as `${1}`")
}

pub fn conflicting_authentication(
    first: &Place<'_>,
    first_name: &str,
    second: &Place<'_>,
    second_name: &str,
) -> Diagnostic {
    let message = format!("`{first_name}` and `{second_name}` exclude each other");
    second
        .diagnostic(Code::ConflictingAuthentication, message)
        .label(first.span(), "set here too")
        .help("keep one kind of authentication")
}

pub fn incomplete_authentication(at: &Place<'_>, message: &str, help: &str) -> Diagnostic {
    at.diagnostic(Code::IncompleteAuthentication, message).help(help)
}

pub fn incomplete_certificate(at: &Place<'_>, has_certificate: bool) -> Diagnostic {
    let (message, help) = if has_certificate {
        (
            "a client certificate is set, but no key for it",
            "set the key too, or remove the certificate",
        )
    } else {
        (
            "the key of a client certificate is set, but no certificate",
            "set the certificate too, or remove the key",
        )
    };
    at.diagnostic(Code::IncompleteCertificate, message).help(help)
}

pub fn reserved_header(at: &Place<'_>, header: &str) -> Diagnostic {
    let help = if header.eq_ignore_ascii_case("authorization") {
        "use `basicAuth`, `bearerToken`, `oauth2` or `sigv4`"
    } else {
        "remove the header"
    };
    at.diagnostic(
        Code::ReservedHeader,
        format!("the agent sets the header {} itself", quoted(at, header)),
    )
    .help(help)
}

pub fn duplicate_receiver(first: &Place<'_>, second: &Place<'_>, name: &str) -> Diagnostic {
    let message = if name.is_empty() {
        "two receivers are the same".to_owned()
    } else {
        format!("two receivers are called {}", quoted(second, name))
    };
    second
        .diagnostic(Code::DuplicateReceiver, message)
        .label(first.span(), "the first")
        .help("give each a `name` of its own, or remove one")
}

pub fn invalid_stage(at: &Place<'_>, message: impl Into<String>, help: &str) -> Diagnostic {
    at.diagnostic(Code::InvalidStage, message).help(help)
}

pub fn invalid_log_selector(at: &Place<'_>, selector: &str, problem: &str) -> Diagnostic {
    let message = format!("{} is no selector of log streams: {problem}", quoted(at, selector));
    at.diagnostic(Code::InvalidLogSelector, message)
        .help("write a selector such as `{app=\"nginx\"} |= \"error\"`")
}

pub fn invalid_scrape_job(at: &Place<'_>, message: impl Into<String>) -> Diagnostic {
    at.diagnostic(Code::InvalidScrapeJob, message)
        .help("correct the scrape configuration in the Secret")
}

pub fn unknown_scrape_field(at: &Place<'_>, line: u32, count: usize, meant: Option<&str>) -> Diagnostic {
    let more = match count {
        1 => String::new(),
        _ => format!(", and {} more behind it", count - 1),
    };
    let message = format!("the agent does not know the field on line {line} of the Secret's text{more}");
    let help = match meant {
        Some(known) => format!("write `{known}`, if that is meant"),
        None => "remove the field".to_owned(),
    };
    at.diagnostic(Code::UnknownScrapeField, message).help(help)
}

pub fn duplicate_job(at: &Place<'_>, is_generated: bool) -> Diagnostic {
    let message = match is_generated {
        true => "the operator makes a job with the same `job_name`",
        false => "a job before it has the same `job_name`",
    };
    at.diagnostic(Code::DuplicateJob, message)
        .help("give the job another name")
}

pub fn unsorted_buckets(at: &Place<'_>) -> Diagnostic {
    at.diagnostic(
        Code::UnsortedBuckets,
        "the buckets do not rise, so the agent stops at the first value",
    )
    .help("sort the buckets, and write each once")
}

/// Every shard probes all Probes of its agent: `first`, and `others` more.
pub fn unsharded_probes(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    shards: i32,
    first: &Resource<'_, Probe<'_>>,
    others: usize,
) -> Diagnostic {
    let and = match others {
        0 => String::new(),
        1 => " and of one other".to_owned(),
        more => format!(" and of {more} others"),
    };
    let name = first.meta.name;
    let path = FieldPath::of("spec.metrics.shards");
    let message = format!("each of the {shards} shards probes the targets of Probe `{name}`{and}");
    Diagnostic::new(Code::UnshardedProbe, message)
        .label(agent.locate(&path), "")
        .label(first.name_span(), "probed by every shard")
        .resource(agent.object_ref())
        .path(&path)
        .help("let a GrafanaAgent with one shard select the Probes, or accept that each target is probed once a shard")
}
