//! Comparison of the data that two endpoints, or two PodLogs, collect from the same target.

use std::collections::BTreeSet;

use crate::api::ObjectRef;
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::RelabelAction;
use crate::yaml::Node;

/// Returns the cause shared by all findings that two resources collect the same data.
pub fn cause_of_pair(first: ObjectRef<'_>, second: ObjectRef<'_>) -> String {
    format!("{first} and {second} collect the same")
}

/// Fields that determine which server answers a scrape and which data it returns.
const REQUEST_FIELDS: [&str; 7] =
    ["proxyUrl", "basicAuth", "bearerTokenFile", "bearerTokenSecret", "authorization", "oauth2", "followRedirects"];

/// Whether two endpoints, or two PodLogs, collect the same samples or lines from the same target. Returns `false` if
/// that is unknown, for example because one may keep samples that the other drops.
pub fn collect_same_data(first: Node<'_>, second: Node<'_>) -> bool {
    REQUEST_FIELDS.iter().all(|field| are_equal(first, second, field))
        && (are_equal(first, second, "metricRelabelings") || !filters_samples(first) && !filters_samples(second))
        && are_equal_stages(first, second)
}

/// Labels that may differ between two ways of discovering the same target.
const SCRAPE_LABELS: [&str; 8] = ["container", "endpoint", "instance", "job", "namespace", "node", "pod", "service"];

/// Whether an endpoint's rules for samples drop samples based on a label that may differ between two ways of
/// discovering the same target.
pub fn filters_by_scrape_label(endpoint: Node<'_>) -> bool {
    let is_read_by_rule = |label: &str| {
        rules(endpoint, "relabelings").any(|rule| rule.get("targetLabel").and_then(Node::as_str) == Some(label))
    };
    rules(endpoint, "metricRelabelings").filter(|rule| is_filter(*rule)).any(|rule| {
        let sources = rule.get("sourceLabels").into_iter().flat_map(Node::items);
        sources.filter_map(Node::as_str).any(|source| SCRAPE_LABELS.contains(&source) || is_read_by_rule(source))
    })
}

/// Whether an endpoint's rules can drop a target or change its request.
pub fn may_change_target(endpoint: Node<'_>) -> bool {
    let is_request = |target: &str| target.starts_with("__") && !target.starts_with("__tmp") || target.contains('$');
    let changes = |rule: Node<'_>| {
        let target = rule.get("targetLabel").and_then(Node::as_str).unwrap_or_default();
        let action = rule.get("action").and_then(Node::as_str).unwrap_or_default();
        is_filter(rule) || is_request(target) || action.to_ascii_lowercase().starts_with("label")
    };
    filters_by_scrape_label(endpoint) || rules(endpoint, "relabelings").any(changes)
}

fn rules<'d>(endpoint: Node<'d>, field: &str) -> impl Iterator<Item = Node<'d>> {
    endpoint.get(field).into_iter().flat_map(Node::items)
}

fn are_equal(first: Node<'_>, second: Node<'_>, field: &str) -> bool {
    let [first, second] = [first, second].map(|endpoint| endpoint.get(field).filter(|value| !value.is_null()));
    match (first, second) {
        (Some(first), Some(second)) => first.equals(second),
        (first, second) => first.is_none() && second.is_none(),
    }
}

/// Whether the rules for samples drop samples or rename their metrics.
fn filters_samples(endpoint: Node<'_>) -> bool {
    let renames = |rule: Node<'_>| {
        let target = rule.get("targetLabel").and_then(Node::as_str).unwrap_or_default();
        target == "__name__" || target.contains('$')
    };
    rules(endpoint, "metricRelabelings").any(|rule| is_filter(rule) || renames(rule))
}

fn is_filter(rule: Node<'_>) -> bool {
    let action = rule.get("action").and_then(Node::as_str).and_then(RelabelAction::from_name);
    action.is_some_and(RelabelAction::is_filter)
}

/// Stages that drop lines, or that send them to a tenant.
const SELECTIVE_STAGES: [&str; 5] = ["drop", "limit", "match", "sampling", "tenant"];

fn are_equal_stages(first: Node<'_>, second: Node<'_>) -> bool {
    match (stages(first), stages(second)) {
        (Some(first_value), Some(other)) if first_value.equals(other) => true,
        (first_value, other) => !first_value.is_some_and(is_selective) && !other.is_some_and(is_selective),
    }
}

fn stages<'d>(pod_logs: Node<'d>) -> Option<Node<'d>> {
    pod_logs.get("spec")?.get("pipelineStages")
}

fn is_selective(stages: Node<'_>) -> bool {
    let has = |stage: Node<'_>, name: &&str| stage.get(name).is_some_and(|stage| !stage.is_null());
    stages.items().any(|stage| SELECTIVE_STAGES.iter().any(|name| has(stage, name)))
}

/// Removes findings about targets that are collected twice if a `duplicate-scrape` finding has the same cause.
pub fn drop_repeated(findings: &mut Vec<Diagnostic>) {
    let duplicates = findings.iter().filter(|finding| finding.code == Code::DuplicateScrape);
    let known_causes: BTreeSet<_> = duplicates.filter_map(|finding| finding.cause.clone()).collect();
    findings.retain(|finding| {
        finding.code != Code::CollectedTwice
            || !finding.cause.as_ref().is_some_and(|cause| known_causes.contains(cause))
    });
}
