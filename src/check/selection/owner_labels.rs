//! Selectors on owner labels, which Flux sets on every object that it applies.

use crate::api::{Kind, RELATIONS, ResourceHeader};
use crate::check::rule::RuleInput;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::yaml::Node;

/// Labels with the name and namespace of the HelmRelease or Kustomization that an object belongs to.
const OWNER_LABELS: [&str; 4] = [
    "helm.toolkit.fluxcd.io/name",
    "helm.toolkit.fluxcd.io/namespace",
    "kustomize.toolkit.fluxcd.io/name",
    "kustomize.toolkit.fluxcd.io/namespace",
];

/// Whether Flux sets the label, so that a value in a manifest is replaced.
pub fn is_owner_label(key: &str) -> bool {
    OWNER_LABELS.contains(&key)
}

/// Reports each requirement on an owner label.
pub fn check(_: &RuleInput<'_, '_>, head: &ResourceHeader<'_>) -> Vec<Diagnostic> {
    let relations = RELATIONS.iter().filter(|relation| relation.parent == head.kind);
    let selector_fields = relations.flat_map(|relation| [relation.labels, relation.namespaces]);
    let object_field = match head.kind {
        Kind::Probe => Some("spec.targets.ingress.selector"),
        Kind::ServiceMonitor | Kind::PodMonitor | Kind::PodLogs => Some("spec.selector"),
        _ => None,
    };
    selector_fields.chain(object_field).flat_map(|field| check_selector(head, field)).collect()
}

fn check_selector(head: &ResourceHeader<'_>, field: &'static str) -> Vec<Diagnostic> {
    let Some(selector) = head.root.at(field) else { return Vec::new() };
    let selects_pods = field == "spec.selector" && head.kind != Kind::ServiceMonitor;
    let labels = selector.get("matchLabels").into_iter().flat_map(Node::entries);
    let labels = labels.filter(|entry| is_owner_label(entry.key));
    let labels = labels.map(|entry| (FieldPath::parse(field).key("matchLabels").key(entry.key), entry.key, false));
    let expressions = selector.get("matchExpressions").into_iter().flat_map(Node::items).enumerate();
    let expressions = expressions.filter_map(|(i, item)| {
        let text = |field| item.get(field).and_then(Node::as_str);
        let key = text("key").filter(|key| is_owner_label(key))?;
        let is_negated = matches!(text("operator"), Some("NotIn" | "DoesNotExist"));
        Some((FieldPath::parse(field).key("matchExpressions").index(i).key("key"), key, is_negated))
    });
    let requirements = labels.chain(expressions);
    requirements
        .map(|(path, key, is_negated)| {
            let (message, help) = match selects_pods {
                true if is_negated => (
                    format!("Flux does not set `{key}` on the pods of workloads, so the condition usually has no effect"),
                    "remove the condition",
                ),
                true => (
                    format!("Flux sets `{key}` only on the objects that it applies, not on the pods of workloads"),
                    "select pods by a label that Flux does not set, such as `app.kubernetes.io/name`",
                ),
                false => (
                    format!("the selection depends on `{key}`, which Flux sets to the owner of each object"),
                    "select by a label that is set in the manifests, so that moving an object to another owner changes nothing",
                ),
            };
            head.finding(Code::GitopsSelector, &path, message).help(help)
        })
        .collect()
}
