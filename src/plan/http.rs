//! HTTP clients for scraping, discovery and sending.

use crate::api::{
    BasicAuth, Endpoint, GrafanaAgent, KeySelector, LogsClient, OAuth2, Probe, RemoteWrite, Resource,
    SecretOrConfigMap, TlsConfig,
};
use crate::resolve::AssetKey;

/// HTTP client for a scrape job, a receiver or an API server.
#[derive(Clone, Copy, Default)]
pub struct HttpClient<'d> {
    /// Namespace of the Secrets and ConfigMaps that the client refers to.
    pub namespace: &'d str,
    /// User name and password.
    pub basic_auth: Option<&'d BasicAuth<'d>>,
    /// OAuth 2.0 client credentials.
    pub oauth2: Option<&'d OAuth2<'d>>,
    pub bearer_token: Option<BearerToken<'d>>,
    /// Path of a bearer token file in the container. Empty if there is none.
    pub bearer_token_file: &'d str,
    /// TLS settings.
    pub tls: Option<&'d TlsConfig<'d>>,
    /// Proxy URL. Empty if there is none.
    pub proxy_url: &'d str,
    /// Whether to use HTTP/2, or `None` if the resource does not specify it.
    pub enable_http2: Option<bool>,
}

/// Source of a bearer token.
#[derive(Clone, Copy)]
pub enum BearerToken<'d> {
    /// Token as written in the resource.
    Text(&'d str),
    /// Key in a Secret in the client's namespace.
    Secret(&'d KeySelector<'d>),
}

/// A file in the agent's container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File<'d> {
    /// Path as written in the resource.
    Path(&'d str),
    /// Mounted key from a Secret or ConfigMap.
    Mounted(AssetKey<'d>),
}

/// Host of an API server other than the cluster's own, and the client for queries to it.
pub type ApiServerClient<'d> = (&'d str, HttpClient<'d>);

impl<'d> HttpClient<'d> {
    /// Returns the client for the agent's API server, if configured.
    pub(super) fn from_agent(agent: &'d Resource<'d, GrafanaAgent<'d>>) -> Option<ApiServerClient<'d>> {
        let api_server = agent.spec.api_server.as_ref()?;
        let http = Self {
            namespace: agent.meta.namespace,
            basic_auth: api_server.basic_auth.as_ref(),
            bearer_token: BearerToken::text(api_server.bearer_token),
            bearer_token_file: api_server.bearer_token_file,
            tls: api_server.tls_config.as_ref(),
            ..Self::default()
        };
        Some((api_server.host, http))
    }

    pub(super) fn from_endpoint(endpoint: &'d Endpoint<'d>, namespace: &'d str) -> Self {
        Self {
            namespace,
            basic_auth: endpoint.basic_auth.as_deref(),
            bearer_token: BearerToken::secret(&endpoint.bearer_token_secret),
            bearer_token_file: endpoint.bearer_token_file,
            tls: endpoint.tls_config.as_deref(),
            proxy_url: endpoint.proxy_url,
            enable_http2: endpoint.enable_http2,
            ..Self::default()
        }
    }

    pub(super) fn from_probe(probe: &'d Probe<'d>, namespace: &'d str) -> Self {
        Self {
            namespace,
            basic_auth: probe.basic_auth.as_ref(),
            bearer_token: BearerToken::secret(&probe.bearer_token_secret),
            tls: probe.tls_config.as_ref(),
            ..Self::default()
        }
    }

    pub(super) fn from_remote_write(remote_write: &'d RemoteWrite<'d>, namespace: &'d str) -> Self {
        Self {
            namespace,
            basic_auth: remote_write.basic_auth.as_ref(),
            oauth2: remote_write.oauth2.as_deref(),
            bearer_token: BearerToken::text(remote_write.bearer_token),
            bearer_token_file: remote_write.bearer_token_file,
            tls: remote_write.tls_config.as_deref(),
            proxy_url: remote_write.proxy_url,
            enable_http2: None,
        }
    }

    pub(super) fn from_logs_client(client: &'d LogsClient<'d>, namespace: &'d str) -> Self {
        Self {
            namespace,
            basic_auth: client.basic_auth.as_ref(),
            oauth2: client.oauth2.as_deref(),
            bearer_token: BearerToken::text(client.bearer_token),
            bearer_token_file: client.bearer_token_file,
            tls: client.tls_config.as_deref(),
            proxy_url: client.proxy_url,
            enable_http2: None,
        }
    }

    /// Returns the key of a Secret that the client refers to.
    pub fn secret(&self, selector: &KeySelector<'d>) -> AssetKey<'d> {
        AssetKey::secret(self.namespace, selector)
    }

    /// Returns the CA file, certificate file and key file in the client's TLS settings. A path in the resource takes
    /// precedence over a Secret, which takes precedence over a ConfigMap (`tls_config.libsonnet`,
    /// `safe_tls_config.libsonnet`).
    pub fn tls_files(&self, tls: &TlsConfig<'d>) -> [Option<File<'d>>; 3] {
        let path = |path: &'d str| (!path.is_empty()).then_some(File::Path(path));
        let key = || Some(File::Mounted(self.secret(tls.key_secret.as_ref()?)));
        [
            path(tls.ca_file).or_else(|| self.mounted_file(&tls.ca)),
            path(tls.cert_file).or_else(|| self.mounted_file(&tls.cert)),
            path(tls.key_file).or_else(key),
        ]
    }

    fn mounted_file(&self, selector: &SecretOrConfigMap<'d>) -> Option<File<'d>> {
        let secret = selector.secret.as_ref().map(|selector| self.secret(selector));
        let config_map = || Some(AssetKey::config_map(self.namespace, selector.config_map.as_ref()?));
        secret.or_else(config_map).map(File::Mounted)
    }
}

impl<'d> BearerToken<'d> {
    fn text(text: &'d str) -> Option<Self> {
        (!text.is_empty()).then_some(Self::Text(text))
    }

    fn secret(selector: &'d KeySelector<'d>) -> Option<Self> {
        (!selector.name.is_empty()).then_some(Self::Secret(selector))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefers_paths_then_secrets_then_config_maps() {
        let client = HttpClient { namespace: "ns", ..HttpClient::default() };
        let key = |name| KeySelector { name, key: "ca.crt", optional: None };
        let cases = [
            ("", None, None, None),
            ("", Some("s"), Some("c"), Some("/secrets/ns/s/ca.crt")),
            ("", None, Some("c"), Some("/configMaps/ns/c/ca.crt")),
            ("f", Some("s"), Some("c"), Some("f")),
        ];
        for (ca_file, secret, config_map, expected) in cases {
            let tls = TlsConfig {
                ca_file,
                ca: SecretOrConfigMap { secret: secret.map(key), config_map: config_map.map(key) },
                ..TlsConfig::default()
            };
            let [ca, ..] = client.tls_files(&tls);
            let actual = ca.map(|file| match file {
                File::Path(path) => path.to_owned(),
                File::Mounted(key) => key.to_string(),
            });
            assert_eq!(actual.as_deref(), expected);
        }
    }
}
