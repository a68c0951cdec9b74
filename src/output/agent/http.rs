//! Authentication and trust settings for HTTP clients.

use std::borrow::Cow;

use super::fields::{FieldsBuilder, params};
use crate::plan::{BearerToken, File, HttpClient};
use crate::resolve::{AssetKey, SecretStore};
use crate::yaml::{SecretSource, Value};

/// Directory where the operator mounts `<agent>-secrets`.
const SECRETS_DIRECTORY: &str = "/var/lib/grafana-agent/secrets";

/// Format of an HTTP client's credentials.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::output) enum CredentialFormat {
    /// Inline password, and the bearer token in a separate field.
    Plain,
    /// Inline password, and the bearer token as an `Authorization` header.
    Header,
    /// Password file, and the bearer token as an `Authorization` header.
    File,
}

impl<'v> FieldsBuilder<'v> {
    /// Adds the fields of an HTTP client (`ext/secrets.libsonnet`).
    pub(in crate::output) fn client(
        self,
        http: HttpClient<'v>,
        secrets: &'v SecretStore<'v, 'v>,
        spelling: CredentialFormat,
    ) -> Self {
        let value = |selector| value(&http.secret(selector), secrets);
        let file = |selector| mount_path(&http.secret(selector));
        let basic_auth = http.basic_auth.map(|auth| {
            let fields = FieldsBuilder::new().always("username", value(&auth.username));
            match spelling {
                CredentialFormat::File => fields.always("password_file", file(&auth.password)),
                CredentialFormat::Plain | CredentialFormat::Header => fields.always("password", value(&auth.password)),
            }
        });
        // The client ID is written only if it comes from a Secret.
        let oauth2 = http.oauth2.map(|oauth2| {
            FieldsBuilder::new()
                .option("client_id", oauth2.client_id.secret.as_ref().map(value))
                .always("client_secret_file", file(&oauth2.client_secret))
                .object("endpoint_params", params(&oauth2.endpoint_params))
                .texts("scopes", &oauth2.scopes)
                .always("token_url", oauth2.token_url)
        });
        let tls = http.tls.map(|tls| {
            let [ca, cert, key] = http.tls_files(tls).map(|file| file.map(path));
            FieldsBuilder::new()
                .option("ca_file", ca)
                .option("cert_file", cert)
                .option("key_file", key)
                .text("server_name", tls.server_name)
                .flag("insecure_skip_verify", tls.insecure_skip_verify)
        });
        let fields = self
            .option("basic_auth", basic_auth)
            .option("oauth2", oauth2)
            .option("tls_config", tls)
            .text("proxy_url", http.proxy_url)
            .option("enable_http2", http.enable_http2.filter(|enabled| !enabled));
        let token = http.bearer_token.map(|token| match token {
            BearerToken::Text(text) => Value::secret(text, SecretSource::Field),
            BearerToken::Secret(selector) => value(selector),
        });
        let file = http.bearer_token_file;
        if spelling == CredentialFormat::Plain {
            return fields.option("bearer_token", token).text("bearer_token_file", file);
        }
        let has_token = token.is_some() || !file.is_empty();
        let header = FieldsBuilder::new().always("type", "Bearer");
        let header = header.option("credentials", token).text("credentials_file", file);
        fields.option("authorization", has_token.then_some(header))
    }
}

/// Returns the value of a key, or an empty string if the key is missing. A missing key has already been reported.
pub(super) fn value<'v>(key: &AssetKey<'v>, secrets: &'v SecretStore<'v, 'v>) -> Value<'v> {
    let source = SecretSource::Key { namespace: key.namespace, name: key.name, key: key.key };
    Value::secret(secrets.text(key).unwrap_or_default(), source)
}

fn path(file: File<'_>) -> Cow<'_, str> {
    match file {
        File::Path(path) => Cow::Borrowed(path),
        File::Mounted(key) => Cow::Owned(mount_path(&key)),
    }
}

/// Returns the path at which a key of a Secret or ConfigMap is mounted.
fn mount_path(key: &AssetKey<'_>) -> String {
    secret_file_path(&key.sanitized_key())
}

/// Whether `path` is a file in the mounted `<agent>-secrets`.
pub(in crate::output) fn is_mounted(path: &str) -> bool {
    path.strip_prefix(SECRETS_DIRECTORY).is_some_and(|name| name.starts_with('/'))
}

/// Returns the path at which a key of `<agent>-secrets` is mounted.
pub(in crate::output) fn secret_file_path(key: &str) -> String {
    format!("{SECRETS_DIRECTORY}/{key}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_mounted_secret_files_by_directory() {
        for (path, expected) in [
            (secret_file_path("k").as_str(), true),
            ("/var/lib/grafana-agent/secrets", false),
            ("/var/lib/grafana-agent/secrets2/k", false),
            ("/etc/k", false),
        ] {
            assert_eq!(is_mounted(path), expected, "{path}");
        }
    }
}
