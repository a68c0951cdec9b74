//! What `kubectl apply` makes of a live object.
//!
//! The rules are those of apimachinery `strategicpatch.CreateThreeWayMergePatch`, and of `jsonmergepatch` for custom
//! resources, whose lists have no merge keys.

use serde_json::{Map, Value};

use super::history::{self, History};
use crate::api::core::shape::{Field, GoStruct};
use crate::api::core::strategic_merge::{KeyIndex, arrange};

/// The object after applying a manifest: what the manifest has is set, what was applied before and is not in the manifest any
/// more is removed, and everything else stays. In a file nothing but the manifest is left.
pub(super) fn applied(shape: Option<&GoStruct>, object: &Value, mut manifest: Value) -> Value {
    let mut live = object.clone();
    let last = match history::of(object) {
        History::Manifest => return manifest,
        History::Applied(last) => last,
        History::Managed => {
            history::release(&mut live, &manifest);
            Value::Null
        }
    };
    // kubectl adds an annotation to what it applies, so annotations are never removed as a whole.
    if let Some(Value::Object(metadata)) = manifest.get_mut("metadata") {
        let annotations = metadata.entry("annotations");
        annotations.or_insert_with(|| Value::Object(Map::new()));
    }
    if let (Value::Object(manifest), Value::Object(live)) = (&manifest, &mut live) {
        apply_fields(shape, false, last.as_object(), manifest, live);
    }
    live
}

/// `shape` is none inside of a Go map. With `retain`, the manifest names all keys that stay.
fn apply_fields(
    shape: Option<&GoStruct>,
    retain: bool,
    applied: Option<&Map<String, Value>>,
    manifest: &Map<String, Value>,
    live: &mut Map<String, Value>,
) {
    let was_applied = |name: &str| applied.is_some_and(|applied| applied.contains_key(name));
    live.retain(|name, _| manifest.contains_key(name) || !(retain || was_applied(name)));
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

fn apply_list(field: Option<&Field>, applied: &[Value], manifest: &[Value], live: &mut Vec<Value>) {
    let Some((field, key)) = field.and_then(|field| Some((field, field.merge_key?))) else {
        manifest.clone_into(live);
        return;
    };
    let (in_applied, in_manifest) = (KeyIndex::new(key, applied), KeyIndex::new(key, manifest));
    live.retain(|item| in_manifest.get(item).is_some() || in_applied.get(item).is_none());
    let merge = |item: &Value, live: &mut Value| {
        let applied = in_applied.get(item).and_then(|place| applied.get(place)?.as_object());
        match (item, live) {
            (Value::Object(item), Value::Object(live)) => {
                apply_fields(field.kind.shape(), field.retain_keys, applied, item, live);
            }
            (item, live) => item.clone_into(live),
        }
    };
    // Equal keys can repeat, as a port with two protocols: where nothing moves, place tells which is which.
    if live
        .iter()
        .map(|item| item.get(key))
        .eq(manifest.iter().map(|item| item.get(key)))
    {
        manifest.iter().zip(live).for_each(|(item, live)| merge(item, live));
        return;
    }
    let in_live = KeyIndex::new(key, live);
    let mut places = KeyIndex::new(key, live);
    for item in manifest {
        match places.get(item).and_then(|place| live.get_mut(place)) {
            Some(live) => merge(item, live),
            None => {
                places.add(item, live.len());
                live.push(item.clone());
            }
        }
    }
    arrange(live, &in_live, &in_manifest);
}
