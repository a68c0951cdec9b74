//! One kind of child and the kind of parent that selects it.

use std::collections::BTreeSet;

use crate::api::{AnyResource, Relation, ResourceHeader, Resources};
use crate::resolve::{Namespaces, ParentSelector, Scope, Selected, Selections};

const NAMESPACE: &str = "metadata.namespace";

/// A resource that selects others.
pub struct Parent<'h, 'd> {
    pub head: &'h ResourceHeader<'d>,
    /// An agent that is paused.
    pub paused: bool,
    pub selector: &'h ParentSelector<'d>,
    /// The indices of its selected children among all.
    pub selected: &'h [usize],
    /// What it costs to hold its selectors against a child.
    pub weight: usize,
}

/// A selector of so many requirements and values costs twice as much as a small one, one of twice as many three times.
const LARGE: usize = 64;

impl<'h, 'd> Parent<'h, 'd> {
    fn new(parent: AnyResource<'h, 'd>, selected: &'h Selected<'d>) -> Self {
        Self {
            head: parent.head(),
            paused: matches!(parent, AnyResource::GrafanaAgent(agent) if agent.spec.paused),
            selector: &selected.selector,
            selected: &selected.positions,
            weight: 1 + selected.selector.size() / LARGE,
        }
    }
}

/// All children of a kind, and all that may select them.
pub struct Level<'h, 'd> {
    /// The kinds of the parents and children, and the fields that select.
    pub relation: &'static Relation,
    /// The namespaces, which selectors look at.
    pub namespaces: &'h Namespaces<'d>,
    /// The parents, by namespace and name.
    pub parents: Vec<Parent<'h, 'd>>,
    /// The children, by namespace and name.
    pub children: Vec<&'h ResourceHeader<'d>>,
    /// Number of parents that select each child.
    pub times_selected: Vec<usize>,
    /// What is not known of the parents and children: what is not selected may well be so for that reason.
    doubts: Doubts<'d>,
}

/// What is not known of the parents and children of a level, since it was refused or could not be read.
#[derive(Default)]
struct Doubts<'d> {
    /// The positions, among all parents, of those whose selectors are not known.
    parents: BTreeSet<usize>,
    /// Some of these may look in all namespaces.
    everywhere: bool,
    /// The namespaces that the others look in.
    namespaces: BTreeSet<&'d str>,
    /// The namespaces whose labels are not known.
    unlabelled: BTreeSet<&'d str>,
    /// The positions of the children whose labels or namespace are not known.
    children: BTreeSet<usize>,
    /// There may be children that are not known.
    more_children: bool,
}

impl<'d> Doubts<'d> {
    fn new(
        relation: &Relation,
        parents: &[Parent<'_, 'd>],
        children: &[&ResourceHeader<'d>],
        resources: &Resources<'d>,
    ) -> Self {
        let rejected = &resources.rejected_fields;
        let refused = |kind| {
            let refused = resources.refused.iter().any(|object| object.kind == kind);
            refused || resources.lost.contains(&kind) || resources.unread.may_define(kind)
        };
        let mut doubts = Self {
            everywhere: refused(relation.parent),
            more_children: refused(relation.child),
            ..Self::default()
        };
        for (i, parent) in parents.iter().enumerate() {
            let (object, selector) = (parent.head.object_ref(), parent.selector);
            let is_unknown =
                |scope: &Scope<'_>, path| matches!(scope, Scope::Invalid(_)) || rejected.touch(object, path);
            let wants_unknown =
                is_unknown(&selector.namespaces, relation.namespaces) || rejected.touch(object, NAMESPACE);
            if wants_unknown || is_unknown(&selector.labels, relation.labels) {
                doubts.parents.insert(i);
                if wants_unknown || selector.namespaces != Scope::Missing {
                    doubts.everywhere = true;
                } else {
                    doubts.namespaces.insert(object.namespace);
                }
            }
        }
        for (i, child) in children.iter().enumerate() {
            let object = child.object_ref();
            if rejected.touch(object, "metadata.labels") || rejected.touch(object, NAMESPACE) {
                doubts.children.insert(i);
            }
        }
        let unlabelled = resources.namespaces.iter().map(|namespace| namespace.object_ref());
        let unlabelled = unlabelled.filter(|&namespace| rejected.touch(namespace, "metadata.labels"));
        doubts.unlabelled = unlabelled.map(|namespace| namespace.name).collect();
        doubts
    }

    /// Whether the parent at this place may select more than is known.
    fn of_parent(&self, i: usize, parent: &Parent<'_, '_>) -> bool {
        let asks_labels = matches!(parent.selector.namespaces, Scope::Set(_));
        self.parents.contains(&i)
            || self.more_children
            || !self.children.is_empty()
            || (asks_labels && !self.unlabelled.is_empty())
    }

    /// Whether the child at this place may be selected although no known parent does so.
    fn of_child(&self, i: usize, child: &ResourceHeader<'_>) -> bool {
        let namespace = child.meta.namespace;
        self.everywhere
            || self.children.contains(&i)
            || self.namespaces.contains(namespace)
            || self.unlabelled.contains(namespace)
    }
}

impl<'h, 'd> Level<'h, 'd> {
    /// What is selected in a relation among these resources.
    pub fn new(relation: &'static Relation, resources: &'h Resources<'d>, selections: &'h Selections<'d>) -> Self {
        let selected = selections.of(relation.child);
        let parents = resources.of(relation.parent).into_iter().zip(selected);
        let parents: Vec<_> = parents
            .map(|(parent, selected)| Parent::new(parent, selected))
            .collect();
        let children: Vec<_> = resources
            .of(relation.child)
            .into_iter()
            .map(AnyResource::head)
            .collect();
        let mut times_selected = vec![0; children.len()];
        for &i in parents.iter().flat_map(|parent| parent.selected) {
            if let Some(times) = times_selected.get_mut(i) {
                *times += 1;
            }
        }
        let doubts = Doubts::new(relation, &parents, &children, resources);
        Self {
            relation,
            namespaces: &selections.namespaces,
            parents,
            children,
            times_selected,
            doubts,
        }
    }

    /// The parents whose selection is completely known.
    pub fn known_parents(&self) -> impl Iterator<Item = &Parent<'h, 'd>> {
        let parents = self.parents.iter().enumerate();
        let known = parents.filter(|(i, parent)| !self.doubts.of_parent(*i, parent));
        known.map(|(_, parent)| parent)
    }

    /// Whether it is certain that no parent selects the child at this index.
    pub fn is_left_over(&self, i: usize, child: &ResourceHeader<'_>) -> bool {
        self.is_unselected(i) && !self.doubts.of_child(i, child)
    }

    /// Whether no parent selects the child at this place.
    pub fn is_unselected(&self, child: usize) -> bool {
        self.times_selected.get(child) == Some(&0)
    }
}
