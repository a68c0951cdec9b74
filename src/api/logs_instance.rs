//! `LogsInstance`: a set of log sources, and the clients that logs are sent with.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{BasicAuth, KeySelector, LabelSelector, OAuth2, TlsConfig};

/// `spec` of a LogsInstance.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsInstance<'d> {
    /// Its receivers; those of the agent where there are none.
    pub clients: Vec<LogsClient<'d>>,
    /// Which PodLogs belong to it.
    pub pod_logs_selector: Option<LabelSelector<'d>>,
    /// In which namespaces.
    pub pod_logs_namespace_selector: Option<LabelSelector<'d>>,
    /// Scrape jobs as text.
    pub additional_scrape_configs: Option<KeySelector<'d>>,
    /// How files are found.
    pub target_config: Option<LogsTargetConfig<'d>>,
}

/// How files are found.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsTargetConfig<'d> {
    /// How often.
    pub sync_period: &'d str,
}

/// One receiver of logs (`LogsClientSpec`).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsClient<'d> {
    /// Where it is.
    pub url: &'d str,
    /// The tenant.
    pub tenant_id: &'d str,
    /// How long lines may wait.
    pub batch_wait: &'d str,
    /// Most bytes a request.
    pub batch_size: i64,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// OAuth 2.0.
    pub oauth2: Option<OAuth2<'d>>,
    /// A token, in plain text.
    pub bearer_token: &'d str,
    /// A file with a token.
    pub bearer_token_file: &'d str,
    /// A proxy.
    pub proxy_url: &'d str,
    /// TLS.
    pub tls_config: Option<TlsConfig<'d>>,
    /// When a request is tried again.
    pub backoff_config: Option<LogsBackoffConfig<'d>>,
    /// Labels on every line.
    pub external_labels: BTreeMap<&'d str, &'d str>,
    /// How long a request may take.
    pub timeout: &'d str,
}

/// When a request is tried again.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsBackoffConfig<'d> {
    /// First wait.
    pub min_period: &'d str,
    /// Longest wait.
    pub max_period: &'d str,
    /// How often.
    pub max_retries: i64,
}
