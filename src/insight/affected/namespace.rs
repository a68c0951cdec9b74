//! What the labels of a namespace decide: the one resource that is about the selection of others.

use std::collections::BTreeSet;

use super::dependencies::{Copied, Reach, Referrer, WITH_INSTANCES, instance_parts, integration_parts, runs_alike};
use super::part::{Part, Parts};
use crate::api::{AnyResource, Head, Kind, ObjectRef, RELATIONS, TextMap, in_namespace};
use crate::insight::graph::Graph;
use crate::resolve::{Hierarchy, Namespaces, Scope};

/// What of an agent may change with the labels of a namespace: what is selected with some and not with others.
pub fn reach<'d>(name: &'d str, hierarchy: &Hierarchy<'_, 'd>, graph: Graph<'_, 'd>, copied: &Copied<'d>) -> Reach<'d> {
    let mut labels = Labels {
        name,
        hierarchy,
        graph,
        copied,
        reach: Reach::default(),
        going: BTreeSet::new(),
        going_instances: BTreeSet::new(),
        coming: false,
    };
    labels.instances(Kind::MetricsInstance);
    labels.instances(Kind::LogsInstance);
    labels.integrations();
    labels.children_of_instances();
    labels.finish()
}

struct Labels<'r, 'h, 'd> {
    name: &'d str,
    hierarchy: &'r Hierarchy<'h, 'd>,
    graph: Graph<'h, 'd>,
    copied: &'r Copied<'d>,
    reach: Reach<'d>,
    /// Those that may go, of what refers to values.
    going: BTreeSet<Referrer<'d>>,
    /// The instances that may go, with all that they select.
    going_instances: BTreeSet<ObjectRef<'d>>,
    /// Whether something may come that brings new values.
    coming: bool,
}

impl<'h, 'd> Labels<'_, 'h, 'd> {
    /// Instances in the namespace, with all that they select.
    fn instances(&mut self, kind: Kind) {
        let agent = self.hierarchy.agent;
        let (config, pods) = instance_parts(kind);
        let selected = self.graph.selected_of(agent, kind);
        let alone = selected.iter().all(|child| child.meta.namespace == self.name);
        let parts = Parts::of(&[config]).with_if(alone, pods).and(WITH_INSTANCES);
        for instance in self.moving(agent, kind) {
            let object = instance.object_ref();
            self.add(parts, object);
            if self.hierarchy.contains(object) {
                self.going_instances.insert(object);
                continue;
            }
            let children = self.graph.selected(&instance).into_iter();
            let children = children.filter(|child| !self.is_denied(*child));
            let brings = |resource| self.copied.come_with(resource, self.graph.resources);
            self.coming |= children.chain([instance]).any(brings);
        }
    }

    /// Integrations in the namespace.
    fn integrations(&mut self) {
        let hierarchy = self.hierarchy;
        let moving = self.moving(hierarchy.agent, Kind::Integration);
        for &resource in &moving {
            let AnyResource::Integration(integration) = resource else {
                continue;
            };
            let object = integration.object_ref();
            let stays = |other: &ObjectRef<'_>| moving.iter().all(|moving| moving.object_ref() != *other);
            let alike = hierarchy
                .integrations
                .iter()
                .filter(|other| runs_alike(other, integration));
            let alone = !alike.map(|other| other.object_ref()).any(|other| stays(&other));
            self.add(integration_parts(integration, alone), object);
            self.resource_moves(None, hierarchy.contains(object), resource);
        }
    }

    /// Monitors and PodLogs in the namespace, of the instances that the agent has.
    fn children_of_instances(&mut self) {
        for (instance, _) in self.hierarchy.instances() {
            let (config, _) = instance_parts(instance.kind);
            let kinds = RELATIONS.iter().filter(|relation| relation.parent == instance.kind);
            let moving = kinds.flat_map(|relation| self.moving(&instance, relation.child));
            let moving: Vec<_> = moving.filter(|child| !self.is_denied(*child)).collect();
            for child in moving {
                self.add(Parts::of(&[config]), instance.object_ref());
                let is_there = self.graph.selects(&instance, &child);
                self.resource_moves(Some(instance.object_ref()), is_there, child);
            }
        }
    }

    fn add(&mut self, parts: Parts, through: ObjectRef<'d>) {
        self.reach.parts = self.reach.parts.and(parts);
        self.reach.through.insert(through);
    }

    fn resource_moves(&mut self, instance: Option<ObjectRef<'d>>, is_there: bool, resource: AnyResource<'_, 'd>) {
        if is_there {
            let object = resource.object_ref();
            self.going.insert(Referrer { instance, object });
        } else {
            self.coming |= self.copied.come_with(resource, self.graph.resources);
        }
    }

    fn finish(self) -> Reach<'d> {
        let goes = |referrer: &Referrer<'d>| {
            let with_instance = referrer
                .instance
                .is_some_and(|instance| self.going_instances.contains(&instance));
            with_instance || self.going.contains(referrer)
        };
        let values = self.coming || self.copied.go_with(goes);
        let parts = self.reach.parts.with_if(values, Part::Values);
        Reach { parts, ..self.reach }
    }

    /// Whether the agent leaves a resource out since it names files.
    fn is_denied(&self, resource: AnyResource<'h, 'd>) -> bool {
        let agent = AnyResource::GrafanaAgent(self.hierarchy.agent);
        self.graph.denied(agent, resource).is_some()
    }

    /// The children of a kind that a parent selects with some labels of the namespace, and not with others.
    fn moving(&self, parent: &Head<'d>, kind: Kind) -> Vec<AnyResource<'h, 'd>> {
        let selector = self
            .graph
            .selections
            .by(parent, kind)
            .map(|selected| &selected.selector);
        match selector.map(|selector| (&selector.labels, &selector.namespaces)) {
            Some((Scope::Set(labels), namespaces)) if self.decides(namespaces) => {
                let all = self.graph.resources.of(kind);
                let inside = in_namespace(&all, self.name).iter();
                inside
                    .filter(|child| labels.matches(&child.meta.labels))
                    .copied()
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a namespace selector looks at labels that anybody can change.
    fn decides(&self, namespaces: &Scope<'d>) -> bool {
        let Scope::Set(selector) = namespaces else {
            return false;
        };
        let given = TextMap::from([(Namespaces::NAME_LABEL, self.name)]);
        let (by_name, by_labels): (Vec<_>, Vec<_>) = selector
            .requirements()
            .iter()
            .partition(|requirement| requirement.key == Namespaces::NAME_LABEL);
        !by_labels.is_empty() && by_name.iter().all(|requirement| requirement.holds(&given))
    }
}
