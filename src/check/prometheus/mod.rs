//! Prometheus' rules, including the rules that the agent adds.

pub mod additional;
pub mod client;
mod copied;
pub(super) mod discovery;
pub(super) mod http_client;
mod monitor;
mod queue;
pub mod relabel;
mod remote_write;
pub mod settings;
mod target_labels;
mod times;
mod truncation;

#[cfg(test)]
mod tests;

pub use monitor::SELECTOR;

use super::field::{
    DURATION, GO_DURATION, LABEL_NAME, LABEL_NAMES, LABEL_TEMPLATE, POSITIVE_GO_DURATION, URL, check_enforced_label,
};
use super::rule::{Rule, table, table_in_instance};
use super::walk::Expect::{As, AtMostOne, If, In, Mild, With};
use super::walk::Rows;
use crate::api::Kind;
use crate::resolve::{Hierarchy, MetricsHierarchy};
use monitor::{MONITOR, PROBE};
use remote_write::{PARSED_RECEIVERS, USED_RECEIVERS};
use times::{MONITOR_TIMES, PROBE_TIMES};

pub const RULES: &[Rule] = &[
    table(Kind::GrafanaAgent, AGENT, "`instance.GlobalConfig` of the agent"),
    table(Kind::MetricsInstance, METRICS_INSTANCE, "`instance.Config` of the agent"),
    table(Kind::ServiceMonitor, MONITOR, "`ScrapeConfig` of Prometheus"),
    table(Kind::PodMonitor, MONITOR, "`ScrapeConfig` of Prometheus"),
    table(Kind::Probe, PROBE, "`ScrapeConfig` of Prometheus"),
    table_in_instance(Kind::MetricsInstance, JOBS, "`ScrapeConfig` of Prometheus"),
    table_in_instance(Kind::MetricsInstance, INSTANCE_TIMES, TIMES_SOURCE),
    table_in_instance(Kind::ServiceMonitor, MONITOR_TIMES, TIMES_SOURCE),
    table_in_instance(Kind::PodMonitor, MONITOR_TIMES, TIMES_SOURCE),
    table_in_instance(Kind::Probe, PROBE_TIMES, TIMES_SOURCE),
    table_in_instance(Kind::ServiceMonitor, target_labels::MONITOR_ROWS, POPULATE_LABELS_SOURCE),
    table_in_instance(Kind::PodMonitor, target_labels::MONITOR_ROWS, POPULATE_LABELS_SOURCE),
    table_in_instance(Kind::Probe, target_labels::PROBE_ROWS, POPULATE_LABELS_SOURCE),
];
const POPULATE_LABELS_SOURCE: &str = "`PopulateLabels` in Prometheus' `scrape`";
const TIMES_SOURCE: &str = "`instance.Config.ApplyDefaults` of the agent";

const INSTANCE_TIMES: Rows = &[("", With(truncation::check_instance))];
const JOBS: Rows = &[("additionalScrapeConfigs", With(|selector, walk| additional::check_jobs(selector, &[], walk)))];

/// Rules for an agent's metrics and service discovery settings.
const AGENT: Rows = &[
    ("apiServer", If(uses_api_server, &In(API_SERVER))),
    // The operator omits these settings if no job discovers its targets.
    ("apiServer", If(|hierarchy| !uses_api_server(hierarchy), &Mild(&In(API_SERVER)))),
    ("metrics", If(has_metrics, &In(METRICS))),
];

const API_SERVER: Rows =
    &[("host", URL), ("", As(client::CONFLICT, &AtMostOne(AUTHENTICATION))), ("tlsConfig", With(client::check_tls))];

const AUTHENTICATION: &str = "basicAuth|bearerToken|bearerTokenFile";

const METRICS: Rows = &[
    ("scrapeInterval|scrapeTimeout", DURATION),
    // The agent accepts any name, but the servers that receive the samples do not. Prometheus'
    // `GlobalConfig.UnmarshalYAML` would reject the name, but it is not called, because the agent inlines the type.
    ("externalLabels", Mild(&LABEL_NAMES)),
    ("replicaExternalLabelName|metricsExternalLabelName", Mild(&LABEL_NAME)),
    // The agent lowers its default timeout if the timeout exceeds the interval.
    ("", Mild(&With(times::check_agent))),
    ("scrapeInterval", With(times::report_zero_interval)),
    ("scrapeTimeout", With(times::report_zero_timeout)),
    ("", With(truncation::check_agent)),
    ("enforcedNamespaceLabel", If(has_jobs, &LABEL_TEMPLATE)),
    ("", If(has_jobs, &With(check_enforced_label))),
    // The agent always reads its own receivers, but uses them only for instances without receivers.
    ("", In(PARSED_RECEIVERS)),
    ("", If(are_receivers_used, &In(USED_RECEIVERS))),
];

/// Rules for an instance (the agent's `instance.Config`).
const METRICS_INSTANCE: Rows = &[
    ("walTruncateFrequency|remoteFlushDeadline", POSITIVE_GO_DURATION),
    ("minWALTime|maxWALTime", GO_DURATION),
    ("", With(times::write_ahead_log)),
    ("", In(PARSED_RECEIVERS)),
    ("", In(USED_RECEIVERS)),
];

fn has_metrics(hierarchy: &Hierarchy<'_, '_>) -> bool {
    !hierarchy.metrics.is_empty() || !hierarchy.integrations.is_empty()
}

fn has_jobs(hierarchy: &Hierarchy<'_, '_>) -> bool {
    let has_jobs = |metrics: &MetricsHierarchy<'_, '_>| {
        !metrics.probes.is_empty() || metrics.monitors().any(|monitor| !monitor.endpoints.is_empty())
    };
    hierarchy.metrics.iter().any(has_jobs)
}

/// Whether a job discovers targets through the API server (`kube_sd_config.libsonnet`).
fn uses_api_server(hierarchy: &Hierarchy<'_, '_>) -> bool {
    hierarchy.metrics.iter().any(MetricsHierarchy::discovers_targets)
        || hierarchy.logs.iter().any(|logs| !logs.pod_logs.is_empty())
}

fn are_receivers_used(hierarchy: &Hierarchy<'_, '_>) -> bool {
    let mut instances = hierarchy.metrics.iter().map(|metrics| metrics.instance);
    instances.any(|instance| instance.spec.remote_write.is_empty())
}
