//! Where pods may run: tolerations, affinity, topology spread and node labels.

use serde_json::Value;

use super::walk::Rule::{self, In, Labels, Newer, OneOf, Range, Required, Text, TextOrEmpty, Unique, With};
use super::walk::{Rows, Step, Walk, any_of, list, text_of};
use crate::go::syntax;

/// What a pod says of nodes and of other pods.
pub(super) const SCHEDULING: Rows = &[
    ("nodeSelector", Labels),
    ("tolerations[]", With(toleration)),
    ("tolerations[].key", TextOrEmpty(syntax::qualified_name)),
    (
        "tolerations[].effect",
        OneOf(&["", "NoExecute", "NoSchedule", "PreferNoSchedule"]),
    ),
    ("affinity.nodeAffinity", In(NODE_AFFINITY)),
    ("affinity.podAffinity|podAntiAffinity", In(POD_AFFINITY)),
    ("topologySpreadConstraints[].maxSkew", Range(1, i64::MAX)),
    ("topologySpreadConstraints[].topologyKey", Required),
    (
        "topologySpreadConstraints[].topologyKey",
        Newer(&TextOrEmpty(syntax::qualified_name)),
    ),
    (
        "topologySpreadConstraints[].whenUnsatisfiable",
        OneOf(&["DoNotSchedule", "ScheduleAnyway"]),
    ),
    ("topologySpreadConstraints[].labelSelector", Newer(&In(LABEL_SELECTOR))),
    ("topologySpreadConstraints[].minDomains", Newer(&Range(1, i64::MAX))),
    (
        "topologySpreadConstraints[].nodeAffinityPolicy|nodeTaintsPolicy",
        Newer(&OneOf(&["Honor", "Ignore"])),
    ),
    (
        "topologySpreadConstraints",
        Unique(&["topologyKey", "whenUnsatisfiable"]),
    ),
];

/// `ValidateTolerations`.
fn toleration<'v>(toleration: &'v Value, walk: &mut Walk<'v>) {
    let (operator, value) = (text_of(toleration, "operator"), text_of(toleration, "value"));
    if text_of(toleration, "key").is_empty() && operator != "Exists" {
        walk.report(&[Step::Key("operator")], "must be `Exists` without a `key`");
    }
    if toleration.get("tolerationSeconds").is_some() && text_of(toleration, "effect") != "NoExecute" {
        walk.report(&[Step::Key("effect")], "must be `NoExecute` with `tolerationSeconds`");
    }
    match operator {
        "" | "Equal" => walk.text(&[Step::Key("value")], syntax::label_value, Some(value)),
        "Exists" if !value.is_empty() => {
            walk.report(&[Step::Key("value")], "must be empty with `operator: Exists`");
        }
        "Exists" => {}
        _ => {
            walk.report(&[Step::Key("operator")], "must be `Equal` or `Exists`")
                .of(operator);
        }
    }
}

const WEIGHT: Rule = Range(1, 100);

/// `validateNodeAffinity`.
const NODE_AFFINITY: Rows = &[
    (
        "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
        Required,
    ),
    (
        "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[]",
        In(NODE_TERM),
    ),
    ("preferredDuringSchedulingIgnoredDuringExecution[].weight", WEIGHT),
    (
        "preferredDuringSchedulingIgnoredDuringExecution[].preference",
        In(NODE_TERM),
    ),
];

/// `ValidateNodeSelectorTerm`.
const NODE_TERM: Rows = &[
    ("matchExpressions[].key", Text(syntax::qualified_name)),
    ("matchExpressions[]", With(node_requirement)),
    ("matchFields[].key", OneOf(&["metadata.name"])),
    ("matchFields[].values[]", Text(syntax::subdomain)),
    ("matchFields[]", With(field_requirement)),
];

/// `validatePodAffinity`, `validatePodAntiAffinity`.
const POD_AFFINITY: Rows = &[
    ("requiredDuringSchedulingIgnoredDuringExecution[]", In(POD_TERM)),
    ("preferredDuringSchedulingIgnoredDuringExecution[].weight", WEIGHT),
    (
        "preferredDuringSchedulingIgnoredDuringExecution[].podAffinityTerm",
        In(POD_TERM),
    ),
];

/// `validatePodAffinityTerm`.
const POD_TERM: Rows = &[
    ("labelSelector", In(LABEL_SELECTOR)),
    ("namespaceSelector", Newer(&In(LABEL_SELECTOR))),
    ("namespaces[]", Text(syntax::dns_label)),
    ("topologyKey", Required),
    ("topologyKey", TextOrEmpty(syntax::qualified_name)),
];

/// `ValidateLabelSelector`.
pub(super) const LABEL_SELECTOR: Rows = &[
    ("matchLabels", Labels),
    ("matchExpressions[].key", Text(syntax::qualified_name)),
    ("matchExpressions[].values[]", Newer(&Text(syntax::label_value))),
    ("matchExpressions[]", With(label_requirement)),
];

/// `ValidateNodeSelectorRequirement`.
fn node_requirement<'v>(requirement: &'v Value, walk: &mut Walk<'v>) {
    values(
        requirement,
        &["In", "NotIn"],
        &["Exists", "DoesNotExist"],
        &["Gt", "Lt"],
        walk,
    );
}

/// `ValidateNodeFieldSelectorRequirement`.
fn field_requirement<'v>(requirement: &'v Value, walk: &mut Walk<'v>) {
    values(requirement, &[], &[], &["In", "NotIn"], walk);
}

/// `ValidateLabelSelectorRequirement`.
fn label_requirement<'v>(requirement: &'v Value, walk: &mut Walk<'v>) {
    values(requirement, &["In", "NotIn"], &["Exists", "DoesNotExist"], &[], walk);
}

/// Holds the values against the operator: those that need some, none, or one.
fn values<'v>(requirement: &'v Value, some: &[&str], none: &[&str], one: &[&str], walk: &mut Walk<'v>) {
    let operator = text_of(requirement, "operator");
    let count = list(requirement, "values").len();
    let expected = if some.contains(&operator) {
        (count == 0).then_some("must not be empty")
    } else if none.contains(&operator) {
        (count > 0).then_some("must be empty")
    } else if one.contains(&operator) {
        (count != 1).then_some("must have one value")
    } else {
        let operators = [some, none, one].concat();
        walk.report(&[Step::Key("operator")], format!("must be {}", any_of(&operators)))
            .of(operator);
        None
    };
    if let Some(expected) = expected {
        walk.report(
            &[Step::Key("values")],
            format!("{expected} with `operator: {operator}`"),
        );
    }
}
