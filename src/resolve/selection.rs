//! Which children a parent selects (the operator's `toSelector` and `hierarchy.List`).

use super::namespaces::Namespaces;
use super::selector::{InvalidSelector, Selector};
use crate::api::{LabelSelector, Resource, TextMap};

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

impl<'d> Scope<'d> {
    /// The selector, where there is one that can be evaluated.
    pub fn set(&self) -> Option<&Selector<'d>> {
        match self {
            Scope::Set(selector) => Some(selector),
            Scope::Missing | Scope::Invalid => None,
        }
    }
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

    /// Takes the selectors at fields that are not fully known for invalid.
    pub fn mistrust(&mut self, is_lost: impl Fn(&str) -> bool) {
        if is_lost(self.labels_path) {
            self.labels = Scope::Invalid;
        }
        if is_lost(self.namespaces_path) {
            self.namespaces = Scope::Invalid;
        }
    }

    /// Whether a child is selected. Of many, [`super::Selections`] finds the selected ones sooner.
    pub fn selects<C>(&self, child: &Resource<'d, C>, namespaces: &Namespaces<'d>) -> bool {
        let no_labels = TextMap::default();
        let in_scope = match &self.namespaces {
            Scope::Missing => child.meta.namespace == self.namespace,
            Scope::Invalid => false,
            Scope::Set(wanted) => wanted.matches(namespaces.labels(child.meta.namespace).unwrap_or(&no_labels)),
        };
        in_scope
            && self
                .labels
                .set()
                .is_some_and(|labels| labels.matches(&child.meta.labels))
    }

    /// What tells parents apart that select differently: their selectors, and their namespace where it matters.
    pub fn reach(&self) -> (&Scope<'d>, &Scope<'d>, &'d str) {
        let namespace = match &self.namespaces {
            Scope::Missing => self.namespace,
            Scope::Invalid | Scope::Set(_) => "",
        };
        (&self.labels, &self.namespaces, namespace)
    }
}
