//! `MetricsInstance`: a set of scrape jobs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{KeySelector, LabelSelector, RemoteWrite};

/// `spec` of a MetricsInstance.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MetricsInstance<'d> {
    /// How often the write-ahead log is cut.
    pub wal_truncate_frequency: &'d str,
    /// How long the write-ahead log is kept at the least.
    #[serde(rename = "minWALTime")]
    pub min_wal_time: &'d str,
    /// How long the write-ahead log is kept at the most.
    #[serde(rename = "maxWALTime")]
    pub max_wal_time: &'d str,
    /// How long samples may be flushed at the end.
    pub remote_flush_deadline: &'d str,
    /// Whether series are marked stale at the end.
    pub write_stale_on_shutdown: Option<bool>,
    /// Which ServiceMonitors belong to the instance: none where missing, all where empty.
    pub service_monitor_selector: Option<LabelSelector<'d>>,
    /// Which namespaces they may be in, by label: only the instance's own where missing, all where empty.
    pub service_monitor_namespace_selector: Option<LabelSelector<'d>>,
    /// Which PodMonitors belong to the instance: none where missing, all where empty.
    pub pod_monitor_selector: Option<LabelSelector<'d>>,
    /// Which namespaces they may be in, by label: only the instance's own where missing, all where empty.
    pub pod_monitor_namespace_selector: Option<LabelSelector<'d>>,
    /// Which Probes belong to the instance: none where missing, all where empty.
    pub probe_selector: Option<LabelSelector<'d>>,
    /// Which namespaces they may be in, by label: only the instance's own where missing, all where empty.
    pub probe_namespace_selector: Option<LabelSelector<'d>>,
    /// Where metrics are sent; the receivers of the agent if there are none.
    pub remote_write: Vec<RemoteWrite<'d>>,
    /// The key of a Secret that holds further scrape jobs as YAML.
    pub additional_scrape_configs: Option<KeySelector<'d>>,
}
