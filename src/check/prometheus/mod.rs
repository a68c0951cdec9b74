//! Rules of Prometheus, on its own and inside the agent.

pub mod additional;
pub mod client;
mod monitor;
pub mod relabel;
mod remote_write;
mod times;

#[cfg(test)]
mod tests;

pub use monitor::SELECTOR;

use super::field::{DURATION, GO_DURATION, LABEL_NAME, LABEL_NAMES, LABEL_TEMPLATE, POSITIVE_GO_DURATION, URL};
use super::rule::{Rule, table, table_in_instance};
use super::walk::Expect::{As, AtMostOne, If, In, Mild, With};
use super::walk::Rows;
use crate::api::Kind;
use crate::resolve::{Hierarchy, MetricsHierarchy};
use monitor::{MONITOR, PROBE};
use remote_write::RECEIVERS;
use times::{MONITOR_TIMES, PROBE_TIMES};

pub const RULES: &[Rule] = &[
    table(Kind::GrafanaAgent, AGENT, "`instance.GlobalConfig` of the agent"),
    table(
        Kind::MetricsInstance,
        METRICS_INSTANCE,
        "`instance.Config` of the agent",
    ),
    table(Kind::ServiceMonitor, MONITOR, "`ScrapeConfig` of Prometheus"),
    table(Kind::PodMonitor, MONITOR, "`ScrapeConfig` of Prometheus"),
    table(Kind::Probe, PROBE, "`ScrapeConfig` of Prometheus"),
    table_in_instance(Kind::MetricsInstance, JOBS, "`ScrapeConfig` of Prometheus"),
    table_in_instance(Kind::ServiceMonitor, MONITOR_TIMES, TIMES),
    table_in_instance(Kind::PodMonitor, MONITOR_TIMES, TIMES),
    table_in_instance(Kind::Probe, PROBE_TIMES, TIMES),
];
const TIMES: &str = "`instance.Config.ApplyDefaults` of the agent";

const JOBS: Rows = &[("additionalScrapeConfigs", With(additional::jobs))];

/// The settings of an agent for metrics and for service discovery.
const AGENT: Rows = &[
    // `promtool` ignores them.
    ("apiServer", Mild(&In(API_SERVER))),
    ("metrics", If(has_metrics, &In(METRICS))),
];

const API_SERVER: Rows = &[
    ("host", URL),
    ("", As(client::CONFLICT, &AtMostOne(AUTHENTICATION))),
    ("tlsConfig", With(client::tls)),
];

const AUTHENTICATION: &str = "basicAuth|bearerToken|bearerTokenFile";

const METRICS: Rows = &[
    ("scrapeInterval|scrapeTimeout", DURATION),
    // The agent accepts any name, the receivers of samples do not.
    ("externalLabels", Mild(&LABEL_NAMES)),
    ("replicaExternalLabelName|metricsExternalLabelName", Mild(&LABEL_NAME)),
    ("", Mild(&With(times::of_agent))),
    ("enforcedNamespaceLabel", If(has_jobs, &LABEL_TEMPLATE)),
    // The agent reads its own receivers even where each instance has others.
    ("", If(are_receivers_used, &In(RECEIVERS))),
    ("", If(|of| !are_receivers_used(of), &Mild(&In(RECEIVERS)))),
];

/// `instance.Config` of the agent.
const METRICS_INSTANCE: Rows = &[
    ("walTruncateFrequency|remoteFlushDeadline", Mild(&POSITIVE_GO_DURATION)),
    ("minWALTime|maxWALTime", Mild(&GO_DURATION)),
    ("", Mild(&With(times::write_ahead_log))),
    ("", In(RECEIVERS)),
];

fn has_metrics(of: &Hierarchy<'_, '_>) -> bool {
    !of.metrics.is_empty() || !of.integrations.is_empty()
}

fn has_jobs(of: &Hierarchy<'_, '_>) -> bool {
    let has_jobs = |metrics: &MetricsHierarchy<'_, '_>| {
        !metrics.probes.is_empty() || metrics.monitors().any(|monitor| !monitor.endpoints.is_empty())
    };
    of.metrics.iter().any(has_jobs)
}

fn are_receivers_used(of: &Hierarchy<'_, '_>) -> bool {
    let mut instances = of.metrics.iter().map(|metrics| metrics.instance);
    instances.any(|instance| instance.spec.remote_write.is_empty())
}
