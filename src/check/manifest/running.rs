//! Manifests as the cluster runs them.

use serde_json::{Value, json};

use crate::manifest::Object;

/// The manifest as its pods are made of it: the claims of a StatefulSet are volumes, in place of those with the same name
/// (`updateStorage`). Of what holds no pods, only what has rules.
pub(super) fn as_running(object: &Object) -> Value {
    if matches!(object.kind(), "Secret" | "ConfigMap" | "ExternalSecret" | "Endpoints") {
        return json!({"metadata": {"name": object.name()}});
    }
    let mut json = object.to_json();
    let claims = json.pointer("/spec/volumeClaimTemplates").and_then(Value::as_array);
    let claims: Vec<_> = claims
        .into_iter()
        .flatten()
        .filter_map(|claim| claim.pointer("/metadata/name").cloned())
        .collect();
    if let Some(Value::Array(volumes)) = json.pointer_mut("/spec/template/spec/volumes") {
        volumes.retain(|volume| !volume.get("name").is_some_and(|name| claims.contains(name)));
        let claimed = claims
            .into_iter()
            .map(|name| json!({"name": name, "persistentVolumeClaim": {"claimName": name}}));
        volumes.extend(claimed);
    }
    json
}
