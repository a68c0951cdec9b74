//! How clients prove who they are.
//!
//! What: two kinds of authentication at once, SigV4 with half its keys, OAuth 2.0 without what it needs
//! (`HTTPClientConfig.Validate`, `RemoteWriteConfig` and `SigV4Config` of Prometheus). Why: the agent refuses its whole
//! configuration. Example: `basicAuth` beside `bearerToken`.

use crate::api::{ApiServer, BasicAuth, KeySelector, LogsClient, OAuth2, RemoteWrite, SigV4};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::resolve::{AssetKey, SecretStore};

/// The values of the Secrets of one namespace.
#[derive(Clone, Copy)]
pub struct Values<'a, 'd> {
    /// All values.
    pub store: &'a SecretStore<'a, 'd>,
    /// The namespace.
    pub namespace: &'d str,
}

impl<'d> Values<'_, 'd> {
    /// Whether a value is there and not empty; `None` where it is missing, which was reported before.
    fn is_set(self, selector: &KeySelector<'d>) -> Option<bool> {
        let bytes = self.store.bytes(&AssetKey::secret(self.namespace, selector))?;
        Some(!bytes.is_empty())
    }
}

/// `basicAuth` and tokens of what is scraped.
pub fn of_endpoint<'d>(
    basic_auth: Option<&BasicAuth<'d>>,
    bearer_token_file: &str,
    bearer_token: &KeySelector<'d>,
    values: Values<'_, 'd>,
    at: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let has_token = !bearer_token.name.is_empty() && values.is_set(bearer_token) == Some(true);
    let kinds = [
        ("basicAuth", basic_auth.is_some()),
        ("bearerTokenFile", !bearer_token_file.is_empty()),
        ("bearerTokenSecret", has_token),
    ];
    one_kind(&kinds, at, found);
}

/// Whatever a receiver of metrics has.
pub fn of_remote_write<'d>(
    spec: &RemoteWrite<'d>,
    values: Values<'_, 'd>,
    at: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let kinds = [
        ("basicAuth", spec.basic_auth.is_some()),
        ("oauth2", spec.oauth2.is_some()),
        ("bearerToken", !spec.bearer_token.is_empty()),
        ("bearerTokenFile", !spec.bearer_token_file.is_empty()),
        ("sigv4", spec.sigv4.is_some()),
    ];
    one_kind(&kinds, at, found);
    oauth2(spec.oauth2.as_ref(), values, at, found);
    if let Some(config) = &spec.sigv4 {
        sigv4(config, values, &at.key("sigv4"), found);
    }
}

/// Whatever a receiver of logs has.
pub fn of_logs_client<'d>(spec: &LogsClient<'d>, values: Values<'_, 'd>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let kinds = [
        ("basicAuth", spec.basic_auth.is_some()),
        ("oauth2", spec.oauth2.is_some()),
        ("bearerToken", !spec.bearer_token.is_empty()),
        ("bearerTokenFile", !spec.bearer_token_file.is_empty()),
    ];
    one_kind(&kinds, at, found);
    oauth2(spec.oauth2.as_ref(), values, at, found);
}

/// Whatever is used to talk to the API server.
pub fn of_api_server(spec: &ApiServer<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let kinds = [
        ("basicAuth", spec.basic_auth.is_some()),
        ("bearerToken", !spec.bearer_token.is_empty()),
        ("bearerTokenFile", !spec.bearer_token_file.is_empty()),
    ];
    one_kind(&kinds, at, found);
}

/// Reports the second of several kinds that are set: pairs of a field's name and whether it is set.
pub fn one_kind(kinds: &[(&'static str, bool)], at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let mut set = kinds.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| *name);
    if let (Some(first), Some(second)) = (set.next(), set.next()) {
        let (first_at, second_at) = (at.key(first), at.key(second));
        found.push(diagnostics::conflicting_authentication(
            &first_at, first, &second_at, second,
        ));
    }
}

fn oauth2<'d>(spec: Option<&OAuth2<'d>>, values: Values<'_, 'd>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let Some(spec) = spec else { return };
    let at = at.key("oauth2");
    let has_client_id = match &spec.client_id.secret {
        Some(secret) => values.is_set(secret) != Some(false),
        None => false,
    };
    if !has_client_id {
        let message = "the operator takes the client's identifier from a Secret only, and there is none";
        let help = "set `clientId.secret`";
        found.push(diagnostics::incomplete_authentication(
            &at.key("clientId"),
            message,
            help,
        ));
    }
    if spec.token_url.is_empty() {
        let help = "set `tokenUrl`";
        found.push(diagnostics::incomplete_authentication(
            &at.key("tokenUrl"),
            "the token URL is empty",
            help,
        ));
    }
}

fn sigv4<'d>(spec: &SigV4<'d>, values: Values<'_, 'd>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let is_set = |key: &Option<KeySelector<'d>>| key.as_ref().map_or(Some(false), |key| values.is_set(key));
    let (Some(access), Some(secret)) = (is_set(&spec.access_key), is_set(&spec.secret_key)) else {
        return;
    };
    if access != secret {
        let (has, lacks) = if access {
            ("accessKey", "secretKey")
        } else {
            ("secretKey", "accessKey")
        };
        let message = format!("`{has}` is set, but `{lacks}` is not, or its value is empty");
        let help = "set both keys, or none to take them from the environment";
        found.push(diagnostics::incomplete_authentication(at, &message, help));
    }
}
