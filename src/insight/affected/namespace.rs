//! What the labels of a namespace decide: the one resource that is about the selection of others.

use std::collections::HashSet;

use super::dependencies::{Copied, Gone, Reach, Referrer, WITH_INSTANCES, integration_roles, part_of};
use super::roles::Roles;
use crate::api::{AnyResource, Kind, ObjectRef, RELATIONS, TextMap};
use crate::insight::graph::{Graph, is_denied};
use crate::manifest::Role;
use crate::resolve::{Hierarchy, Namespaces, Scope, Selector};

/// The resources of an agent that are selected by labels of namespaces.
pub struct SelectedByLabels<'r, 'h, 'd> {
    hierarchy: &'r Hierarchy<'h, 'd>,
    graph: Graph<'h, 'd>,
    copied: &'r Copied<'d>,
    members: HashSet<ObjectRef<'d>>,
    /// The agent's own selections, and those of its instances.
    of_agent: Vec<Selection<'h, 'd>>,
    of_instances: Vec<Selection<'h, 'd>>,
}

/// What a parent selects of a kind by labels of namespaces.
struct Selection<'h, 'd> {
    parent: AnyResource<'h, 'd>,
    kind: Kind,
    labels: &'h Selector<'d>,
    namespaces: &'h Selector<'d>,
}

impl<'r, 'h, 'd> SelectedByLabels<'r, 'h, 'd> {
    /// Of one agent.
    pub fn new(hierarchy: &'r Hierarchy<'h, 'd>, graph: Graph<'h, 'd>, copied: &'r Copied<'d>) -> Self {
        let agent = AnyResource::GrafanaAgent(hierarchy.agent);
        let instances = hierarchy.instance_heads();
        Self {
            members: hierarchy.members().map(|member| member.object_ref()).collect(),
            of_agent: selections(agent, graph).collect(),
            of_instances: instances.flat_map(|instance| selections(instance, graph)).collect(),
            hierarchy,
            graph,
            copied,
        }
    }

    /// Returns the objects that may change with the labels of a namespace, since something is selected with some labels and
    /// not with others.
    pub fn reach(&self, name: &'d str) -> Reach<'d> {
        let mut labels = Labels {
            name,
            all: self,
            reach: Reach::default(),
            gone: Gone::default(),
            coming: false,
        };
        for selection in &self.of_agent {
            match selection.kind {
                Kind::Integration => labels.integrations(selection),
                _ => labels.instances(selection),
            }
        }
        labels.children_of_instances();
        labels.finish()
    }
}

/// The selections of a parent that look at labels of namespaces that anybody can change.
fn selections<'h, 'd>(parent: AnyResource<'h, 'd>, graph: Graph<'h, 'd>) -> impl Iterator<Item = Selection<'h, 'd>> {
    let relations = RELATIONS.iter().filter(move |relation| relation.parent == parent.kind);
    relations.filter_map(move |relation| {
        let selector = &graph.selections.by(&parent, relation.child)?.selector;
        let (Scope::Set(labels), Scope::Set(namespaces)) = (&selector.labels, &selector.namespaces) else {
            return None;
        };
        let mut requirements = namespaces.requirements().iter();
        let by_labels = requirements.any(|requirement| requirement.key != Namespaces::NAME_LABEL);
        by_labels.then_some(Selection {
            parent,
            kind: relation.child,
            labels,
            namespaces,
        })
    })
}

/// What the labels of one namespace decide.
struct Labels<'r, 'h, 'd> {
    name: &'d str,
    all: &'r SelectedByLabels<'r, 'h, 'd>,
    reach: Reach<'d>,
    /// Those that may go, of what refers to values.
    gone: Gone<'d>,
    /// Whether something may come that brings new values.
    coming: bool,
}

impl<'h, 'd> Labels<'_, 'h, 'd> {
    /// Instances in the namespace, with all that they select.
    fn instances(&mut self, selection: &Selection<'h, 'd>) {
        let moving = self.moving(selection);
        if moving.is_empty() {
            return;
        }
        let (graph, copied) = (self.all.graph, self.all.copied);
        let part = part_of(selection.kind);
        let roles = Roles::of(&[Role::Configuration(part)])
            .with_if(self.has_all(selection), Role::Pods(part))
            .and(WITH_INSTANCES);
        for instance in moving {
            let object = instance.object_ref();
            self.add(roles, object);
            if self.all.members.contains(&object) {
                self.gone.instances.insert(object);
                continue;
            }
            let children = graph.selected(&instance).into_iter();
            let children = children.filter(|child| !self.is_denied(*child));
            self.coming |= children
                .chain([instance])
                .any(|resource| copied.come_with(resource, graph.resources));
        }
    }

    /// Whether all that is selected is in the namespace.
    fn has_all(&self, selection: &Selection<'h, 'd>) -> bool {
        let graph = self.all.graph;
        let selected = graph.selections.by(&selection.parent, selection.kind);
        let positions = selected.map(|selected| &*selected.positions).unwrap_or_default();
        // They are in the order of their namespaces.
        let ends: Vec<_> = positions.first().into_iter().chain(positions.last()).copied().collect();
        let ends = graph.resources.at(selection.kind, &ends);
        ends.iter().all(|child| child.meta.namespace == self.name)
    }

    /// Integrations in the namespace.
    fn integrations(&mut self, selection: &Selection<'h, 'd>) {
        let all = self.all;
        let moving = self.moving(selection);
        let moving_objects: HashSet<_> = moving.iter().map(|resource| resource.object_ref()).collect();
        let stays = |all_nodes| {
            let mut alike = all.hierarchy.integrations.iter();
            alike.any(|one| one.spec.r#type.all_nodes == all_nodes && !moving_objects.contains(&one.object_ref()))
        };
        let stay = [stays(false), stays(true)];
        for resource in moving {
            let AnyResource::Integration(integration) = resource else {
                continue;
            };
            let object = integration.object_ref();
            let [once, on_nodes] = stay;
            let alone = !if integration.spec.r#type.all_nodes {
                on_nodes
            } else {
                once
            };
            self.add(integration_roles(integration, alone), object);
            self.resource_moves(None, all.members.contains(&object), resource);
        }
    }

    /// Monitors and PodLogs in the namespace, of the instances that the agent has.
    fn children_of_instances(&mut self) {
        let all = self.all;
        for selection in &all.of_instances {
            let instance = selection.parent;
            let config = Role::Configuration(part_of(instance.kind));
            for child in self.moving(selection) {
                if self.is_denied(child) {
                    continue;
                }
                self.add(Roles::of(&[config]), instance.object_ref());
                let is_there = all.graph.selects(&instance, &child);
                self.resource_moves(Some(instance.object_ref()), is_there, child);
            }
        }
    }

    fn add(&mut self, roles: Roles, through: ObjectRef<'d>) {
        self.reach.roles = self.reach.roles.and(roles);
        self.reach.through.insert(through);
    }

    fn resource_moves(&mut self, instance: Option<ObjectRef<'d>>, is_there: bool, resource: AnyResource<'_, 'd>) {
        if is_there {
            let object = resource.object_ref();
            self.gone.referrers.insert(Referrer { instance, object });
        } else {
            self.coming |= self.all.copied.come_with(resource, self.all.graph.resources);
        }
    }

    fn finish(self) -> Reach<'d> {
        let values = self.coming || self.all.copied.go_with(&self.gone);
        let roles = self.reach.roles.with_if(values, Role::Values);
        Reach { roles, ..self.reach }
    }

    /// Whether the agent leaves a resource out since it names files.
    fn is_denied(&self, resource: AnyResource<'h, 'd>) -> bool {
        is_denied(AnyResource::GrafanaAgent(self.all.hierarchy.agent), resource)
    }

    /// What is selected with some labels of the namespace, and not with others.
    fn moving(&self, selection: &Selection<'h, 'd>) -> Vec<AnyResource<'h, 'd>> {
        let given = TextMap::from([(Namespaces::NAME_LABEL, self.name)]);
        let requirements = selection.namespaces.requirements().iter();
        let mut by_name = requirements.filter(|requirement| requirement.key == Namespaces::NAME_LABEL);
        if !by_name.all(|requirement| requirement.holds(&given)) {
            return Vec::new();
        }
        let mut inside = self.all.graph.resources.of_namespace(selection.kind, self.name);
        inside.retain(|child| selection.labels.matches(&child.meta.labels));
        inside
    }
}
