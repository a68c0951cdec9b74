//! Conversion of PodLogs to a job that reads logs (`pod_logs.libsonnet`).

use super::relabel::{self, LabelNames, RelabelRule, Relabelings};
use super::scrape_job::{JobRules, ScrapeJob};
use super::{DiscoveryRole, Origin, Stages};
use crate::api::{PodLogs, Resource};

/// Returns the job for a PodLogs resource that an agent selects.
pub(super) fn job<'d>(rules: &JobRules<'d>, resource: &'d Resource<'d, PodLogs<'d>>) -> ScrapeJob<'d> {
    let (origin, namespace) = (Origin::new(resource), resource.meta.namespace);
    let namespaces_origin = origin.at("spec.namespaceSelector");
    let targets = rules.discover(DiscoveryRole::Pod, &resource.spec.namespace_selector, namespace, namespaces_origin);
    let relabelings = rules.enforce_namespace(relabelings(resource, rules.relabelings(origin)), namespace);
    ScrapeJob { stages: Some(Stages::new(resource)), ..ScrapeJob::new(None, targets, relabelings) }
}

/// Appends all relabeling rules for the job.
fn relabelings<'d>(resource: &'d Resource<'d, PodLogs<'d>>, started: Relabelings<'d>) -> Relabelings<'d> {
    let (meta, spec, origin) = (&resource.meta, &resource.spec, started.origin);
    let path = RelabelRule {
        source_labels: LabelNames::Listed(&["__meta_kubernetes_pod_uid", "__meta_kubernetes_pod_container_name"]),
        separator: "/",
        ..relabel::set("__path__", "/var/log/pods/*$1/*.log")
    };
    started
        .select(DiscoveryRole::Pod, &spec.selector, origin.at("spec.selector"))
        .object_labels()
        .copy_labels(DiscoveryRole::Pod, &spec.pod_target_labels, origin.at("spec.podTargetLabels"))
        .rule(relabel::set("job", meta.full_name()))
        .job_label(DiscoveryRole::Pod, spec.job_label)
        .rule(path)
        .configured_rules(&spec.relabelings, origin.at("spec.relabelings"))
}
