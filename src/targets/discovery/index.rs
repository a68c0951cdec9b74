//! Index of objects by label. Most jobs start with a rule that keeps only the targets of one Service or of a few pods.

use std::collections::HashMap;

use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObservedObjects, SERVICE_NAME, is_placeholder};

/// Placeholder for a label value that only a cluster can determine. No label has this value.
const UNKNOWN_VALUE: &str = "<>";

/// Index of a role's objects by the labels that are common to all targets of an object.
#[derive(Debug, Default)]
pub struct Index(HashMap<(String, String), Vec<usize>>);

impl Index {
    /// Creates an index of a role's objects. Endpoints and EndpointSlices are indexed by the labels of their Service.
    pub fn new(objects: &ObservedObjects<'_>, role: DiscoveryRole) -> Self {
        let mut index = Self::default();
        for (position, object) in objects.list(role.kind()).iter().enumerate() {
            let service = match role {
                DiscoveryRole::Endpoints => Some(object.name),
                DiscoveryRole::EndpointSlice => object.label(SERVICE_NAME),
                _ => None,
            };
            let service = service.and_then(|name| objects.find(DiscoveryRole::Service.kind(), object.namespace, name));
            match (role, service) {
                (_, Some(service)) => index.add(DiscoveryRole::Service, service, position),
                (DiscoveryRole::Endpoints | DiscoveryRole::EndpointSlice, None) => {}
                _ => index.add(role, object, position),
            }
        }
        index
    }

    fn add(&mut self, role: DiscoveryRole, object: &ClusterObject<'_>, position: usize) {
        for (name, value) in &object.labels {
            let mut add_value = |what: &str, value: &str| {
                let value = if object.is_potential && is_placeholder(value) { UNKNOWN_VALUE } else { value };
                let key = (role.meta_label(what, name), value.to_owned());
                let positions: &mut Vec<usize> = self.0.entry(key).or_default();
                if positions.last() != Some(&position) {
                    positions.push(position);
                }
            };
            add_value("label", value);
            add_value("labelpresent", "true");
        }
    }

    /// Returns the indices of the objects whose targets may have one of `values` for `label`, in order. Returns `None`
    /// if the label is not indexed, or if `values` includes the empty string, which also matches a missing label.
    pub fn candidates(&self, role: DiscoveryRole, label: &str, values: &[String]) -> Option<Vec<usize>> {
        let object = match role {
            DiscoveryRole::Endpoints | DiscoveryRole::EndpointSlice => DiscoveryRole::Service,
            role => role,
        };
        let label_suffix = label.strip_prefix("__meta_kubernetes_")?.strip_prefix(object.as_str())?;
        let is_ordered = label_suffix.starts_with("_label_") || label_suffix.starts_with("_labelpresent_");
        if !is_ordered || values.iter().any(String::is_empty) {
            return None;
        }
        let values = values.iter().map(String::as_str).chain([UNKNOWN_VALUE]);
        let indexes = values.filter_map(|value| self.0.get(&(label.to_owned(), value.to_owned())));
        let mut positions: Vec<usize> = indexes.flatten().copied().collect();
        positions.sort_unstable();
        positions.dedup();
        Some(positions)
    }
}
