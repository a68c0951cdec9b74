//! `GrafanaAgent`: the root of a hierarchy.

use schemars::JsonSchema;
use serde::Deserialize;

use super::core::embedded::{
    Affinity, Container, EmptyDirVolumeSource, LocalObjectReference, PersistentVolumeClaimSpec,
    PersistentVolumeClaimStatus, PodSecurityContext, ResourceRequirements, Toleration, TopologySpreadConstraint,
    Volume, VolumeMount,
};

use super::{Authorization, BasicAuth, LabelSelector, LogsClient, RemoteWrite, TextMap, TlsConfig};

/// `spec` of a GrafanaAgent.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct GrafanaAgent<'d> {
    /// Log level: `debug`, `info`, `warn` or `error`.
    pub log_level: &'d str,
    /// Log format: `logfmt` or `json`.
    pub log_format: &'d str,
    /// API server to discover targets through; by default, the API server of the cluster the agent runs in, accessed
    /// with the pod's own account.
    #[serde(rename = "apiServer")]
    pub api_server: Option<ApiServer<'d>>,
    /// Labels and annotations for the pods.
    pub pod_metadata: Option<EmbeddedMetadata<'d>>,
    /// Version of the agent.
    pub version: &'d str,
    /// Do not create or change anything for this agent.
    pub paused: bool,
    /// Image of the agent; overrides the version.
    pub image: Option<&'d str>,
    /// Version of the config reloader.
    pub config_reloader_version: &'d str,
    /// Image of the config reloader; overrides the version.
    pub config_reloader_image: Option<&'d str>,
    /// Secrets used to pull images.
    pub image_pull_secrets: Vec<LocalObjectReference>,
    /// Storage for the write-ahead log.
    pub storage: Option<Storage<'d>>,
    /// Additional volumes for the pods.
    pub volumes: Vec<Volume>,
    /// Additional mounts for the agent's containers.
    pub volume_mounts: Vec<VolumeMount>,
    /// Resource requirements for the agent's container.
    pub resources: ResourceRequirements,
    /// Labels of the nodes that the pods may run on.
    pub node_selector: TextMap<'d>,
    /// ServiceAccount that the pods use.
    pub service_account_name: &'d str,
    /// Secrets to mount from the agent's namespace.
    pub secrets: Vec<&'d str>,
    /// ConfigMaps to mount from the agent's namespace.
    pub config_maps: Vec<&'d str>,
    /// Affinity for the pods.
    pub affinity: Option<Affinity>,
    /// Tolerations for the pods.
    pub tolerations: Vec<Toleration>,
    /// Topology spread constraints for the pods.
    pub topology_spread_constraints: Vec<TopologySpreadConstraint>,
    /// Security context for the pods.
    pub security_context: Option<PodSecurityContext>,
    /// Containers to add to the operator's, or to merge into those with the same name.
    pub containers: Vec<Container>,
    /// Init containers.
    pub init_containers: Vec<Container>,
    /// Priority class for the pods.
    pub priority_class_name: &'d str,
    /// Runtime class for the pods.
    pub runtime_class_name: Option<&'d str>,
    /// Name of the agent's port.
    pub port_name: &'d str,
    /// Settings for metrics.
    pub metrics: Metrics<'d>,
    /// Settings for logs.
    pub logs: Logs<'d>,
    /// Selection of integrations.
    pub integrations: Integrations<'d>,
    /// Serve the agent's configuration through its API.
    #[serde(rename = "enableConfigReadAPI")]
    pub enable_config_read_api: bool,
    /// Do not send usage reports.
    pub disable_reporting: bool,
    /// Disable the support bundle.
    pub disable_support_bundle: bool,
}

/// API server to discover targets through.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ApiServer<'d> {
    /// Host and port, or a URL.
    pub host: &'d str,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// A bearer token, in plain text.
    pub bearer_token: &'d str,
    /// File in the container that contains a bearer token.
    pub bearer_token_file: &'d str,
    /// TLS settings.
    pub tls_config: Option<TlsConfig<'d>>,
    /// Accepted but ignored by the operator.
    pub authorization: Option<Authorization<'d>>,
}

/// Metadata of an embedded object.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct EmbeddedMetadata<'d> {
    /// Name of the object.
    pub name: &'d str,
    /// Labels to set.
    pub labels: TextMap<'d>,
    /// Annotations to set.
    pub annotations: TextMap<'d>,
}

/// Storage for the write-ahead log.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Storage<'d> {
    /// Accepted but ignored by the operator.
    pub disable_mount_sub_path: bool,
    /// Use a volume that lives as long as the pod.
    pub empty_dir: Option<EmptyDirVolumeSource>,
    /// Claim a volume for each pod.
    pub volume_claim_template: VolumeClaimTemplate<'d>,
}

/// Volume claim for each pod.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct VolumeClaimTemplate<'d> {
    /// `apiVersion`, which the operator copies.
    pub api_version: &'d str,
    /// `kind`, which the operator copies.
    pub kind: &'d str,
    /// Metadata of the claim.
    pub metadata: EmbeddedMetadata<'d>,
    /// Requested volume.
    pub spec: PersistentVolumeClaimSpec,
    /// Accepted, and copied by the operator.
    pub status: PersistentVolumeClaimStatus,
}

/// An agent's metrics settings.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Metrics<'d> {
    /// Receivers for instances that do not define any.
    pub remote_write: Vec<RemoteWrite<'d>>,
    /// Number of pods per shard.
    pub replicas: Option<i32>,
    /// Number of shards to distribute targets across.
    pub shards: Option<i32>,
    /// Name of the label that distinguishes replicas; if empty, the label is omitted.
    pub replica_external_label_name: Option<&'d str>,
    /// Name of the label that contains the agent's namespace and name; if empty, the label is omitted.
    pub metrics_external_label_name: Option<&'d str>,
    /// Interval between scrapes, such as `60s`.
    pub scrape_interval: &'d str,
    /// Timeout for a scrape.
    pub scrape_timeout: &'d str,
    /// Labels to add to all samples.
    pub external_labels: TextMap<'d>,
    /// Restriction of file access by ServiceMonitors.
    #[serde(rename = "arbitraryFSAccessThroughSMs")]
    pub arbitrary_fs_access_through_sms: ArbitraryFsAccess,
    /// Set `honorLabels` to `false` in all monitors.
    pub override_honor_labels: bool,
    /// Set `honorTimestamps` to `false` in all monitors.
    pub override_honor_timestamps: bool,
    /// Restrict monitors to targets in their own namespace.
    pub ignore_namespace_selectors: bool,
    /// Name of the label that is always set to the monitor's namespace.
    pub enforced_namespace_label: &'d str,
    /// Sample limit for all jobs.
    pub enforced_sample_limit: Option<u64>,
    /// Target limit for all jobs.
    pub enforced_target_limit: Option<u64>,
    /// Labels of the MetricsInstances to select. If missing, none is selected; if empty, all are.
    pub instance_selector: Option<LabelSelector<'d>>,
    /// Labels of the namespaces to select MetricsInstances from. If missing, only the agent's own is searched; if
    /// empty, all are.
    pub instance_namespace_selector: Option<LabelSelector<'d>>,
}

impl Metrics<'_> {
    /// Returns the number of shards, which is at least one (`createMetricsStatefulSets`).
    pub fn shard_count(&self) -> i32 {
        self.shards.unwrap_or(1).max(1)
    }
}

/// File access by ServiceMonitors: whether they may refer to files in the agent's container.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ArbitraryFsAccess {
    /// Reject ServiceMonitors that refer to files.
    pub deny: bool,
}

/// An agent's logs settings.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Logs<'d> {
    /// Receivers for instances that do not define any.
    pub clients: Vec<LogsClient<'d>>,
    /// Name of the label that contains the agent's namespace and name; if empty, the label is omitted.
    pub logs_external_label_name: Option<&'d str>,
    /// Labels of the LogsInstances to select. If missing, none is selected; if empty, all are.
    pub instance_selector: Option<LabelSelector<'d>>,
    /// Labels of the namespaces to select LogsInstances from. If missing, only the agent's own is searched; if empty,
    /// all are.
    pub instance_namespace_selector: Option<LabelSelector<'d>>,
    /// Restrict PodLogs to pods in their own namespace.
    pub ignore_namespace_selectors: bool,
    /// Name of the label that is always set to the namespace of the PodLogs.
    pub enforced_namespace_label: &'d str,
}

/// An agent's integrations.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Integrations<'d> {
    /// Labels of the Integrations to select. If missing, none is selected; if empty, all are.
    pub selector: Option<LabelSelector<'d>>,
    /// Labels of the namespaces to select Integrations from. If missing, only the agent's own is searched; if empty,
    /// all are.
    pub namespace_selector: Option<LabelSelector<'d>>,
}
