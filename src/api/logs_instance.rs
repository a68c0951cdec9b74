//! `LogsInstance` and `PodLogs`: log sources, and the clients that send logs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    BasicAuth, KeySelector, LabelSelector, NamespaceSelector, OAuth2, PipelineStage, RelabelConfig, TextMap, TlsConfig,
};

/// `spec` of a LogsInstance.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsInstance<'d> {
    /// Receivers of the logs; by default, the agent's.
    pub clients: Vec<LogsClient<'d>>,
    /// Labels of the PodLogs to select. If missing, none is selected; if empty, all are.
    pub pod_logs_selector: Option<LabelSelector<'d>>,
    /// Labels of the namespaces to select PodLogs from. If missing, only the instance's own is searched; if empty, all
    /// are.
    pub pod_logs_namespace_selector: Option<LabelSelector<'d>>,
    /// Key of a Secret that contains additional scrape jobs as YAML.
    pub additional_scrape_configs: Option<KeySelector<'d>>,
    /// File discovery settings.
    pub target_config: Option<LogsTargetConfig<'d>>,
}

/// File discovery settings.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsTargetConfig<'d> {
    /// Interval between searches for files.
    pub sync_period: &'d str,
}

/// A log receiver (`LogsClientSpec`).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsClient<'d> {
    /// URL to push logs to.
    pub url: &'d str,
    /// Tenant to send log lines to.
    pub tenant_id: &'d str,
    /// Maximum time that lines wait for a batch to fill.
    pub batch_wait: &'d str,
    /// Maximum size of a request in bytes.
    pub batch_size: i64,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// OAuth 2.0 client credentials.
    pub oauth2: Option<Box<OAuth2<'d>>>,
    /// A bearer token, in plain text.
    pub bearer_token: &'d str,
    /// File in the container that contains a bearer token.
    pub bearer_token_file: &'d str,
    /// URL of a proxy to send through.
    pub proxy_url: &'d str,
    /// TLS settings.
    pub tls_config: Option<Box<TlsConfig<'d>>>,
    /// Retry settings.
    pub backoff_config: Option<LogsBackoffConfig<'d>>,
    /// Labels to add to all lines.
    pub external_labels: TextMap<'d>,
    /// Timeout for a request.
    pub timeout: &'d str,
}

/// Retry settings for a receiver.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsBackoffConfig<'d> {
    /// Minimum wait before a retry.
    pub min_period: &'d str,
    /// Maximum wait between retries.
    pub max_period: &'d str,
    /// Maximum number of retries before the lines are dropped.
    pub max_retries: i64,
}

/// `spec` of a PodLogs.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PodLogs<'d> {
    /// Pod label whose value becomes the name of the job.
    pub job_label: &'d str,
    /// Labels to copy from the pod.
    pub pod_target_labels: Vec<&'d str>,
    /// Labels of the pods to select.
    pub selector: LabelSelector<'d>,
    /// Namespaces to search for pods.
    pub namespace_selector: NamespaceSelector<'d>,
    /// Processing stages for each line.
    pub pipeline_stages: Vec<PipelineStage<'d>>,
    /// Relabeling rules for targets.
    pub relabelings: Vec<RelabelConfig<'d>>,
}
