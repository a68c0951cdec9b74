//! Changes that would cause a resource to be selected, as merge patches (RFC 7386). Each patch is a document that
//! contains `apiVersion`, `kind` and the name of its resource, so that kustomize and `kubectl patch` accept it.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value as Json, json};

use super::AgentAnswer;
use crate::api::{Kind, ObjectRef};
use crate::diagnostic::{Edit, FieldPath, is_disjoint};
use crate::insight::graph::Link;
use crate::insight::obstacle::{Cause, DENY_FIELD, Obstacle};
use crate::resolve::explain::{Mismatch, SelectorMismatch};
use crate::resolve::{Condition, Namespaces, Requirement, Selector, SelectorScope};
use crate::source::Span;
use crate::yaml::{self, LibraryStyle, Node, Value, to_json};

const NAME_LABEL: &str = Namespaces::NAME_LABEL;

/// Converts a merge patch to edits of the resource's YAML, or returns `None` if the YAML's layout does not allow them.
pub fn edits(merge: &Json, root: Node<'_>) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for (key, value) in merge.as_object()? {
        if !matches!(key.as_str(), "apiVersion" | "kind") {
            edit(root, key, value, &mut edits)?;
        }
    }
    edits.sort();
    is_disjoint(&edits).then_some(edits)
}

/// Appends the edits that merge `value` into the entry for `key` in a mapping, or returns `None` if something would
/// have to be removed.
fn edit(mapping: Node<'_>, key: &str, value: &Json, edits: &mut Vec<Edit>) -> Option<()> {
    match (mapping.get(key), value) {
        (_, Json::Null) => return None,
        (None, value) => edits.extend(mapping.insert_entry(key, value)?),
        (Some(existing), Json::Object(changes)) if existing.is_mapping() => {
            for (key, value) in changes {
                edit(existing, key, value, edits)?;
            }
        }
        (Some(existing), value) if to_json(existing) != *value => edits.extend(existing.replace_value(value)?),
        (Some(_), _) => {}
    }
    Some(())
}

/// Changes that would make an agent select a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectionFixes<'d> {
    /// Merge patches by resource. A patched Namespace may be missing from the input.
    pub patches: BTreeMap<ObjectRef<'d>, Json>,
    /// Changes that require a decision by the user, each as an imperative sentence with the span it applies to.
    pub by_hand: Vec<(String, Span)>,
}

impl<'d> SelectionFixes<'d> {
    /// Returns the changes that would open the agent's nearest path. Label changes apply to the resource to be
    /// selected. A parent is changed if it has no selector or searches only other namespaces. After the change, it
    /// still selects all resources that it selected before.
    pub fn new(answer: &AgentAnswer<'_, '_, 'd>) -> Self {
        let mut fixes = SelectionFixes::default();
        for obstacle in answer.idle {
            fixes.remove(obstacle, None);
        }
        for link in answer.paths().next().into_iter().flat_map(|nearest| nearest.links) {
            let requirements_by_key = [&link.selector.labels, &link.selector.namespaces].map(by_key);
            for obstacle in &link.obstacles {
                fixes.remove(obstacle, Some((&link, &requirements_by_key)));
            }
        }
        fixes
    }

    /// Adds the change that removes an obstacle. `link` includes the requirements of the selectors for labels and
    /// namespaces.
    fn remove(&mut self, obstacle: &Obstacle<'d>, link: Option<(&Link<'_, 'd>, &[ByKey<'_, 'd>; 2])>) {
        let (by, field, span) = (obstacle.by, obstacle.field.unwrap_or_default(), obstacle.span);
        match (&obstacle.cause, link) {
            (Cause::Paused, _) => self.set(by, "spec.paused", json!(false)),
            (Cause::AgentSelector(Mismatch { requirement, .. }), _) => {
                self.label(by, requirement.key, &[requirement], span);
            }
            (Cause::Selector(SelectorMismatch::NoSelector), _) => self.set(by, field, json!({})),
            (Cause::Selector(SelectorMismatch::InvalidSelector), _) => {
                self.by_hand.push((format!("correct `{field}` in {by}"), span));
            }
            (Cause::Selector(SelectorMismatch::OtherNamespace { wanted, found }), _) => {
                let combined_requirement = json!({ "key": NAME_LABEL, "operator": "In", "values": [wanted, found] });
                self.set(by, field, json!({ "matchExpressions": [combined_requirement] }));
            }
            (
                Cause::Selector(SelectorMismatch::NamespaceLabel(namespace, Mismatch { requirement, .. })),
                Some((link, _)),
            ) if requirement.key == NAME_LABEL => {
                match admitting_selector(link.parent.root, field, requirement, namespace) {
                    Some(change) => self.set(by, field, change),
                    None => self
                        .by_hand
                        .push((format!("change `{field}` in {by} so that it matches namespace `{namespace}`"), span)),
                }
            }
            (
                Cause::Selector(
                    SelectorMismatch::NamespaceLabel(name, Mismatch { requirement, .. })
                    | SelectorMismatch::UnknownLabel(name, Mismatch { requirement, .. }),
                ),
                Some((_, [_, namespaces])),
            ) => {
                let (kind, namespace) = (Kind::Namespace, "");
                let object = ObjectRef { kind, namespace, name };
                self.label(object, requirement.key, key_requirements(namespaces, requirement), span);
            }
            (Cause::Selector(SelectorMismatch::Label(Mismatch { requirement, .. })), Some((link, [labels, _]))) => {
                let child = link.child.object_ref();
                self.label(child, requirement.key, key_requirements(labels, requirement), span);
            }
            (Cause::FileAccess(fields), Some((link, _))) => {
                let child = link.child.object_ref();
                let manual_changes = fields.iter().map(|(field, span)| {
                    let advice = format!(
                        "refer to a Secret instead of using `{field}` in {child}, or set `{DENY_FIELD}` to `false` in {by}"
                    );
                    (advice, *span)
                });
                self.by_hand.extend(manual_changes);
            }
            (Cause::Selector(_) | Cause::FileAccess(_), None) => {}
        }
    }

    /// Sets or removes a label so that all `requirements` are met.
    fn label(&mut self, object: ObjectRef<'d>, key: &'d str, requirements: &[&Requirement<'d>], span: Span) {
        match matching_value(requirements) {
            Some(value) => {
                let value = value.map_or(Json::Null, Json::from);
                merge(self.patch(object), json!({ "metadata": { "labels": { key: value } } }));
            }
            None => self.by_hand.push((format!("change the selector: no value of `{key}` satisfies it"), span)),
        }
    }

    fn set(&mut self, object: ObjectRef<'d>, field: &str, value: Json) {
        let nested_patch = field.rsplit('.').fold(value, |inner, key| json!({ key: inner }));
        merge(self.patch(object), nested_patch);
    }

    fn patch(&mut self, object: ObjectRef<'d>) -> &mut Json {
        self.patches.entry(object).or_insert_with(|| {
            let metadata = match object.namespace {
                "" => json!({ "name": object.name }),
                namespace => json!({ "name": object.name, "namespace": namespace }),
            };
            json!({ "apiVersion": object.kind.api_version(), "kind": object.kind.as_str(), "metadata": metadata })
        })
    }
}

/// Requirements of a selector, by label key.
type ByKey<'s, 'd> = HashMap<&'d str, Vec<&'s Requirement<'d>>>;

fn by_key<'s, 'd>(scope: &'s SelectorScope<'d>) -> ByKey<'s, 'd> {
    let mut by_key = ByKey::new();
    for requirement in scope.set().into_iter().flat_map(Selector::requirements) {
        by_key.entry(requirement.key).or_default().push(requirement);
    }
    by_key
}

/// Returns all requirements on the same label as `requirement`.
fn key_requirements<'m, 's, 'd>(by_key: &'m ByKey<'s, 'd>, requirement: &Requirement<'d>) -> &'m [&'s Requirement<'d>] {
    by_key.get(requirement.key).map_or(&[], Vec::as_slice)
}

/// Returns a label value that meets all requirements, `Some(None)` if the label must be absent, or `None` if the
/// requirements cannot be met.
fn matching_value<'d>(requirements: &[&Requirement<'d>]) -> Option<Option<&'d str>> {
    let listed_values = requirements.iter().flat_map(|requirement| match &requirement.condition {
        Condition::In(values) => &**values,
        _ => &[],
    });
    let candidates = listed_values.copied().map(Some).chain([None, Some("true")]);
    candidates.into_iter().find(|candidate| {
        requirements.iter().all(|requirement| {
            let labels = candidate.map(|value| (requirement.key, value)).into_iter().collect();
            requirement.holds(&labels)
        })
    })
}

/// Returns a change that makes a namespace selector admit `namespace` by name, or `None` if adding the name is not
/// sufficient.
fn admitting_selector(
    parent: Node<'_>,
    field: &'static str,
    requirement: &Requirement<'_>,
    namespace: &str,
) -> Option<Json> {
    let Condition::In(values) = &requirement.condition else {
        return None;
    };
    let selector = FieldPath::parse(field).find(parent)?;
    let mut expressions: Vec<Json> =
        selector.get("matchExpressions").map(|list| list.items().map(to_json).collect()).unwrap_or_default();
    let label_value = selector.get("matchLabels").and_then(|labels| labels.get(NAME_LABEL)).and_then(Node::as_str);
    let wanted_values: Vec<_> = values.iter().copied().chain([namespace]).collect();
    let widened_requirement = json!({ "key": NAME_LABEL, "operator": "In", "values": wanted_values });
    if label_value.is_some_and(|value| **values == [value]) {
        expressions.push(widened_requirement);
        return Some(json!({ "matchLabels": { NAME_LABEL: null }, "matchExpressions": expressions }));
    }
    let is_same_requirement = |expression: &&mut Json| {
        expression.get("key") == Some(&json!(NAME_LABEL)) && expression.get("values") == Some(&json!(**values))
    };
    *expressions.iter_mut().find(is_same_requirement)? = widened_requirement;
    Some(json!({ "matchExpressions": expressions }))
}

/// Merges the patch `from` into another patch.
pub(super) fn merge(into: &mut Json, from: Json) {
    match (into, from) {
        (Json::Object(into), Json::Object(from)) => {
            for (key, value) in from {
                match into.get_mut(&key) {
                    Some(present) => merge(present, value),
                    None => drop(into.insert(key, value)),
                }
            }
        }
        (into, from) => *into = from,
    }
}

/// Formats the patches as YAML, one document per patch.
pub fn to_yaml(patches: &BTreeMap<ObjectRef<'_>, Json>) -> String {
    let documents = patches.values();
    let documents = documents.map(|patch| yaml::write(&Value::from(patch.clone()), LibraryStyle::Kubernetes));
    documents.collect::<Vec<_>>().join("---\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::apply_edits;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read};

    #[test]
    fn converts_merge_patches_to_edits() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "", true));
        for (text, merge, expected) in [
            ("spec: {paused: true}", json!({"spec": {"paused": false}}), Some("spec: {paused: false}")),
            // A value that is already set is not included.
            ("spec: {paused: 'no'}", json!({"spec": {"paused": "no"}}), Some("spec: {paused: 'no'}")),
            ("spec: {a: 1}", json!({"spec": {}}), Some("spec: {a: 1}")),
            ("spec: {a: 1}", json!({"kind": "B", "apiVersion": "c"}), Some("spec: {a: 1}")),
            ("spec: {a: 1}", json!({"spec": {"b": {}}}), Some("spec: {b: {}, a: 1}")),
            ("spec:\n  a: 1\n", json!({"spec": {"b": {"c": "d"}}}), Some("spec:\n  b: {c: d}\n  a: 1\n")),
            ("a: 1", json!({"spec": {"b": 1}}), Some("spec: {b: 1}\na: 1")),
            // A mapping replaces a value of a different type.
            ("spec: x", json!({"spec": {"a": 1}}), Some("spec: {a: 1}")),
            ("spec: x", json!({"spec": {}}), Some("spec: {}")),
            ("spec: {a: [1]}", json!({"spec": {"a": [1, 2]}}), Some("spec: {a: [1, 2]}")),
            ("spec: {a: [1]}", json!({"spec": {"a": [1]}}), Some("spec: {a: [1]}")),
            ("spec: {a: 1, b: 2}", json!({"spec": {"b": 3, "a": 4}}), Some("spec: {a: 4, b: 3}")),
            // Entries cannot be removed, and two entries cannot be inserted at the same position.
            ("spec: {a: 1}", json!({"spec": {"a": null}}), None),
            ("spec: {a: 1}", json!({"spec": {"b": null}}), None),
            ("spec: {a: 1}", json!({"spec": {"b": 1, "c": 1}}), None),
            ("spec: {a: 1}", json!("spec"), None),
        ] {
            let documents = read(id, text, &Limits::default()).output;
            let edits = edits(&merge, documents[0].root());
            let actual = edits.and_then(|edits| apply_edits(text, &edits));
            assert_eq!(actual.as_deref(), expected, "{text} {merge}");
        }
        let documents = read(id, "spec: {paused: true}", &Limits::default()).output;
        let mut edits = Vec::new();
        edit(documents[0].root(), "spec", &json!({"paused": true}), &mut edits).unwrap();
        assert_eq!(edits, []);
    }
}
