//! What Prometheus refuses, on its own or within the agent.

pub mod additional;
pub mod authentication;
pub mod duration;
pub mod label;
mod monitor;
mod probe;
pub mod regex;
pub mod relabel;
mod remote_write;
mod scrape_times;
mod selector;
pub mod tls;
pub mod url;
mod wal;

#[cfg(test)]
mod tests;

pub use monitor::{pod_monitor, service_monitor};
pub use probe::probe;
pub use scrape_times::ScrapeTimes;
pub use selector::check as selector_of_pods;

use super::place::Place;
use super::verdict::as_warnings;
use crate::api::{ApiServer, Metrics, MetricsInstance, Resource};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, MetricsHierarchy, SecretStore};

/// What an agent itself says of metrics, and of how targets are discovered.
pub fn agent(hierarchy: &Hierarchy<'_, '_>, spec: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let agent = hierarchy.agent;
    if let Some(config) = &agent.spec.api_server {
        as_warnings(found, |found| api_server(config, &spec.key("apiServer"), found));
    }
    if hierarchy.metrics.is_empty() && hierarchy.integrations.is_empty() {
        return;
    }
    let (metrics, at) = (&agent.spec.metrics, spec.key("metrics"));
    duration::check(metrics.scrape_interval, &at.key("scrapeInterval"), found);
    duration::check(metrics.scrape_timeout, &at.key("scrapeTimeout"), found);
    as_warnings(found, |found| {
        external_labels(metrics, &at, found);
        found.extend(ScrapeTimes::of_agent(metrics, &at));
    });
    if hierarchy.metrics.iter().any(has_jobs) && !metrics.enforced_namespace_label.is_empty() {
        let at = at.key("enforcedNamespaceLabel");
        label::check_template(metrics.enforced_namespace_label, &at, found);
    }
    let receivers = |found: &mut Vec<Diagnostic>| {
        let namespace = agent.meta.namespace;
        remote_write::all(&metrics.remote_write, namespace, &hierarchy.secrets, &at, found);
    };
    // The agent reads its own receivers even where each instance has others.
    match hierarchy
        .metrics
        .iter()
        .any(|m| m.instance.spec.remote_write.is_empty())
    {
        true => receivers(found),
        false => as_warnings(found, receivers),
    }
}

/// How targets are discovered, which `promtool` does not look at.
fn api_server(config: &ApiServer<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    url::check(config.host, &at.key("host"), found);
    authentication::of_api_server(config, at, found);
    tls::check(config.tls_config.as_ref(), at, found);
}

fn has_jobs(metrics: &MetricsHierarchy<'_, '_>) -> bool {
    metrics
        .service_monitors
        .iter()
        .any(|monitor| !monitor.spec.endpoints.is_empty())
        || metrics
            .pod_monitors
            .iter()
            .any(|monitor| !monitor.spec.pod_metrics_endpoints.is_empty())
        || !metrics.probes.is_empty()
}

/// Labels on every sample. The agent takes any name, but what receives samples does not.
fn external_labels(metrics: &Metrics<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for name in metrics.external_labels.keys() {
        label::check_name(name, &at.key("externalLabels").key(name), found);
    }
    for (name, field) in [
        (metrics.replica_external_label_name, "replicaExternalLabelName"),
        (metrics.metrics_external_label_name, "metricsExternalLabelName"),
    ] {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            label::check_name(name, &at.key(field), found);
        }
    }
}

/// What an instance says for itself.
pub fn metrics_instance<'d>(
    instance: &Resource<'d, MetricsInstance<'d>>,
    store: &SecretStore<'_, 'd>,
    spec: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    as_warnings(found, |found| wal::check(&instance.spec, spec, found));
    remote_write::all(&instance.spec.remote_write, instance.meta.namespace, store, spec, found);
}
