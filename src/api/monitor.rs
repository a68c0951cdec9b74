//! Common view of ServiceMonitors and PodMonitors.

use super::{Endpoint, LabelSelector, NamespaceSelector, PodMonitor, Resource, ResourceHeader, ServiceMonitor};

/// A ServiceMonitor or a PodMonitor.
#[derive(Clone, Copy)]
pub struct Monitor<'h, 'd> {
    /// Kind, metadata and node of the monitor.
    pub header: &'h ResourceHeader<'d>,
    /// Field in `spec` that lists the endpoints.
    pub field: &'static str,
    /// Endpoints of the monitor.
    pub endpoints: &'h [Endpoint<'d>],
    /// Labels of the Services or pods to select.
    pub selector: &'h LabelSelector<'d>,
    /// Namespaces to search for Services or pods.
    pub namespaces: &'h NamespaceSelector<'d>,
    /// Maximum number of samples per scrape.
    pub sample_limit: u64,
    /// Maximum number of targets per job.
    pub target_limit: u64,
}

impl<'h, 'd> From<&'h Resource<'d, ServiceMonitor<'d>>> for Monitor<'h, 'd> {
    fn from(monitor: &'h Resource<'d, ServiceMonitor<'d>>) -> Self {
        let spec = &monitor.spec;
        Self {
            header: &monitor.header,
            field: "endpoints",
            endpoints: &spec.endpoints,
            selector: &spec.selector,
            namespaces: &spec.namespace_selector,
            sample_limit: spec.sample_limit,
            target_limit: spec.target_limit,
        }
    }
}

impl<'h, 'd> From<&'h Resource<'d, PodMonitor<'d>>> for Monitor<'h, 'd> {
    fn from(monitor: &'h Resource<'d, PodMonitor<'d>>) -> Self {
        let spec = &monitor.spec;
        Self {
            header: &monitor.header,
            field: "podMetricsEndpoints",
            endpoints: &spec.pod_metrics_endpoints,
            selector: &spec.selector,
            namespaces: &spec.namespace_selector,
            sample_limit: spec.sample_limit,
            target_limit: spec.target_limit,
        }
    }
}
