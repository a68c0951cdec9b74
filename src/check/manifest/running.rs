//! Manifests as they run in a cluster.

use serde_json::{Value, json};

use crate::manifest::Object;

/// Returns the manifest that pods are created from. A StatefulSet's volume claims become volumes and replace volumes
/// with the same names (`updateStorage`). An object without pods is reduced to the fields that rules apply to.
pub(super) fn running_manifest(object: &Object) -> Value {
    if matches!(object.kind(), "Secret" | "ConfigMap" | "ExternalSecret" | "Endpoints") {
        return json!({"metadata": {"name": object.name()}});
    }
    let mut json = object.to_json();
    let claims = json.pointer("/spec/volumeClaimTemplates").and_then(Value::as_array);
    let claims: Vec<_> =
        claims.into_iter().flatten().filter_map(|claim| claim.pointer("/metadata/name").cloned()).collect();
    if let Some(Value::Array(volumes)) = json.pointer_mut("/spec/template/spec/volumes") {
        volumes.retain(|volume| !volume.get("name").is_some_and(|name| claims.contains(name)));
        let claimed_volumes =
            claims.into_iter().map(|name| json!({"name": name, "persistentVolumeClaim": {"claimName": name}}));
        volumes.extend(claimed_volumes);
    }
    json
}
