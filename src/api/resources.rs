//! All admitted resources of a run.

use std::collections::BTreeSet;
use std::ops::{Deref, Range};

use super::{
    Access, AnyResource, GrafanaAgent, Head, Integration, KeyedData, Kind, LogsInstance, MetricsInstance,
    NodeAddresses, ObjectRef, PodLogs, PodMonitor, Probe, PromisedSecret, Refusals, Resource, ServiceMonitor, Unread,
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
    /// Who may do what in the cluster, as far as the input has it.
    pub access: Access<'d>,
    /// Objects that are there but were refused, and take no part: nothing more is said of what refers to them.
    pub refused: BTreeSet<ObjectRef<'d>>,
    /// What was refused of objects that take part all the same.
    pub refusals: Refusals<'d>,
    /// The parts of the input that could not be read.
    pub unread: Unread<'d>,
}

impl<'d> Resources<'d> {
    /// Adds other resources behind these; the lists are not ordered then.
    pub fn append(&mut self, other: Self) {
        let Self {
            agents,
            metrics_instances,
            logs_instances,
            integrations,
            pod_logs,
            service_monitors,
            pod_monitors,
            probes,
            secrets,
            config_maps,
            namespaces,
            nodes,
            promised,
            access,
            refused,
            refusals,
            unread,
        } = other;
        self.agents.extend(agents);
        self.metrics_instances.extend(metrics_instances);
        self.logs_instances.extend(logs_instances);
        self.integrations.extend(integrations);
        self.pod_logs.extend(pod_logs);
        self.service_monitors.extend(service_monitors);
        self.pod_monitors.extend(pod_monitors);
        self.probes.extend(probes);
        self.secrets.extend(secrets);
        self.config_maps.extend(config_maps);
        self.namespaces.extend(namespaces);
        self.nodes.extend(nodes);
        self.promised.extend(promised);
        self.access.append(access);
        self.refused.extend(refused);
        self.refusals.append(refusals);
        self.unread.append(unread);
    }

    /// The Secret that a controller makes under this name.
    pub fn promised(&self, namespace: &str, name: &str) -> Option<&PromisedSecret<'d>> {
        let at = self
            .promised
            .binary_search_by(|promised| (promised.namespace, promised.name).cmp(&(namespace, name)));
        self.promised.get(at.ok()?)
    }

    /// All resources of a kind, by namespace and name.
    pub fn of(&self, kind: Kind) -> Vec<AnyResource<'_, 'd>> {
        self.pick(kind, &Pick::All)
    }

    /// The resources of a kind in one namespace, by name.
    pub fn of_namespace(&self, kind: Kind, namespace: &str) -> Vec<AnyResource<'_, 'd>> {
        self.pick(kind, &Pick::Namespace(namespace))
    }

    /// The resources at these positions among all of a kind.
    pub fn at(&self, kind: Kind, positions: &[usize]) -> Vec<AnyResource<'_, 'd>> {
        self.pick(kind, &Pick::Positions(positions))
    }

    fn pick(&self, kind: Kind, pick: &Pick<'_>) -> Vec<AnyResource<'_, 'd>> {
        match kind {
            Kind::GrafanaAgent => pick.from(&self.agents, AnyResource::GrafanaAgent),
            Kind::MetricsInstance => pick.from(&self.metrics_instances, AnyResource::MetricsInstance),
            Kind::LogsInstance => pick.from(&self.logs_instances, AnyResource::LogsInstance),
            Kind::Integration => pick.from(&self.integrations, AnyResource::Integration),
            Kind::PodLogs => pick.from(&self.pod_logs, AnyResource::PodLogs),
            Kind::ServiceMonitor => pick.from(&self.service_monitors, AnyResource::ServiceMonitor),
            Kind::PodMonitor => pick.from(&self.pod_monitors, AnyResource::PodMonitor),
            Kind::Probe => pick.from(&self.probes, AnyResource::Probe),
            Kind::Secret => pick.from(&self.secrets, AnyResource::Data),
            Kind::ConfigMap => pick.from(&self.config_maps, AnyResource::Data),
            Kind::Namespace => pick.from(&self.namespaces, AnyResource::Namespace),
            Kind::Node => pick.from(&self.nodes, AnyResource::Node),
        }
    }

    /// The resource of this kind, namespace and name.
    pub fn get(&self, ObjectRef { kind, namespace, name }: ObjectRef<'_>) -> Option<AnyResource<'_, 'd>> {
        self.pick(kind, &Pick::Name(namespace, name)).pop()
    }

    /// The Secrets or the ConfigMaps; none of another kind.
    pub fn data(&self, kind: Kind) -> &[Resource<'d, KeyedData<'d>>] {
        match kind {
            Kind::Secret => &self.secrets,
            Kind::ConfigMap => &self.config_maps,
            _ => &[],
        }
    }
}

/// Which resources of an ordered list.
enum Pick<'p> {
    All,
    Namespace(&'p str),
    Name(&'p str, &'p str),
    Positions(&'p [usize]),
}

impl Pick<'_> {
    fn from<'h, 'd, S>(
        &self,
        list: &'h [Resource<'d, S>],
        any: fn(&'h Resource<'d, S>) -> AnyResource<'h, 'd>,
    ) -> Vec<AnyResource<'h, 'd>> {
        match self {
            Pick::All => list.iter().map(any).collect(),
            Pick::Namespace(namespace) => in_namespace(list, namespace).iter().map(any).collect(),
            Pick::Name(namespace, name) => find(list, namespace, name).into_iter().map(any).collect(),
            Pick::Positions(positions) => positions.iter().filter_map(|&i| list.get(i)).map(any).collect(),
        }
    }
}

/// Orders resources as the operator lists them: by namespace, then name.
pub fn sort_by_name<S>(resources: &mut [Resource<'_, S>]) {
    resources.sort_by_cached_key(|resource| (resource.meta.namespace, resource.meta.name));
}

/// The index of the resource of this namespace and name in an ordered list.
pub fn position<'d>(resources: &[impl Deref<Target = Head<'d>>], namespace: &str, name: &str) -> Option<usize> {
    let place = resources.binary_search_by(|r| (r.meta.namespace, r.meta.name).cmp(&(namespace, name)));
    place.ok()
}

/// The resource of this namespace and name in an ordered list.
pub fn find<'h, 'd, R: Deref<Target = Head<'d>>>(resources: &'h [R], namespace: &str, name: &str) -> Option<&'h R> {
    position(resources, namespace, name).and_then(|i| resources.get(i))
}

/// The indices of the resources of one namespace in an ordered list.
pub fn namespace_range<'d>(resources: &[impl Deref<Target = Head<'d>>], namespace: &str) -> Range<usize> {
    let start = resources.partition_point(|r| r.meta.namespace < namespace);
    let end = resources.partition_point(|r| r.meta.namespace <= namespace);
    start..end
}

/// The resources of one namespace in an ordered list.
pub fn in_namespace<'h, 'd, R: Deref<Target = Head<'d>>>(resources: &'h [R], namespace: &str) -> &'h [R] {
    resources.get(namespace_range(resources, namespace)).unwrap_or_default()
}
