//! Conversion of a PodMonitor to scrape jobs (`pod_monitor.libsonnet`).

use super::relabel::{self, Relabelings};
use super::scrape_job::{JobRules, ScrapeJob};
use super::{DiscoveryRole, Origin};
use crate::api::{Endpoint, PodMonitor, Resource};

/// Returns the job for the endpoint at `index`, or `None` if there is none.
pub(super) fn job<'d>(
    rules: &JobRules<'d>,
    resource: &'d Resource<'d, PodMonitor<'d>>,
    index: usize,
) -> Option<ScrapeJob<'d>> {
    let list = Origin::new(resource).at("spec.podMetricsEndpoints");
    rules.endpoint(&resource.into(), DiscoveryRole::Pod, list, index, |endpoint, started| {
        relabelings(resource, endpoint, started)
    })
}

/// Appends an endpoint's relabeling rules, up to and including the rule that sets the job name.
fn relabelings<'d>(
    resource: &Resource<'d, PodMonitor<'d>>,
    endpoint: &Endpoint<'d>,
    started: Relabelings<'d>,
) -> Relabelings<'d> {
    let (spec, origin) = (&resource.spec, started.origin);
    started
        .drop_terminated_pods(endpoint)
        .select(DiscoveryRole::Pod, &spec.selector, origin.at("spec.selector"))
        .port(endpoint, "__meta_kubernetes_pod_container_port_name")
        .object_labels()
        .copy_labels(DiscoveryRole::Pod, &spec.pod_target_labels, origin.at("spec.podTargetLabels"))
        .rule(relabel::set("job", resource.meta.full_name()))
        .job_label(DiscoveryRole::Pod, spec.job_label)
}
