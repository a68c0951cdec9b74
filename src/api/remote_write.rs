//! Where metrics are sent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BasicAuth, OAuth2, SigV4, TextMap, TlsConfig};

/// One receiver of metrics (`RemoteWriteSpec`).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RemoteWrite<'d> {
    /// A name for the receiver, unique in its instance.
    pub name: &'d str,
    /// The URL that samples are sent to.
    pub url: &'d str,
    /// How long a request may take.
    pub remote_timeout: &'d str,
    /// Further headers of each request.
    pub headers: TextMap<'d>,
    /// Relabelling before sending.
    pub write_relabel_configs: Vec<RelabelConfig<'d>>,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// OAuth 2.0 client credentials.
    pub oauth2: Option<Box<OAuth2<'d>>>,
    /// A bearer token, in plain text.
    pub bearer_token: &'d str,
    /// A file of the container that holds a bearer token.
    pub bearer_token_file: &'d str,
    /// AWS Signature Version 4.
    pub sigv4: Option<SigV4<'d>>,
    /// TLS settings for it.
    pub tls_config: Option<Box<TlsConfig<'d>>>,
    /// The URL of a proxy to send through.
    pub proxy_url: &'d str,
    /// How samples are queued.
    pub queue_config: Option<QueueConfig<'d>>,
    /// How metadata is sent.
    pub metadata_config: Option<MetadataConfig<'d>>,
}

/// The queue in front of a receiver.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct QueueConfig<'d> {
    /// How many samples each shard may hold.
    pub capacity: i64,
    /// The fewest shards to send with.
    pub min_shards: i64,
    /// The most shards to send with.
    pub max_shards: i64,
    /// The most samples in a request.
    pub max_samples_per_send: i64,
    /// How long a sample may wait.
    pub batch_send_deadline: &'d str,
    /// Accepted, and ignored by the operator.
    pub max_retries: i64,
    /// How long to wait before the first retry.
    pub min_backoff: &'d str,
    /// The longest wait between retries.
    pub max_backoff: &'d str,
    /// Accepted, and ignored by the operator.
    pub retry_on_rate_limit: bool,
}

/// Metadata sent to a receiver.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MetadataConfig<'d> {
    /// Send metadata of metrics.
    pub send: bool,
    /// How often metadata is sent.
    pub send_interval: &'d str,
}

/// A relabelling rule.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RelabelConfig<'d> {
    /// Labels whose values are joined.
    pub source_labels: Vec<&'d str>,
    /// What joins them, `;` by default.
    pub separator: &'d str,
    /// The label that is written.
    pub target_label: &'d str,
    /// What the joined value must match.
    pub regex: &'d str,
    /// The modulus of `hashmod`.
    pub modulus: u64,
    /// What is written, `$1` by default.
    pub replacement: &'d str,
    /// What is done, `replace` by default.
    pub action: &'d str,
}
