//! Relation between a kind of child and the kind of parent that selects it.

use std::collections::BTreeSet;

use crate::api::{AnyResource, Relation, ResourceHeader, Resources};
use crate::resolve::{Namespaces, ParentSelector, Selections, SelectorScope};

const NAMESPACE: &str = "metadata.namespace";

/// A resource that selects other resources.
pub struct Parent<'h, 'd> {
    pub head: &'h ResourceHeader<'d>,
    /// Whether the parent is a paused agent.
    pub paused: bool,
    pub selector: &'h ParentSelector<'d>,
    /// Indices of the selected children among all children.
    pub selected: &'h [usize],
    /// Cost of comparing the parent's selectors with a child.
    pub weight: usize,
    /// Whether the selection is fully known: the parent and everything that it may select were read and not rejected.
    pub is_known: bool,
    /// Whether the parent's selectors are known.
    pub has_known_selectors: bool,
}

/// Number of requirements and values at which a selector costs twice as much as a small one. At twice this number, a
/// selector costs three times as much.
const LARGE_SELECTOR: usize = 64;

/// All children of a kind, and all parents that may select them.
pub struct SelectionLevel<'h, 'd> {
    /// Kinds of the parents and children, and the fields that contain the selectors.
    pub relation: &'static Relation,
    /// Namespaces that namespace selectors are matched against.
    pub namespaces: &'h Namespaces<'d>,
    /// Parents, sorted by namespace and name.
    pub parents: Vec<Parent<'h, 'd>>,
    /// Children, sorted by namespace and name.
    pub children: Vec<&'h ResourceHeader<'d>>,
    /// Whether each child is selected.
    is_selected: Vec<bool>,
    /// Whether each child may be selected by a parent that was rejected or that could not be read.
    doubtful: Vec<bool>,
}

impl<'h, 'd> SelectionLevel<'h, 'd> {
    /// Collects the selections of one relation among these resources.
    pub fn new(relation: &'static Relation, resources: &'h Resources<'d>, selections: &'h Selections<'d>) -> Self {
        let rejected = &resources.rejected_fields;
        let may_have_more = |kind| {
            let is_refused = resources.rejected_objects.iter().any(|object| object.kind == kind);
            is_refused || resources.lost_kinds.contains(&kind) || resources.unread_words.may_define(kind)
        };
        let namespaces = resources.namespaces.iter().map(|namespace| namespace.object_ref());
        let unlabeled = namespaces.filter(|&namespace| rejected.overlap(namespace, "metadata.labels"));
        let unlabeled: BTreeSet<_> = unlabeled.map(|namespace| namespace.name).collect();
        let children = resources.list(relation.child).into_iter().map(AnyResource::header);
        let children: Vec<_> = children.collect();
        let is_doubtful = |child: &&ResourceHeader<'d>| {
            let fields = ["metadata.labels", NAMESPACE];
            fields.iter().any(|field| rejected.overlap(child.object_ref(), field))
        };
        let mut doubtful: Vec<_> = children.iter().map(is_doubtful).collect();
        let are_children_known = !may_have_more(relation.child) && !doubtful.contains(&true);
        // Namespaces that parents with unknown selectors search.
        let (mut searches_everywhere, mut namespaces) = (may_have_more(relation.parent), unlabeled.clone());
        let mut is_selected = vec![false; children.len()];
        let mut parents = Vec::new();
        for (parent, selected) in
            resources.list(relation.parent).into_iter().zip(selections.child_selections(relation.child))
        {
            let (object, selector) = (parent.object_ref(), &selected.selector);
            let is_unknown = |scope: &SelectorScope<'_>, path| {
                matches!(scope, SelectorScope::Invalid(_)) || rejected.overlap(object, path)
            };
            let wants_unknown =
                is_unknown(&selector.namespaces, relation.namespaces) || rejected.overlap(object, NAMESPACE);
            let is_doubtful = wants_unknown || is_unknown(&selector.labels, relation.labels);
            if is_doubtful && (wants_unknown || selector.namespaces != SelectorScope::Missing) {
                searches_everywhere = true;
            } else if is_doubtful {
                namespaces.insert(object.namespace);
            }
            for &i in selected.indices.iter() {
                if let Some(is_selected) = is_selected.get_mut(i) {
                    *is_selected = true;
                }
            }
            let asks_labels = matches!(selector.namespaces, SelectorScope::Set(_));
            parents.push(Parent {
                head: parent.header(),
                paused: matches!(parent, AnyResource::GrafanaAgent(agent) if agent.spec.paused),
                selector,
                selected: &selected.indices,
                weight: 1 + selector.size() / LARGE_SELECTOR,
                has_known_selectors: !is_doubtful,
                is_known: !is_doubtful && are_children_known && (!asks_labels || unlabeled.is_empty()),
            });
        }
        for (child, doubtful) in children.iter().zip(&mut doubtful) {
            *doubtful |= searches_everywhere || namespaces.contains(child.meta.namespace);
        }
        Self { relation, namespaces: &selections.namespaces, parents, children, is_selected, doubtful }
    }

    /// Returns the parents whose selection is fully known.
    pub fn known_parents(&self) -> impl Iterator<Item = &Parent<'h, 'd>> {
        self.parents.iter().filter(|parent| parent.is_known)
    }

    /// Whether it is certain that no parent selects the child at this index.
    pub fn is_certainly_unselected(&self, child: usize) -> bool {
        self.is_unselected(child) && self.doubtful.get(child) == Some(&false)
    }

    /// Whether no parent selects the child at this index.
    pub fn is_unselected(&self, child: usize) -> bool {
        self.is_selected.get(child) == Some(&false)
    }
}
