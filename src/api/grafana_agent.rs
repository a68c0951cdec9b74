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
    /// `debug`, `info`, `warn` or `error`.
    pub log_level: &'d str,
    /// `logfmt` or `json`.
    pub log_format: &'d str,
    /// The API server that targets are discovered through, where not through the pod's own account.
    #[serde(rename = "apiServer")]
    pub api_server: Option<ApiServer<'d>>,
    /// Labels and annotations of the pods.
    pub pod_metadata: Option<EmbeddedMetadata<'d>>,
    /// The agent's version.
    pub version: &'d str,
    /// Create and change nothing for this agent.
    pub paused: bool,
    /// The agent's image, in place of the version.
    pub image: Option<&'d str>,
    /// The config reloader's version.
    pub config_reloader_version: &'d str,
    /// The config reloader's image, in place of the version.
    pub config_reloader_image: Option<&'d str>,
    /// Secrets for pulling images.
    pub image_pull_secrets: Vec<LocalObjectReference>,
    /// Where the write-ahead log is kept.
    pub storage: Option<Storage<'d>>,
    /// Further volumes of the pods.
    pub volumes: Vec<Volume>,
    /// Further mounts of the agent's containers.
    pub volume_mounts: Vec<VolumeMount>,
    /// Resources of the agent's container.
    pub resources: ResourceRequirements,
    /// Which nodes the pods may run on.
    pub node_selector: TextMap<'d>,
    /// The pods' account.
    pub service_account_name: &'d str,
    /// Secrets of the agent's namespace to mount.
    pub secrets: Vec<&'d str>,
    /// ConfigMaps of the agent's namespace to mount.
    pub config_maps: Vec<&'d str>,
    /// The pods' affinity.
    pub affinity: Option<Affinity>,
    /// The pods' tolerations.
    pub tolerations: Vec<Toleration>,
    /// How the pods are spread.
    pub topology_spread_constraints: Vec<TopologySpreadConstraint>,
    /// The pods' security context.
    pub security_context: Option<PodSecurityContext>,
    /// Containers merged into, or added to, those of the operator.
    pub containers: Vec<Container>,
    /// Containers that run first.
    pub init_containers: Vec<Container>,
    /// The pods' priority class.
    pub priority_class_name: &'d str,
    /// The pods' runtime class.
    pub runtime_class_name: Option<&'d str>,
    /// The name of the agent's port.
    pub port_name: &'d str,
    /// How metrics are collected.
    pub metrics: Metrics<'d>,
    /// How logs are collected.
    pub logs: Logs<'d>,
    /// Which integrations run.
    pub integrations: Integrations<'d>,
    /// Let the agent's configuration be read through its API.
    #[serde(rename = "enableConfigReadAPI")]
    pub enable_config_read_api: bool,
    /// Send no usage reports.
    pub disable_reporting: bool,
    /// Offer no support bundle.
    pub disable_support_bundle: bool,
}

/// The API server that targets are discovered through.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ApiServer<'d> {
    /// Host and port, or a URL.
    pub host: &'d str,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// A bearer token, in plain text.
    pub bearer_token: &'d str,
    /// A file of the container that holds a bearer token.
    pub bearer_token_file: &'d str,
    /// TLS settings for it.
    pub tls_config: Option<TlsConfig<'d>>,
    /// Accepted, and ignored by the operator.
    pub authorization: Option<Authorization<'d>>,
}

/// Metadata of an embedded object.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct EmbeddedMetadata<'d> {
    /// The name to give it.
    pub name: &'d str,
    /// Labels to set.
    pub labels: TextMap<'d>,
    /// Annotations to set.
    pub annotations: TextMap<'d>,
}

/// Where the write-ahead log is kept.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Storage<'d> {
    /// Accepted, and ignored by the operator.
    pub disable_mount_sub_path: bool,
    /// Keep it in a volume that lives as long as the pod.
    pub empty_dir: Option<EmptyDirVolumeSource>,
    /// Keep it in a volume claimed for each pod.
    pub volume_claim_template: VolumeClaimTemplate<'d>,
}

/// The claim of a volume for each pod.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct VolumeClaimTemplate<'d> {
    /// `apiVersion`, which the operator copies.
    pub api_version: &'d str,
    /// `kind`, which the operator copies.
    pub kind: &'d str,
    /// The metadata of the claim.
    pub metadata: EmbeddedMetadata<'d>,
    /// The volume that is claimed.
    pub spec: PersistentVolumeClaimSpec,
    /// Accepted, and copied by the operator.
    pub status: PersistentVolumeClaimStatus,
}

/// Metrics of an agent.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Metrics<'d> {
    /// Receivers for instances without one of their own.
    pub remote_write: Vec<RemoteWrite<'d>>,
    /// How many pods scrape each shard.
    pub replicas: Option<i32>,
    /// Into how many parts targets are divided.
    pub shards: Option<i32>,
    /// The label that tells replicas apart; none where empty.
    pub replica_external_label_name: Option<&'d str>,
    /// The label that names the agent; none where empty.
    pub metrics_external_label_name: Option<&'d str>,
    /// How often targets are scraped, such as `60s`.
    pub scrape_interval: &'d str,
    /// How long a scrape may take.
    pub scrape_timeout: &'d str,
    /// Labels on every sample.
    pub external_labels: TextMap<'d>,
    /// Whether ServiceMonitors may name files.
    #[serde(rename = "arbitraryFSAccessThroughSMs")]
    pub arbitrary_fs_access_through_sms: ArbitraryFsAccess,
    /// Overrule `honorLabels` of every monitor with `false`.
    pub override_honor_labels: bool,
    /// Overrule `honorTimestamps` of every monitor with `false`.
    pub override_honor_timestamps: bool,
    /// Monitors find targets in their own namespace only.
    pub ignore_namespace_selectors: bool,
    /// A label that always holds the monitor's namespace.
    pub enforced_namespace_label: &'d str,
    /// A sample limit for every job.
    pub enforced_sample_limit: Option<u64>,
    /// A target limit for every job.
    pub enforced_target_limit: Option<u64>,
    /// Which MetricsInstances belong to the agent: none where missing, all where empty.
    pub instance_selector: Option<LabelSelector<'d>>,
    /// Which namespaces they may be in, by label: only the agent's own where missing, all where empty.
    pub instance_namespace_selector: Option<LabelSelector<'d>>,
}

impl Metrics<'_> {
    /// Into how many shards targets are divided: at least one (`createMetricsStatefulSets`).
    pub fn shard_count(&self) -> i32 {
        self.shards.unwrap_or(1).max(1)
    }
}

/// Whether ServiceMonitors may name files of the agent's container.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ArbitraryFsAccess {
    /// Refuse ServiceMonitors that name files.
    pub deny: bool,
}

/// Logs of an agent.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Logs<'d> {
    /// Receivers for instances without one of their own.
    pub clients: Vec<LogsClient<'d>>,
    /// The label that names the agent; none where empty.
    pub logs_external_label_name: Option<&'d str>,
    /// Which LogsInstances belong to the agent: none where missing, all where empty.
    pub instance_selector: Option<LabelSelector<'d>>,
    /// Which namespaces they may be in, by label: only the agent's own where missing, all where empty.
    pub instance_namespace_selector: Option<LabelSelector<'d>>,
    /// PodLogs find pods in their own namespace only.
    pub ignore_namespace_selectors: bool,
    /// A label that always holds the namespace of the PodLogs.
    pub enforced_namespace_label: &'d str,
}

/// Integrations of an agent.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Integrations<'d> {
    /// Which Integrations belong to the agent: none where missing, all where empty.
    pub selector: Option<LabelSelector<'d>>,
    /// Which namespaces they may be in, by label: only the agent's own where missing, all where empty.
    pub namespace_selector: Option<LabelSelector<'d>>,
}
