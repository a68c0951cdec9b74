//! One kind of child and the kind of parent that selects it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::api::{
    GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, ObjectRef, PodLogs, PodMonitor, Probe, Resource,
    Resources, ServiceMonitor,
};
use crate::diagnostic::FieldPath;
use crate::resolve::{Namespaces, ParentSelector, Scope, Selected, Selections};
use crate::source::Span;
use crate::yaml::Node;

const NAMESPACE: &str = "metadata.namespace";

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
    /// What is not known of the parents and children: what is not selected may well be so for that reason.
    pub doubts: Doubts<'d>,
}

/// What is not known of the parents and children of a level, since it was refused or could not be read.
#[derive(Default)]
pub struct Doubts<'d> {
    /// Where the parents stand whose selectors are not known, among all.
    parents: BTreeSet<usize>,
    /// Some of these may look in all namespaces.
    everywhere: bool,
    /// The namespaces that the others look in.
    namespaces: BTreeSet<&'d str>,
    /// The namespaces whose labels are not known.
    unlabelled: BTreeSet<&'d str>,
    /// Where the children stand whose labels or namespace are not known.
    children: BTreeSet<usize>,
    /// There may be children that are not known.
    more_children: bool,
}

impl<'d> Doubts<'d> {
    fn new<C>(
        parent_kind: Kind,
        child_kind: Kind,
        parents: &[Parent<'d>],
        children: &[Resource<'d, C>],
        resources: &Resources<'d>,
    ) -> Self {
        let refusals = &resources.refusals;
        let refused =
            |kind| resources.refused.iter().any(|object| object.kind == kind) || resources.unread.may_define(kind);
        let mut doubts = Self {
            everywhere: refused(parent_kind),
            more_children: refused(child_kind),
            ..Self::default()
        };
        for (i, parent) in parents.iter().enumerate() {
            let selector = &parent.selector;
            let is_unknown = |scope: &Scope<'_>, path| *scope == Scope::Invalid || refusals.touch(parent.object, path);
            let wants_unknown =
                is_unknown(&selector.namespaces, selector.namespaces_path) || refusals.touch(parent.object, NAMESPACE);
            if wants_unknown || is_unknown(&selector.labels, selector.labels_path) {
                doubts.parents.insert(i);
                if wants_unknown || selector.namespaces != Scope::Missing {
                    doubts.everywhere = true;
                } else {
                    doubts.namespaces.insert(parent.object.namespace);
                }
            }
        }
        for (i, child) in children.iter().enumerate() {
            let object = child.object_ref();
            if refusals.touch(object, "metadata.labels") || refusals.touch(object, NAMESPACE) {
                doubts.children.insert(i);
            }
        }
        let unlabelled = resources.namespaces.iter().map(|namespace| namespace.object_ref());
        let unlabelled = unlabelled.filter(|&namespace| refusals.touch(namespace, "metadata.labels"));
        doubts.unlabelled = unlabelled.map(|namespace| namespace.name).collect();
        doubts
    }

    /// Whether the parent at this place may select more than is known.
    pub fn of_parent(&self, i: usize, parent: &Parent<'_>) -> bool {
        let asks_labels = matches!(parent.selector.namespaces, Scope::Set(_));
        self.parents.contains(&i)
            || self.more_children
            || !self.children.is_empty()
            || (asks_labels && !self.unlabelled.is_empty())
    }

    /// Whether the child at this place may be selected although no known parent does so.
    pub fn of_child<C>(&self, i: usize, child: &Resource<'_, C>) -> bool {
        let namespace = child.meta.namespace;
        self.everywhere
            || self.children.contains(&i)
            || self.namespaces.contains(namespace)
            || self.unlabelled.contains(namespace)
    }
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
        let doubts = Doubts::new(parent_kind, child_kind, &parents, children, resources);
        Self {
            parent_kind,
            child_kind,
            parents,
            children,
            times_selected,
            doubts,
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
