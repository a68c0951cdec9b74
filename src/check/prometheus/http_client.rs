//! Rules for a scrape job's HTTP client, and helpers for other rules about jobs.

use super::client::{CONFLICT, whole_certificate};
use crate::check::certificates::{TlsPart, mismatch, problem};
use crate::check::field::{DURATION, PROXY_URL, UNITS};
use crate::check::walk::Expect::{self, As, AtMostOne, OneOf, With};
use crate::check::walk::{Json, Rows, Step, Walk, present};
use crate::diagnostic::Code;
use crate::yaml::NodeValue;

/// Reports an invalid job.
pub(super) fn invalid<'v>(message: impl Into<String>, at: &[Step<'v>], walk: &mut Walk<'v>) {
    let help = "fix the scrape configuration in the Secret";
    walk.report_with_code(Code::InvalidScrapeJob, at, message, help);
}

/// Checks a duration, which may also be the number zero.
pub(super) fn time<'v>(time: Json<'v>, walk: &mut Walk<'v>) {
    match time.value() {
        NodeValue::Int(0) => {}
        // The agent parses the string form of any scalar.
        NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::Bool(_) | NodeValue::String("") => {
            let message = "the value is not a valid Prometheus duration";
            walk.report_with_code(Code::InvalidDuration, &[], message, UNITS);
        }
        _ => walk.rule(&DURATION, time),
    }
}

/// Checks a job's authentication and TLS settings (`HTTPClientConfig.Validate`).
pub(in crate::check) fn client<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    walk.rows(AUTHENTICATION, job);
    let kind = job.at("authorization.type").and_then(Json::as_str);
    if kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("basic")) {
        let message = "`authorization` cannot have the type `basic`; use `basic_auth` instead";
        invalid(message, &[Step::Key("authorization")], walk);
    }
    if let Some(oauth2) = job.get("oauth2").filter(|oauth2| oauth2.is_mapping()) {
        let lacks = ["client_id", "token_url"].into_iter().filter(|field| !oauth2.has(field));
        for field in lacks {
            invalid(format!("`oauth2` needs `{field}`"), &[Step::Key("oauth2")], walk);
        }
    }
    proxy(job, walk);
    walk.each("oauth2", job, |walk, oauth2| proxy(oauth2, walk));
    walk.rows(TLS, job);
}

/// Rules for authentication: a job may set only one kind, and either a value or a file.
pub const AUTHENTICATION: Rows = &[
    ("", As(CONFLICT, &AtMostOne(KINDS))),
    ("basic_auth", As(CONFLICT, &AtMostOne("username|username_file"))),
    ("basic_auth", As(CONFLICT, &AtMostOne("password|password_file"))),
    ("authorization", As(CONFLICT, &AtMostOne("credentials|credentials_file"))),
    ("oauth2", As(CONFLICT, &AtMostOne("client_secret|client_secret_file"))),
];
const KINDS: &str = "basic_auth|authorization|oauth2|bearer_token|bearer_token_file";

pub const TLS: Rows = &[
    ("proxy_url", PROXY_URL),
    ("oauth2.proxy_url", PROXY_URL),
    ("tls_config", With(tls)),
    ("oauth2.tls_config", With(tls)),
    ("tls_config", With(|tls, walk| versions_in_order(tls, false, walk))),
    // The client that requests tokens is created only when the first token is needed.
    ("oauth2.tls_config", With(|tls, walk| versions_in_order(tls, true, walk))),
];

/// Checks TLS settings (`TLSConfig.Validate`, `TLSVersion.UnmarshalYAML`).
fn tls<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    inline_certificates(tls, walk);
    for pair in ["ca|ca_file", "cert|cert_file", "key|key_file"] {
        let mut present = present(pair, tls);
        if let (Some(first), Some(second)) = (present.next(), present.next()) {
            invalid(format!("`{first}` and `{second}` cannot be combined"), &[], walk);
        }
    }
    walk.row("min_version|max_version", &With(version), tls);
    let has = |fields| present(fields, tls).next().is_some();
    whole_certificate(has("cert|cert_file"), has("key|key_file"), &[], walk);
}

static VERSION: Expect = As(Code::InvalidScrapeJob, &OneOf(VERSIONS));
const VERSIONS: &str = "TLS10|TLS11|TLS12|TLS13";

/// Reports an unknown TLS version. The agent parses the string form of any scalar (`TLSVersion.UnmarshalYAML`).
fn version<'v>(version: Json<'v>, walk: &mut Walk<'v>) {
    match version.value() {
        NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::Bool(_) => {
            invalid("the TLS version must be `TLS10`, `TLS11`, `TLS12` or `TLS13`", &[], walk);
        }
        _ => walk.rule(&VERSION, version),
    }
}

/// Reports a minimum version above the maximum version (`NewTLSConfig`). The agent starts, but the job does not run.
fn versions_in_order<'v>(tls: Json<'v>, is_mild: bool, walk: &mut Walk<'v>) {
    let place = |field| {
        let version = Some(tls.text(field)).filter(|version| !version.is_empty());
        VERSIONS.split('|').position(|known| Some(known) == version)
    };
    if place("min_version").zip(place("max_version")).is_some_and(|(least, most)| least > most) {
        let help = "fix the scrape configuration in the Secret";
        let message = "`max_version` must not be older than `min_version`";
        walk.report_with_code(Code::InvalidScrapeJob, &[Step::Key("max_version")], message, help).is_warning |= is_mild;
    }
}

/// Whether a field is set to anything other than an empty mapping.
pub(super) fn is_filled(client: Json<'_>, field: &str) -> bool {
    let value = client.get(field).filter(|value| value.is_mapping());
    value.is_none_or(|value| value.entries().next().is_some())
}

/// Port of prometheus/common's `ProxyConfig.Validate`.
fn proxy<'v>(client: Json<'v>, walk: &mut Walk<'v>) {
    let from_environment = client.is_on("proxy_from_environment");
    // An empty URL suffices for `no_proxy`, but not for the headers.
    let lacks_url = |field: &str| match field {
        "no_proxy" => client.set("proxy_url").is_none(),
        _ => !client.has("proxy_url"),
    };
    if let Some(field) = present("proxy_url|no_proxy", client).next().filter(|_| from_environment) {
        invalid(format!("`proxy_from_environment` and `{field}` cannot be combined"), &[], walk);
    } else if !from_environment {
        let mut lacking = present("no_proxy|proxy_connect_header", client).filter(|field| lacks_url(field));
        if let Some(field) = lacking.find(|field| is_filled(client, field)) {
            invalid(format!("`{field}` needs a `proxy_url`"), &[], walk);
        }
    }
}

/// Checks inline certificates and keys in `tls_config` (`NewTLSConfig` in Prometheus' `http_config.go`). A value with a
/// `$` is skipped, because it may contain a variable.
fn inline_certificates<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    let Some(conditions) = walk.context.conditions else {
        return;
    };
    let known = |field| Some(tls.text(field)).filter(|text| !text.is_empty() && !text.contains('$'));
    for (field, part) in [("ca", TlsPart::Authority), ("cert", TlsPart::Certificate), ("key", TlsPart::Key)] {
        let Some(text) = known(field) else { continue };
        let certificate = known("cert").filter(|_| part == TlsPart::Key);
        let pair = || mismatch(text.as_bytes(), certificate?.as_bytes(), conditions);
        if let Some((code, message, help)) = problem(text.as_bytes(), part, conditions).or_else(pair) {
            walk.report_with_code(code, &[Step::Key(field)], message, help);
        }
    }
}
