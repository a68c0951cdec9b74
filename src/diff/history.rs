//! The last applied manifest, which is the third side of a comparison with a live object. kubectl stores it in an
//! annotation. With server-side apply (`kubectl apply --server-side`, Flux, Argo CD), `metadata.managedFields` lists
//! the owners of each field instead.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::api::core::strategic_merge::key_value;

/// Annotation in which kubectl stores the last applied manifest.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

/// Fields in `metadata` that only an API server sets.
const WRITTEN_BY_SERVER: [&str; 4] = ["creationTimestamp", "managedFields", "resourceVersion", "uid"];

/// Origin of an object, which determines the fields that are treated as applied.
pub(super) enum History {
    /// Manifest file. Its entire contents are treated as applied.
    Manifest,
    /// Cluster, with the manifest that kubectl last applied.
    Applied(Value),
    /// Cluster, without a manifest that was last applied. The object may have managed fields.
    Managed,
}

pub(super) fn read_history(object: &Value) -> History {
    let last_applied = object.pointer(LAST_APPLIED).and_then(Value::as_str);
    if let Some(applied) = last_applied.and_then(|text| serde_json::from_str(text).ok()) {
        return History::Applied(applied);
    }
    let metadata = object.get("metadata");
    let is_live =
        |field: &&str| metadata.and_then(|metadata| metadata.get(*field)).is_some_and(|value| !value.is_null());
    if WRITTEN_BY_SERVER.iter().any(is_live) {
        return History::Managed;
    }
    History::Manifest
}

/// Field sets in the `FieldsV1` format: `f:name` is a field, `k:{…}` is a list item identified by its keys, and `v:…`
/// is a list item identified by its value. An empty set owns all fields below its name.
type FieldSets<'v> = Vec<&'v Map<String, Value>>;

/// Removes fields that were applied before, are no longer in the manifest, and have no other owner. The manager that
/// applied the operator's label is assumed to have applied the manifests.
pub(super) fn release(live: &mut Value, manifest: &Value) {
    let entries = entries(live).to_vec();
    let sets = |applied| {
        let entries = entries.iter().filter(move |entry| is_applied(entry) == applied);
        entries.filter_map(|entry| entry.get("fieldsV1")?.as_object()).collect()
    };
    let (own_sets, other_sets): (FieldSets<'_>, FieldSets<'_>) = (sets(true), sets(false));
    if !own_sets.is_empty() {
        release_fields(live, &own_sets, &other_sets, Some(manifest));
    }
}

/// Whether the manifests were applied server-side.
pub(super) fn is_server_side_applied(live: &Value) -> bool {
    entries(live).iter().any(is_applied)
}

fn entries(live: &Value) -> &[Value] {
    let entries = live.pointer("/metadata/managedFields").and_then(Value::as_array);
    entries.map_or(&[], Vec::as_slice)
}

/// Keeps only fields that were created rather than applied, usually by the operator. Server-side apply never removes
/// such fields, even if it co-owns them.
pub(super) fn keep_created(live: &mut Value) {
    let entries = entries(live).to_vec();
    let created = entries.iter().filter(|entry| owns_label(entry, "Update"));
    keep_fields(live, &created.filter_map(|entry| entry.get("fieldsV1")?.as_object()).collect());
}

fn keep_fields(value: &mut Value, sets: &FieldSets<'_>) {
    if sets.iter().any(|set| set.is_empty()) {
        return;
    }
    retain(value, &key_names(sets), &mut |key, value| {
        let below = child_sets(sets, key);
        keep_fields(value, &below);
        !below.is_empty()
    });
}

/// Keeps the object fields or list items for which `should_stay` returns true. The argument of `should_stay` is the key
/// of the field or item in a field set. `names` contains the fields that identify list items.
fn retain(value: &mut Value, names: &[String], should_stay: &mut dyn FnMut(&str, &mut Value) -> bool) {
    match value {
        Value::Object(fields) => fields.retain(|name, value| should_stay(&format!("f:{name}"), value)),
        Value::Array(items) => items.retain_mut(|item| should_stay(&item_key(item, names), item)),
        _ => {}
    }
}

fn is_applied(entry: &Value) -> bool {
    owns_label(entry, "Apply")
}

/// Whether the manager in an entry set the operator's label in an operation of this type, which means that it created
/// or applied the object.
fn owns_label(entry: &Value, operation: &str) -> bool {
    let labels = entry.pointer("/fieldsV1/f:metadata/f:labels");
    entry.get("operation").and_then(Value::as_str) == Some(operation)
        && labels.is_some_and(|labels| labels.get("f:app.kubernetes.io/managed-by").is_some())
}

fn release_fields(live: &mut Value, ours: &FieldSets<'_>, others: &FieldSets<'_>, manifest: Option<&Value>) {
    let names = key_names(ours);
    let items = manifest.and_then(Value::as_array).into_iter().flatten();
    let mut manifests: HashMap<_, _> = items.map(|item| (item_key(item, &names), item)).collect();
    let fields = manifest.and_then(Value::as_object).into_iter().flatten();
    manifests.extend(fields.map(|(name, value)| (format!("f:{name}"), value)));
    retain(live, &names, &mut |key, value| {
        keep_value(value, &child_sets(ours, key), &child_sets(others, key), manifests.get(key).copied())
    });
}

/// Removes the fields inside a value that no manager owns after the apply. Returns whether the value itself is kept.
fn keep_value(value: &mut Value, ours: &FieldSets<'_>, others: &FieldSets<'_>, manifest: Option<&Value>) -> bool {
    match manifest {
        _ if ours.is_empty() => {}
        None if others.is_empty() => return false,
        Some(Value::Object(manifest)) if others.is_empty() && ours.iter().all(|set| set.is_empty()) => {
            if let Value::Object(fields) = value {
                fields.retain(|name, _| manifest.contains_key(name));
            }
        }
        manifest => release_fields(value, ours, others, manifest),
    }
    true
}

fn child_sets<'v>(sets: &FieldSets<'v>, key: &str) -> FieldSets<'v> {
    sets.iter().filter_map(|set| set.get(key)?.as_object()).collect()
}

/// Returns the names of the fields that identify list items.
fn key_names(sets: &FieldSets<'_>) -> Vec<String> {
    let mut keys = sets.iter().flat_map(|set| set.keys()).filter_map(|key| key.strip_prefix("k:"));
    let first = keys.next().and_then(|key| serde_json::from_str::<Map<String, Value>>(key).ok());
    first.into_iter().flatten().map(|(name, _)| name).collect()
}

/// Returns the key that an item would have in a field set.
fn item_key(item: &Value, names: &[String]) -> String {
    if !item.is_object() {
        return format!("v:{item}");
    }
    let keys: Map<_, _> = names.iter().map(|name| (name.clone(), key_value(name, item).unwrap_or_default())).collect();
    format!("k:{}", Value::Object(keys))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(operation: &str, fields: Value) -> Value {
        json!({"manager": "m", "operation": operation, "fieldsV1": fields})
    }

    fn release_from(mut live: Value, entries: Value, manifest: &Value) -> Value {
        live["metadata"] = json!({"managedFields": entries});
        release(&mut live, manifest);
        live.as_object_mut().unwrap().remove("metadata");
        live
    }

    fn apply_entry(spec: Value) -> Value {
        let label = json!({"f:labels": {"f:app.kubernetes.io/managed-by": {}}});
        entry("Apply", json!({"f:metadata": label, "f:spec": spec}))
    }

    #[test]
    fn removes_previously_applied_fields_and_items() {
        let live = json!({"spec": {"a": 1, "b": {"c": 1}, "d": 1, "l": [{"k": "x", "v": 1}, {"k": "y", "v": 1, "w": 1}], "t": [1]}});
        let owned_fields = json!({
            "f:a": {}, "f:b": {".": {}, "f:c": {}}, "f:t": {},
            "f:l": {"k:{\"k\":\"x\"}": {".": {}, "f:k": {}, "f:v": {}}, "k:{\"k\":\"y\"}": {".": {}, "f:k": {}, "f:v": {}}},
        });
        let manifest = json!({"spec": {"l": [{"k": "y"}]}});
        let actual = release_from(live.clone(), json!([apply_entry(owned_fields.clone())]), &manifest);
        assert_eq!(actual, json!({"spec": {"d": 1, "l": [{"k": "y", "w": 1}]}}));
        // Updates by the operator and by other controllers do not release anything.
        let update_entry = entry("Update", apply_entry(owned_fields.clone())["fieldsV1"].clone());
        assert_eq!(release_from(live.clone(), json!([update_entry]), &manifest), live);
        let foreign_entry = entry("Apply", json!({"f:spec": owned_fields}));
        assert_eq!(release_from(live.clone(), json!([foreign_entry]), &manifest), live);
    }

    #[test]
    fn keeps_co_owned_fields() {
        let live = json!({"spec": {"a": 1, "l": [{"k": "x", "v": 1, "w": 1}]}});
        let item = "k:{\"k\":\"x\"}";
        let ours = apply_entry(json!({"f:a": {}, "f:l": {item: {".": {}, "f:k": {}, "f:v": {}}}}));
        let others = entry("Update", json!({"f:spec": {"f:a": {}, "f:l": {item: {"f:w": {}, "f:k": {}}}}}));
        let actual = release_from(live, json!([ours, others]), &json!({"spec": {}}));
        assert_eq!(actual, json!({"spec": {"a": 1, "l": [{"k": "x", "w": 1}]}}));
    }

    #[test]
    fn identifies_ports_by_number_and_protocol() {
        let live = json!({"spec": {"ports": [{"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}]}});
        let set = |protocol| (format!("k:{{\"port\":53,\"protocol\":\"{protocol}\"}}"), json!({".": {}}));
        let sets: Map<_, _> = [set("TCP"), set("UDP")].into_iter().collect();
        let actual = release_from(
            live,
            json!([apply_entry(json!({"f:ports": sets}))]),
            &json!({"spec": {"ports": [{"port": 53}]}}),
        );
        assert_eq!(actual, json!({"spec": {"ports": [{"port": 53, "protocol": "TCP"}]}}));
    }

    #[test]
    fn keeps_fields_set_at_creation() {
        let spec = json!({
            "f:a": {}, "f:b": {".": {}, "f:c": {}}, "f:l": {"k:{\"k\":\"x\"}": {".": {}, "f:k": {}, "f:v": {}}},
        });
        let created = entry("Update", apply_entry(spec.clone())["fieldsV1"].clone());
        let scaled = entry("Update", json!({"f:spec": {"f:d": {}}}));
        let mut live = json!({
            "metadata": {"name": "n", "labels": {}, "managedFields": [apply_entry(spec), created, scaled]},
            "spec": {"a": [1], "b": {"c": 1, "e": 2}, "d": 1, "l": [{"k": "x", "v": 1, "w": 2}, {"k": "y"}]},
        });
        keep_created(&mut live);
        let expected = json!({"a": [1], "b": {"c": 1}, "l": [{"k": "x", "v": 1}]});
        assert_eq!((&live["spec"], &live["metadata"]), (&expected, &json!({"labels": {}})));
    }

    #[test]
    fn replaces_maps_applied_as_a_whole() {
        let live = json!({"spec": {"nodeSelector": {"a": "b", "c": "d"}}});
        let manifest = json!({"spec": {"nodeSelector": {"a": "b"}}});
        let actual = release_from(live, json!([apply_entry(json!({"f:nodeSelector": {}}))]), &manifest);
        assert_eq!(actual, manifest);
    }

    #[test]
    fn identifies_items_by_keys_or_value() {
        let names = ["port", "protocol"].map(str::to_owned);
        for (item, names, expected) in [
            (json!({"port": 1, "x": 2}), &names[..], r#"k:{"port":1,"protocol":"TCP"}"#),
            (json!({"protocol": "UDP"}), &names, r#"k:{"port":null,"protocol":"UDP"}"#),
            (json!({"port": 1}), &names[..1], r#"k:{"port":1}"#),
            (json!({"port": 1}), &[], "k:{}"),
            (json!("a"), &names, "v:\"a\""),
            (json!([1]), &names, "v:[1]"),
        ] {
            assert_eq!(item_key(&item, names), expected);
        }
    }
}
