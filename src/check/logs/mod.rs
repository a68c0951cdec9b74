//! What Promtail refuses within the agent.

mod client;
mod metric;
mod pipeline;
mod stage;

#[cfg(test)]
mod tests;

use super::diagnostics;
use super::place::Place;
use super::prometheus::additional::{Jobs, relabel_rules};
use super::prometheus::{duration, label, relabel, selector_of_pods};
use crate::api::{LogsInstance, PodLogs, Resource};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, SecretStore};

/// What an agent itself says of logs. Its clients are those of instances that have none.
pub fn agent(hierarchy: &Hierarchy<'_, '_>, spec: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if hierarchy.logs.is_empty() {
        return;
    }
    let (agent, at) = (hierarchy.agent, spec.key("logs"));
    let logs = &agent.spec.logs;
    if let Some(name) = logs.logs_external_label_name.filter(|name| !name.is_empty()) {
        label::check_name(name, &at.key("logsExternalLabelName"), found);
    }
    if !logs.enforced_namespace_label.is_empty() {
        label::check_template(logs.enforced_namespace_label, &at.key("enforcedNamespaceLabel"), found);
    }
    if hierarchy.logs.iter().any(|logs| logs.instance.spec.clients.is_empty()) {
        client::all(&logs.clients, agent.meta.namespace, &hierarchy.secrets, &at, found);
    }
}

/// What an instance says for itself.
pub fn instance<'d>(
    instance: &Resource<'d, LogsInstance<'d>>,
    store: &SecretStore<'_, 'd>,
    spec: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    client::all(&instance.spec.clients, instance.meta.namespace, store, spec, found);
    if let Some(config) = &instance.spec.target_config {
        let at = spec.key("targetConfig");
        duration::check_positive(config.sync_period, &at.key("syncPeriod"), found);
    }
}

/// What a PodLogs says.
pub fn pod_logs<'d>(pod_logs: &Resource<'d, PodLogs<'d>>, spec: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let at = spec.key("podTargetLabels");
    label::check_copied(&pod_logs.spec.pod_target_labels, &at, found);
    selector_of_pods(&pod_logs.spec.selector, &spec.key("selector"), found);
    relabel::check(&pod_logs.spec.relabelings, &spec.key("relabelings"), found);
    let source = pod_logs.root.span().source;
    pipeline::check(
        &pod_logs.spec.pipeline_stages,
        source,
        &spec.key("pipelineStages"),
        found,
    );
}

/// Checks the scrape jobs that a Secret holds as text: their names, and their relabelling.
pub fn additional(jobs: &Jobs<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (i, job) in jobs.all() {
        let at = at.index(i);
        if !job.is_mapping() {
            found.push(diagnostics::invalid_scrape_job(
                &at,
                "a scrape configuration must be a mapping",
            ));
        } else if job
            .get("job_name")
            .is_none_or(|name| name.is_null() || name.as_str() == Some(""))
        {
            found.push(diagnostics::invalid_scrape_job(
                &at,
                "a scrape configuration needs `job_name`",
            ));
        }
        relabel_rules(job, "relabel_configs", &at, found);
    }
}
