//! Authentication and TLS settings for HTTP clients.
//!
//! Reports two kinds of authentication at once (such as `basicAuth` and `bearerToken`), SigV4 with only one of its
//! keys, OAuth 2.0 without a required setting, and a client certificate without its key (`HTTPClientConfig.Validate`,
//! `TLSConfig.Validate`, `RemoteWriteConfig` and `SigV4Config` in Prometheus). Each of these makes the agent reject its
//! entire configuration.

use crate::check::walk::Expect::{self, As, AtMostOne};
use crate::check::walk::{Json, Step, Violation, Walk, present_fields};
use crate::diagnostic::Code;

/// Checks a scrape client's authentication settings. An empty token is ignored.
pub fn check_endpoint<'v>(endpoint: Json<'v>, walk: &mut Walk<'v>) {
    let token = endpoint.get("bearerTokenSecret").filter(|token| !token.text("name").is_empty());
    let has_token = token.is_some_and(|token| walk.has_value(token) == Some(true));
    walk.check_rule(if has_token { &ONE_KIND } else { &ONE_KIND_WITHOUT_TOKEN }, endpoint);
}

const ONE_KIND: Expect = As(CONFLICT, &AtMostOne("basicAuth|bearerTokenFile|bearerTokenSecret"));
const ONE_KIND_WITHOUT_TOKEN: Expect = As(CONFLICT, &AtMostOne("basicAuth|bearerTokenFile"));
pub const CONFLICT: Code = Code::ConflictingAuthentication;

/// Port of Prometheus' `OAuth2.Validate`.
pub fn check_oauth2<'v>(oauth2: Json<'v>, walk: &mut Walk<'v>) {
    let client_id = oauth2.non_null("clientId.secret");
    if client_id.is_none_or(|secret| walk.has_value(secret) == Some(false)) {
        let message = "the operator reads the client ID only from a Secret, and none is set";
        let at = [Step::Key("clientId")];
        walk.report_with_code(Code::IncompleteAuthentication, &at, message, "set `clientId.secret`");
    }
    if oauth2.text("tokenUrl").is_empty() {
        let (at, message) = ([Step::Key("tokenUrl")], "the token URL is empty");
        walk.report_with_code(Code::IncompleteAuthentication, &at, message, "set `tokenUrl`");
    }
}

/// Checks SigV4 settings (`SigV4Config`).
pub fn check_sigv4<'v>(sigv4: Json<'v>, walk: &mut Walk<'v>) {
    let is_set = |field| match sigv4.non_null(field) {
        None => Some(false),
        Some(key) => walk.has_value(key),
    };
    let (set_key, missing_key) = match (is_set("accessKey"), is_set("secretKey")) {
        (Some(true), Some(false)) => ("accessKey", "secretKey"),
        (Some(false), Some(true)) => ("secretKey", "accessKey"),
        _ => return,
    };
    let message = format!("`{set_key}` is set, but `{missing_key}` is missing or empty");
    let help = "set both keys, or remove both to use the ones from the environment";
    walk.report_with_code(Code::IncompleteAuthentication, &[], message, help);
}

/// Checks a client's `tlsConfig`: a certificate needs a key, and a key needs a certificate.
pub fn check_tls<'v>(tls: Json<'v>, walk: &mut Walk<'v>) {
    let certificate = tls.get("cert").is_some_and(|cert| present_fields("secret|configMap", cert).next().is_some());
    let (message, help) = match (certificate || tls.has("certFile"), present_fields("keyFile|keySecret", tls).next()) {
        (true, None) => {
            ("a client certificate is set without its key", "set the key as well, or remove the certificate")
        }
        (false, Some(_)) => {
            ("a client key is set without its certificate", "set the certificate as well, or remove the key")
        }
        _ => return,
    };
    walk.report_with_code(Code::IncompleteCertificate, &[], message, help);
}

/// Reports two receivers in a list if the agent cannot distinguish them.
pub fn duplicate_receiver<'w, 'v>(
    first: usize,
    second: usize,
    name: &str,
    help: &str,
    walk: &'w mut Walk<'v>,
) -> &'w mut Violation<'v> {
    let message = match name {
        "" => "two receivers are identical".to_owned(),
        name => format!("two receivers are named {}", walk.quote(name)),
    };
    let label = walk.span(&[Step::Index(first)]).map(|span| (span, "the first is defined here"));
    let report = walk.report_with_code(Code::DuplicateReceiver, &[Step::Index(second)], message, help);
    report.labels.extend(label);
    report
}
