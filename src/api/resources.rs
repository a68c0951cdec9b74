//! All admitted resources of a run.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{
    GrafanaAgent, Integration, KeyedData, LogsInstance, MetricsInstance, NodeAddresses, ObjectRef, PodLogs, PodMonitor,
    Probe, PromisedSecret, Refusals, Resource, ServiceMonitor, Unread,
};

/// The resources by kind, each list ordered by namespace, then name.
#[derive(Default)]
pub struct Resources<'d> {
    /// GrafanaAgents.
    pub agents: Vec<Resource<'d, GrafanaAgent<'d>>>,
    /// MetricsInstances.
    pub metrics_instances: Vec<Resource<'d, MetricsInstance<'d>>>,
    /// LogsInstances.
    pub logs_instances: Vec<Resource<'d, LogsInstance<'d>>>,
    /// Integrations.
    pub integrations: Vec<Resource<'d, Integration<'d>>>,
    /// PodLogs.
    pub pod_logs: Vec<Resource<'d, PodLogs<'d>>>,
    /// ServiceMonitors.
    pub service_monitors: Vec<Resource<'d, ServiceMonitor<'d>>>,
    /// PodMonitors.
    pub pod_monitors: Vec<Resource<'d, PodMonitor<'d>>>,
    /// Probes.
    pub probes: Vec<Resource<'d, Probe<'d>>>,
    /// Secrets.
    pub secrets: Vec<Resource<'d, KeyedData<'d>>>,
    /// ConfigMaps.
    pub config_maps: Vec<Resource<'d, KeyedData<'d>>>,
    /// Namespaces.
    pub namespaces: Vec<Resource<'d, ()>>,
    /// Nodes.
    pub nodes: Vec<Resource<'d, NodeAddresses<'d>>>,
    /// Secrets that a controller makes in the cluster.
    pub promised: Vec<PromisedSecret<'d>>,
    /// Objects that are there but were refused, and take no part: nothing more is said of what refers to them.
    pub refused: BTreeSet<ObjectRef<'d>>,
    /// What was refused of objects that take part all the same.
    pub refusals: Refusals<'d>,
    /// The parts of the input that could not be read.
    pub unread: Unread<'d>,
}

impl<'d> Resources<'d> {
    /// The Secret that a controller makes under this name.
    pub fn promised(&self, namespace: &str, name: &str) -> Option<&PromisedSecret<'d>> {
        let at = self
            .promised
            .binary_search_by(|promised| (promised.namespace, promised.name).cmp(&(namespace, name)));
        self.promised.get(at.ok()?)
    }
}

/// Orders resources as the operator lists them: by namespace, then name.
pub fn sort_by_name<S>(resources: &mut [Resource<'_, S>]) {
    resources.sort_by(|a, b| (a.meta.namespace, a.meta.name).cmp(&(b.meta.namespace, b.meta.name)));
}

/// Where the resource of this namespace and name stands in an ordered list.
pub fn position<S>(resources: &[Resource<'_, S>], namespace: &str, name: &str) -> Option<usize> {
    let place = resources.binary_search_by(|r| (r.meta.namespace, r.meta.name).cmp(&(namespace, name)));
    place.ok()
}

/// The resource of this namespace and name in an ordered list.
pub fn find<'h, 'd, S>(resources: &'h [Resource<'d, S>], namespace: &str, name: &str) -> Option<&'h Resource<'d, S>> {
    position(resources, namespace, name).and_then(|i| resources.get(i))
}

/// Where the resources of one namespace stand in an ordered list.
pub fn namespace_range<S>(resources: &[Resource<'_, S>], namespace: &str) -> Range<usize> {
    let start = resources.partition_point(|r| r.meta.namespace < namespace);
    let end = resources.partition_point(|r| r.meta.namespace <= namespace);
    start..end
}

/// The resources of one namespace in an ordered list.
pub fn in_namespace<'h, 'd, S>(resources: &'h [Resource<'d, S>], namespace: &str) -> &'h [Resource<'d, S>] {
    resources.get(namespace_range(resources, namespace)).unwrap_or_default()
}
