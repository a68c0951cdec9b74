//! What every agent and instance selects, found once for all that ask.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::Namespaces;
use super::selection::{ParentSelector, Scope};
use super::selector::{Condition, InvalidSelector, Requirement, Selector};
use crate::api::{
    AnyResource, Kind, ObjectRef, RELATIONS, RejectedFields, Relation, ResourceHeader, Resources, TextMap,
    namespace_range,
};

/// The resources of one kind that one parent selects.
#[derive(Clone, Debug)]
pub struct Selected<'d> {
    pub selector: ParentSelector<'d>,
    /// The fields that hold a selector which Kubernetes refuses, and why.
    pub invalid: Vec<(&'static str, InvalidSelector)>,
    /// Positions of the selected ones among all, in order; none if a selector is invalid. Parents that select alike
    /// share them.
    pub positions: Arc<[usize]>,
}

/// The selections of all parents, by the kind of the children, in the order of the parents.
pub struct Selections<'d> {
    /// The namespaces, which selectors look at.
    pub namespaces: Namespaces<'d>,
    by_child: HashMap<Kind, Vec<Selected<'d>>>,
    /// Number of positions that may still be kept; none where there were more.
    room: Option<usize>,
}

/// Maximum number of positions that are kept. Selectors select what may be a square of what they are written with.
const MOST_POSITIONS: usize = 5_000_000;

impl<'d> Selections<'d> {
    /// The selections of these resources.
    pub fn new(resources: &Resources<'d>) -> Self {
        let namespaces = Namespaces::new(resources);
        let mut room = Some(MOST_POSITIONS);
        let by_child = RELATIONS
            .iter()
            .map(|relation| (relation.child, select(relation, resources, &namespaces, &mut room)));
        Self {
            by_child: by_child.collect(),
            room,
            namespaces,
        }
    }

    /// Forgets what is selected.
    pub fn clear(&mut self) {
        self.by_child.clear();
    }

    /// Whether the parents select so many resources that the last ones of them were left out.
    pub fn are_too_many(&self) -> bool {
        self.room.is_none()
    }

    /// Returns the selection of a parent for a kind.
    pub fn by(&self, parent: &ResourceHeader<'_>, child: Kind) -> Option<&Selected<'d>> {
        let all = self.of(child);
        let wanted = (parent.meta.namespace, parent.meta.name);
        let found = all.binary_search_by(|one| (one.selector.parent.namespace, one.selector.parent.name).cmp(&wanted));
        all.get(found.ok()?)
    }

    /// Returns the selections of each parent for a kind.
    pub fn of(&self, child: Kind) -> &[Selected<'d>] {
        self.by_child.get(&child).map(Vec::as_slice).unwrap_or_default()
    }
}

/// What each parent of a relation selects.
fn select<'d>(
    relation: &'static Relation,
    resources: &Resources<'d>,
    namespaces: &Namespaces<'d>,
    room: &mut Option<usize>,
) -> Vec<Selected<'d>> {
    let parents = resources.of(relation.parent).into_iter();
    let children = resources.of(relation.child);
    let selectors = parents.map(|parent| {
        let mut invalid = Vec::new();
        let refuse = |path, reason| invalid.push((path, reason));
        let selectors = relation.selectors(parent);
        let mut selector = ParentSelector::new(relation, parent.object_ref(), selectors, refuse);
        selector.mistrust(|path| is_lost(&resources.rejected_fields, parent.object_ref(), path));
        (selector, invalid)
    });
    let selectors: Vec<_> = selectors.collect();
    let search = Search::new(&children, namespaces, selectors.iter().map(|(selector, _)| selector));
    let mut known = HashMap::new();
    let positions: Vec<_> = selectors
        .iter()
        .map(|(selector, _)| {
            let positions = known.entry(selector.reach());
            Arc::clone(positions.or_insert_with(|| {
                let found = room.map(|_| search.positions(selector)).unwrap_or_default();
                *room = room.and_then(|room| room.checked_sub(found.len()));
                found.into()
            }))
        })
        .collect();
    let selected = selectors.into_iter().zip(positions);
    selected
        .map(|((selector, invalid), positions)| Selected {
            selector,
            invalid,
            positions,
        })
        .collect()
}

/// Whether a part of a selector was refused: what is left of it would select more than it says.
fn is_lost(rejected: &RejectedFields<'_>, parent: ObjectRef<'_>, path: &str) -> bool {
    let mut parts = ["matchLabels", "matchExpressions"].iter();
    rejected.has_any(parent) && parts.any(|part| rejected.has(parent, &format!("{path}.{part}")))
}

/// The children of a kind, and what helps to find them.
struct Search<'s, 'd> {
    children: &'s [AnyResource<'s, 'd>],
    by_label: LabelIndex<'d>,
    namespaces: Vec<(&'d str, &'s TextMap<'d>)>,
    namespaces_by_label: LabelIndex<'d>,
}

impl<'s, 'd> Search<'s, 'd> {
    fn new(
        children: &'s [AnyResource<'s, 'd>],
        namespaces: &'s Namespaces<'d>,
        selectors: impl Iterator<Item = &'s ParentSelector<'d>> + Clone,
    ) -> Self {
        let of_children = selectors.clone().filter_map(|selector| selector.labels.set());
        let of_namespaces = selectors.filter_map(|selector| selector.namespaces.set());
        Self {
            children,
            by_label: LabelIndex::new(children.iter().map(|child| &child.meta.labels), of_children),
            namespaces: namespaces.iter().collect(),
            namespaces_by_label: LabelIndex::new(namespaces.iter().map(|(_, labels)| labels), of_namespaces),
        }
    }

    /// Positions of the selected ones: among those with a label that the selector names, or among those of the namespaces,
    /// whichever are fewer.
    fn positions(&self, selector: &ParentSelector<'d>) -> Vec<usize> {
        let Scope::Set(labels) = &selector.labels else {
            return Vec::new();
        };
        let ranges = self.ranges(selector);
        let in_range = |i: &usize| {
            let at = ranges.partition_point(|range| range.end <= *i);
            ranges.get(at).is_some_and(|range| range.contains(i))
        };
        let is_selected = |i: &usize| {
            self.children
                .get(*i)
                .is_some_and(|child| labels.matches(&child.meta.labels))
        };
        match self.by_label.candidates(labels) {
            Some(candidates) if candidates.len() < ranges.iter().map(ExactSizeIterator::len).sum() => {
                candidates.into_iter().filter(in_range).filter(is_selected).collect()
            }
            _ => ranges.iter().cloned().flatten().filter(is_selected).collect(),
        }
    }

    /// Positions of the children in the namespaces that are looked into, in order.
    fn ranges(&self, selector: &ParentSelector<'d>) -> Vec<Range<usize>> {
        let wanted = match &selector.namespaces {
            Scope::Missing => return vec![namespace_range(self.children, selector.parent.namespace)],
            Scope::Invalid => return Vec::new(),
            Scope::Set(wanted) => wanted,
        };
        if wanted.requirements().is_empty() {
            let all = 0..self.children.len();
            return Vec::from([all]);
        }
        let candidates = self.namespaces_by_label.candidates(wanted);
        let candidates = candidates.unwrap_or_else(|| (0..self.namespaces.len()).collect());
        let namespaces = candidates.into_iter().filter_map(|i| self.namespaces.get(i));
        namespaces
            .filter(|(_, labels)| wanted.matches(labels))
            .map(|(name, _)| namespace_range(self.children, name))
            .collect()
    }
}

/// Positions of the objects that have a label, in order, for the labels that are asked for.
#[derive(Debug, Default)]
struct LabelIndex<'d> {
    by_key: HashMap<&'d str, Vec<usize>>,
    by_value: HashMap<(&'d str, &'d str), Vec<usize>>,
}

impl<'d> LabelIndex<'d> {
    /// The index of objects with these labels, for these selectors.
    fn new<'s>(
        objects: impl Iterator<Item = &'s TextMap<'d>>,
        selectors: impl Iterator<Item = &'s Selector<'d>>,
    ) -> Self
    where
        'd: 's,
    {
        let wanted: HashSet<&str> = selectors.flat_map(Selector::requirements).map(|r| r.key).collect();
        let mut index = Self::default();
        if wanted.is_empty() {
            return index;
        }
        for (i, labels) in objects.enumerate() {
            for (key, value) in labels.iter().filter(|(key, _)| wanted.contains(*key)) {
                index.by_key.entry(key).or_default().push(i);
                index.by_value.entry((key, value)).or_default().push(i);
            }
        }
        index
    }

    /// The fewest objects, in order, among which are all that the selector selects; `None` where it names no label that they
    /// must have.
    fn candidates(&self, selector: &Selector<'d>) -> Option<Vec<usize>> {
        let lists = selector.requirements().iter().filter_map(|r| self.having(r));
        let fewest = lists.min_by_key(|lists| lists.iter().map(|list| list.len()).sum::<usize>())?;
        let mut candidates = fewest.concat();
        candidates.sort_unstable();
        candidates.dedup();
        Some(candidates)
    }

    /// The objects that a requirement holds for, unless it holds for those without the label.
    fn having(&self, requirement: &Requirement<'d>) -> Option<Vec<&[usize]>> {
        let key = requirement.key;
        let lists: Vec<_> = match &requirement.condition {
            Condition::In(values) => values
                .distinct()
                .iter()
                .filter_map(|&value| self.by_value.get(&(key, value)))
                .collect(),
            Condition::Exists => self.by_key.get(key).into_iter().collect(),
            Condition::NotIn(_) | Condition::DoesNotExist => return None,
        };
        Some(lists.into_iter().map(Vec::as_slice).collect())
    }
}

#[cfg(test)]
mod tests;
