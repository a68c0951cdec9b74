//! The edges to Secrets and ConfigMaps.

use super::build::Builder;
use super::graph::{Edge, Reference};
use super::mounted;
use crate::api::{AnyResource, Kind, ObjectRef};
use crate::resolve::references::{self, AgentUse};

impl<'d> Builder<'d> {
    /// Adds the edges to Secrets and ConfigMaps.
    pub(super) fn refer(&mut self) {
        let resources = self.resources;
        let mut kinds = Kind::ALL.to_vec();
        // The entries are numbered in this order: first what those refer to that mount whole objects.
        kinds.sort_by_key(|kind| !matches!(kind, Kind::GrafanaAgent | Kind::Integration));
        for resource in kinds.into_iter().flat_map(|kind| resources.of(kind)) {
            let mut found = self.keys(resource);
            found.extend(
                mounted::of(resource)
                    .into_iter()
                    .map(|mounted| mounted.into_reference(resource.meta.namespace)),
            );
            self.connect(resource.object_ref(), found);
        }
    }

    /// The keys that fields of a resource refer to.
    fn keys(&self, resource: AnyResource<'d, 'd>) -> Vec<(ObjectRef<'d>, Reference<'d>)> {
        let references = references::of(resource, AgentUse::EVERYTHING).into_iter();
        let references = references.map(|reference| {
            let (object, key) = (reference.object(resource.meta.namespace), reference.selector.key);
            let reference = Reference {
                key: Some(key),
                field: reference.path.to_string(),
                is_missing: self.lacks_key(&object, key),
            };
            (object, reference)
        });
        references.collect()
    }

    fn connect(&mut self, from: ObjectRef<'d>, mut found: Vec<(ObjectRef<'d>, Reference<'d>)>) {
        found.retain(|(object, _)| !object.name.is_empty());
        // The order of the fields stays.
        found.sort_by_key(|&(object, _)| object);
        let mut edges: Vec<Edge<'d>> = Vec::new();
        for (object, reference) in found {
            let to = self.referred_to(object);
            match edges.last_mut().filter(|edge| edge.to == to) {
                Some(edge) => edge.references.push(reference),
                None => edges.push(Edge {
                    references: vec![reference],
                    ..Edge::to(to)
                }),
            }
        }
        self.extend(from, edges);
    }

    /// Whether an object that is there has no such key.
    fn lacks_key(&self, object: &ObjectRef<'_>, key: &str) -> bool {
        match self.data(object) {
            Some(data) => !data.spec.values.contains_key(key),
            None => self
                .promised(object)
                .is_some_and(|p| p.all_keys && !p.keys.contains(&key)),
        }
    }
}
