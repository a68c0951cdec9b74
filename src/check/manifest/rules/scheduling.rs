//! Scheduling constraints for pods: tolerations, affinity, topology spread and node labels.

use std::collections::HashSet;

use crate::check::walk::Expect::{self, In, Labels, Mild, OneOf, Range, Required, Text, TextOrEmpty, Unique, With};
use crate::check::walk::{Json, Rows, Step, Walk, list_alternatives};
use crate::go::syntax;

/// Rules for the fields that constrain where a pod may run.
pub(super) const SCHEDULING: Rows = &[
    ("nodeSelector", Labels),
    ("tolerations[]", In(TOLERATION)),
    ("affinity.nodeAffinity", In(NODE_AFFINITY)),
    ("affinity.podAffinity|podAntiAffinity", In(POD_AFFINITY)),
    ("topologySpreadConstraints[]", In(SPREAD)),
    ("topologySpreadConstraints", Unique(&["topologyKey", "whenUnsatisfiable"])),
];

/// Port of Kubernetes' `validateTopologySpreadConstraints`.
const SPREAD: Rows = &[
    ("maxSkew", Range(1, i64::MAX)),
    ("topologyKey", Required),
    ("topologyKey", Mild(&TextOrEmpty(syntax::qualified_name))),
    ("whenUnsatisfiable", OneOf("DoNotSchedule|ScheduleAnyway")),
    ("labelSelector", Mild(&In(LABEL_SELECTOR))),
    ("minDomains", Mild(&Range(1, i64::MAX))),
    ("", Mild(&With(check_min_domains))),
    ("matchLabelKeys[]", Mild(&Text(syntax::qualified_name))),
    ("", Mild(&With(check_match_label_keys))),
    ("nodeAffinityPolicy|nodeTaintsPolicy", Mild(&POLICY)),
];
const POLICY: Expect = OneOf("Honor|Ignore");

/// Port of Kubernetes' `validateMinDomains`.
fn check_min_domains<'v>(constraint: Json<'v>, walk: &mut Walk<'v>) {
    if constraint.non_null("minDomains").is_some() && constraint.text("whenUnsatisfiable") == "ScheduleAnyway" {
        let report = walk.report_field("minDomains", "is allowed only if `whenUnsatisfiable` is `DoNotSchedule`");
        report.help = "remove it, or set `whenUnsatisfiable: DoNotSchedule`".to_owned();
    }
}

/// Port of Kubernetes' `validateMatchLabelKeysInTopologySpread`.
fn check_match_label_keys<'v>(constraint: Json<'v>, walk: &mut Walk<'v>) {
    let Some(selector) = constraint.non_null("labelSelector") else {
        if constraint.has("matchLabelKeys") {
            let report = walk.report_field("matchLabelKeys", "is allowed only if `labelSelector` is set");
            report.help = "remove it, or set `labelSelector`".to_owned();
        }
        return;
    };
    let labels = selector.get("matchLabels").unwrap_or(Json::NULL).entries().map(|(key, _)| key);
    let expressions = selector.list("matchExpressions").map(|expression| expression.text("key"));
    let selected_keys: HashSet<_> = labels.chain(expressions).collect();
    walk.for_each("matchLabelKeys[]", constraint, |walk, key| {
        if let Some(key) = key.as_str().filter(|key| selected_keys.contains(key)) {
            let report = walk.report(&[], "is already a key in `labelSelector`").set_value(key);
            report.help = "remove it from one of the two".to_owned();
        }
    });
}

/// Rules for a toleration.
pub(super) const TOLERATION: Rows = &[
    ("", With(check_toleration)),
    ("key", TextOrEmpty(syntax::qualified_name)),
    ("effect", OneOf("|NoExecute|NoSchedule|PreferNoSchedule")),
];

/// Port of Kubernetes' `ValidateTolerations`.
fn check_toleration<'v>(toleration: Json<'v>, walk: &mut Walk<'v>) {
    let (operator, value) = (toleration.text("operator"), toleration.text("value"));
    if toleration.text("key").is_empty() && operator != "Exists" {
        walk.report_field("operator", "must be `Exists` if `key` is empty");
    }
    if toleration.get("tolerationSeconds").is_some() && toleration.text("effect") != "NoExecute" {
        walk.report_field("effect", "must be `NoExecute` if `tolerationSeconds` is set");
    }
    match operator {
        "" | "Equal" => walk.check_text(&[Step::Key("value")], syntax::label_value, Some(value)),
        "Exists" if !value.is_empty() => {
            walk.report_field("value", "must be empty if `operator` is `Exists`");
        }
        "Exists" => {}
        _ => {
            walk.report_field("operator", "must be `Equal` or `Exists`").set_value(operator);
        }
    }
}

const WEIGHT: Expect = Range(1, 100);

/// Port of Kubernetes' `validateNodeAffinity`.
const NODE_AFFINITY: Rows = &[
    ("requiredDuringSchedulingIgnoredDuringExecution", In(NODE_SELECTOR)),
    ("preferredDuringSchedulingIgnoredDuringExecution[]", In(PREFERRED_NODES)),
];
const NODE_SELECTOR: Rows = &[("nodeSelectorTerms", Required), ("nodeSelectorTerms[]", In(NODE_TERM))];
const PREFERRED_NODES: Rows = &[("weight", WEIGHT), ("preference", In(NODE_TERM))];

/// Port of Kubernetes' `ValidateNodeSelectorTerm`.
const NODE_TERM: Rows = &[
    ("matchExpressions[].key", Text(syntax::qualified_name)),
    // Port of Kubernetes' `ValidateNodeSelectorRequirement`.
    (
        "matchExpressions[]",
        With(|term, walk| check_values(term, VALUE_OPERATORS, VALUELESS_OPERATORS, &["Gt", "Lt"], walk)),
    ),
    ("matchFields[].key", OneOf("metadata.name")),
    ("matchFields[].values[]", Text(syntax::subdomain)),
    // Port of Kubernetes' `ValidateNodeFieldSelectorRequirement`.
    ("matchFields[]", With(|term, walk| check_values(term, &[], &[], VALUE_OPERATORS, walk))),
];

/// Port of Kubernetes' `validatePodAffinity` and `validatePodAntiAffinity`.
const POD_AFFINITY: Rows = &[
    ("requiredDuringSchedulingIgnoredDuringExecution[]", In(POD_TERM)),
    ("preferredDuringSchedulingIgnoredDuringExecution[]", In(PREFERRED_PODS)),
];
const PREFERRED_PODS: Rows = &[("weight", WEIGHT), ("podAffinityTerm", In(POD_TERM))];

/// Port of Kubernetes' `validatePodAffinityTerm`.
const POD_TERM: Rows = &[
    ("labelSelector", In(LABEL_SELECTOR)),
    ("namespaceSelector", Mild(&In(LABEL_SELECTOR))),
    ("namespaces[]", Text(syntax::dns_label)),
    ("topologyKey", Required),
    ("topologyKey", TextOrEmpty(syntax::qualified_name)),
];

/// Port of Kubernetes' `ValidateLabelSelector`.
pub(super) const LABEL_SELECTOR: Rows = &[
    ("matchLabels", Labels),
    ("matchExpressions[].key", Text(syntax::qualified_name)),
    ("matchExpressions[].values[]", Mild(&Text(syntax::label_value))),
    // Port of Kubernetes' `ValidateLabelSelectorRequirement`.
    ("matchExpressions[]", With(|term, walk| check_values(term, VALUE_OPERATORS, VALUELESS_OPERATORS, &[], walk))),
];

/// Operators that require at least one value, or exactly one in a node field selector.
const VALUE_OPERATORS: &[&str] = &["In", "NotIn"];
/// Operators that accept no values.
const VALUELESS_OPERATORS: &[&str] = &["Exists", "DoesNotExist"];

/// Checks the number of an operator's values: at least one for the operators in `some`, none for those in `none`, and
/// exactly one for those in `one`.
fn check_values<'v>(requirement: Json<'v>, some: &[&str], none: &[&str], one: &[&str], walk: &mut Walk<'v>) {
    let operator = requirement.text("operator");
    let count = requirement.list("values").count();
    let expected = if some.contains(&operator) {
        (count == 0).then_some("must not be empty")
    } else if none.contains(&operator) {
        (count > 0).then_some("must be empty")
    } else if one.contains(&operator) {
        (count != 1).then_some("must contain exactly one value")
    } else {
        let operators = [some, none, one].concat().join("|");
        walk.report_field("operator", format!("must be {}", list_alternatives(&operators))).set_value(operator);
        None
    };
    if let Some(expected) = expected {
        walk.report_field("values", format!("{expected} if `operator` is `{operator}`"));
    }
}
