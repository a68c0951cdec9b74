//! ServiceMonitors and PodMonitors, as far as they are alike.

use super::{Endpoint, LabelSelector, NamespaceSelector, PodMonitor, Resource, ResourceHeader, ServiceMonitor};

/// A ServiceMonitor or a PodMonitor.
#[derive(Clone, Copy)]
pub struct Monitor<'h, 'd> {
    /// Its kind, metadata and node.
    pub head: &'h ResourceHeader<'d>,
    /// The field of `spec` that lists its endpoints.
    pub field: &'static str,
    /// Its endpoints.
    pub endpoints: &'h [Endpoint<'d>],
    /// Which Services or pods, by label.
    pub selector: &'h LabelSelector<'d>,
    /// In which namespaces they are looked for.
    pub namespaces: &'h NamespaceSelector<'d>,
    /// Labels of the Service to copy; a PodMonitor has none.
    pub target_labels: &'h [&'d str],
    /// Labels of the pod to copy.
    pub pod_target_labels: &'h [&'d str],
    /// Maximum number of samples per scrape.
    pub sample_limit: u64,
    /// Maximum number of targets of a job.
    pub target_limit: u64,
}

impl<'h, 'd> From<&'h Resource<'d, ServiceMonitor<'d>>> for Monitor<'h, 'd> {
    fn from(monitor: &'h Resource<'d, ServiceMonitor<'d>>) -> Self {
        let spec = &monitor.spec;
        Self {
            head: &monitor.head,
            field: "endpoints",
            endpoints: &spec.endpoints,
            selector: &spec.selector,
            namespaces: &spec.namespace_selector,
            target_labels: &spec.target_labels,
            pod_target_labels: &spec.pod_target_labels,
            sample_limit: spec.sample_limit,
            target_limit: spec.target_limit,
        }
    }
}

impl<'h, 'd> From<&'h Resource<'d, PodMonitor<'d>>> for Monitor<'h, 'd> {
    fn from(monitor: &'h Resource<'d, PodMonitor<'d>>) -> Self {
        let spec = &monitor.spec;
        Self {
            head: &monitor.head,
            field: "podMetricsEndpoints",
            endpoints: &spec.pod_metrics_endpoints,
            selector: &spec.selector,
            namespaces: &spec.namespace_selector,
            target_labels: &[],
            pod_target_labels: &spec.pod_target_labels,
            sample_limit: spec.sample_limit,
            target_limit: spec.target_limit,
        }
    }
}
