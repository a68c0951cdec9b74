//! Rules of Promtail inside the agent.

mod stage;

#[cfg(test)]
mod tests;

use super::field::{
    copied_labels, go_duration, label_name, label_names, label_template, positive_go_duration, proxy_url, receiver_url,
};
use super::place::Place;
use super::prometheus::additional::{Jobs, job_name, relabel_rules};
use super::prometheus::client::{self, Values};
use super::prometheus::{relabel, selector};
use crate::api::{LogsClient, LogsInstance, PodLogs, Resource};
use crate::plan::Stages;
use crate::resolve::{Hierarchy, SecretStore};

/// Checks the settings of an agent for logs. Its clients apply to instances without clients.
pub fn agent(hierarchy: &Hierarchy<'_, '_>, spec: &Place<'_>) {
    if hierarchy.logs.is_empty() {
        return;
    }
    let (agent, at) = (hierarchy.agent, spec.key("logs"));
    let logs = &agent.spec.logs;
    if let Some(name) = logs.logs_external_label_name.filter(|name| !name.is_empty()) {
        label_name(name, &at.key("logsExternalLabelName"));
    }
    if !logs.enforced_namespace_label.is_empty() {
        label_template(logs.enforced_namespace_label, &at.key("enforcedNamespaceLabel"));
    }
    if hierarchy.logs.iter().any(|logs| logs.instance.spec.clients.is_empty()) {
        clients(&logs.clients, agent.meta.namespace, &hierarchy.secrets, &at);
    }
}

/// Checks the settings of an instance.
pub fn instance<'d>(instance: &Resource<'d, LogsInstance<'d>>, store: &SecretStore<'_, 'd>, spec: &Place<'_>) {
    clients(&instance.spec.clients, instance.meta.namespace, store, spec);
    if let Some(config) = &instance.spec.target_config {
        positive_go_duration(config.sync_period, &spec.key("targetConfig").key("syncPeriod"));
    }
}

/// Checks `clients` below `at`, whose Secrets are of `namespace` (`client.Config` and `client.NewManager` of Promtail). The
/// agent does not start with two equal clients.
fn clients<'d>(clients: &[LogsClient<'d>], namespace: &'d str, store: &SecretStore<'_, 'd>, at: &Place<'_>) {
    let at = at.key("clients");
    let values = Values { store, namespace };
    let first_equals = at.first_equals(clients.len());
    for (i, client) in clients.iter().enumerate() {
        let here = at.index(i);
        check_client(client, values, &here);
        if let Some(&first) = first_equals.get(i).filter(|first| **first < i) {
            at.add(client::duplicate_receiver(
                &at.index(first),
                &here,
                "",
                "remove one of them",
            ));
        }
    }
}

fn check_client<'d>(client: &LogsClient<'d>, values: Values<'_, 'd>, at: &Place<'_>) {
    receiver_url(client.url, &at.key("url"));
    proxy_url(client.proxy_url, &at.key("proxyUrl"));
    go_duration(client.batch_wait, &at.key("batchWait"));
    go_duration(client.timeout, &at.key("timeout"));
    if let Some(config) = &client.backoff_config {
        let at = at.key("backoffConfig");
        go_duration(config.min_period, &at.key("minPeriod"));
        go_duration(config.max_period, &at.key("maxPeriod"));
    }
    label_names(client.external_labels.keys(), &at.key("externalLabels"));
    client::of_logs_client(client, values, at);
    client::tls(client.tls_config.as_ref(), at);
}

/// Checks a PodLogs.
pub fn pod_logs<'d>(pod_logs: &Resource<'d, PodLogs<'d>>, spec: &Place<'_>) {
    let logs = &pod_logs.spec;
    copied_labels(&logs.pod_target_labels, &spec.key("podTargetLabels"));
    selector(&logs.selector, &spec.key("selector"));
    relabel::check(&spec.key("relabelings"));
    stage::check_all(Stages::of(pod_logs), &spec.key("pipelineStages"));
}

/// Checks the scrape jobs that a Secret holds as text: their names, and their relabelling.
pub fn additional(jobs: &Jobs<'_>, at: &Place<'_>) {
    for (i, job) in jobs.all() {
        let at = at.index(i);
        job_name(job, &at);
        relabel_rules(job, "relabel_configs", &at);
    }
}
