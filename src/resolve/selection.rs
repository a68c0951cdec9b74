//! Selection of a parent's children (the operator's `toSelector` and `hierarchy.List`), and the namespaces to search.

use std::collections::{BTreeMap, BTreeSet};

use super::selector::{InvalidSelector, Selector};
use crate::api::{LabelSelector, ObjectRef, RELATIONS, Relation, Resources, Selectors, TextMap};

/// A parent's label selector, ready for evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SelectorScope<'d> {
    /// The selector is not set.
    Missing,
    /// Kubernetes rejects the selector, or only part of it was accepted and would select too much.
    Invalid(Option<InvalidSelector>),
    Set(Selector<'d>),
}

impl<'d> SelectorScope<'d> {
    /// Returns the selector, or `None` if it cannot be evaluated.
    pub fn set(&self) -> Option<&Selector<'d>> {
        match self {
            SelectorScope::Set(selector) => Some(selector),
            SelectorScope::Missing | SelectorScope::Invalid(_) => None,
        }
    }
}

/// A parent's two selectors for a kind of child, validated.
#[derive(Clone, Debug)]
pub struct ParentSelector<'d> {
    /// Kinds of the parent and child, and the fields that contain the selectors.
    pub relation: &'static Relation,
    pub parent: ObjectRef<'d>,
    /// Label selector. If it is missing, nothing is selected.
    pub labels: SelectorScope<'d>,
    /// Namespace selector. If it is missing, only the parent's own namespace is searched.
    pub namespaces: SelectorScope<'d>,
}

impl<'d> ParentSelector<'d> {
    /// Validates a parent's selectors. `is_lost` returns whether any part of a field was rejected.
    pub fn new(
        relation: &'static Relation,
        parent: ObjectRef<'d>,
        [labels, namespaces]: Selectors<'_, 'd>,
        is_lost: impl Fn(&str) -> bool,
    ) -> Self {
        let to_scope = |selector: &Option<LabelSelector<'d>>, path| match selector.as_ref().map(Selector::new) {
            Some(Err(invalid)) => SelectorScope::Invalid(Some(invalid)),
            _ if is_lost(path) => SelectorScope::Invalid(None),
            None => SelectorScope::Missing,
            Some(Ok(selector)) => SelectorScope::Set(selector),
        };
        Self {
            relation,
            parent,
            labels: to_scope(labels, relation.labels),
            namespaces: to_scope(namespaces, relation.namespaces),
        }
    }

    /// Returns the fields whose selectors Kubernetes rejects, with the reasons.
    pub fn invalid_selectors(&self) -> impl Iterator<Item = (&'static str, &InvalidSelector)> {
        let (labels, namespaces) = (self.relation.labels, self.relation.namespaces);
        let scopes = [(namespaces, &self.namespaces), (labels, &self.labels)].into_iter();
        scopes.filter_map(|(field, scope)| match scope {
            SelectorScope::Invalid(invalid) => Some((field, invalid.as_ref()?)),
            SelectorScope::Missing | SelectorScope::Set(_) => None,
        })
    }

    /// Returns a key that is equal for parents with equal selections. It consists of the selectors and, if relevant,
    /// the parent's namespace.
    pub fn selection_key(&self) -> (&SelectorScope<'d>, &SelectorScope<'d>, &'d str) {
        let namespace = match &self.namespaces {
            SelectorScope::Missing => self.parent.namespace,
            SelectorScope::Invalid(_) | SelectorScope::Set(_) => "",
        };
        (&self.labels, &self.namespaces, namespace)
    }
}

/// Namespaces that a parent searches for children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchedNamespaces<'d> {
    Own(&'d str),
    /// Known namespaces with matching labels.
    Labeled(Vec<&'d str>),
    All,
}

impl<'d> ParentSelector<'d> {
    /// Returns the namespaces to search, or `None` if nothing can be selected.
    pub fn searched_namespaces(&self, namespaces: &Namespaces<'d>) -> Option<SearchedNamespaces<'d>> {
        self.labels.set()?;
        match &self.namespaces {
            SelectorScope::Invalid(_) => None,
            SelectorScope::Missing => Some(SearchedNamespaces::Own(self.parent.namespace)),
            SelectorScope::Set(wanted) if wanted.requirements().is_empty() => Some(SearchedNamespaces::All),
            SelectorScope::Set(wanted) => {
                let labeled_namespaces = namespaces.iter().filter(|(_, labels)| wanted.matches(labels));
                Some(SearchedNamespaces::Labeled(labeled_namespaces.map(|(name, _)| name).collect()))
            }
        }
    }
}

/// Labels by namespace. Every namespace in use exists. If its labels are not defined, it has only the name label.
pub struct Namespaces<'d> {
    labels: BTreeMap<&'d str, TextMap<'d>>,
    /// Namespaces whose labels are defined by a manifest or a flag.
    described: BTreeSet<&'d str>,
    /// Labels of unknown namespaces, which are empty.
    none: TextMap<'d>,
}

impl<'d> Namespaces<'d> {
    /// Immutable label that the API server sets on every namespace.
    pub const NAME_LABEL: &'static str = "kubernetes.io/metadata.name";

    /// Collects the namespaces that are defined or in use.
    pub fn new(resources: &Resources<'d>) -> Self {
        let mut namespaces: BTreeMap<_, TextMap<'d>> = BTreeMap::new();
        for namespace in &resources.namespaces {
            namespaces.insert(namespace.meta.name, namespace.meta.labels.clone());
        }
        for (name, flag_labels) in resources.namespace_labels.into_iter().flatten() {
            let labels = namespaces.entry(name.as_str()).or_default();
            for (key, value) in flag_labels {
                labels.insert(key, value);
            }
        }
        let described_namespaces = namespaces.keys().copied().collect();
        for child in RELATIONS.iter().flat_map(|relation| resources.list(relation.child)) {
            namespaces.entry(child.meta.namespace).or_default();
        }
        for (&name, labels) in &mut namespaces {
            labels.insert(Self::NAME_LABEL, name);
        }
        Self { labels: namespaces, described: described_namespaces, none: TextMap::default() }
    }

    /// Returns the labels of a namespace. They are empty if the namespace is neither defined nor in use.
    pub fn labels(&self, name: &str) -> &TextMap<'d> {
        self.labels.get(name).unwrap_or(&self.none)
    }

    /// Whether it is certain that the namespace has or lacks this label.
    pub fn is_known(&self, name: &str, label: &str) -> bool {
        label == Self::NAME_LABEL || self.described.contains(name)
    }

    /// Returns names and labels, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'d str, &TextMap<'d>)> {
        self.labels.iter().map(|(&name, labels)| (name, labels))
    }
}
