//! A part of a tree: what is asked for, and the ways to it from the roots.

use std::collections::{HashMap, HashSet};

use super::model::{Entry, EntryId, Findings, State, Tree};
use crate::diagnostic::{Diagnostic, ObjectKey, Severity};
use crate::insight::catalogue::ResourceArgument;

impl<'d> Tree<'d> {
    /// The entries that a target means.
    pub fn matching(&self, target: &ResourceArgument<'_>) -> Vec<EntryId> {
        let meant = self.iter().filter(|(_, entry)| target.means(entry.object));
        meant.map(|(id, _)| id).collect()
    }

    /// Counts the findings about each entry, each once: agents share instances, and so their mistakes.
    pub fn count_findings(&mut self, diagnostics: &[Diagnostic]) {
        let mut found: HashMap<&ObjectKey, Findings> = HashMap::new();
        let mut seen = HashSet::new();
        for diagnostic in diagnostics {
            let Some(resource) = &diagnostic.resource else { continue };
            if seen.insert((resource, diagnostic.code, &diagnostic.message, &diagnostic.path)) {
                let findings = found.entry(resource).or_default();
                match diagnostic.severity {
                    Severity::Error => findings.errors += 1,
                    Severity::Warning => findings.warnings += 1,
                    Severity::Note => {}
                }
            }
        }
        for entry in &mut self.entries {
            let key = ObjectKey::from(entry.object);
            entry.findings = found.get(&key).copied().unwrap_or_default();
        }
    }

    /// The entries with a problem: missing, refused or selected by nothing, with a key that is missing, left out by an agent, or with an
    /// error or a warning, where [`Self::count_findings`] counted them.
    pub fn problems(&self) -> Vec<EntryId> {
        let is_wrong = |entry: &Entry<'_>| {
            let state = &entry.state;
            matches!(state, State::Missing | State::Refused | State::Unselected)
                || entry.findings != Findings::default()
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
        let parents = self.parents();
        let above = closure(on, |id| parents.get(id.0).cloned().unwrap_or_default());
        let below = match whole {
            true => closure(on, |id| self.children(id)),
            false => HashSet::new(),
        };
        let is_kept = |id: &EntryId| above.contains(id) || below.contains(id);
        for (i, entry) in self.entries.iter_mut().enumerate() {
            // Whatever is under one that was asked for is kept; of one above it only the ways down.
            let is_whole = below.contains(&EntryId(i));
            entry.edges.retain(|edge| is_whole || above.contains(&edge.to));
        }
        self.keep(is_kept);
        self
    }

    /// What the roots lead to, with the numbers of parents.
    #[must_use]
    pub(super) fn reachable(mut self) -> Self {
        let roots = [&self.agents, &self.unselected, &self.refused];
        let roots: Vec<_> = roots.into_iter().flatten().copied().collect();
        let reached = closure(&roots, |id| self.children(id));
        self.keep(|id| reached.contains(id));
        let parents = self.parents();
        for (entry, parents) in self.entries.iter_mut().zip(parents) {
            entry.parents = parents.len();
        }
        self
    }

    /// Leaves these entries, numbered anew, and the edges between them.
    fn keep(&mut self, is_kept: impl Fn(&EntryId) -> bool) {
        let mut next = 0;
        let numbers: Vec<_> = (0..self.entries.len())
            .map(|i| {
                let kept = is_kept(&EntryId(i));
                next += usize::from(kept);
                kept.then(|| EntryId(next - 1))
            })
            .collect();
        let number = |id: EntryId| numbers.get(id.0).copied().flatten();
        let renumber = |ids: &mut Vec<EntryId>| *ids = ids.iter().filter_map(|&id| number(id)).collect();
        for roots in [&mut self.agents, &mut self.unselected, &mut self.refused] {
            renumber(roots);
        }
        let mut numbers = numbers.iter();
        self.entries.retain(|_| numbers.next().is_some_and(Option::is_some));
        for entry in &mut self.entries {
            entry.edges.retain_mut(|edge| {
                renumber(&mut edge.denied_by);
                let to = number(edge.to);
                edge.to = to.unwrap_or(edge.to);
                to.is_some()
            });
        }
    }

    fn parents(&self) -> Vec<Vec<EntryId>> {
        let mut parents = vec![Vec::new(); self.entries.len()];
        for (id, entry) in self.iter() {
            for edge in &entry.edges {
                if let Some(parents) = parents.get_mut(edge.to.0) {
                    parents.push(id);
                }
            }
        }
        parents
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
