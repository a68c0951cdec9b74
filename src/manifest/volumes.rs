//! Volumes, mounts and variables of pods.

use serde_json::{Value, json};

/// A volume with the keys of a Secret.
pub(super) fn secret(name: &str, secret_name: &str) -> Value {
    json!({"name": name, "secret": {"secretName": secret_name}})
}

/// A volume with the keys of a ConfigMap.
pub(super) fn config_map(name: &str, config_map_name: &str) -> Value {
    json!({"name": name, "configMap": {"name": config_map_name}})
}

/// A volume that lives as long as the pod.
pub(super) fn empty_dir(name: &str, source: &Value) -> Value {
    json!({"name": name, "emptyDir": source})
}

/// A directory of the node.
pub(super) fn host_path(name: &str, path: &str) -> Value {
    json!({"name": name, "hostPath": {"path": path}})
}

/// A mount that can be written to.
pub(super) fn mount(name: &str, path: &str) -> Value {
    json!({"name": name, "mountPath": path})
}

/// A mount that can only be read.
pub(super) fn read_only(name: &str, path: &str) -> Value {
    json!({"name": name, "mountPath": path, "readOnly": true})
}

/// A variable with a value.
pub(super) fn variable(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value})
}

/// A variable with the value of one of the pod's fields.
pub(super) fn field_variable(name: &str, field_path: &str) -> Value {
    json!({"name": name, "valueFrom": {"fieldRef": {"fieldPath": field_path}}})
}
