//! How far resources are from the parents that may select them, as numbers: most of the reasons are never shown.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use crate::api::{Head, Kind, TextMap};
use crate::insight::graph::Graph;
use crate::resolve::{ParentSelector, Selector};

/// Maximum number of distances that are kept for labels, and for namespaces.
const KEPT: usize = 1 << 24;

/// Stands for a distance that nobody has asked for.
const UNKNOWN: u32 = u32::MAX;

/// The distances from the parents of a relation to their children, as [`Explanation::distance`] counts them. What is in several
/// parents is held against a child once, and once for all children that no parent tells apart.
///
/// [`Explanation::distance`]: crate::resolve::explain::Explanation::distance
pub(super) struct Distances<'h, 'd> {
    graph: Graph<'h, 'd>,
    child: Kind,
    /// The keys of the labels that parents select by.
    keys: HashSet<&'d str>,
    /// A parent for each label selector, and for each selector of namespaces.
    by_labels: Vec<&'h ParentSelector<'d>>,
    by_namespace: Vec<&'h ParentSelector<'d>>,
    parents: Vec<Parent>,
    sets: Vec<Set<'h>>,
    /// The sets that each child is in, by its namespace and name.
    sets_with: OnceCell<HashMap<(&'d str, &'d str), Vec<usize>>>,
    of_labels: Known<Labels<'d>>,
    of_namespaces: Known<&'d str>,
}

/// A parent by numbers: of its selectors, and of the set that it selects.
struct Parent {
    labels: usize,
    namespaces: usize,
    set: usize,
}

/// Children that parents select, and these parents.
struct Set<'h> {
    children: &'h [usize],
    parents: Vec<usize>,
}

/// Labels as far as parents tell them apart: all keys, one of which may be similar, and the values that are selected by.
type Labels<'d> = Vec<(&'d str, Option<&'d str>)>;

/// Distances that were asked for before.
type Known<K> = RefCell<HashMap<K, Rc<Row>>>;

/// The distances of some children from the selectors of labels, or of namespaces.
struct Row {
    distances: Box<[Cell<u32>]>,
}

/// The distances of a child from its parents.
pub(super) struct Distance<'h, 'd> {
    from: Rc<Distances<'h, 'd>>,
    child: &'h Head<'d>,
    of_labels: Rc<Row>,
    of_namespace: Rc<Row>,
}

impl<'h, 'd> Distances<'h, 'd> {
    /// To the children of this kind.
    pub(super) fn new(graph: Graph<'h, 'd>, child: Kind) -> Self {
        let (mut by_labels, mut by_namespace, mut sets) = (Vec::new(), Vec::new(), Vec::<Set<'_>>::new());
        let (mut label_numbers, mut namespace_numbers) = (HashMap::new(), HashMap::new());
        let mut set_numbers = HashMap::new();
        let parents = graph.selections.of(child).iter().enumerate().map(|(number, parent)| {
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
            // Parents that select alike share the set.
            let set = *set_numbers.entry(Arc::as_ptr(&parent.positions)).or_insert_with(|| {
                let (children, parents) = (&*parent.positions, Vec::new());
                sets.push(Set { children, parents });
                sets.len() - 1
            });
            if let Some(set) = sets.get_mut(set) {
                set.parents.push(number);
            }
            Parent {
                labels,
                namespaces,
                set,
            }
        });
        let parents = parents.collect();
        let selectors = by_labels.iter().filter_map(|selector| selector.labels.set());
        let requirements = selectors.flat_map(Selector::requirements);
        Self {
            graph,
            child,
            keys: requirements.map(|requirement| requirement.key).collect(),
            by_labels,
            by_namespace,
            parents,
            sets,
            sets_with: OnceCell::new(),
            of_labels: Known::default(),
            of_namespaces: Known::default(),
        }
    }

    /// The distances of a child.
    pub(super) fn of(self: &Rc<Self>, child: &'h Head<'d>) -> Distance<'h, 'd> {
        let meta = &child.meta;
        Distance {
            of_labels: known(&self.of_labels, self.labels(&meta.labels), self.by_labels.len()),
            of_namespace: known(&self.of_namespaces, meta.namespace, self.by_namespace.len()),
            from: Rc::clone(self),
            child,
        }
    }

    /// Number of parents.
    pub(super) fn parents(&self) -> usize {
        self.parents.len()
    }

    /// The number of the set that a parent selects.
    pub(super) fn set_of(&self, parent: usize) -> Option<usize> {
        Some(self.parents.get(parent)?.set)
    }

    /// The positions of the children in a set, in order.
    pub(super) fn set(&self, number: usize) -> &'h [usize] {
        self.sets.get(number).map_or(&[], |set| set.children)
    }

    /// Whether several parents select a set.
    pub(super) fn is_shared(&self, number: usize) -> bool {
        self.sets.get(number).is_some_and(|set| set.parents.len() > 1)
    }

    /// The sets that a child is in.
    pub(super) fn sets_with(&self, child: &Head<'d>) -> &[usize] {
        let sets = self.sets_with.get_or_init(|| {
            let mut sets = HashMap::<_, Vec<_>>::new();
            for (number, set) in self.sets.iter().enumerate() {
                for child in self.graph.resources.at(self.child, set.children) {
                    let meta = &child.meta;
                    sets.entry((meta.namespace, meta.name)).or_default().push(number);
                }
            }
            sets
        });
        let sets = sets.get(&(child.meta.namespace, child.meta.name));
        sets.map(Vec::as_slice).unwrap_or_default()
    }

    /// The parents that select any of these sets, in order.
    pub(super) fn selecting<'s>(&self, sets: impl IntoIterator<Item = &'s usize>) -> Vec<usize> {
        let sets: HashSet<_> = sets.into_iter().collect();
        let sets = sets.into_iter().filter_map(|&set| self.sets.get(set));
        let mut parents: Vec<_> = sets.flat_map(|set| &set.parents).copied().collect();
        parents.sort_unstable();
        parents
    }

    fn labels(&self, labels: &TextMap<'d>) -> Labels<'d> {
        let label = |(key, value)| (key, self.keys.contains(key).then_some(value));
        labels.iter().map(label).collect()
    }
}

impl Distance<'_, '_> {
    /// The distance from a parent; 0 if it selects the child.
    pub(super) fn from(&self, parent: usize) -> u32 {
        let Some(&Parent { labels, namespaces, .. }) = self.from.parents.get(parent) else {
            return 0;
        };
        let of_labels = self.of_labels.found(labels, || self.find_of_labels(labels));
        of_labels
            + self
                .of_namespace
                .found(namespaces, || self.find_of_namespace(namespaces))
    }

    fn find_of_labels(&self, number: usize) -> u32 {
        let selector = self.from.by_labels.get(number);
        selector.map_or(0, |selector| selector.distance_of_labels(&self.child.meta.labels))
    }

    fn find_of_namespace(&self, number: usize) -> u32 {
        let (selector, namespaces) = (
            self.from.by_namespace.get(number),
            &self.from.graph.selections.namespaces,
        );
        selector.map_or(0, |selector| {
            selector.distance_of_namespace(self.child.meta.namespace, namespaces)
        })
    }
}

/// What is known for a key: so many distances.
fn known<K: Hash + Eq>(known: &Known<K>, key: K, count: usize) -> Rc<Row> {
    let mut known = known.borrow_mut();
    if let Some(row) = known.get(&key) {
        return Rc::clone(row);
    }
    let row = Rc::new(Row {
        distances: std::iter::repeat_n(Cell::new(UNKNOWN), count).collect(),
    });
    if known.len() * count < KEPT {
        known.insert(key, Rc::clone(&row));
    }
    row
}

impl Row {
    fn found(&self, number: usize, find: impl FnOnce() -> u32) -> u32 {
        let Some(distance) = self.distances.get(number) else {
            return 0;
        };
        if distance.get() == UNKNOWN {
            distance.set(find());
        }
        distance.get()
    }
}
