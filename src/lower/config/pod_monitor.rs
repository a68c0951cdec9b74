//! PodMonitor → scrape jobs (`pod_monitor.libsonnet`).

use super::kubernetes_sd::Role;
use super::origin::Site;
use super::relabel::{self, Labelled, Relabelings};
use super::scrape_job::{JobRules, Monitor};
use crate::api::{Endpoint, PodMonitor, Resource};
use crate::yaml::Value;

/// A job for each endpoint.
pub(super) fn jobs<'d>(
    rules: &JobRules<'_, 'd>,
    resource: &'d Resource<'d, PodMonitor<'d>>,
) -> impl Iterator<Item = Value<'d>> {
    let (spec, site) = (&resource.spec, rules.site(resource).at("spec.podMetricsEndpoints"));
    let monitor = Monitor {
        prefix: "podMonitor",
        meta: &resource.meta,
        role: Role::Pod,
        namespaces: &spec.namespace_selector,
        sample_limit: spec.sample_limit,
        target_limit: spec.target_limit,
    };
    let endpoints = spec.pod_metrics_endpoints.iter().enumerate();
    endpoints
        .map(move |(i, endpoint)| rules.endpoint(&monitor, i, endpoint, relabelings(resource, endpoint, site.item(i))))
}

/// The rules up to the name of the job.
fn relabelings<'a, 'd>(
    resource: &Resource<'d, PodMonitor<'d>>,
    endpoint: &Endpoint<'d>,
    site: Site<'a, 'd>,
) -> Relabelings<'a, 'd> {
    let spec = &resource.spec;
    Relabelings::new(site)
        .running_only(endpoint)
        .select(Labelled::Pod, &spec.selector, site.at("spec.selector"))
        .port(endpoint, "__meta_kubernetes_pod_container_port_name")
        .object_labels()
        .copy_labels(Labelled::Pod, &spec.pod_target_labels, site.at("spec.podTargetLabels"))
        .rule(relabel::set(
            "job",
            format!("{}/{}", resource.meta.namespace, resource.meta.name),
        ))
        .job_label(Labelled::Pod, spec.job_label)
}
