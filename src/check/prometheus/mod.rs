//! Rules of Prometheus, on its own and inside the agent.

pub mod additional;
pub mod client;
mod monitor;
pub mod relabel;
mod remote_write;
mod times;

#[cfg(test)]
mod tests;

pub use monitor::{monitor, probe, selector};
pub use times::ScrapeTimes;

use super::field::{duration, label_name, label_names, label_template, url};
use super::place::Place;
use crate::api::{ApiServer, Metrics, MetricsInstance, Resource};
use crate::resolve::{Hierarchy, MetricsHierarchy, SecretStore};

/// Checks the settings of an agent for metrics and for service discovery.
pub fn agent(hierarchy: &Hierarchy<'_, '_>, spec: &Place<'_>) {
    let agent = hierarchy.agent;
    if let Some(config) = &agent.spec.api_server {
        api_server(config, &spec.key("apiServer").lenient());
    }
    if hierarchy.metrics.is_empty() && hierarchy.integrations.is_empty() {
        return;
    }
    let (metrics, at) = (&agent.spec.metrics, spec.key("metrics"));
    duration(metrics.scrape_interval, &at.key("scrapeInterval"));
    duration(metrics.scrape_timeout, &at.key("scrapeTimeout"));
    external_labels(metrics, &at.lenient());
    times::of_agent(metrics, &at.lenient());
    if hierarchy.metrics.iter().any(has_jobs) && !metrics.enforced_namespace_label.is_empty() {
        label_template(metrics.enforced_namespace_label, &at.key("enforcedNamespaceLabel"));
    }
    // The agent reads its own receivers even where each instance has others.
    let are_used = |metrics: &MetricsHierarchy<'_, '_>| metrics.instance.spec.remote_write.is_empty();
    let at = match hierarchy.metrics.iter().any(are_used) {
        true => at,
        false => at.lenient(),
    };
    let namespace = agent.meta.namespace;
    remote_write::check(&metrics.remote_write, namespace, &hierarchy.secrets, &at);
}

/// Checks the settings for service discovery, which `promtool` ignores.
fn api_server(config: &ApiServer<'_>, at: &Place<'_>) {
    url(config.host, &at.key("host"));
    client::one_of(&["basicAuth", "bearerToken", "bearerTokenFile"], at);
    client::tls(config.tls_config.as_ref(), at);
}

fn has_jobs(metrics: &MetricsHierarchy<'_, '_>) -> bool {
    !metrics.probes.is_empty() || metrics.monitors().any(|monitor| !monitor.endpoints.is_empty())
}

/// Checks the labels that every sample gets. The agent accepts any name, the receivers of samples do not.
fn external_labels(metrics: &Metrics<'_>, at: &Place<'_>) {
    label_names(metrics.external_labels.keys(), &at.key("externalLabels"));
    for (name, field) in [
        (metrics.replica_external_label_name, "replicaExternalLabelName"),
        (metrics.metrics_external_label_name, "metricsExternalLabelName"),
    ] {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            label_name(name, &at.key(field));
        }
    }
}

/// Checks the settings of an instance.
pub fn metrics_instance<'d>(
    instance: &Resource<'d, MetricsInstance<'d>>,
    store: &SecretStore<'_, 'd>,
    spec: &Place<'_>,
) {
    times::write_ahead_log(&instance.spec, &spec.lenient());
    remote_write::check(&instance.spec.remote_write, instance.meta.namespace, store, spec);
}
