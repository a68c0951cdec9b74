//! Conversion of a ServiceMonitor to scrape jobs (`service_monitor.libsonnet`).

use super::relabel::{self, LabelNames, RelabelRule, Relabelings};
use super::scrape_job::{JobRules, ScrapeJob};
use super::{DiscoveryRole, Origin};
use crate::api::{Endpoint, Resource, ServiceMonitor};

/// Returns the job for the endpoint at `index`, or `None` if there is none.
pub(super) fn job<'d>(
    rules: &JobRules<'d>,
    resource: &'d Resource<'d, ServiceMonitor<'d>>,
    index: usize,
) -> Option<ScrapeJob<'d>> {
    let list = Origin::new(resource).at("spec.endpoints");
    rules.endpoint(&resource.into(), DiscoveryRole::Endpoints, list, index, |endpoint, started| {
        relabelings(&resource.spec, endpoint, started)
    })
}

/// Appends an endpoint's relabeling rules, up to and including the rule that sets the job name.
fn relabelings<'d>(spec: &ServiceMonitor<'d>, endpoint: &Endpoint<'d>, started: Relabelings<'d>) -> Relabelings<'d> {
    let origin = started.origin;
    started
        .select(DiscoveryRole::Service, &spec.selector, origin.at("spec.selector"))
        .port(endpoint, "__meta_kubernetes_endpoint_port_name")
        .rule(address_target("Node;(.*)", "node"))
        .rule(address_target("Pod;(.*)", "pod"))
        .object_labels()
        .drop_terminated_pods(endpoint)
        .copy_labels(DiscoveryRole::Service, &spec.target_labels, origin.at("spec.targetLabels"))
        .copy_labels(DiscoveryRole::Pod, &spec.pod_target_labels, origin.at("spec.podTargetLabels"))
        .rule(RelabelRule { replacement: Some("$1".into()), ..relabel::copy("__meta_kubernetes_service_name", "job") })
        .job_label(DiscoveryRole::Service, spec.job_label)
}

/// Returns a rule that sets a label to the name of the node or pod that an address belongs to.
fn address_target<'d>(regex: &'static str, label: &'static str) -> RelabelRule<'d> {
    RelabelRule {
        source_labels: LabelNames::Listed(&[
            "__meta_kubernetes_endpoint_address_target_kind",
            "__meta_kubernetes_endpoint_address_target_name",
        ]),
        separator: ";",
        regex: Some(regex.into()),
        ..relabel::set(label, "$1")
    }
}
