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
    /// How long it is kept at the least.
    #[serde(rename = "minWALTime")]
    pub min_wal_time: &'d str,
    /// How long it is kept at the most.
    #[serde(rename = "maxWALTime")]
    pub max_wal_time: &'d str,
    /// How long samples may be flushed at the end.
    pub remote_flush_deadline: &'d str,
    /// Whether series are marked stale at the end.
    pub write_stale_on_shutdown: Option<bool>,
    /// Which ServiceMonitors belong to it.
    pub service_monitor_selector: Option<LabelSelector<'d>>,
    /// In which namespaces.
    pub service_monitor_namespace_selector: Option<LabelSelector<'d>>,
    /// Which PodMonitors belong to it.
    pub pod_monitor_selector: Option<LabelSelector<'d>>,
    /// In which namespaces.
    pub pod_monitor_namespace_selector: Option<LabelSelector<'d>>,
    /// Which Probes belong to it.
    pub probe_selector: Option<LabelSelector<'d>>,
    /// In which namespaces.
    pub probe_namespace_selector: Option<LabelSelector<'d>>,
    /// Its receivers.
    pub remote_write: Vec<RemoteWrite<'d>>,
    /// Scrape jobs as text.
    pub additional_scrape_configs: Option<KeySelector<'d>>,
}
