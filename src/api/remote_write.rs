//! Where metrics are sent.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{BasicAuth, OAuth2, RelabelConfig, SigV4, TlsConfig};

/// One receiver of metrics (`RemoteWriteSpec`).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RemoteWrite<'d> {
    /// A name for it.
    pub name: &'d str,
    /// Where it is.
    pub url: &'d str,
    /// How long a request may take.
    pub remote_timeout: &'d str,
    /// Headers sent along.
    pub headers: BTreeMap<&'d str, &'d str>,
    /// Relabelling before sending.
    pub write_relabel_configs: Vec<RelabelConfig<'d>>,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// OAuth 2.0.
    pub oauth2: Option<OAuth2<'d>>,
    /// A token, in plain text.
    pub bearer_token: &'d str,
    /// A file with a token.
    pub bearer_token_file: &'d str,
    /// AWS Signature Version 4.
    pub sigv4: Option<SigV4<'d>>,
    /// TLS.
    pub tls_config: Option<TlsConfig<'d>>,
    /// A proxy.
    pub proxy_url: &'d str,
    /// How samples are queued.
    pub queue_config: Option<QueueConfig<'d>>,
    /// How metadata is sent.
    pub metadata_config: Option<MetadataConfig<'d>>,
}

/// The queue in front of a receiver.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct QueueConfig<'d> {
    /// Samples held a shard.
    pub capacity: i64,
    /// Fewest shards.
    pub min_shards: i64,
    /// Most shards.
    pub max_shards: i64,
    /// Most samples a request.
    pub max_samples_per_send: i64,
    /// How long a sample may wait.
    pub batch_send_deadline: &'d str,
    /// Accepted, and ignored by the operator.
    pub max_retries: i64,
    /// First wait before another try.
    pub min_backoff: &'d str,
    /// Longest wait before another try.
    pub max_backoff: &'d str,
    /// Accepted, and ignored by the operator.
    pub retry_on_rate_limit: bool,
}

/// Metadata sent to a receiver.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MetadataConfig<'d> {
    /// Whether.
    pub send: bool,
    /// How often.
    pub send_interval: &'d str,
}
