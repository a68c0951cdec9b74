//! Tests of names, labels and other `metadata` fields.

use super::*;

fn lines(metadata: &str) -> Vec<String> {
    admit_text(&format!(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: PodLogs\nspec: {{selector: {{}}}}\n{metadata}"
    ))
    .lines()
}

#[test]
fn accepts_typical_metadata() {
    let metadata = "metadata:\n  name: a.b-c\n  namespace: team-a\n  labels: {app.kubernetes.io/name: A_b, empty: ''}\n  \
                    annotations: {Example.com/any: 'free text!'}\n  creationTimestamp: ~\n  uid: x\n  generation: 3\n  \
                    finalizers: [a.b/c]\n  managedFields:\n  - {manager: kubectl, fieldsV1: {'f:spec': {}}}\n";
    assert_eq!(lines(metadata), [""; 0]);
}

#[test]
fn reports_invalid_metadata() {
    for (metadata, expected) in [
        ("", "2 metadata.name: `PodLogs` has no `metadata` and therefore no name; add `metadata` with a `name`"),
        ("metadata: {}", "4 metadata.name: `metadata` has no `name`, which is required; add a `name`"),
        ("metadata: {name: ''}", "4 metadata.name: `metadata` has no `name`, which is required; add a `name`"),
        (
            "metadata: {generateName: a-}",
            "4 metadata.name: `metadata` has no `name`, which is required; set `name`: with `generateName`, the API server generates a different name each time",
        ),
        (
            "metadata: {name: A}",
            "4 metadata.name: the name `A` must consist of lowercase letters, digits, `-` and `.`, and each part must start \
             and end with a letter or digit",
        ),
        (
            "metadata:\n  name: a\n  namespace: a.b",
            "6 metadata.namespace: the namespace `a.b` must consist of lowercase letters, digits and `-`, and must start and \
             end with a letter or digit",
        ),
        (
            "metadata:\n  name: a\n  labels:\n    on: yes",
            "7 metadata.labels.true: `true` must be a string, but is a boolean; quote it: without quotes, `y`, `yes`, `on`, `n`, \
             `no` and `off` are booleans",
        ),
        (
            "metadata:\n  name: a\n  labels:\n    b: c d",
            "7 metadata.labels: the value of the label `b` must consist of letters, digits, `-`, `_` and `.`, and must \
             start and end with a letter or digit; move free text to an annotation",
        ),
        (
            "metadata:\n  name: a\n  annotations: {a/b/c: d}",
            "6 metadata.annotations: the key `a/b/c` in `annotations` must contain at most one `/`; write it as `name` or \
             `prefix/name`, such as `example.com/name`",
        ),
        (
            "metadata: {name: a, lables: {}}",
            "4 metadata.lables: `metadata` has no field `lables`, so the field is dropped; did you mean `labels`?",
        ),
        (
            "metadata: {generateName: Ab-, name: a}",
            "4 metadata.generateName: the generateName `Ab-` must consist of lowercase letters, digits, `-` and `.`, and each \
             part must start and end with a letter or digit",
        ),
        (
            "metadata:\n  name: a\n  finalizers: [a/b, a b]",
            "6 metadata.finalizers: the finalizer `a b` must consist of letters, digits, `-`, `_` and `.`, and must start and end \
             with a letter or digit",
        ),
        (
            "metadata:\n  name: a\n  ownerReferences:\n  - {apiVersion: v1, kind: A, name: b, uid: c, controller: true}\n  \
             - {apiVersion: v1, kind: A, name: c, uid: d, controller: false}\n  \
             - {apiVersion: v1, kind: A, name: d, uid: e, controller: true}",
            "9 metadata.ownerReferences: only one owner can be the controller",
        ),
        (
            "metadata:\n  name: a\n  ownerReferences:\n  - {apiVersion: v1, kind: A, name: '', uid: c}",
            "7 metadata.ownerReferences.name: `ownerReferences[0]` has no `name`, which is required",
        ),
        (
            "metadata: [a]",
            "4 metadata: `metadata` must be a mapping, but is a list; write it as a mapping, without `- `",
        ),
        ("metadata: {name: a, generation: -1}", "4 metadata.generation: `generation` must not be negative"),
        (
            "metadata:\n  name: a\n  finalizers: [orphan, foregroundDeletion]",
            "6 metadata.finalizers: the finalizers `orphan` and `foregroundDeletion` cannot be combined",
        ),
        (
            "metadata:\n  name: a\n  ownerReferences:\n  - {apiVersion: v1, kind: A, name: b}",
            "7 metadata.ownerReferences.uid: `ownerReferences[0]` has no `uid`, which is required",
        ),
    ] {
        assert_eq!(lines(metadata), [expected], "{metadata}");
    }
}

#[test]
fn accepts_unusual_metadata() {
    let owner = |name: &str, more: &str| format!("{{apiVersion: v1, kind: A, name: {name}, uid: u{name}{more}}}");
    for metadata in [
        "{name: a, generateName: a-}".to_owned(),
        "{name: a, generation: 0}".to_owned(),
        "{name: a, finalizers: [orphan, a.b/c]}".to_owned(),
        "{name: a, finalizers: [foregroundDeletion]}".to_owned(),
        format!("{{name: a, ownerReferences: [{}, {}]}}", owner("a", ""), owner("b", "")),
        format!(
            "{{name: a, ownerReferences: [{}, {}]}}",
            owner("a", ", controller: false"),
            owner("b", ", controller: false")
        ),
        format!(
            "{{name: a, ownerReferences: [{}, {}]}}",
            owner("a", ", controller: true"),
            owner("b", ", controller: false")
        ),
    ] {
        assert_eq!(lines(&format!("metadata: {metadata}")), [""; 0], "{metadata}");
    }
}

#[test]
fn limits_annotations_to_256_kib() {
    let annotations_of_size = |length: usize| {
        let values = format!("ab: {}, c: {}", "x".repeat(1000), "x".repeat(length - 1003));
        lines(&format!("metadata:\n  name: a\n  annotations: {{{values}}}"))
    };
    assert_eq!(annotations_of_size(262_144), [""; 0]);
    let expected =
        "6 metadata.annotations: the annotations take up 262145 bytes in total, but at most 262144 are allowed";
    assert_eq!(annotations_of_size(262_145), [expected]);
}

#[test]
fn checks_names_of_other_kinds() {
    let messages = |kind: &str, metadata: &str| {
        let lines = admit_text(&format!("apiVersion: v1\nkind: {kind}\nmetadata: {metadata}\n")).lines();
        lines.into_iter().map(|line| line.split(": ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (kind, metadata, expected) in [
        ("Namespace", "{name: a-b}", None),
        ("Namespace", "{name: a.b}", Some("3 metadata.name")),
        ("Namespace", "{name: a, namespace: B}", None),
        ("Secret", "{name: a.b}", None),
        ("Secret", "{name: a, namespace: B}", Some("3 metadata.namespace")),
    ] {
        assert_eq!(messages(kind, metadata), Vec::from_iter(expected), "{kind} {metadata}");
    }
}
