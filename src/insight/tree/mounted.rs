//! Secrets and ConfigMaps that pods use as a whole: mounted, read into the environment, or to pull images. The operator
//! copies these fields and looks nothing up.

use super::model::Reference;
use crate::api::{Head, Kind, ObjectRef};
use crate::yaml::Node;

/// The fields of an item that hold the name of a Secret or ConfigMap; `[]` is each item of a list below.
type Fields = &'static [(&'static str, Kind)];

const VOLUMES: Fields = &[
    ("secret.secretName", Kind::Secret),
    ("configMap.name", Kind::ConfigMap),
    ("projected.sources[].secret.name", Kind::Secret),
    ("projected.sources[].configMap.name", Kind::ConfigMap),
];

const ENVIRONMENTS: Fields = &[
    ("envFrom[].secretRef.name", Kind::Secret),
    ("envFrom[].configMapRef.name", Kind::ConfigMap),
];

/// The lists of a specification whose items name Secrets and ConfigMaps.
fn lists(kind: Kind) -> &'static [(&'static str, Fields)] {
    match kind {
        Kind::GrafanaAgent => &[
            ("secrets", &[("", Kind::Secret)]),
            ("configMaps", &[("", Kind::ConfigMap)]),
            ("imagePullSecrets", &[("name", Kind::Secret)]),
            ("volumes", VOLUMES),
            ("containers", ENVIRONMENTS),
            ("initContainers", ENVIRONMENTS),
        ],
        Kind::Integration => &[("volumes", VOLUMES)],
        _ => &[],
    }
}

/// What a resource names, and in which field.
pub fn of<'d>(resource: &Head<'d>) -> Vec<(ObjectRef<'d>, Reference<'d>)> {
    let mut found = Vec::new();
    for (list, fields) in lists(resource.kind) {
        let items = resource.root.get("spec").and_then(|spec| spec.get(list));
        for (i, item) in items.into_iter().flat_map(Node::items).enumerate() {
            for &(field, kind) in *fields {
                visit(item, field, format!("spec.{list}[{i}]"), &mut |name, field| {
                    let object = ObjectRef {
                        kind,
                        namespace: resource.meta.namespace,
                        name,
                    };
                    let reference = Reference {
                        key: None,
                        field,
                        is_missing: false,
                    };
                    found.push((object, reference));
                });
            }
        }
    }
    found
}

/// Calls `found` with each text at a field below a node, and the whole field.
fn visit<'d>(node: Node<'d>, field: &str, path: String, found: &mut dyn FnMut(&'d str, String)) {
    if field.is_empty() {
        if let Some(text) = node.as_str() {
            found(text, path);
        }
        return;
    }
    let (step, rest) = field.split_once('.').unwrap_or((field, ""));
    match step.strip_suffix("[]") {
        Some(list) => {
            for (i, item) in node.get(list).into_iter().flat_map(Node::items).enumerate() {
                visit(item, rest, format!("{path}.{list}[{i}]"), found);
            }
        }
        None => {
            if let Some(below) = node.get(step) {
                visit(below, rest, format!("{path}.{step}"), found);
            }
        }
    }
}
