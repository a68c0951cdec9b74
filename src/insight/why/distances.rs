//! How far resources are from the parents that may select them, as numbers: most of the reasons are never shown.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::rc::Rc;

use crate::api::{Head, TextMap};
use crate::resolve::{Namespaces, ParentSelector, Selected, Selector};

/// Maximum number of distances that are kept for labels, and for namespaces.
const KEPT: usize = 1 << 22;

/// The distances from the parents of a relation to their children, as [`Explanation::distance`] counts them. What is in several
/// parents is held against a child once, and once for all children that no parent tells apart.
///
/// [`Explanation::distance`]: crate::resolve::explain::Explanation::distance
pub(super) struct Distances<'h, 'd> {
    namespaces: &'h Namespaces<'d>,
    /// The keys of the labels that parents select by.
    keys: HashSet<&'d str>,
    /// A parent for each label selector, and for each selector of namespaces.
    by_labels: Vec<&'h ParentSelector<'d>>,
    by_namespace: Vec<&'h ParentSelector<'d>>,
    /// Which of these a parent has.
    parents: Vec<(usize, usize)>,
    of_labels: Known<Labels<'d>>,
    of_namespaces: Known<&'d str>,
}

/// Labels as far as parents tell them apart: all keys, one of which may be similar, and the values that are selected by.
type Labels<'d> = Vec<(&'d str, Option<&'d str>)>;

/// Distances that were found before.
type Known<K> = RefCell<HashMap<K, Rc<[u32]>>>;

impl<'h, 'd> Distances<'h, 'd> {
    /// From these parents.
    pub(super) fn new(parents: &'h [Selected<'d>], namespaces: &'h Namespaces<'d>) -> Self {
        let (mut by_labels, mut by_namespace) = (Vec::new(), Vec::new());
        let (mut label_numbers, mut namespace_numbers) = (HashMap::new(), HashMap::new());
        let parents = parents.iter().map(|parent| {
            let selector = &parent.selector;
            let (labels, namespaces, own) = selector.reach();
            let labels = *label_numbers.entry(labels).or_insert_with(|| {
                by_labels.push(selector);
                by_labels.len() - 1
            });
            let namespaces = *namespace_numbers.entry((namespaces, own)).or_insert_with(|| {
                by_namespace.push(selector);
                by_namespace.len() - 1
            });
            (labels, namespaces)
        });
        let parents = parents.collect();
        let selectors = by_labels.iter().filter_map(|selector| selector.labels.set());
        let requirements = selectors.flat_map(Selector::requirements);
        Self {
            namespaces,
            keys: requirements.map(|requirement| requirement.key).collect(),
            by_labels,
            by_namespace,
            parents,
            of_labels: Known::default(),
            of_namespaces: Known::default(),
        }
    }

    /// The distance of a child from each parent; 0 from those that select it.
    pub(super) fn of(&self, child: &Head<'d>) -> Vec<u32> {
        let labels = &child.meta.labels;
        let of_labels = known(&self.of_labels, self.labels(labels), || {
            let parents = self.by_labels.iter();
            parents.map(|parent| parent.distance_of_labels(labels)).collect()
        });
        let namespace = child.meta.namespace;
        let of_namespace = known(&self.of_namespaces, namespace, || {
            let parents = self.by_namespace.iter();
            let distances = parents.map(|parent| parent.distance_of_namespace(namespace, self.namespaces));
            distances.collect()
        });
        let at = |distances: &[u32], number: usize| distances.get(number).copied().unwrap_or_default();
        let parents = self.parents.iter();
        let distances = parents.map(|&(labels, namespace)| at(&of_labels, labels) + at(&of_namespace, namespace));
        distances.collect()
    }

    fn labels(&self, labels: &TextMap<'d>) -> Labels<'d> {
        let label = |(key, value)| (key, self.keys.contains(key).then_some(value));
        labels.iter().map(label).collect()
    }
}

fn known<K: Hash + Eq>(known: &Known<K>, key: K, find: impl FnOnce() -> Rc<[u32]>) -> Rc<[u32]> {
    if let Some(found) = known.borrow().get(&key) {
        return Rc::clone(found);
    }
    let found = find();
    let mut known = known.borrow_mut();
    if known.len() * found.len() < KEPT {
        known.insert(key, Rc::clone(&found));
    }
    found
}
