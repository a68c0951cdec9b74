//! A part of a tree: what is asked for, and the ways to it from the roots.

use std::collections::{HashMap, HashSet};

use super::model::{Entry, Findings, State, Tree};
use crate::api::ObjectRef;
use crate::diagnostic::{Diagnostic, ObjectKey, Severity};
use crate::insight::catalogue::ResourceArgument;

impl<'d> Tree<'d> {
    /// The entries that a target means.
    pub fn matching(&self, target: &ResourceArgument<'_>) -> Vec<ObjectRef<'d>> {
        let objects = self.entries.keys().copied();
        objects.filter(|object| target.means(*object)).collect()
    }

    /// Counts the findings about each entry.
    pub fn count_findings(&mut self, diagnostics: &[Diagnostic]) {
        let mut found: HashMap<&ObjectKey, Findings> = HashMap::new();
        for (resource, diagnostic) in about_resources(diagnostics) {
            let findings = found.entry(resource).or_default();
            match diagnostic.severity {
                Severity::Error => findings.errors += 1,
                Severity::Warning => findings.warnings += 1,
                Severity::Note => {}
            }
        }
        for (object, entry) in &mut self.entries {
            entry.findings = found.get(&ObjectKey::from(*object)).copied().unwrap_or_default();
        }
    }

    /// The entries with a problem: missing, refused or selected by nothing, with a key that is missing, left out by an agent, or with an
    /// error or a warning, where [`Self::count_findings`] counted them.
    pub fn problems(&self) -> Vec<ObjectRef<'d>> {
        let is_wrong = |entry: &Entry<'_>| {
            let state = &entry.state;
            matches!(state, State::Missing | State::Refused | State::Unselected)
                || entry.findings != Findings::default()
        };
        let wrong = self
            .entries
            .values()
            .filter(|entry| is_wrong(entry))
            .map(|entry| entry.object);
        let edges = self.entries.values().flat_map(|entry| &entry.edges);
        let edges = edges.filter(|edge| {
            let lacks_key = edge.references.iter().any(|reference| reference.is_missing);
            lacks_key || !edge.denied_by.is_empty()
        });
        let found: HashSet<_> = wrong.chain(edges.map(|edge| edge.to)).collect();
        let objects = self.entries.keys().copied();
        objects.filter(|object| found.contains(object)).collect()
    }

    /// The ways from the roots to these entries, and what is under these where `whole` says so. Numbers of parents stay those of
    /// the whole tree.
    #[must_use]
    pub fn focused(mut self, on: &[ObjectRef<'d>], whole: bool) -> Self {
        let parents = self.parents();
        let above = closure(on, |object| parents.get(&object).cloned().unwrap_or_default());
        let below = match whole {
            true => closure(on, |object| self.children(object)),
            false => HashSet::new(),
        };
        for (object, entry) in &mut self.entries {
            // Whatever is under one that was asked for is kept; of one above it only the ways down.
            let is_whole = below.contains(object);
            entry.edges.retain(|edge| is_whole || above.contains(&edge.to));
        }
        self.keep(|object| above.contains(object) || below.contains(object));
        self
    }

    /// What the roots lead to, with the numbers of parents.
    #[must_use]
    pub(super) fn reachable(mut self) -> Self {
        let roots = [&self.agents, &self.unselected, &self.refused];
        let roots: Vec<_> = roots.into_iter().flatten().copied().collect();
        let reached = closure(&roots, |object| self.children(object));
        self.keep(|object| reached.contains(object));
        let parents = self.parents();
        for (object, entry) in &mut self.entries {
            entry.parents = parents.get(object).map_or(0, Vec::len);
        }
        self
    }

    /// Leaves these entries, and the edges between them.
    fn keep(&mut self, is_kept: impl Fn(&ObjectRef<'d>) -> bool) {
        for objects in [&mut self.agents, &mut self.unselected, &mut self.refused] {
            objects.retain(&is_kept);
        }
        self.entries.retain(|object, _| is_kept(object));
        for entry in self.entries.values_mut() {
            entry.edges.retain(|edge| is_kept(&edge.to));
            let denied_by = entry.edges.iter_mut().map(|edge| &mut edge.denied_by);
            denied_by.for_each(|agents| agents.retain(&is_kept));
        }
    }

    fn parents(&self) -> HashMap<ObjectRef<'d>, Vec<ObjectRef<'d>>> {
        let mut parents: HashMap<_, Vec<_>> = HashMap::new();
        for entry in self.entries.values() {
            for edge in &entry.edges {
                parents.entry(edge.to).or_default().push(entry.object);
            }
        }
        parents
    }

    fn children(&self, object: ObjectRef<'d>) -> Vec<ObjectRef<'d>> {
        let edges = self.get(object).into_iter().flat_map(|entry| &entry.edges);
        edges.map(|edge| edge.to).collect()
    }
}

/// The findings about resources, each once: agents share instances, and so their mistakes.
pub(super) fn about_resources(diagnostics: &[Diagnostic]) -> impl Iterator<Item = (&ObjectKey, &Diagnostic)> {
    let mut seen = HashSet::new();
    let about = diagnostics
        .iter()
        .filter_map(|found| Some((found.resource.as_ref()?, found)));
    about.filter(move |(resource, found)| seen.insert((*resource, found.code, &found.message, &found.path)))
}

/// The resources, and all that steps lead to from them.
fn closure<'d>(from: &[ObjectRef<'d>], step: impl Fn(ObjectRef<'d>) -> Vec<ObjectRef<'d>>) -> HashSet<ObjectRef<'d>> {
    let mut found: HashSet<_> = from.iter().copied().collect();
    let mut stack = from.to_vec();
    while let Some(object) = stack.pop() {
        stack.extend(step(object).into_iter().filter(|&next| found.insert(next)));
    }
    found
}
