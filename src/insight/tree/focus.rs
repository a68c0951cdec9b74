//! A part of a tree: what is asked for, and the ways to it from the roots.

use std::collections::HashSet;

use super::build::renumber;
use super::model::{Entry, EntryId, State, Tree};
use crate::insight::target::Target;

impl<'d> Tree<'d> {
    /// The entries that a target means.
    pub fn matching(&self, target: &Target<'_>) -> Vec<EntryId> {
        let is_meant = |entry: &Entry<'_>| {
            let object = &entry.object;
            object.kind == target.kind
                && target.namespace.is_none_or(|namespace| object.namespace == namespace)
                && target.name.is_none_or(|name| object.name == name)
        };
        self.iter()
            .filter(|(_, entry)| is_meant(entry))
            .map(|(id, _)| id)
            .collect()
    }

    /// The entries with a problem: missing, refused or selected by nothing, with a key that is missing, or left out by an agent.
    pub fn problems(&self) -> Vec<EntryId> {
        let is_wrong = |entry: &Entry<'_>| {
            let state = &entry.state;
            matches!(state, State::Missing | State::Refused | State::Unselected)
        };
        let wrong = self.iter().filter(|(_, entry)| is_wrong(entry)).map(|(id, _)| id);
        let edges = self.iter().flat_map(|(_, entry)| &entry.edges);
        let edges = edges.filter(|edge| {
            let lacks_key = edge.references.iter().any(|reference| reference.is_missing);
            lacks_key || !edge.denied_by.is_empty()
        });
        let found: HashSet<_> = wrong.chain(edges.map(|edge| edge.to)).collect();
        self.iter().map(|(id, _)| id).filter(|id| found.contains(id)).collect()
    }

    /// The ways from the roots to these entries, and what is under these where `whole` says so. Numbers of parents stay those of
    /// the whole tree.
    #[must_use]
    pub fn focused(mut self, on: &[EntryId], whole: bool) -> Self {
        let mut parents = vec![Vec::new(); self.iter().len()];
        for (id, entry) in self.iter() {
            for edge in &entry.edges {
                if let Some(parents) = parents.get_mut(edge.to.0) {
                    parents.push(id);
                }
            }
        }
        let above = closure(on, |id| parents.get(id.0).cloned().unwrap_or_default());
        let below = match whole {
            true => closure(on, |id| self.children(id)),
            false => HashSet::new(),
        };
        let is_kept = |id: &EntryId| above.contains(id) || below.contains(id);
        for roots in [&mut self.agents, &mut self.unselected, &mut self.refused] {
            roots.retain(is_kept);
        }
        for (i, entry) in self.entries.iter_mut().enumerate() {
            // Whatever is under one that was asked for is kept; of one above it only the ways down.
            let is_whole = below.contains(&EntryId(i));
            entry.edges.retain(|edge| is_whole || above.contains(&edge.to));
        }
        let mut next = 0;
        let numbers: Vec<_> = (0..self.entries.len())
            .map(|i| {
                let kept = is_kept(&EntryId(i));
                next += usize::from(kept);
                kept.then(|| EntryId(next - 1))
            })
            .collect();
        renumber(&mut self, |id| numbers.get(id.0).copied().flatten());
        self
    }

    fn children(&self, id: EntryId) -> Vec<EntryId> {
        let edges = self.get(id).into_iter().flat_map(|entry| &entry.edges);
        edges.map(|edge| edge.to).collect()
    }
}

/// The entries, and all that steps lead to from them.
fn closure(from: &[EntryId], step: impl Fn(EntryId) -> Vec<EntryId>) -> HashSet<EntryId> {
    let mut found: HashSet<_> = from.iter().copied().collect();
    let mut stack = from.to_vec();
    while let Some(id) = stack.pop() {
        stack.extend(step(id).into_iter().filter(|&next| found.insert(next)));
    }
    found
}
