//! How clients prove who they are and whom they trust.

use std::borrow::Cow;

use super::fields::{Fields, params};
use crate::plan::{File, HttpClient, Token};
use crate::resolve::{AssetKey, SecretStore};
use crate::yaml::{SecretSource, Value};

/// Where the operator mounts `<agent>-secrets`.
const SECRETS_DIRECTORY: &str = "/var/lib/grafana-agent/secrets";

/// What a client of the plan refers to, as the configuration has it (`ext/secrets.libsonnet`).
#[derive(Clone, Copy)]
pub(super) struct Client<'v> {
    pub(super) http: HttpClient<'v>,
    secrets: &'v SecretStore<'v, 'v>,
}

impl<'v> Client<'v> {
    pub(super) fn new(http: HttpClient<'v>, secrets: &'v SecretStore<'v, 'v>) -> Self {
        Self { http, secrets }
    }

    /// The value of a key; empty where it is missing, which was reported before.
    pub(super) fn value(self, key: &AssetKey<'v>) -> Value<'v> {
        let source = SecretSource::Key {
            namespace: key.namespace,
            name: key.name,
            key: key.key,
        };
        Value::secret(self.secrets.text(key).unwrap_or_default(), source)
    }

    /// User name and password as text.
    pub(super) fn basic_auth(self) -> Option<Fields<'v>> {
        let auth = self.http.basic_auth?;
        let password = self.value(&self.http.secret(&auth.password));
        Some(self.username()?.always("password", password))
    }

    /// User name as text, password as a file.
    pub(super) fn basic_auth_with_file(self) -> Option<Fields<'v>> {
        let auth = self.http.basic_auth?;
        let password = mounted(&self.http.secret(&auth.password));
        Some(self.username()?.always("password_file", password))
    }

    fn username(self) -> Option<Fields<'v>> {
        let auth = self.http.basic_auth?;
        Some(Fields::new().always("username", self.value(&self.http.secret(&auth.username))))
    }

    /// OAuth 2.0. The client's identifier comes from a Secret only.
    pub(super) fn oauth2(self) -> Option<Fields<'v>> {
        let oauth2 = self.http.oauth2?;
        let client_id = oauth2.client_id.secret.as_ref();
        let fields = Fields::new()
            .option("client_id", client_id.map(|id| self.value(&self.http.secret(id))))
            .always("client_secret_file", mounted(&self.http.secret(&oauth2.client_secret)))
            .object("endpoint_params", params(&oauth2.endpoint_params))
            .texts("scopes", &oauth2.scopes)
            .always("token_url", oauth2.token_url);
        Some(fields)
    }

    /// The bearer token as text.
    pub(super) fn bearer_token(self) -> Option<Value<'v>> {
        self.http.bearer_token.map(|token| match token {
            Token::Text(text) => Value::secret(text, SecretSource::Field),
            Token::Secret(selector) => self.value(&self.http.secret(selector)),
        })
    }

    /// An `Authorization` header with the token, where there is one.
    pub(super) fn authorization(self) -> Option<Fields<'v>> {
        let (token, file) = (self.bearer_token(), self.http.bearer_token_file);
        if token.is_none() && file.is_empty() {
            return None;
        }
        let fields = Fields::new().always("type", "Bearer");
        Some(fields.option("credentials", token).text("credentials_file", file))
    }

    /// TLS settings.
    pub(super) fn tls(self) -> Option<Fields<'v>> {
        let tls = self.http.tls?;
        let files = self.http.tls_files(tls);
        let fields = Fields::new()
            .option("ca_file", files.ca.map(path))
            .option("cert_file", files.cert.map(path))
            .option("key_file", files.key.map(path))
            .text("server_name", tls.server_name)
            .flag("insecure_skip_verify", tls.insecure_skip_verify);
        Some(fields)
    }
}

pub(in crate::target) fn path(file: File<'_>) -> Cow<'_, str> {
    match file {
        File::Path(path) => Cow::Borrowed(path),
        File::Mounted(key) => Cow::Owned(mounted(&key)),
    }
}

/// The file that a key of a Secret or ConfigMap is mounted as.
pub(in crate::target) fn mounted(key: &AssetKey<'_>) -> String {
    mounted_as(&key.sanitized())
}

/// Whether a file is one of those that `<agent>-secrets` is mounted as.
pub(in crate::target) fn is_mounted(path: &str) -> bool {
    path.strip_prefix(SECRETS_DIRECTORY)
        .is_some_and(|name| name.starts_with('/'))
}

/// The file that a key of `<agent>-secrets` is mounted as.
pub(in crate::target) fn mounted_as(key: &str) -> String {
    format!("{SECRETS_DIRECTORY}/{key}")
}
