//! Reduction of a tree to the requested entries and the paths from the roots to them.

use std::collections::{HashMap, HashSet};

use super::model::{FindingCounts, ResourceState, Tree, TreeItem};
use crate::api::ObjectRef;
use crate::diagnostic::{Diagnostic, ObjectKey, Severity};
use crate::insight::catalog::ResourceArgument;

impl<'d> Tree<'d> {
    /// Returns the entries that `target` matches.
    pub fn matching_objects(&self, target: &ResourceArgument<'_>) -> Vec<ObjectRef<'d>> {
        let objects = self.entries.keys().copied();
        objects.filter(|object| target.matches(*object)).collect()
    }

    /// Counts the findings about each entry.
    pub fn count_findings(&mut self, diagnostics: &[Diagnostic]) {
        let mut counts: HashMap<&ObjectKey, FindingCounts> = HashMap::new();
        for (resource, diagnostic) in about_resources(diagnostics) {
            let findings = counts.entry(resource).or_default();
            match diagnostic.severity {
                Severity::Error => findings.errors += 1,
                Severity::Warning => findings.warnings += 1,
                Severity::Note => {}
            }
        }
        for (object, entry) in &mut self.entries {
            entry.findings = counts.get(&ObjectKey::from(*object)).copied().unwrap_or_default();
        }
    }

    /// Returns the entries that have a problem: they are missing, rejected, unselected or denied by an agent, lack a
    /// key, or have an error or a warning that was counted by [`Self::count_findings`].
    pub fn problems(&self) -> Vec<ObjectRef<'d>> {
        let has_problem = |entry: &TreeItem<'_>| {
            let state = &entry.state;
            matches!(state, ResourceState::Missing | ResourceState::Refused | ResourceState::Unselected)
                || entry.findings != FindingCounts::default()
        };
        let objects_with_problems = self.entries.values().filter(|entry| has_problem(entry)).map(|entry| entry.object);
        let edges = self.entries.values().flat_map(|entry| &entry.edges);
        let edges = edges.filter(|edge| {
            let lacks_key = edge.references.iter().any(|reference| reference.is_missing);
            lacks_key || !edge.denied_by.is_empty()
        });
        let with_problems: HashSet<_> = objects_with_problems.chain(edges.map(|edge| edge.to)).collect();
        let objects = self.entries.keys().copied();
        objects.filter(|object| with_problems.contains(object)).collect()
    }

    /// Reduces the tree to the paths from the roots to the entries in `on` and, if `whole` is set, to the paths below
    /// these entries. Each entry keeps its parent count from the full tree.
    #[must_use]
    pub fn focus(mut self, on: &[ObjectRef<'d>], whole: bool) -> Self {
        let parents = self.parents();
        let ancestors = closure(on, |object| parents.get(&object).cloned().unwrap_or_default());
        let descendants = match whole {
            true => closure(on, |object| self.children(object)),
            false => HashSet::new(),
        };
        for (object, entry) in &mut self.entries {
            // Below a requested entry, everything is kept. Above it, only the paths to requested entries are kept.
            let is_whole = descendants.contains(object);
            entry.edges.retain(|edge| is_whole || ancestors.contains(&edge.to));
        }
        self.keep(|object| ancestors.contains(object) || descendants.contains(object));
        self
    }

    /// Reduces the tree to the entries that are reachable from the roots, and counts each entry's parents.
    #[must_use]
    pub(super) fn retain_reachable(mut self) -> Self {
        let roots = [&self.agents, &self.unselected, &self.refused];
        let roots: Vec<_> = roots.into_iter().flatten().copied().collect();
        let reachable = closure(&roots, |object| self.children(object));
        self.keep(|object| reachable.contains(object));
        let parents = self.parents();
        for (object, entry) in &mut self.entries {
            entry.parents = parents.get(object).map_or(0, Vec::len);
        }
        self
    }

    /// Keeps the entries that match, and the edges between them.
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

/// Removes duplicate findings about the same resource. Agents that share instances have the same findings.
pub(super) fn about_resources(diagnostics: &[Diagnostic]) -> impl Iterator<Item = (&ObjectKey, &Diagnostic)> {
    let mut seen_findings = HashSet::new();
    let resource_findings = diagnostics.iter().filter_map(|finding| Some((finding.resource.as_ref()?, finding)));
    resource_findings.filter(move |(resource, finding)| {
        seen_findings.insert((*resource, finding.code, &finding.message, &finding.path))
    })
}

/// Returns `from` and everything reachable from it by repeated application of `step`.
fn closure<'d>(from: &[ObjectRef<'d>], step: impl Fn(ObjectRef<'d>) -> Vec<ObjectRef<'d>>) -> HashSet<ObjectRef<'d>> {
    let mut reachable: HashSet<_> = from.iter().copied().collect();
    let mut stack = from.to_vec();
    while let Some(object) = stack.pop() {
        stack.extend(step(object).into_iter().filter(|&next| reachable.insert(next)));
    }
    reachable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::diagnostic::Code;
    use crate::insight::tree::model::{DataReference, Edge};

    fn object(name: &str) -> ObjectRef<'_> {
        ObjectRef { kind: Kind::Probe, namespace: "a", name }
    }

    /// Returns a tree with an unselected resource and one agent, whose two instances share a resource.
    fn tree() -> Tree<'static> {
        let entry = |(name, under): (&'static str, &[&'static str])| {
            let entry = TreeItem {
                object: object(name),
                state: ResourceState::Present,
                condition: None,
                place: None,
                parents: 0,
                findings: FindingCounts::default(),
                edges: under.iter().map(|to| Edge::to(object(to))).collect(),
                root: None,
            };
            (object(name), entry)
        };
        let entries = [
            ("agent", &["one", "two"][..]),
            ("one", &["shared", "own"]),
            ("two", &["shared"]),
            ("shared", &["secret"]),
            ("own", &[]),
            ("secret", &[]),
            ("lonely", &[]),
            ("beyond", &[]),
        ];
        let tree = Tree {
            entries: entries.map(entry).into_iter().collect(),
            agents: vec![object("agent")],
            unselected: vec![object("lonely")],
            refused: Vec::new(),
        };
        tree.retain_reachable()
    }

    fn names(tree: &Tree<'_>) -> String {
        let entries = tree.iter().map(|(object, entry)| {
            let child_names: Vec<_> = entry.edges.iter().map(|edge| edge.to.name).collect();
            format!("{}({})", object.name, child_names.join(" "))
        });
        entries.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keeps_requested_entries_and_the_paths_to_them() {
        let whole_tree = "agent(one two) one(shared own) two(shared) shared(secret) own() secret() lonely()";
        assert_eq!(names(&tree()), whole_tree);
        for (requested_names, is_whole, expected) in [
            (&["agent"][..], true, "agent(one two) one(shared own) two(shared) shared(secret) own() secret()"),
            (&["agent"], false, "agent()"),
            (&["one"], true, "agent(one) one(shared own) shared(secret) own() secret()"),
            (&["one"], false, "agent(one) one()"),
            (&["shared"], true, "agent(one two) one(shared) two(shared) shared(secret) secret()"),
            (&["shared"], false, "agent(one two) one(shared) two(shared) shared()"),
            (&["own", "lonely"], false, "agent(one) one(own) own() lonely()"),
            (&["lonely"], true, "lonely()"),
            (&[], true, ""),
        ] {
            let objects: Vec<_> = requested_names.iter().map(|name| object(name)).collect();
            let actual = tree().focus(&objects, is_whole);
            assert_eq!(names(&actual), expected, "{requested_names:?} {is_whole}");
            let has_agent = expected.starts_with("agent");
            assert_eq!(
                (actual.agents.len() == 1, actual.unselected.len() == 1),
                (has_agent, requested_names.contains(&"lonely"))
            );
            // Entries keep their parent counts from the full tree.
            assert!(actual.get(object("shared")).is_none_or(|shared| shared.parents == 2));
        }
    }

    #[test]
    fn counts_findings_once_and_ignores_notes() {
        let actual = |code, message: &str, name: &str| Diagnostic::new(code, message).resource(object(name));
        let mut tree = tree();
        tree.count_findings(&[
            actual(Code::DuplicateKey, "a", "one"),
            actual(Code::DuplicateKey, "a", "one"),
            actual(Code::DuplicateKey, "b", "one"),
            actual(Code::DuplicateKey, "a", "one").path("spec"),
            actual(Code::DuplicateScrape, "a", "one"),
            actual(Code::AgentImage, "a", "two"),
            actual(Code::DuplicateScrape, "a", "own"),
            Diagnostic::new(Code::DuplicateKey, "c"),
        ]);
        let counts = tree.iter().map(|(_, entry)| (entry.findings.errors, entry.findings.warnings));
        let expected = [(0, 0), (3, 1), (0, 0), (0, 0), (0, 1), (0, 0), (0, 0)];
        assert_eq!(counts.collect::<Vec<_>>(), expected);
        let problems = tree.problems().into_iter().map(|object| object.name);
        assert_eq!(problems.collect::<Vec<_>>(), ["one", "own"]);
        tree.count_findings(&[]);
        assert_eq!(tree.problems(), []);
    }

    #[test]
    fn recognizes_problems_by_state_missing_keys_and_denials() {
        for (state, expected) in [
            (ResourceState::Present, false),
            (ResourceState::Paused, false),
            (ResourceState::Promised(String::new()), false),
            (ResourceState::Missing, true),
            (ResourceState::Refused, true),
            (ResourceState::Unselected, true),
        ] {
            let mut tree = tree();
            tree.entries[&object("own")].state = state.clone();
            assert_eq!(tree.problems() == [object("own")], expected, "{state:?}");
        }
        for (is_missing, is_denied, expected) in [(false, false, false), (true, false, true), (false, true, true)] {
            let mut tree = tree();
            let edge = &mut tree.entries[&object("shared")].edges[0];
            edge.references.push(DataReference { field: String::new(), key: None, is_missing });
            edge.denied_by.extend(is_denied.then(|| object("agent")));
            assert_eq!(tree.problems() == [object("secret")], expected);
        }
    }
}
