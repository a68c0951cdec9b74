//! PodMonitor → scrape jobs (`pod_monitor.libsonnet`).

use super::kubernetes_sd::Role;
use super::relabel::{self, Labelled, Relabelings};
use super::scrape_job::{JobRules, Monitor};
use crate::api::{Endpoint, PodMonitor, Resource};
use crate::yaml::Value;

/// A job for each endpoint.
pub(super) fn jobs<'d>(
    rules: &JobRules<'_, 'd>,
    resource: &'d Resource<'d, PodMonitor<'d>>,
) -> impl Iterator<Item = Value<'d>> {
    let spec = &resource.spec;
    let monitor = Monitor {
        prefix: "podMonitor",
        meta: &resource.meta,
        role: Role::Pod,
        namespaces: &spec.namespace_selector,
        sample_limit: spec.sample_limit,
        target_limit: spec.target_limit,
    };
    let endpoints = spec.pod_metrics_endpoints.iter().enumerate();
    endpoints.map(move |(i, endpoint)| rules.endpoint(&monitor, i, endpoint, relabelings(resource, endpoint)))
}

/// The rules up to the name of the job.
fn relabelings<'d>(resource: &Resource<'d, PodMonitor<'d>>, endpoint: &Endpoint<'d>) -> Relabelings<'d> {
    let spec = &resource.spec;
    Relabelings::new()
        .running_only(endpoint)
        .select(Labelled::Pod, &spec.selector)
        .port(endpoint, "__meta_kubernetes_pod_container_port_name")
        .object_labels()
        .copy_labels(Labelled::Pod, &spec.pod_target_labels)
        .rule(relabel::set(
            "job",
            format!("{}/{}", resource.meta.namespace, resource.meta.name),
        ))
        .job_label(Labelled::Pod, spec.job_label)
}
