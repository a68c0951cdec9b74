//! Search for near misses: pairs of a parent and a child that were most likely meant to match, but do not. The search
//! is bounded regardless of the number of unselected resources: both the number of comparisons for each resource and
//! the total number are limited.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::level::{Parent, SelectionLevel};
use crate::api::{ResourceHeader, namespace_range};
use crate::diagnostic::suggest::closest;
use crate::resolve::Selector;
use crate::resolve::explain::SelectionExplanation;

/// Maximum number of resources to compare a resource with.
pub const MAX_CANDIDATES: usize = 64;

/// Maximum number of comparisons at a level, weighted by the size of the selectors.
const MAX_COMPARISONS: usize = 200_000;

/// Search for the parent nearest to a child, among the parents with distinct selectors.
pub struct NearestParent<'l, 'h, 'd> {
    level: &'l SelectionLevel<'h, 'd>,
    distinct_parents: Vec<&'l Parent<'h, 'd>>,
    comparisons: usize,
}

impl<'l, 'h, 'd> NearestParent<'l, 'h, 'd> {
    /// Creates a search at `level`.
    pub fn new(level: &'l SelectionLevel<'h, 'd>) -> Self {
        let mut seen_selectors = HashSet::new();
        let distinct = level.parents.iter().filter(|parent| seen_selectors.insert(parent.selector.selection_key()));
        Self { level, distinct_parents: distinct.collect(), comparisons: MAX_COMPARISONS }
    }

    /// Returns the parent that comes nearest to selecting a child, and why it does not select the child. Ties are
    /// resolved in favor of a parent whose namespace is misspelled, then of one that matches more requirements, then of
    /// the first.
    pub fn find(&mut self, child: &ResourceHeader<'d>) -> Option<(&'l Parent<'h, 'd>, SelectionExplanation<'d>)> {
        let parents = &self.level.parents;
        let neighbors = {
            let start = parents.partition_point(|p| p.head.meta.namespace < child.meta.namespace);
            let end = parents.partition_point(|p| p.head.meta.namespace <= child.meta.namespace);
            parents.get(start..end).unwrap_or_default()
        };
        // All parents are compared unless too many children are unselected.
        let max_candidates = MAX_CANDIDATES.max(MAX_COMPARISONS / (2 * self.level.children.len()).max(1));
        let candidates =
            neighbors.iter().take(max_candidates).chain(self.distinct_parents.iter().copied().take(max_candidates));
        let candidates: Vec<_> = candidates.collect();
        let weight = candidates.iter().map(|parent| parent.weight).sum();
        self.comparisons = self.comparisons.checked_sub(weight)?;
        candidates.into_iter().map(|parent| (parent, parent.selector.explain(child, self.level.namespaces))).min_by_key(
            |(parent, explanation)| {
                (
                    explanation.distance(),
                    !is_misspelled(parent.head, child),
                    Reverse(count_met_requirements(parent, child)),
                )
            },
        )
    }
}

/// Whether the namespaces of two resources differ only by a typo.
pub fn is_misspelled(parent: &ResourceHeader<'_>, child: &ResourceHeader<'_>) -> bool {
    let (a, b) = (parent.meta.namespace, child.meta.namespace);
    a != b && closest(a, [b]).is_some()
}

/// Returns the number of the parent's label requirements that a child meets.
fn count_met_requirements(parent: &Parent<'_, '_>, child: &ResourceHeader<'_>) -> usize {
    let requirements = parent.selector.labels.set().into_iter().flat_map(Selector::requirements);
    requirements.filter(|wanted| wanted.holds(&child.meta.labels)).count()
}

/// Returns the child that a parent comes nearest to selecting, and why the parent does not select it. Children that
/// nothing selects are preferred; `unselected` contains the indices of the first few of them.
pub fn nearest_child<'h, 'd>(
    parent: &Parent<'_, 'd>,
    level: &SelectionLevel<'h, 'd>,
    unselected: &[usize],
) -> Option<(&'h ResourceHeader<'d>, SelectionExplanation<'d>)> {
    let namespace_children = namespace_range(&level.children, parent.head.meta.namespace).take(MAX_CANDIDATES);
    let other_children = (0..level.children.len()).take(MAX_CANDIDATES);
    namespace_children
        .chain(unselected.iter().copied())
        .chain(other_children)
        .filter_map(|i| Some((level.is_unselected(i), *level.children.get(i)?)))
        .map(|(unselected, child)| (unselected, child, parent.selector.explain(child, level.namespaces)))
        .min_by_key(|(unselected, child, explanation)| {
            (explanation.distance(), !unselected, !is_misspelled(parent.head, child))
        })
        .map(|(_, child, explanation)| (child, explanation))
}
