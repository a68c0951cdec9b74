//! Fields that the API server does not let change.

use serde_json::Value;

/// `ValidateStatefulSetUpdate`, `ValidateDaemonSetUpdate` and `ValidateDeploymentUpdate` of Kubernetes.
fn fixed(kind: &str) -> &'static [&'static str] {
    match kind {
        "DaemonSet" | "Deployment" => &["selector"],
        "StatefulSet" => &["podManagementPolicy", "selector", "serviceName", "volumeClaimTemplates"],
        _ => &[],
    }
}

/// The fields that differ and may not, as `spec.selector`: the object has to be deleted and created anew.
pub(super) fn fields(kind: &str, before: &Value, after: &Value) -> Vec<String> {
    let of = |object: &Value, field: &str| object.get("spec").and_then(|spec| spec.get(field)).cloned();
    fixed(kind)
        .iter()
        .filter(|field| of(before, field) != of(after, field))
        .map(|field| format!("spec.{field}"))
        .collect()
}
