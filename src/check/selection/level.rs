//! One kind of child and the kind of parent that selects it.

use std::sync::Arc;

use crate::api::{
    GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, ObjectRef, PodLogs, PodMonitor, Probe, Resource,
    Resources, ServiceMonitor,
};
use crate::diagnostic::FieldPath;
use crate::resolve::{Namespaces, ParentSelector, Scope, Selected, Selections};
use crate::source::Span;
use crate::yaml::Node;

/// A resource that selects others.
pub struct Parent<'d> {
    /// Which.
    pub object: ObjectRef<'d>,
    /// An agent that is paused.
    pub paused: bool,
    /// Its selectors.
    pub selector: ParentSelector<'d>,
    /// Where its selected children stand among all.
    pub selected: Arc<[usize]>,
    root: Node<'d>,
}

impl Parent<'_> {
    /// Where one of its fields stands.
    pub fn locate(&self, field: &str) -> Span {
        FieldPath::of(field).locate(self.root)
    }
}

/// All children of a kind, and all that may select them.
pub struct Level<'h, 'd, C> {
    /// The kind of the parents.
    pub parent_kind: Kind,
    /// The kind of the children.
    pub child_kind: Kind,
    /// The parents, by namespace and name.
    pub parents: Vec<Parent<'d>>,
    /// The children, by namespace and name.
    pub children: &'h [Resource<'d, C>],
    /// How many parents select each child.
    pub times_selected: Vec<usize>,
    /// Some parent or child was refused, or a selector is invalid: what is not selected may well be so for that reason.
    pub doubtful: bool,
}

impl<'h, 'd, C> Level<'h, 'd, C> {
    fn new(
        parent_kind: Kind,
        child_kind: Kind,
        parents: Vec<Parent<'d>>,
        children: &'h [Resource<'d, C>],
        resources: &Resources<'d>,
    ) -> Self {
        let mut times_selected = vec![0; children.len()];
        for &i in parents.iter().flat_map(|parent| parent.selected.iter()) {
            if let Some(times) = times_selected.get_mut(i) {
                *times += 1;
            }
        }
        let refused = |kind| resources.refused.iter().any(|object| object.kind == kind);
        let invalid = |parent: &Parent<'_>| {
            parent.selector.labels == Scope::Invalid || parent.selector.namespaces == Scope::Invalid
        };
        let doubtful = refused(parent_kind) || refused(child_kind) || parents.iter().any(invalid);
        Self {
            parent_kind,
            child_kind,
            parents,
            children,
            times_selected,
            doubtful,
        }
    }

    /// Whether no parent selects the child at this place.
    pub fn is_unselected(&self, child: usize) -> bool {
        self.times_selected.get(child) == Some(&0)
    }
}

/// All levels of a hierarchy.
pub struct Levels<'h, 'd> {
    /// The namespaces, which selectors look at.
    pub namespaces: &'h Namespaces<'d>,
    /// Whether there is any agent in the input. Without one it is not meant to be complete.
    pub has_agents: bool,
    /// MetricsInstances, selected by agents.
    pub metrics_instances: Level<'h, 'd, MetricsInstance<'d>>,
    /// LogsInstances, selected by agents.
    pub logs_instances: Level<'h, 'd, LogsInstance<'d>>,
    /// Integrations, selected by agents.
    pub integrations: Level<'h, 'd, Integration<'d>>,
    /// ServiceMonitors, selected by MetricsInstances.
    pub service_monitors: Level<'h, 'd, ServiceMonitor<'d>>,
    /// PodMonitors, selected by MetricsInstances.
    pub pod_monitors: Level<'h, 'd, PodMonitor<'d>>,
    /// Probes, selected by MetricsInstances.
    pub probes: Level<'h, 'd, Probe<'d>>,
    /// PodLogs, selected by LogsInstances.
    pub pod_logs: Level<'h, 'd, PodLogs<'d>>,
}

impl<'h, 'd> Levels<'h, 'd> {
    /// The levels of these resources, with what is selected.
    pub fn new(resources: &'h Resources<'d>, selections: &'h Selections<'d>) -> Self {
        let of = Selecting { resources };
        let (agents, metrics, logs) = (
            &resources.agents,
            &resources.metrics_instances,
            &resources.logs_instances,
        );
        Self {
            namespaces: &selections.namespaces,
            has_agents: !agents.is_empty(),
            metrics_instances: of.level(agents, &selections.metrics_instances, metrics, Kind::MetricsInstance),
            logs_instances: of.level(agents, &selections.logs_instances, logs, Kind::LogsInstance),
            integrations: of.level(
                agents,
                &selections.integrations,
                &resources.integrations,
                Kind::Integration,
            ),
            service_monitors: of.level(
                metrics,
                &selections.service_monitors,
                &resources.service_monitors,
                Kind::ServiceMonitor,
            ),
            pod_monitors: of.level(
                metrics,
                &selections.pod_monitors,
                &resources.pod_monitors,
                Kind::PodMonitor,
            ),
            probes: of.level(metrics, &selections.probes, &resources.probes, Kind::Probe),
            pod_logs: of.level(logs, &selections.pod_logs, &resources.pod_logs, Kind::PodLogs),
        }
    }
}

/// What levels are made of.
struct Selecting<'h, 'd> {
    resources: &'h Resources<'d>,
}

impl<'h, 'd> Selecting<'h, 'd> {
    fn level<P: Selects, C>(
        &self,
        parents: &'h [Resource<'d, P>],
        selections: &[Selected<'d>],
        children: &'h [Resource<'d, C>],
        child_kind: Kind,
    ) -> Level<'h, 'd, C> {
        let parents = parents.iter().zip(selections).map(|(parent, selected)| Parent {
            object: parent.object_ref(),
            paused: parent.spec.is_paused(),
            selector: selected.selector.clone(),
            selected: Arc::clone(&selected.positions),
            root: parent.root,
        });
        Level::new(P::KIND, child_kind, parents.collect(), children, self.resources)
    }
}

/// A specification with selectors.
trait Selects {
    /// The kind that it belongs to.
    const KIND: Kind;

    /// Whether nothing comes of what it selects at present.
    fn is_paused(&self) -> bool {
        false
    }
}

impl Selects for GrafanaAgent<'_> {
    const KIND: Kind = Kind::GrafanaAgent;

    fn is_paused(&self) -> bool {
        self.paused
    }
}

impl Selects for MetricsInstance<'_> {
    const KIND: Kind = Kind::MetricsInstance;
}

impl Selects for LogsInstance<'_> {
    const KIND: Kind = Kind::LogsInstance;
}
