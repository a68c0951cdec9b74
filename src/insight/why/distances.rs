//! How far resources are from the parents that may select them, as numbers.

use std::collections::HashMap;

use crate::api::{Kind, ResourceHeader};
use crate::insight::graph::Graph;
use crate::resolve::ParentSelector;

/// The parents of a relation, in their order, and what they select by: many may have the same selectors.
pub(super) struct Parents<'h, 'd> {
    graph: Graph<'h, 'd>,
    /// The selectors, each once.
    selectors: Vec<&'h ParentSelector<'d>>,
    /// The number of each parent's selectors.
    numbers: Vec<usize>,
}

impl<'h, 'd> Parents<'h, 'd> {
    /// Those that select this kind.
    pub(super) fn of(graph: Graph<'h, 'd>, child: Kind) -> Self {
        let (mut selectors, mut known) = (Vec::new(), HashMap::new());
        let numbers = graph.selections.of(child).iter().map(|parent| {
            *known.entry(parent.selector.reach()).or_insert_with(|| {
                selectors.push(&parent.selector);
                selectors.len() - 1
            })
        });
        Self {
            graph,
            numbers: numbers.collect(),
            selectors,
        }
    }

    /// Number of different selectors.
    pub(super) fn count(&self) -> usize {
        self.selectors.len()
    }

    /// The number of a parent's selectors.
    pub(super) fn selectors_of(&self, parent: usize) -> Option<usize> {
        self.numbers.get(parent).copied()
    }

    /// The distance of a child from each selector, as [`Explanation::distance`] counts it: 0 where it is selected.
    ///
    /// [`Explanation::distance`]: crate::resolve::explain::Explanation::distance
    pub(super) fn distances(&self, child: &ResourceHeader<'d>) -> Vec<u32> {
        let namespaces = &self.graph.selections.namespaces;
        let selectors = self.selectors.iter();
        selectors.map(|selector| selector.distance(child, namespaces)).collect()
    }
}
