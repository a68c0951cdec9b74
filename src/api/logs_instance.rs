//! `LogsInstance` and `PodLogs`: log sources, and the clients that logs are sent with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    BasicAuth, KeySelector, LabelSelector, NamespaceSelector, OAuth2, PipelineStage, RelabelConfig, TextMap, TlsConfig,
};

/// `spec` of a LogsInstance.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsInstance<'d> {
    /// Where logs are sent; the receivers of the agent if there are none.
    pub clients: Vec<LogsClient<'d>>,
    /// Which PodLogs belong to the instance: none where missing, all where empty.
    pub pod_logs_selector: Option<LabelSelector<'d>>,
    /// Which namespaces they may be in, by label: only the instance's own where missing, all where empty.
    pub pod_logs_namespace_selector: Option<LabelSelector<'d>>,
    /// The key of a Secret that holds further scrape jobs as YAML.
    pub additional_scrape_configs: Option<KeySelector<'d>>,
    /// How files are found.
    pub target_config: Option<LogsTargetConfig<'d>>,
}

/// How files are found.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsTargetConfig<'d> {
    /// How often files are looked for.
    pub sync_period: &'d str,
}

/// One receiver of logs (`LogsClientSpec`).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsClient<'d> {
    /// The URL that logs are pushed to.
    pub url: &'d str,
    /// The tenant that lines belong to.
    pub tenant_id: &'d str,
    /// How long lines may wait for a request to fill.
    pub batch_wait: &'d str,
    /// The most bytes in a request.
    pub batch_size: i64,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// OAuth 2.0 client credentials.
    pub oauth2: Option<Box<OAuth2<'d>>>,
    /// A bearer token, in plain text.
    pub bearer_token: &'d str,
    /// A file of the container that holds a bearer token.
    pub bearer_token_file: &'d str,
    /// The URL of a proxy to send through.
    pub proxy_url: &'d str,
    /// TLS settings for it.
    pub tls_config: Option<Box<TlsConfig<'d>>>,
    /// When a request is tried again.
    pub backoff_config: Option<LogsBackoffConfig<'d>>,
    /// Labels on every line.
    pub external_labels: TextMap<'d>,
    /// How long a request may take.
    pub timeout: &'d str,
}

/// When a request is tried again.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LogsBackoffConfig<'d> {
    /// How long to wait before the first retry.
    pub min_period: &'d str,
    /// The longest wait between retries.
    pub max_period: &'d str,
    /// How often a request is tried before its lines are dropped.
    pub max_retries: i64,
}

/// `spec` of a PodLogs.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PodLogs<'d> {
    /// The label of the pod that names the job.
    pub job_label: &'d str,
    /// Labels of the pod to copy.
    pub pod_target_labels: Vec<&'d str>,
    /// Which pods, by label.
    pub selector: LabelSelector<'d>,
    /// In which namespaces pods are looked for.
    pub namespace_selector: NamespaceSelector<'d>,
    /// What is done with a line.
    pub pipeline_stages: Vec<PipelineStage<'d>>,
    /// Relabelling of targets.
    pub relabelings: Vec<RelabelConfig<'d>>,
}
