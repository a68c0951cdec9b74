//! Authentication and TLS of clients.
//!
//! What: two kinds of authentication at once, SigV4 with half its keys, OAuth 2.0 without what it needs, a client certificate
//! without its key (`HTTPClientConfig.Validate`, `TLSConfig.Validate`, `RemoteWriteConfig` and `SigV4Config` of Prometheus). Why:
//! the agent refuses its whole configuration. Example: `basicAuth` beside `bearerToken`.

use crate::api::{BasicAuth, KeySelector, LogsClient, OAuth2, RemoteWrite, SigV4, TlsConfig};
use crate::check::place::Place;
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::{AssetKey, SecretStore};

/// The values of the Secrets of one namespace.
#[derive(Clone, Copy)]
pub struct Values<'a, 'd> {
    /// All values.
    pub store: &'a SecretStore<'a, 'd>,
    pub namespace: &'d str,
}

impl<'d> Values<'_, 'd> {
    /// Whether a value is set and not empty; `None` if it is missing, which is reported elsewhere.
    fn is_set(self, selector: &KeySelector<'d>) -> Option<bool> {
        let bytes = self.store.bytes(&AssetKey::secret(self.namespace, selector))?;
        Some(!bytes.is_empty())
    }
}

/// Checks the authentication of a scrape.
pub fn of_endpoint<'d>(
    basic_auth: Option<&BasicAuth<'d>>,
    bearer_token_file: &str,
    bearer_token: &KeySelector<'d>,
    values: Values<'_, 'd>,
    at: &Place<'_>,
) {
    let has_token = !bearer_token.name.is_empty() && values.is_set(bearer_token) == Some(true);
    let kinds = [
        ("basicAuth", basic_auth.is_some()),
        ("bearerTokenFile", !bearer_token_file.is_empty()),
        ("bearerTokenSecret", has_token),
    ];
    one_kind(&kinds, at);
}

/// Checks the authentication of a receiver of metrics.
pub fn of_remote_write<'d>(spec: &RemoteWrite<'d>, values: Values<'_, 'd>, at: &Place<'_>) {
    one_of(&["basicAuth", "oauth2", "bearerToken", "bearerTokenFile", "sigv4"], at);
    oauth2(spec.oauth2.as_ref(), values, &at.key("oauth2"));
    sigv4(spec.sigv4.as_ref(), values, &at.key("sigv4"));
}

/// Checks the authentication of a receiver of logs.
pub fn of_logs_client<'d>(spec: &LogsClient<'d>, values: Values<'_, 'd>, at: &Place<'_>) {
    one_of(&["basicAuth", "oauth2", "bearerToken", "bearerTokenFile"], at);
    oauth2(spec.oauth2.as_ref(), values, &at.key("oauth2"));
}

/// Checks that one of these fields is set at most.
pub fn one_of(fields: &[&'static str], at: &Place<'_>) {
    let is_set = |field: &str| {
        let value = at.node().and_then(|node| node.get(field));
        value.is_some_and(|value| !value.is_null() && value.as_str() != Some(""))
    };
    let kinds: Vec<_> = fields.iter().map(|field| (*field, is_set(field))).collect();
    one_kind(&kinds, at);
}

/// Reports the second of the fields that are set, of which only one may be: pairs of a field and whether it is set.
pub fn one_kind(kinds: &[(&'static str, bool)], at: &Place<'_>) {
    let mut set = kinds.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| *name);
    if let (Some(first), Some(second)) = (set.next(), set.next()) {
        let message = format!("`{first}` and `{second}` cannot be combined");
        let finding = at.key(second).diagnostic(Code::ConflictingAuthentication, message);
        let finding = finding.label(at.key(first).span(), "set here too");
        at.add(finding.help("keep one kind of authentication"));
    }
}

fn oauth2<'d>(spec: Option<&OAuth2<'d>>, values: Values<'_, 'd>, at: &Place<'_>) {
    let Some(spec) = spec else { return };
    let client_id = spec.client_id.secret.as_ref();
    if client_id.is_none_or(|secret| values.is_set(secret) == Some(false)) {
        let message = "the operator reads the client ID only from a Secret, and none is set";
        let at = at.key("clientId");
        at.report(Code::IncompleteAuthentication, message, "set `clientId.secret`");
    }
    if spec.token_url.is_empty() {
        let at = at.key("tokenUrl");
        at.report(
            Code::IncompleteAuthentication,
            "the token URL is empty",
            "set `tokenUrl`",
        );
    }
}

fn sigv4<'d>(spec: Option<&SigV4<'d>>, values: Values<'_, 'd>, at: &Place<'_>) {
    let Some(spec) = spec else { return };
    let is_set = |key: &Option<KeySelector<'d>>| key.as_ref().map_or(Some(false), |key| values.is_set(key));
    let (has, lacks) = match (is_set(&spec.access_key), is_set(&spec.secret_key)) {
        (Some(true), Some(false)) => ("accessKey", "secretKey"),
        (Some(false), Some(true)) => ("secretKey", "accessKey"),
        _ => return,
    };
    let message = format!("`{has}` is set, but `{lacks}` is not, or its value is empty");
    let help = "set both keys, or neither to use those of the environment";
    at.report(Code::IncompleteAuthentication, message, help);
}

/// Checks `tlsConfig` below `at`.
pub fn tls(tls: Option<&TlsConfig<'_>>, at: &Place<'_>) {
    let Some(tls) = tls else { return };
    let has_certificate = !tls.cert_file.is_empty() || tls.cert.secret.is_some() || tls.cert.config_map.is_some();
    let has_key = !tls.key_file.is_empty() || tls.key_secret.is_some();
    whole_certificate(has_certificate, has_key, &at.key("tlsConfig"));
}

/// Reports a client certificate without its key, or a key without its certificate.
pub fn whole_certificate(has_certificate: bool, has_key: bool, at: &Place<'_>) {
    let (message, help) = match (has_certificate, has_key) {
        (true, false) => (
            "a client certificate is set, but no key for it",
            "set the key too, or remove the certificate",
        ),
        (false, true) => (
            "the key of a client certificate is set, but no certificate",
            "set the certificate too, or remove the key",
        ),
        _ => return,
    };
    at.report(Code::IncompleteCertificate, message, help);
}

/// A finding for two receivers that the agent cannot tell apart.
pub fn duplicate_receiver(first: &Place<'_>, second: &Place<'_>, name: &str, help: &str) -> Diagnostic {
    let message = match name {
        "" => "two receivers are the same".to_owned(),
        name => format!("two receivers are called {}", second.quoted(name)),
    };
    let finding = second.diagnostic(Code::DuplicateReceiver, message);
    finding.label(first.span(), "the first").help(help)
}
