//! Secrets and ConfigMaps that pods mount or read, but that are not in the input.

use std::collections::BTreeSet;

use crate::api::{GrafanaAgent, Kind, Resource, Resources, find};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::yaml::{Node, NodeValue};

/// Reports missing Secrets and ConfigMaps that an agent's pods need.
pub(super) fn check(resources: &Resources<'_>, agent: &Resource<'_, GrafanaAgent<'_>>, findings: &mut Vec<Diagnostic>) {
    let Some(spec) = agent.root.get("spec") else { return };
    let mut references = Vec::new();
    let path = |field: &str| FieldPath::parse("spec").key(field.to_owned());
    for (field, kind) in [("secrets", Kind::Secret), ("configMaps", Kind::ConfigMap)] {
        for (i, item) in spec.get(field).into_iter().flat_map(Node::items).enumerate() {
            references.push((path(field).index(i), kind, item.as_str().unwrap_or_default()));
        }
    }
    for (i, volume) in spec.get("volumes").into_iter().flat_map(Node::items).enumerate() {
        let at = path("volumes").index(i);
        source(volume, at.clone(), ("secret", "secretName"), Kind::Secret, &mut references);
        source(volume, at.clone(), ("configMap", "name"), Kind::ConfigMap, &mut references);
        let projected = volume.at("projected.sources").into_iter().flat_map(Node::items);
        for (j, projection) in projected.enumerate() {
            let at = at.clone().key("projected").key("sources").index(j);
            source(projection, at.clone(), ("secret", "name"), Kind::Secret, &mut references);
            source(projection, at, ("configMap", "name"), Kind::ConfigMap, &mut references);
        }
    }
    for field in ["containers", "initContainers"] {
        for (i, container) in spec.get(field).into_iter().flat_map(Node::items).enumerate() {
            let from = container.get("envFrom").into_iter().flat_map(Node::items);
            for (j, from) in from.enumerate() {
                let at = path(field).index(i).key("envFrom").index(j);
                source(from, at.clone(), ("secretRef", "name"), Kind::Secret, &mut references);
                source(from, at, ("configMapRef", "name"), Kind::ConfigMap, &mut references);
            }
        }
    }
    let namespace = agent.meta.namespace;
    let mut seen_objects = BTreeSet::new();
    for (path, kind, name) in references {
        let is_known = find(resources.data(kind), namespace, name).is_some()
            || kind == Kind::Secret && resources.generated_secret(namespace, name).is_some();
        // Kubernetes creates this ConfigMap in every namespace.
        if name.is_empty() || is_known || name == "kube-root-ca.crt" || !seen_objects.insert((kind, name)) {
            continue;
        }
        let message = format!("{kind} `{namespace}/{name}` is not in the input; without it, the pods do not start");
        let finding = agent.finding(Code::MissingVolumeSource, &path, message);
        findings.push(finding.help(format!("add the {kind}, or make sure that it exists in the cluster")));
    }
}

/// Adds the reference in a field, unless the reference is optional.
fn source<'d>(
    parent: Node<'d>,
    at: FieldPath<'static>,
    (field, name): (&'static str, &str),
    kind: Kind,
    references: &mut Vec<(FieldPath<'static>, Kind, &'d str)>,
) {
    let Some(source) = parent.get(field) else { return };
    let is_optional = source.get("optional").is_some_and(|optional| optional.value() == NodeValue::Bool(true));
    let name = source.get(name).and_then(|name| name.as_str()).unwrap_or_default();
    if !is_optional {
        references.push((at.key(field), kind, name));
    }
}
