//! Rules for HTTP clients in the agent's configuration, and helpers for other rules about jobs.

use super::client::CONFLICT;
use crate::check::certificates::{TlsPart, describe_outcome, find_mismatch, find_problem};
use crate::check::walk::Expect::{self, As, AtMostOne, Help, Hidden, In, Is, Mild, OneOf, Required, With};
use crate::check::walk::{Json, Rows, Step, Walk, present_fields};
use crate::diagnostic::Code;

/// Reports an invalid job.
pub(super) fn report_invalid<'v>(message: impl Into<String>, path: &[Step<'v>], walk: &mut Walk<'v>) {
    walk.report_with_code(Code::InvalidScrapeJob, path, message, "");
}

/// Checks the HTTP client of a job.
pub(in crate::check) fn check_client<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    static RULES: Expect = As(Code::InvalidScrapeJob, &In(JOB_CLIENT));
    walk.check_rule(&RULES, job);
}

const JOB_CLIENT: Rows = &[
    ("", In(CLIENT)),
    ("tls_config", BUILT_TLS),
    // The client that requests tokens is not created until the first token is needed.
    ("oauth2.tls_config", Mild(&BUILT_TLS)),
];

/// Rules for an HTTP client (`HTTPClientConfig.Validate`): a client may use only one type of authentication, with
/// either a value or a file.
pub(in crate::check) const CLIENT: Rows = &[
    ("", As(CONFLICT, &AtMostOne("basic_auth|authorization|oauth2|bearer_token|bearer_token_file"))),
    ("basic_auth", As(CONFLICT, &AtMostOne("username|username_file"))),
    ("basic_auth", As(CONFLICT, &AtMostOne("password|password_file"))),
    ("authorization", As(CONFLICT, &AtMostOne("credentials|credentials_file"))),
    ("authorization.type", Help("use `basic_auth`", &Hidden(&Is(is_not_basic, "must not be `basic`")))),
    ("oauth2", As(CONFLICT, &AtMostOne("client_secret|client_secret_file"))),
    ("oauth2.client_id|token_url", Required),
    ("", With(check_proxy)),
    ("oauth2", With(check_proxy)),
    ("tls_config", In(TLS)),
    ("oauth2.tls_config", In(TLS)),
];

fn is_not_basic(kind: &str) -> bool {
    !kind.trim().eq_ignore_ascii_case("basic")
}

/// Port of `ProxyConfig.Validate` in prometheus/common.
fn check_proxy<'v>(client: Json<'v>, walk: &mut Walk<'v>) {
    if client.is_true("proxy_from_environment") {
        if let Some(field) = present_fields("proxy_url|no_proxy", client).next() {
            walk.report_conflict("proxy_from_environment", field);
        }
        return;
    }
    // An empty URL suffices for `no_proxy`, but not for the headers.
    let lacks_url = |field: &str| match field {
        "no_proxy" => client.non_null("proxy_url").is_none(),
        _ => !client.has("proxy_url"),
    };
    let mut fields_without_url =
        present_fields("no_proxy|proxy_connect_header", client).filter(|field| lacks_url(field));
    if let Some(field) = fields_without_url.find(|field| is_filled(client, field)) {
        walk.report_field(field, "is set without `proxy_url`").help = format!("set `proxy_url`, or remove `{field}`");
    }
}

/// Whether a field is set to anything other than an empty mapping.
pub(super) fn is_filled(client: Json<'_>, field: &str) -> bool {
    let value = client.get(field).filter(|value| value.is_mapping());
    value.is_none_or(|value| value.entries().next().is_some())
}

/// Rules for TLS settings (`TLSConfig.Validate`, `TLSVersion.UnmarshalYAML`).
pub(in crate::check) const TLS: Rows = &[
    ("", With(check_inline_certificates)),
    ("", AtMostOne("ca|ca_file")),
    ("", AtMostOne("cert|cert_file")),
    ("", AtMostOne("key|key_file")),
    ("min_version|max_version", OneOf(VERSIONS)),
    ("", As(Code::IncompleteCertificate, &With(check_certificate))),
];

/// TLS versions (`config.TLSVersions`), oldest first.
const VERSIONS: &str = "TLS10|TLS11|TLS12|TLS13";

/// Reports a certificate without its key, or a key without its certificate.
fn check_certificate<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    let [certificate, key] = ["cert|cert_file", "key|key_file"].map(|fields| present_fields(fields, tls).next());
    let (set_field, missing_field) = match (certificate, key) {
        (Some(set_field), None) => (set_field, "key_file"),
        (None, Some(set_field)) => (set_field, "cert_file"),
        _ => return,
    };
    walk.report_field(set_field, format!("is set without `{missing_field}`")).help =
        format!("set `{missing_field}` as well");
}

/// Expects TLS settings that a client can be created with (`NewTLSConfig`).
pub(in crate::check) const BUILT_TLS: Expect = With(|tls, walk| {
    let [least, max_version] =
        ["min_version", "max_version"].map(|field| VERSIONS.split('|').position(|v| v == tls.text(field)));
    if least.zip(max_version).is_some_and(|(min_version, most)| min_version > most) {
        walk.report_field("max_version", "must not be older than `min_version`").help =
            "raise `max_version`, or lower `min_version`".to_owned();
    }
});

/// Checks inline certificates and keys in `tls_config` (`NewTLSConfig` in Prometheus' `http_config.go`). A value with a
/// `$` is skipped, because it may contain a variable.
fn check_inline_certificates<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    let Some(conditions) = walk.context.conditions else {
        return;
    };
    let outcome = describe_outcome(conditions.target, false);
    let known_text = |field| Some(tls.text(field)).filter(|text| !text.is_empty() && !text.contains('$'));
    for (field, part) in [("ca", TlsPart::Authority), ("cert", TlsPart::Certificate), ("key", TlsPart::Key)] {
        let Some(text) = known_text(field) else { continue };
        let certificate = known_text("cert").filter(|_| part == TlsPart::Key);
        let problem = find_problem(text.as_bytes(), part, outcome, conditions.certificate_time);
        let pair = || find_mismatch(text.as_bytes(), certificate?.as_bytes(), outcome);
        if let Some((code, message, help)) = problem.or_else(pair) {
            walk.report_with_code(code, &[Step::Key(field)], message, help);
        }
    }
}
