//! PodLogs → a job that reads logs (`pod_logs.libsonnet`).

use super::discovery::Discoverer;
use super::relabel::{self, Labelled, Labels, RelabelRule, Relabelings};
use super::scrape_job::{ScrapeJob, Targets};
use super::{Origin, Role, Stages};
use crate::api::{GrafanaAgent, PodLogs, Resource};

/// The job of PodLogs that an agent selects.
pub(super) fn job<'d>(
    agent: &'d Resource<'d, GrafanaAgent<'d>>,
    resource: &'d Resource<'d, PodLogs<'d>>,
) -> ScrapeJob<'d> {
    let (logs, namespace, spec) = (&agent.spec.logs, resource.meta.namespace, &resource.spec);
    let origin = Origin::of(resource);
    let discoverer = Discoverer::new(
        agent,
        logs.ignore_namespace_selectors,
        "spec.logs.ignoreNamespaceSelectors",
    );
    let enforcing = Origin::of(agent).at("spec.logs.enforcedNamespaceLabel");
    let searched = origin.at("spec.namespaceSelector");
    let discovery = discoverer.discover(Role::Pod, &spec.namespace_selector, namespace, searched);
    let relabelings =
        relabelings(resource, origin).enforce_namespace(logs.enforced_namespace_label, namespace, enforcing);
    ScrapeJob {
        stages: Some(Stages::of(resource)),
        ..ScrapeJob::new(None, Targets::Discovered(discovery), relabelings)
    }
}

/// All rules up to those of the resource.
fn relabelings<'d>(resource: &'d Resource<'d, PodLogs<'d>>, origin: Origin<'d>) -> Relabelings<'d> {
    let (meta, spec) = (&resource.meta, &resource.spec);
    let path = RelabelRule {
        source_labels: Labels::Listed(&["__meta_kubernetes_pod_uid", "__meta_kubernetes_pod_container_name"]),
        separator: "/",
        ..relabel::set("__path__", "/var/log/pods/*$1/*.log")
    };
    Relabelings::new(origin)
        .select(Labelled::Pod, &spec.selector, origin.at("spec.selector"))
        .object_labels()
        .copy_labels(
            Labelled::Pod,
            &spec.pod_target_labels,
            origin.at("spec.podTargetLabels"),
        )
        .rule(relabel::set("job", meta.full_name()))
        .job_label(Labelled::Pod, spec.job_label)
        .rule(path)
        .configured(&spec.relabelings, origin.at("spec.relabelings"))
}
