//! The ways between places of the input: from a selector to what it selects, from a reference to what it refers to.

use super::graph::Graph;
use crate::api::{Head, ObjectRef, RELATIONS};
use crate::diagnostic::FieldPath;
use crate::resolve::references::{self, AgentUse};
use crate::source::Span;

/// A way from a field to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceLink<'d> {
    /// The field with its value.
    pub from: Span,
    /// The resource that has the field.
    pub by: ObjectRef<'d>,
    /// The name of what it means; of a Secret or ConfigMap the key, where there is one.
    pub to: Span,
    /// What it means.
    pub object: ObjectRef<'d>,
}

/// All ways of an input.
pub fn links<'d>(graph: Graph<'_, 'd>) -> Vec<PlaceLink<'d>> {
    let mut links = selected(graph);
    links.extend(referred(graph));
    links
}

/// From both selectors of a parent to each resource that it selects.
pub fn selected<'d>(graph: Graph<'_, 'd>) -> Vec<PlaceLink<'d>> {
    let mut links = Vec::new();
    for relation in RELATIONS {
        for parent in graph.resources.of(relation.parent) {
            let fields = [relation.labels, relation.namespaces];
            let fields = fields.map(|field| whole_field(&parent, &FieldPath::of(field)));
            for child in graph.selected_of(&parent, relation.child) {
                let link = |from| PlaceLink {
                    from,
                    by: parent.object_ref(),
                    to: child.name_span(),
                    object: child.object_ref(),
                };
                links.extend(fields.into_iter().flatten().map(link));
            }
        }
    }
    links
}

/// From each reference to a Secret or ConfigMap to the key that it names.
fn referred<'d>(graph: Graph<'_, 'd>) -> Vec<PlaceLink<'d>> {
    let all = references::all(graph.resources, |_| AgentUse::EVERYTHING);
    let links = all.filter_map(|(referrer, reference)| {
        let object = reference.object(referrer.meta.namespace);
        let target = graph.resources.data_object(object)?;
        let entries = ["stringData", "data", "binaryData"].into_iter();
        let mut entries = entries.filter_map(|field| target.root.get(field)?.entry(reference.selector.key));
        Some(PlaceLink {
            from: whole_field(&referrer, &reference.path)?,
            by: referrer.object_ref(),
            to: entries
                .next()
                .map_or_else(|| target.name_span(), |entry| entry.key_span),
            object,
        })
    });
    links.collect()
}

/// A field from its key to the end of its value.
fn whole_field(resource: &Head<'_>, path: &FieldPath<'_>) -> Option<Span> {
    let value = path.find(resource.root)?.span();
    let key = resource.locate(path);
    Some(Span {
        start: key.start.min(value.start),
        ..value
    })
}
