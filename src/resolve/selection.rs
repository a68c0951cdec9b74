//! Which children a parent selects (the operator's `toSelector` and `hierarchy.List`).

use super::diagnostics;
use super::namespaces::Namespaces;
use super::selector::Selector;
use crate::api::{LabelSelector, Resource, in_namespace};
use crate::diagnostic::{Diagnostic, FieldPath};

/// A parent's two selectors for one kind of child, and where they stand in it.
pub struct ChildSelector<'p, 'd> {
    /// Which labels; missing selects nothing.
    pub labels: Option<&'p LabelSelector<'d>>,
    /// The field of `labels`.
    pub labels_path: &'static str,
    /// Which namespaces; missing means the parent's own.
    pub namespaces: Option<&'p LabelSelector<'d>>,
    /// The field of `namespaces`.
    pub namespaces_path: &'static str,
}

/// The children that `parent` selects, by namespace and name; none where a selector is invalid, which is reported.
pub fn select<'h, 'd, P, C>(
    parent: &Resource<'d, P>,
    selector: &ChildSelector<'_, 'd>,
    children: &'h [Resource<'d, C>],
    namespaces: &Namespaces<'d>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'h Resource<'d, C>> {
    let namespace_labels = selector
        .namespaces
        .map(|s| checked(parent, s, selector.namespaces_path, diagnostics));
    let Some(labels) = selector
        .labels
        .and_then(|s| checked(parent, s, selector.labels_path, diagnostics))
    else {
        return Vec::new();
    };
    let in_scope: Vec<&str> = match &namespace_labels {
        None => vec![parent.meta.namespace],
        Some(None) => Vec::new(),
        Some(Some(wanted)) => namespaces
            .iter()
            .filter(|(_, labels)| wanted.matches(labels))
            .map(|(name, _)| name)
            .collect(),
    };
    in_scope
        .into_iter()
        .flat_map(|namespace| in_namespace(children, namespace))
        .filter(|child| labels.matches(&child.meta.labels))
        .collect()
}

fn checked<'d, P>(
    parent: &Resource<'d, P>,
    selector: &LabelSelector<'d>,
    path: &'static str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Selector<'d>> {
    Selector::new(selector)
        .map_err(|invalid| diagnostics.push(diagnostics::invalid_selector(parent, &FieldPath::of(path), invalid)))
        .ok()
}
