//! Which children a parent selects (the operator's `toSelector` and `hierarchy.List`).

use super::diagnostics;
use super::namespaces::Namespaces;
use super::selector::{InvalidSelector, Selector};
use crate::api::{LabelSelector, Resource, namespace_range};
use crate::diagnostic::{Diagnostic, FieldPath};

/// A parent's two selectors for one kind of child, and where they stand in it.
#[derive(Clone, Copy)]
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

/// A label selector of a parent as it is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope<'d> {
    /// It is not set.
    Missing,
    /// Kubernetes refuses it.
    Invalid,
    /// It is set.
    Set(Selector<'d>),
}

/// A parent's two selectors, checked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ParentSelector<'d> {
    /// The parent's namespace.
    pub namespace: &'d str,
    /// Which labels; missing selects nothing.
    pub labels: Scope<'d>,
    /// The field of `labels`.
    pub labels_path: &'static str,
    /// Which namespaces; missing means the parent's own.
    pub namespaces: Scope<'d>,
    /// The field of `namespaces`.
    pub namespaces_path: &'static str,
}

impl<'d> ParentSelector<'d> {
    /// Checks the selectors of a parent in `namespace`; what is wrong with them goes to `refuse`, with the field.
    pub fn new(
        namespace: &'d str,
        selector: &ChildSelector<'_, 'd>,
        mut refuse: impl FnMut(&'static str, InvalidSelector),
    ) -> Self {
        let mut scope = |selector: Option<&LabelSelector<'d>>, path| match selector.map(Selector::new) {
            None => Scope::Missing,
            Some(Ok(selector)) => Scope::Set(selector),
            Some(Err(invalid)) => {
                refuse(path, invalid);
                Scope::Invalid
            }
        };
        Self {
            namespace,
            namespaces: scope(selector.namespaces, selector.namespaces_path),
            namespaces_path: selector.namespaces_path,
            labels: scope(selector.labels, selector.labels_path),
            labels_path: selector.labels_path,
        }
    }

    /// Where the selected ones stand among children that are ordered by namespace and name; none where a selector is
    /// invalid.
    pub fn positions<C>(&self, children: &[Resource<'d, C>], namespaces: &Namespaces<'d>) -> Vec<usize> {
        let Scope::Set(labels) = &self.labels else {
            return Vec::new();
        };
        let in_scope: Vec<&str> = match &self.namespaces {
            Scope::Missing => vec![self.namespace],
            Scope::Invalid => Vec::new(),
            Scope::Set(wanted) => namespaces
                .iter()
                .filter(|(_, labels)| wanted.matches(labels))
                .map(|(name, _)| name)
                .collect(),
        };
        let selected = |i: &usize| children.get(*i).is_some_and(|child| labels.matches(&child.meta.labels));
        in_scope
            .into_iter()
            .flat_map(|namespace| namespace_range(children, namespace))
            .filter(selected)
            .collect()
    }
}

/// The children that `parent` selects, by namespace and name; none where a selector is invalid, which is reported.
pub fn select<'h, 'd, P, C>(
    parent: &Resource<'d, P>,
    selector: &ChildSelector<'_, 'd>,
    children: &'h [Resource<'d, C>],
    namespaces: &Namespaces<'d>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'h Resource<'d, C>> {
    let selector = ParentSelector::new(parent.meta.namespace, selector, |path, invalid| {
        diagnostics.push(diagnostics::invalid_selector(parent, &FieldPath::of(path), invalid));
    });
    let positions = selector.positions(children, namespaces);
    positions.into_iter().filter_map(|i| children.get(i)).collect()
}
