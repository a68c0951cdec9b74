//! Selections of all agents and instances, computed once.

use std::collections::HashMap;
use std::sync::Arc;

use super::Namespaces;
use super::selection::{ParentSelector, SelectorScope};
use super::selector::Selector;
use crate::api::{
    AnyResource, Kind, ObjectRef, RELATIONS, RejectedFields, Relation, ResourceHeader, Resources, namespace_range,
};

/// The resources of one kind that a parent selects.
#[derive(Clone, Debug)]
pub struct Selected<'d> {
    pub selector: ParentSelector<'d>,
    /// Indices of the selected resources, in order. Empty if a selector is invalid. Parents with equal selections share
    /// the list.
    pub indices: Arc<[usize]>,
}

/// Selections of all parents, by kind of child and in the order of the parents.
pub struct Selections<'d> {
    /// Namespaces that selectors are matched against.
    pub namespaces: Namespaces<'d>,
    by_child: HashMap<Kind, Vec<Selected<'d>>>,
    /// Number of indices that may still be stored, or `None` if the limit was exceeded.
    room: Option<usize>,
}

/// Maximum number of indices to store. The number can be quadratic in the size of the input.
const MAX_POSITIONS: usize = 5_000_000;

impl<'d> Selections<'d> {
    /// Computes the selections of these resources.
    pub fn new(resources: &Resources<'d>) -> Self {
        let namespaces = Namespaces::new(resources);
        let mut positions_left = Some(MAX_POSITIONS);
        let by_child = RELATIONS
            .iter()
            .map(|relation| (relation.child, select(relation, resources, &namespaces, &mut positions_left)));
        Self { by_child: by_child.collect(), room: positions_left, namespaces }
    }

    pub fn clear(&mut self) {
        self.by_child.clear();
    }

    /// Whether the limit was exceeded, so that some selections are incomplete.
    pub fn are_too_many(&self) -> bool {
        self.room.is_none()
    }

    /// Returns the number of pairs of a parent and a selected resource.
    pub fn pairs(&self) -> usize {
        let all_selected = self.by_child.values().flatten();
        all_selected.map(|selected| selected.indices.len()).sum()
    }

    /// Returns the children of this kind that a parent selects.
    pub fn for_parent(&self, parent: &ResourceHeader<'_>, child: Kind) -> Option<&Selected<'d>> {
        let selections = self.child_selections(child);
        let parent_key = (parent.meta.namespace, parent.meta.name);
        let position = selections.binary_search_by(|selection| {
            (selection.selector.parent.namespace, selection.selector.parent.name).cmp(&parent_key)
        });
        selections.get(position.ok()?)
    }

    /// Returns the children of this kind that each parent selects.
    pub fn child_selections(&self, child: Kind) -> &[Selected<'d>] {
        self.by_child.get(&child).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Returns the selections of all parents in a relation.
fn select<'d>(
    relation: &'static Relation,
    resources: &Resources<'d>,
    namespaces: &Namespaces<'d>,
    room: &mut Option<usize>,
) -> Vec<Selected<'d>> {
    let parents = resources.list(relation.parent).into_iter();
    let children = resources.list(relation.child);
    let selectors = parents.map(|parent| {
        let object = parent.object_ref();
        let is_lost = |path: &str| is_lost(&resources.rejected_fields, object, path);
        ParentSelector::new(relation, object, relation.selectors(parent), is_lost)
    });
    let selectors: Vec<_> = selectors.collect();
    let mut known_positions = HashMap::new();
    let positions: Vec<_> = selectors
        .iter()
        .map(|selector| {
            let known_entry = known_positions.entry(selector.selection_key());
            Arc::clone(known_entry.or_insert_with(|| {
                let matching_positions = room.map(|_| positions(selector, &children, namespaces)).unwrap_or_default();
                *room = room.and_then(|room| room.checked_sub(matching_positions.len()));
                matching_positions.into()
            }))
        })
        .collect();
    let selected_children = selectors.into_iter().zip(positions);
    selected_children.map(|(selector, positions)| Selected { selector, indices: positions }).collect()
}

/// Whether part of a selector was rejected.
fn is_lost(rejected: &RejectedFields<'_>, parent: ObjectRef<'_>, path: &str) -> bool {
    let mut parts = ["matchLabels", "matchExpressions"].iter();
    rejected.has_any(parent) && parts.any(|part| rejected.has(parent, &format!("{path}.{part}")))
}

/// Returns the indices of the children that a parent selects (`hierarchy.List`).
fn positions<'d>(
    selector: &ParentSelector<'d>,
    children: &[AnyResource<'_, 'd>],
    namespaces: &Namespaces<'d>,
) -> Vec<usize> {
    let SelectorScope::Set(labels) = &selector.labels else {
        return Vec::new();
    };
    let (range, namespace_labels) = match &selector.namespaces {
        SelectorScope::Missing => (namespace_range(children, selector.parent.namespace), None),
        SelectorScope::Invalid(_) => return Vec::new(),
        SelectorScope::Set(wanted) => (0..children.len(), Some(wanted)),
    };
    let is_selected = |child: &AnyResource<'_, 'd>| {
        let is_in_scope = |wanted: &Selector<'_>| wanted.matches(namespaces.labels(child.meta.namespace));
        labels.matches(&child.meta.labels) && namespace_labels.is_none_or(is_in_scope)
    };
    range.filter(|i| children.get(*i).is_some_and(is_selected)).collect()
}

#[cfg(test)]
mod tests;
