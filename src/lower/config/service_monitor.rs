//! ServiceMonitor → scrape jobs (`service_monitor.libsonnet`).

use super::fields::Fields;
use super::kubernetes_sd::Role;
use super::origin::Site;
use super::relabel::{self, Labelled, Relabelings};
use super::scrape_job::{JobRules, Monitor};
use crate::api::{Endpoint, Resource, ServiceMonitor};
use crate::yaml::Value;

/// A job for each endpoint.
pub(super) fn jobs<'d>(
    rules: &JobRules<'_, 'd>,
    resource: &'d Resource<'d, ServiceMonitor<'d>>,
) -> impl Iterator<Item = Value<'d>> {
    let (spec, site) = (&resource.spec, rules.site(resource).at("spec.endpoints"));
    let monitor = Monitor {
        prefix: "serviceMonitor",
        meta: &resource.meta,
        role: Role::Endpoints,
        namespaces: &spec.namespace_selector,
        sample_limit: spec.sample_limit,
        target_limit: spec.target_limit,
    };
    let endpoints = spec.endpoints.iter().enumerate();
    endpoints.map(move |(i, endpoint)| rules.endpoint(&monitor, i, endpoint, relabelings(spec, endpoint, site.item(i))))
}

/// The rules up to the name of the job.
fn relabelings<'a, 'd>(spec: &ServiceMonitor<'d>, endpoint: &Endpoint<'d>, site: Site<'a, 'd>) -> Relabelings<'a, 'd> {
    Relabelings::new(site)
        .select(Labelled::Service, &spec.selector, site.at("spec.selector"))
        .port(endpoint, "__meta_kubernetes_endpoint_port_name")
        .rule(address_target("Node;(.*)", "node"))
        .rule(address_target("Pod;(.*)", "pod"))
        .object_labels()
        .running_only(endpoint)
        .copy_labels(Labelled::Service, &spec.target_labels, site.at("spec.targetLabels"))
        .copy_labels(Labelled::Pod, &spec.pod_target_labels, site.at("spec.podTargetLabels"))
        .rule(relabel::copy("__meta_kubernetes_service_name", "job").always("replacement", "$1"))
        .job_label(Labelled::Service, spec.job_label)
}

/// Names the node or the pod behind an address.
fn address_target<'d>(regex: &'static str, label: &'static str) -> Fields<'d> {
    relabel::reading([
        "__meta_kubernetes_endpoint_address_target_kind",
        "__meta_kubernetes_endpoint_address_target_name",
    ])
    .always("separator", ";")
    .always("regex", regex)
    .always("target_label", label)
    .always("replacement", "$1")
}
