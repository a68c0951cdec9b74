//! Secrets and ConfigMaps that pods use as whole objects: mounted, read into the environment, or used to pull images.
//! The operator copies the fields that refer to such objects, but does not read the objects.

use super::model::DataReference;
use crate::api::{Kind, ObjectRef, ResourceHeader};
use crate::diagnostic::FieldPath;

/// Patterns for the fields of an item that contain the name of a Secret or ConfigMap.
type NamePatterns = &'static [(&'static str, Kind)];

const VOLUMES: NamePatterns = &[
    ("secret.secretName", Kind::Secret),
    ("configMap.name", Kind::ConfigMap),
    ("projected.sources[].secret.name", Kind::Secret),
    ("projected.sources[].configMap.name", Kind::ConfigMap),
];

const ENVIRONMENTS: NamePatterns =
    &[("envFrom[].secretRef.name", Kind::Secret), ("envFrom[].configMapRef.name", Kind::ConfigMap)];

/// Returns the lists whose items refer to Secrets and ConfigMaps.
fn object_lists(kind: Kind) -> &'static [(&'static str, NamePatterns)] {
    match kind {
        Kind::GrafanaAgent => &[
            ("spec.secrets[]", &[("", Kind::Secret)]),
            ("spec.configMaps[]", &[("", Kind::ConfigMap)]),
            ("spec.imagePullSecrets[]", &[("name", Kind::Secret)]),
            ("spec.volumes[]", VOLUMES),
            ("spec.containers[]", ENVIRONMENTS),
            ("spec.initContainers[]", ENVIRONMENTS),
        ],
        Kind::Integration => &[("spec.volumes[]", VOLUMES)],
        _ => &[],
    }
}

/// Returns the Secrets and ConfigMaps that the resource's fields refer to as whole objects.
pub fn references<'d>(resource: &ResourceHeader<'d>) -> Vec<(ObjectRef<'d>, DataReference<'d>)> {
    let mut mounted_objects = Vec::new();
    for (list, fields) in object_lists(resource.kind) {
        resource.root.visit(list, &mut FieldPath::new(), &mut |path, item| {
            for &(field, kind) in *fields {
                item.visit(field, path, &mut |path, node| {
                    let reference = DataReference { key: None, field: path.to_string(), is_missing: false };
                    let namespace = resource.meta.namespace;
                    let object = node.as_str().map(|name| ObjectRef { kind, namespace, name });
                    mounted_objects.extend(object.map(|object| (object, reference)));
                });
            }
        });
    }
    mounted_objects
}
