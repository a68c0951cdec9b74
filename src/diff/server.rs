//! Removal of fields that only the API server and its controllers set.

use serde_json::{Map, Value};

use crate::api::core::SERVER_FIELDS;
use crate::api::core::strategic_merge::discard_nulls;

/// Annotations set by kubectl and the controllers.
const ANNOTATIONS: [&str; 4] = [
    "deployment.kubernetes.io/revision",
    "deprecated.daemonset.template.generation",
    "endpoints.kubernetes.io/last-change-trigger-time",
    "kubectl.kubernetes.io/last-applied-configuration",
];

/// Returns the object without server-set fields or `null` values.
pub(super) fn strip_server_fields(mut object: Value, owner_references: bool) -> Value {
    discard_nulls(&mut object);
    let Some(fields) = object.as_object_mut() else {
        return object;
    };
    fields.remove("status");
    if let Some(metadata) = map_field(fields, "metadata") {
        strip_metadata(metadata);
        if !owner_references {
            metadata.remove("ownerReferences");
        }
    }
    let claims = object.pointer_mut("/spec/volumeClaimTemplates");
    for claim in claims.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(claim) = claim.as_object_mut() {
            claim.remove("status");
            map_field(claim, "metadata").map(strip_metadata).unwrap_or_default();
        }
    }
    object
}

fn strip_metadata(metadata: &mut Map<String, Value>) {
    SERVER_FIELDS.split(' ').for_each(|key| drop(metadata.remove(key)));
    if let Some(annotations) = map_field(metadata, "annotations") {
        ANNOTATIONS.iter().for_each(|key| drop(annotations.remove(*key)));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
}

fn map_field<'v>(fields: &'v mut Map<String, Value>, key: &str) -> Option<&'v mut Map<String, Value>> {
    fields.get_mut(key).and_then(Value::as_object_mut)
}
