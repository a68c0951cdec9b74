//! Tree of resources. Each resource appears once, with edges to the resources it selects and the objects it refers to.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use crate::api::{Kind, ObjectRef, serialize_display};
use crate::yaml::Node;

/// The resources in a run, and the relations between them.
#[derive(Clone, Default)]
pub struct Tree<'d> {
    pub(super) entries: IndexMap<ObjectRef<'d>, TreeItem<'d>>,
    /// Requested GrafanaAgents, sorted by namespace and name.
    pub agents: Vec<ObjectRef<'d>>,
    /// Unselected instances, Integrations, monitors, Probes and PodLogs.
    pub unselected: Vec<ObjectRef<'d>>,
    /// Resources that the API server would reject, which are therefore never selected.
    pub refused: Vec<ObjectRef<'d>>,
}

/// A resource in the input, or a missing resource that a field refers to.
#[derive(Clone)]
pub struct TreeItem<'d> {
    /// Kind, namespace and name of the resource.
    pub object: ObjectRef<'d>,
    pub state: ResourceState,
    /// Namespace label that would cause the resource to be selected. Set only if the Namespace is not in the input.
    pub condition: Option<String>,
    /// File and line, or `None` if the resource is not in the input.
    pub place: Option<(&'d str, u32)>,
    /// Number of direct parents.
    pub parents: usize,
    /// Findings about the resource, if requested.
    pub findings: FindingCounts,
    /// Edges to the objects that the resource's fields refer to, followed by edges to the resources it selects. Both
    /// groups are sorted by kind, namespace and name.
    pub edges: Vec<Edge<'d>>,
    pub(super) root: Option<Node<'d>>,
}

/// Number of errors and warnings about a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingCounts {
    pub errors: usize,
    pub warnings: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceState {
    /// The resource is present in the input.
    Present,
    /// The resource is present in the input, but no parent selects it.
    Unselected,
    /// The resource is a paused GrafanaAgent. The operator neither creates nor changes anything for it.
    Paused,
    /// The resource is missing from the input.
    Missing,
    /// The resource is missing from the input, but a controller creates it in the cluster from the given resource.
    Promised(String),
    /// The resource is present in the input, but the API server rejects it.
    Refused,
}

/// Edge from a resource to a resource below it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Edge<'d> {
    #[serde(rename = "id", serialize_with = "serialize_display")]
    pub to: ObjectRef<'d>,
    /// Fields that refer to the resource. Empty if the resource is selected instead.
    pub references: Vec<DataReference<'d>>,
    /// Agents that exclude a selected ServiceMonitor because it refers to files.
    #[serde(serialize_with = "all_displayed")]
    pub denied_by: Vec<ObjectRef<'d>>,
}

/// A field that refers to a Secret or ConfigMap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DataReference<'d> {
    pub field: String,
    /// Key, or `None` if the field refers to the whole object.
    pub key: Option<&'d str>,
    /// Whether the object exists but does not contain the key.
    #[serde(rename = "missing")]
    pub is_missing: bool,
}

impl<'d> Tree<'d> {
    /// Returns the entry for a resource.
    pub fn get(&self, object: ObjectRef<'_>) -> Option<&TreeItem<'d>> {
        let (_, entry) = self.entries.get_index(self.entries.get_index_of(&object)?)?;
        Some(entry)
    }

    /// Returns all entries, each with its resource.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ObjectRef<'d>, &TreeItem<'d>)> {
        self.entries.iter().map(|(&object, entry)| (object, entry))
    }

    /// Returns the indexes of the entries for `objects`.
    pub(super) fn indexes(&self, objects: &[ObjectRef<'_>]) -> Vec<usize> {
        let indexes = objects.iter().map(|object| self.entries.get_index_of(object));
        indexes.flatten().collect()
    }

    /// Returns the number of resources directly below an entry, by kind.
    pub fn child_counts(&self, entry: &TreeItem<'d>) -> BTreeMap<Kind, usize> {
        count(entry.edges.iter().filter_map(|edge| self.get(edge.to)))
    }

    /// Returns the number of resources, by kind.
    pub fn counts(&self) -> BTreeMap<Kind, usize> {
        count(self.entries.values())
    }
}

fn count<'e, 'd: 'e>(entries: impl Iterator<Item = &'e TreeItem<'d>>) -> BTreeMap<Kind, usize> {
    let mut counts = BTreeMap::new();
    entries.for_each(|entry| *counts.entry(entry.object.kind).or_default() += 1);
    counts
}

/// Formats counts as text: `1 MetricsInstance, 2 Probes`.
pub(super) fn format_counts(counts: &BTreeMap<Kind, usize>) -> String {
    let counts = counts.iter().map(|(kind, &count)| format!("{count} {}", kind.name_for_count(count)));
    counts.collect::<Vec<_>>().join(", ")
}

impl ResourceState {
    /// Returns the name used for the state in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            ResourceState::Present => "present",
            ResourceState::Unselected => "unselected",
            ResourceState::Paused => "paused",
            ResourceState::Missing => "missing",
            ResourceState::Promised(_) => "promised",
            ResourceState::Refused => "refused",
        }
    }

    /// Returns the remark shown in diagrams, or `None` if the resource is present.
    pub(super) fn remark(&self) -> Option<String> {
        match self {
            ResourceState::Present => None,
            ResourceState::Promised(by) => Some(format!("created by {by}")),
            _ => Some(self.as_str().to_owned()),
        }
    }

    /// Returns the resource from which a controller creates the Secret, if any.
    pub fn creator(&self) -> Option<&str> {
        match self {
            ResourceState::Promised(by) => Some(by),
            _ => None,
        }
    }
}

impl TreeItem<'_> {
    /// Whether the entry has more than one parent.
    pub fn is_shared(&self) -> bool {
        self.parents > 1
    }

    /// Whether the entry's kind is referred to rather than selected.
    pub fn is_referred_to(&self) -> bool {
        self.object.kind.is_data()
    }
}

impl<'d> Edge<'d> {
    /// Creates an edge without references.
    pub(super) fn to(to: ObjectRef<'d>) -> Self {
        Self { to, references: Vec::new(), denied_by: Vec::new() }
    }

    /// Returns the distinct keys that the fields refer to, in order, and whether each key is missing.
    pub fn keys(&self) -> BTreeSet<(&'d str, bool)> {
        let references = self.references.iter();
        references.filter_map(|r| Some((r.key?, r.is_missing))).collect()
    }
}

fn all_displayed<S: Serializer>(objects: &[ObjectRef<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(names(objects))
}

/// Returns the displayed names of resources, such as `Kind/namespace/name`.
pub(super) fn names(objects: &[ObjectRef<'_>]) -> Vec<String> {
    objects.iter().map(ToString::to_string).collect()
}

/// Formats keys as text: `password, user (missing)`.
pub fn format_keys<'k>(keys: impl IntoIterator<Item = (&'k str, bool)>) -> String {
    let key_texts = keys.into_iter().map(|(key, is_missing)| match is_missing {
        true => format!("{key} (missing)"),
        false => key.to_owned(),
    });
    key_texts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(kind: Kind, name: &str) -> ObjectRef<'_> {
        ObjectRef { kind, namespace: "a", name }
    }

    fn tree<'d>(entries: &[(ObjectRef<'d>, &[ObjectRef<'d>])]) -> Tree<'d> {
        let entry = |(object, under): &(ObjectRef<'d>, &[ObjectRef<'d>])| {
            let entry = TreeItem {
                object: *object,
                state: ResourceState::Present,
                condition: None,
                place: None,
                parents: 0,
                findings: FindingCounts::default(),
                edges: under.iter().map(|to| Edge::to(*to)).collect(),
                root: None,
            };
            (*object, entry)
        };
        Tree { entries: entries.iter().map(entry).collect(), ..Tree::default() }
    }

    #[test]
    fn numbers_resources_in_order() {
        let [agent, first_object, second_object, missing_object] =
            ["agent", "one", "two", "gone"].map(|name| object(Kind::Probe, name));
        let tree = tree(&[(agent, &[]), (first_object, &[]), (second_object, &[])]);
        for (objects, expected) in [
            (&[][..], &[][..]),
            (&[agent], &[0]),
            (&[second_object, agent], &[2, 0]),
            (&[missing_object, first_object, missing_object], &[1]),
        ] {
            assert_eq!(tree.indexes(objects), expected, "{objects:?}");
        }
        assert!(tree.get(missing_object).is_none() && tree.get(second_object).is_some());
        assert!(tree.iter().map(|(object, _)| object).eq([agent, first_object, second_object]));
    }

    #[test]
    fn counts_resources_by_kind() {
        let probes = ["a", "b"].map(|name| object(Kind::Probe, name));
        let (secret, gone) = (object(Kind::Secret, "c"), object(Kind::Secret, "gone"));
        let instance = object(Kind::MetricsInstance, "d");
        let child_objects = [probes[0], probes[1], secret, gone];
        let tree = tree(&[(instance, &child_objects), (probes[0], &[secret]), (probes[1], &[]), (secret, &[])]);
        assert_eq!(format_counts(&tree.counts()), "1 MetricsInstance, 2 Probes, 1 Secret");
        for (of, expected) in [(instance, "2 Probes, 1 Secret"), (probes[0], "1 Secret"), (probes[1], "")] {
            let counts = tree.child_counts(tree.get(of).unwrap());
            assert_eq!(format_counts(&counts), expected, "{of}");
        }
    }

    #[test]
    fn states_have_a_word_and_a_remark() {
        let promised_state = ResourceState::Promised("SealedSecret/a/b".to_owned());
        for (state, word, remark) in [
            (ResourceState::Present, "present", None),
            (ResourceState::Unselected, "unselected", Some("unselected")),
            (ResourceState::Paused, "paused", Some("paused")),
            (ResourceState::Missing, "missing", Some("missing")),
            (promised_state, "promised", Some("created by SealedSecret/a/b")),
            (ResourceState::Refused, "refused", Some("refused")),
        ] {
            assert_eq!((state.as_str(), state.remark().as_deref()), (word, remark));
            let creator = (word == "promised").then_some("SealedSecret/a/b");
            assert_eq!(state.creator(), creator);
        }
    }

    #[test]
    fn shows_keys_once_and_in_order() {
        let reference = |key, is_missing| DataReference { field: String::new(), key, is_missing };
        let edge = Edge {
            references: vec![
                reference(Some("user"), true),
                reference(None, false),
                reference(Some("password"), false),
                reference(Some("user"), true),
            ],
            ..Edge::to(object(Kind::Secret, "a"))
        };
        assert_eq!(format_keys(edge.keys()), "password, user (missing)");
        assert_eq!(format_keys([]), "");
        for (parents, expected) in [(0, false), (1, false), (2, true)] {
            let mut tree = tree(&[(edge.to, &[])]);
            tree.entries[0].parents = parents;
            assert_eq!(tree.entries[0].is_shared(), expected, "{parents}");
        }
    }
}
