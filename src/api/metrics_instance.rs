//! `MetricsInstance`: a set of scrape jobs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{KeySelector, LabelSelector, RemoteWrite};

/// `spec` of a MetricsInstance.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MetricsInstance<'d> {
    /// Interval between truncations of the write-ahead log.
    pub wal_truncate_frequency: &'d str,
    /// Minimum time that samples are kept in the write-ahead log.
    #[serde(rename = "minWALTime")]
    pub min_wal_time: &'d str,
    /// Maximum time that samples are kept in the write-ahead log.
    #[serde(rename = "maxWALTime")]
    pub max_wal_time: &'d str,
    /// Maximum time for sending remaining samples on shutdown.
    pub remote_flush_deadline: &'d str,
    /// Whether to mark series as stale on shutdown.
    pub write_stale_on_shutdown: Option<bool>,
    /// Labels of the ServiceMonitors to select. If missing, none is selected; if empty, all are.
    pub service_monitor_selector: Option<LabelSelector<'d>>,
    /// Labels of the namespaces to select ServiceMonitors from. If missing, only the instance's own is searched; if
    /// empty, all are.
    pub service_monitor_namespace_selector: Option<LabelSelector<'d>>,
    /// Labels of the PodMonitors to select. If missing, none is selected; if empty, all are.
    pub pod_monitor_selector: Option<LabelSelector<'d>>,
    /// Labels of the namespaces to select PodMonitors from. If missing, only the instance's own is searched; if empty,
    /// all are.
    pub pod_monitor_namespace_selector: Option<LabelSelector<'d>>,
    /// Labels of the Probes to select. If missing, none is selected; if empty, all are.
    pub probe_selector: Option<LabelSelector<'d>>,
    /// Labels of the namespaces to select Probes from. If missing, only the instance's own is searched; if empty, all
    /// are.
    pub probe_namespace_selector: Option<LabelSelector<'d>>,
    /// Receivers of the metrics; by default, the agent's.
    pub remote_write: Vec<RemoteWrite<'d>>,
    /// Key of a Secret that contains additional scrape jobs as YAML.
    pub additional_scrape_configs: Option<KeySelector<'d>>,
}
