//! Objects by their labels: a selector finds what it selects without a look at all the others.

use std::collections::{HashMap, HashSet};

use super::selector::{Condition, Requirement, Selector};
use crate::api::TextMap;

/// Positions of the objects that have a label, in order, for the labels that are asked for.
#[derive(Debug, Default)]
pub struct LabelIndex<'d> {
    by_key: HashMap<&'d str, Vec<usize>>,
    by_value: HashMap<(&'d str, &'d str), Vec<usize>>,
}

impl<'d> LabelIndex<'d> {
    /// The index of objects with these labels, for these selectors.
    pub fn new<'s>(
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
            for (&key, &value) in labels.iter().filter(|(key, _)| wanted.contains(*key)) {
                index.by_key.entry(key).or_default().push(i);
                index.by_value.entry((key, value)).or_default().push(i);
            }
        }
        index
    }

    /// The fewest objects, in order, among which are all that the selector selects; `None` where it names no label that they
    /// must have.
    pub fn candidates(&self, selector: &Selector<'d>) -> Option<Vec<usize>> {
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
                .iter()
                .filter_map(|&value| self.by_value.get(&(key, value)))
                .collect(),
            Condition::Exists => self.by_key.get(key).into_iter().collect(),
            Condition::NotIn(_) | Condition::DoesNotExist => return None,
        };
        Some(lists.into_iter().map(Vec::as_slice).collect())
    }
}
