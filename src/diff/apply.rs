//! The result of running `kubectl apply` on a live object.
//!
//! Port of apimachinery's `strategicpatch.CreateThreeWayMergePatch`, and of `jsonmergepatch` for custom resources,
//! whose lists have no merge keys.

use serde_json::{Map, Value};

use super::history::{self, History};
use crate::api::core::shape::{GoStruct, StructField};
use crate::api::core::strategic_merge::{KeyIndex, arrange};

/// Returns the object after applying `manifest`: fields in the manifest are set, fields that were applied before but
/// are no longer in the manifest are removed, and all other fields are kept. If `object` comes from a file, the result
/// is simply the manifest.
pub(super) fn apply(shape: Option<&GoStruct>, object: &Value, mut manifest: Value) -> Value {
    let mut live = object.clone();
    let last_applied = match history::read_history(object) {
        History::Manifest => return manifest,
        History::Applied(last) => last,
        History::Managed => {
            history::release(&mut live, &manifest);
            Value::Null
        }
    };
    // kubectl adds an annotation to every object that it applies, so it never removes the entire `annotations` field.
    if let Some(Value::Object(metadata)) = manifest.get_mut("metadata") {
        let annotations = metadata.entry("annotations");
        annotations.or_insert_with(|| Value::Object(Map::new()));
    }
    if let (Value::Object(manifest), Value::Object(live)) = (&manifest, &mut live) {
        apply_fields(shape, false, last_applied.as_object(), manifest, live);
    }
    live
}

/// Applies `manifest` to `live`. `shape` is `None` inside a Go map. If `retain` is set, fields that the manifest does
/// not set are removed.
fn apply_fields(
    shape: Option<&GoStruct>,
    retain: bool,
    applied: Option<&Map<String, Value>>,
    manifest: &Map<String, Value>,
    live: &mut Map<String, Value>,
) {
    let was_field_applied = |name: &str| applied.is_some_and(|applied| applied.contains_key(name));
    live.retain(|name, _| manifest.contains_key(name) || !(retain || was_field_applied(name)));
    for (name, value) in manifest {
        if value.is_null() {
            live.remove(name);
            continue;
        }
        let field = shape.and_then(|shape| shape.field(name));
        let applied = applied.and_then(|applied| applied.get(name));
        match (live.get_mut(name), value) {
            (Some(Value::Object(live)), Value::Object(value)) => {
                let shape = field.and_then(|field| field.kind.shape());
                let retain = field.is_some_and(|field| field.retain_keys);
                apply_fields(shape, retain, applied.and_then(Value::as_object), value, live);
            }
            (Some(Value::Array(live)), Value::Array(value)) => {
                let applied = applied.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                apply_list(field, applied, value, live);
            }
            _ => drop(live.insert(name.clone(), value.clone())),
        }
    }
}

fn apply_list(field: Option<&StructField>, applied: &[Value], manifest: &[Value], live: &mut Vec<Value>) {
    let Some((field, key)) = field.and_then(|field| Some((field, field.merge_key?))) else {
        manifest.clone_into(live);
        return;
    };
    let (applied_index, manifest_index) = (KeyIndex::new(key, applied), KeyIndex::new(key, manifest));
    live.retain(|item| manifest_index.get(item).is_some() || applied_index.get(item).is_none());
    let merge = |item: &Value, live: &mut Value| {
        let applied = applied_index.get(item).and_then(|place| applied.get(place)?.as_object());
        match (item, live) {
            (Value::Object(item), Value::Object(live)) => {
                apply_fields(field.kind.shape(), field.retain_keys, applied, item, live);
            }
            (item, live) => item.clone_into(live),
        }
    };
    // Keys can repeat, for example if a port is listed with two protocols. If both lists contain the same keys in the
    // same order, items are matched by index.
    if live.iter().map(|item| item.get(key)).eq(manifest.iter().map(|item| item.get(key))) {
        manifest.iter().zip(live).for_each(|(item, live)| merge(item, live));
        return;
    }
    let live_index = KeyIndex::new(key, live);
    let mut merged_index = KeyIndex::new(key, live);
    for item in manifest {
        match merged_index.get(item).and_then(|place| live.get_mut(place)) {
            Some(live) => merge(item, live),
            None => {
                merged_index.add(item, live.len());
                live.push(item.clone());
            }
        }
    }
    arrange(live, &live_index, &manifest_index);
}
