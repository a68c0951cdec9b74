//! The edges to what is selected.

use std::collections::HashSet;

use super::build::Builder;
use super::graph::{Edge, EntryId};
use crate::api::{GrafanaAgent, Kind, ObjectRef, RELATIONS, Resource, find};
use crate::resolve::Selections;

impl<'d> Builder<'d> {
    /// Adds the edges to what is selected.
    pub(super) fn select(&mut self) {
        let resources = self.resources;
        let selections = Selections::new(resources);
        for relation in &RELATIONS {
            let parents = resources.of(relation.parent).into_iter();
            let children = resources.of(relation.child);
            for (parent, selected) in parents.zip(selections.of(relation.child)) {
                let children = selected.positions.iter().filter_map(|&i| children.get(i));
                let edges: Vec<_> = children
                    .filter_map(|child| self.ids.get(&child.object_ref()).copied().map(Edge::to))
                    .collect();
                self.extend(parent.object_ref(), edges);
            }
        }
        for agent in resources
            .agents
            .iter()
            .filter(|a| a.spec.metrics.arbitrary_fs_access_through_sms.deny)
        {
            self.deny(agent);
        }
    }

    /// Marks the ServiceMonitors that an agent leaves out (`filterServiceMonitors`).
    fn deny(&mut self, agent: &Resource<'d, GrafanaAgent<'d>>) {
        let names_files = |object: &ObjectRef<'_>| {
            let monitor = find(&self.resources.service_monitors, object.namespace, object.name);
            monitor.is_some_and(|m| m.spec.endpoints.iter().any(|endpoint| endpoint.names_files()))
        };
        let denied: HashSet<EntryId> = self
            .ids
            .iter()
            .filter(|(object, _)| object.kind == Kind::ServiceMonitor && names_files(object))
            .map(|(_, &id)| id)
            .collect();
        let Some(&agent) = self.ids.get(&agent.object_ref()) else {
            return;
        };
        let instances = self.entries.get(agent.0).into_iter().flat_map(|entry| &entry.edges);
        let instances: Vec<_> = instances.map(|edge| edge.to).collect();
        for instance in instances {
            let edges = self
                .entries
                .get_mut(instance.0)
                .into_iter()
                .flat_map(|entry| &mut entry.edges);
            for edge in edges.filter(|edge| denied.contains(&edge.to)) {
                edge.denied_by.push(agent);
            }
        }
    }
}
