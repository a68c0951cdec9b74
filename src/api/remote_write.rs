//! Remote write settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BasicAuth, OAuth2, SigV4, TextMap, TlsConfig};

/// A receiver of metrics (`RemoteWriteSpec`).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RemoteWrite<'d> {
    /// Name of the receiver, which must be unique within its instance.
    pub name: &'d str,
    /// URL to send samples to.
    pub url: &'d str,
    /// Timeout for a request.
    pub remote_timeout: &'d str,
    /// Additional headers to send with each request.
    pub headers: TextMap<'d>,
    /// Relabeling rules applied before sending.
    pub write_relabel_configs: Vec<RelabelConfig<'d>>,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// OAuth 2.0 client credentials.
    pub oauth2: Option<Box<OAuth2<'d>>>,
    /// A bearer token, in plain text.
    pub bearer_token: &'d str,
    /// File in the container that contains a bearer token.
    pub bearer_token_file: &'d str,
    /// AWS Signature Version 4.
    pub sigv4: Option<SigV4<'d>>,
    /// TLS settings.
    pub tls_config: Option<Box<TlsConfig<'d>>>,
    /// URL of a proxy to send through.
    pub proxy_url: &'d str,
    /// Queue settings.
    pub queue_config: Option<QueueConfig<'d>>,
    /// Settings for sending metadata.
    pub metadata_config: Option<MetadataConfig<'d>>,
}

/// Queue settings for a receiver.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct QueueConfig<'d> {
    /// Maximum number of samples that each shard buffers.
    pub capacity: i64,
    /// Minimum number of shards to send from.
    pub min_shards: i64,
    /// Maximum number of shards to send from.
    pub max_shards: i64,
    /// Maximum number of samples per request.
    pub max_samples_per_send: i64,
    /// Maximum time that a sample waits in the buffer.
    pub batch_send_deadline: &'d str,
    /// Accepted but ignored by the operator.
    pub max_retries: i64,
    /// Minimum wait before a retry.
    pub min_backoff: &'d str,
    /// Maximum wait between retries.
    pub max_backoff: &'d str,
    /// Accepted but ignored by the operator.
    pub retry_on_rate_limit: bool,
}

/// Settings for sending metadata to a receiver.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MetadataConfig<'d> {
    /// Send metric metadata.
    pub send: bool,
    /// Interval between metadata transmissions.
    pub send_interval: &'d str,
}

/// A relabeling rule.
#[derive(Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RelabelConfig<'d> {
    /// Labels whose values are joined.
    pub source_labels: Vec<&'d str>,
    /// Separator between the joined values, `;` by default.
    pub separator: &'d str,
    /// Label to write.
    pub target_label: &'d str,
    /// Regular expression that the joined value must match.
    pub regex: &'d str,
    /// Modulus for `hashmod`.
    pub modulus: u64,
    /// Value to write, `$1` by default.
    pub replacement: &'d str,
    /// Action to perform, `replace` by default.
    pub action: &'d str,
}
