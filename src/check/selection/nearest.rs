//! The nearest miss: of all parents and children that do not find each other, the two that were most likely meant to.
//! However much is not selected, the search stays short: each one is compared with a few others only, and all of them
//! together with so many.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::level::{Level, Parent};
use crate::api::{ResourceHeader, namespace_range};
use crate::diagnostic::suggest::closest;
use crate::resolve::Selector;
use crate::resolve::explain::Explanation;

/// Maximum number of others that one is compared with.
pub const OTHERS: usize = 64;

/// Maximum number of comparisons at a level, by the weight of the selectors.
const COMPARISONS: usize = 200_000;

/// The parents of a level whose selectors differ.
pub struct NearestParent<'l, 'h, 'd> {
    level: &'l Level<'h, 'd>,
    distinct: Vec<&'l Parent<'h, 'd>>,
    comparisons: usize,
}

impl<'l, 'h, 'd> NearestParent<'l, 'h, 'd> {
    /// A search at this level.
    pub fn new(level: &'l Level<'h, 'd>) -> Self {
        let mut seen = HashSet::new();
        let distinct = level
            .parents
            .iter()
            .filter(|parent| seen.insert(parent.selector.reach()));
        Self {
            level,
            distinct: distinct.collect(),
            comparisons: COMPARISONS,
        }
    }

    /// The parent that is nearest to selecting a child, and what is in the way. Of equals it is one whose namespace is
    /// misspelled, then the one of which more holds, then the first.
    pub fn of(&mut self, child: &ResourceHeader<'d>) -> Option<(&'l Parent<'h, 'd>, Explanation<'d>)> {
        let parents = &self.level.parents;
        let neighbours = {
            let start = parents.partition_point(|p| p.head.meta.namespace < child.meta.namespace);
            let end = parents.partition_point(|p| p.head.meta.namespace <= child.meta.namespace);
            parents.get(start..end).unwrap_or_default()
        };
        // All parents are compared unless that many children are left over.
        let most = OTHERS.max(COMPARISONS / (2 * self.level.children.len()).max(1));
        let candidates = neighbours
            .iter()
            .take(most)
            .chain(self.distinct.iter().copied().take(most));
        let candidates: Vec<_> = candidates.collect();
        let weight = candidates.iter().map(|parent| parent.weight).sum();
        self.comparisons = self.comparisons.checked_sub(weight)?;
        candidates
            .into_iter()
            .map(|parent| (parent, parent.selector.explain(child, self.level.namespaces)))
            .min_by_key(|(parent, explanation)| {
                (
                    explanation.distance(),
                    !is_misspelled(parent.head, child),
                    Reverse(held(parent, child)),
                )
            })
    }
}

/// Whether the namespaces of two resources differ by a slip.
pub fn is_misspelled(parent: &ResourceHeader<'_>, child: &ResourceHeader<'_>) -> bool {
    let (a, b) = (parent.meta.namespace, child.meta.namespace);
    a != b && closest(a, [b]).is_some()
}

/// The number of the parent's requirements for labels that a child meets.
fn held(parent: &Parent<'_, '_>, child: &ResourceHeader<'_>) -> usize {
    let requirements = parent
        .selector
        .labels
        .set()
        .into_iter()
        .flat_map(Selector::requirements);
    requirements.filter(|wanted| wanted.holds(&child.meta.labels)).count()
}

/// The child that a parent is nearest to selecting, and what is in the way: one that nothing else selects, where there
/// is any. `unselected` is where the first of these are.
pub fn nearest_child<'h, 'd>(
    parent: &Parent<'_, 'd>,
    level: &Level<'h, 'd>,
    unselected: &[usize],
) -> Option<(&'h ResourceHeader<'d>, Explanation<'d>)> {
    let own = namespace_range(&level.children, parent.head.meta.namespace).take(OTHERS);
    let others = (0..level.children.len()).take(OTHERS);
    own.chain(unselected.iter().copied())
        .chain(others)
        .filter_map(|i| Some((level.is_unselected(i), *level.children.get(i)?)))
        .map(|(unselected, child)| (unselected, child, parent.selector.explain(child, level.namespaces)))
        .min_by_key(|(unselected, child, explanation)| {
            (explanation.distance(), !unselected, !is_misspelled(parent.head, child))
        })
        .map(|(_, child, explanation)| (child, explanation))
}
