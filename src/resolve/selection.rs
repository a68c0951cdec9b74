//! Which children a parent selects (the operator's `toSelector` and `hierarchy.List`), and the namespaces that selectors
//! look at.

use std::collections::{BTreeMap, BTreeSet};

use super::selector::{InvalidSelector, Selector};
use crate::api::{LabelSelector, ObjectRef, RELATIONS, Relation, Resources, Selectors, TextMap};

/// A label selector of a parent as it is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope<'d> {
    /// It is not set.
    Missing,
    /// Kubernetes refuses it, or a part of it was refused, so that what is left of it would select more than it says.
    Invalid(Option<InvalidSelector>),
    Set(Selector<'d>),
}

impl<'d> Scope<'d> {
    /// The selector, where there is one that can be evaluated.
    pub fn set(&self) -> Option<&Selector<'d>> {
        match self {
            Scope::Set(selector) => Some(selector),
            Scope::Missing | Scope::Invalid(_) => None,
        }
    }
}

/// A parent's two selectors for one kind of child, checked.
#[derive(Clone, Debug)]
pub struct ParentSelector<'d> {
    /// The kinds, and the fields of the selectors.
    pub relation: &'static Relation,
    pub parent: ObjectRef<'d>,
    /// Which labels; missing selects nothing.
    pub labels: Scope<'d>,
    /// Which namespaces; missing means the parent's own.
    pub namespaces: Scope<'d>,
}

impl<'d> ParentSelector<'d> {
    /// Checks the selectors of a parent; `is_lost` is asked which of the fields are not fully known.
    pub fn new(
        relation: &'static Relation,
        parent: ObjectRef<'d>,
        [labels, namespaces]: Selectors<'_, 'd>,
        is_lost: impl Fn(&str) -> bool,
    ) -> Self {
        let scope = |selector: &Option<LabelSelector<'d>>, path| match selector.as_ref().map(Selector::new) {
            Some(Err(invalid)) => Scope::Invalid(Some(invalid)),
            _ if is_lost(path) => Scope::Invalid(None),
            None => Scope::Missing,
            Some(Ok(selector)) => Scope::Set(selector),
        };
        Self {
            relation,
            parent,
            labels: scope(labels, relation.labels),
            namespaces: scope(namespaces, relation.namespaces),
        }
    }

    /// The fields with a selector that Kubernetes refuses.
    pub fn invalid(&self) -> impl Iterator<Item = (&'static str, &InvalidSelector)> {
        let (labels, namespaces) = (self.relation.labels, self.relation.namespaces);
        let scopes = [(namespaces, &self.namespaces), (labels, &self.labels)].into_iter();
        scopes.filter_map(|(field, scope)| match scope {
            Scope::Invalid(invalid) => Some((field, invalid.as_ref()?)),
            Scope::Missing | Scope::Set(_) => None,
        })
    }

    /// What distinguishes parents that select differently: their selectors, and their namespace where it matters.
    pub fn reach(&self) -> (&Scope<'d>, &Scope<'d>, &'d str) {
        let namespace = match &self.namespaces {
            Scope::Missing => self.parent.namespace,
            Scope::Invalid(_) | Scope::Set(_) => "",
        };
        (&self.labels, &self.namespaces, namespace)
    }
}

/// The namespaces in which a parent looks for children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched<'d> {
    Own(&'d str),
    /// Those among the known ones whose labels it wants.
    Labelled(Vec<&'d str>),
    All,
}

impl<'d> ParentSelector<'d> {
    /// Where children may be; none where nothing is selected.
    pub fn searched(&self, namespaces: &Namespaces<'d>) -> Option<Searched<'d>> {
        self.labels.set()?;
        match &self.namespaces {
            Scope::Invalid(_) => None,
            Scope::Missing => Some(Searched::Own(self.parent.namespace)),
            Scope::Set(wanted) if wanted.requirements().is_empty() => Some(Searched::All),
            Scope::Set(wanted) => {
                let labelled = namespaces.iter().filter(|(_, labels)| wanted.matches(labels));
                Some(Searched::Labelled(labelled.map(|(name, _)| name).collect()))
            }
        }
    }
}

/// Labels by namespace. Every namespace in use exists; one that nothing describes has just its name as label.
pub struct Namespaces<'d> {
    labels: BTreeMap<&'d str, TextMap<'d>>,
    /// Those that a manifest or a flag describes.
    described: BTreeSet<&'d str>,
    /// The labels of any other namespace.
    none: TextMap<'d>,
}

impl<'d> Namespaces<'d> {
    /// The label that the API server puts on every namespace, and that nobody can change.
    pub const NAME_LABEL: &'static str = "kubernetes.io/metadata.name";

    /// The namespaces that are described or in use.
    pub fn new(resources: &Resources<'d>) -> Self {
        let mut namespaces: BTreeMap<_, TextMap<'d>> = BTreeMap::new();
        for namespace in &resources.namespaces {
            namespaces.insert(namespace.meta.name, namespace.meta.labels.clone());
        }
        for (name, told) in resources.namespace_labels.into_iter().flatten() {
            let labels = namespaces.entry(name.as_str()).or_default();
            for (key, value) in told {
                labels.insert(key, value);
            }
        }
        let described = namespaces.keys().copied().collect();
        for child in RELATIONS.iter().flat_map(|relation| resources.of(relation.child)) {
            namespaces.entry(child.meta.namespace).or_default();
        }
        for (&name, labels) in &mut namespaces {
            labels.insert(Self::NAME_LABEL, name);
        }
        Self {
            labels: namespaces,
            described,
            none: TextMap::default(),
        }
    }

    /// The labels of a namespace; none where it is neither described nor in use.
    pub fn labels(&self, name: &str) -> &TextMap<'d> {
        self.labels.get(name).unwrap_or(&self.none)
    }

    /// Whether a namespace has this label, or has not, for certain.
    pub fn is_known(&self, name: &str, label: &str) -> bool {
        label == Self::NAME_LABEL || self.described.contains(name)
    }

    /// Names and labels, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'d str, &TextMap<'d>)> {
        self.labels.iter().map(|(&name, labels)| (name, labels))
    }
}
