//! The namespaces of a run and their labels.

use std::collections::BTreeMap;

use crate::api::{RELATIONS, Resources, TextMap};

/// Labels by namespace. Every namespace in use exists; one that no manifest describes has just its name as label.
pub struct Namespaces<'d>(BTreeMap<&'d str, TextMap<'d>>);

impl<'d> Namespaces<'d> {
    /// The label that the API server puts on every namespace, and that nobody can change.
    pub const NAME_LABEL: &'static str = "kubernetes.io/metadata.name";

    /// The namespaces that are described or in use.
    pub fn new(resources: &Resources<'d>) -> Self {
        let mut namespaces = BTreeMap::new();
        for namespace in &resources.namespaces {
            namespaces.insert(namespace.meta.name, namespace.meta.labels.clone());
        }
        for child in RELATIONS.iter().flat_map(|relation| resources.of(relation.child)) {
            namespaces.entry(child.meta.namespace).or_default();
        }
        for (&name, labels) in &mut namespaces {
            labels.insert(Self::NAME_LABEL, name);
        }
        Self(namespaces)
    }

    /// The labels of a namespace; none where it is neither described nor in use.
    pub fn labels(&self, name: &str) -> Option<&TextMap<'d>> {
        self.0.get(name)
    }

    /// Names and labels, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'d str, &TextMap<'d>)> {
        self.0.iter().map(|(&name, labels)| (name, labels))
    }
}
