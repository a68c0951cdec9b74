//! The result of applying a manifest to a live object, with `kubectl apply` or server-side.
//!
//! Port of apimachinery's `strategicpatch.CreateThreeWayMergePatch`, and of `jsonmergepatch` for custom resources,
//! whose lists have no merge keys.

use serde_json::{Map, Value};

use super::history::{self, History};
use crate::api::core::shape::{GoStruct, StructField};
use crate::api::core::strategic_merge::{KeyIndex, arrange, match_items};

/// Returns the object after applying `manifest`: fields in the manifest are set, fields that were applied before but
/// are no longer in the manifest are removed, and all other fields are kept. If `object` comes from a file, the result
/// is simply the manifest.
pub(super) fn apply(shape: Option<&GoStruct>, object: &Value, mut manifest: Value) -> Value {
    let mut live = object.clone();
    let history = history::read_history(object);
    let before = match &history {
        History::Manifest => return manifest,
        History::Applied(last_applied) => Before { applied: last_applied, live: object, is_server_side: false },
        History::Managed if history::is_server_side_applied(object) => {
            history::release(&mut live, &manifest);
            Before { applied: &Value::Null, live: &Value::Null, is_server_side: true }
        }
        History::Managed => Before { applied: &Value::Null, live: object, is_server_side: false },
    };
    // kubectl adds an annotation to every object that it applies, so it never removes the entire `annotations` field.
    if let Some(Value::Object(metadata)) = manifest.get_mut("metadata") {
        let annotations = metadata.entry("annotations");
        annotations.or_insert_with(|| Value::Object(Map::new()));
    }
    if let (Value::Object(manifest), Value::Object(live)) = (&manifest, &mut live) {
        apply_fields(shape, false, before, manifest, live);
    }
    live
}

/// The values that kubectl compares with the manifest's value; null if there are none. A server-side apply compares
/// nothing, and sets each value in the manifest.
#[derive(Clone, Copy)]
struct Before<'v> {
    /// Value in the manifest that was last applied.
    applied: &'v Value,
    /// Value in the live object.
    live: &'v Value,
    is_server_side: bool,
}

impl<'v> Before<'v> {
    fn field(self, name: &str) -> Self {
        let field = |value: &'v Value| value.get(name).unwrap_or(&Value::Null);
        Self { applied: field(self.applied), live: field(self.live), ..self }
    }

    fn item(self, applied: Option<usize>, live: Option<usize>) -> Self {
        let item =
            |list: &'v Value, index: Option<usize>| index.and_then(|index| list.get(index)).unwrap_or(&Value::Null);
        Self { applied: item(self.applied, applied), live: item(self.live, live), ..self }
    }

    /// Returns the fields that identify the items in a list, or an empty slice if the list is replaced as a whole.
    fn keys(self, field: &StructField) -> &[&'static str] {
        if self.is_server_side { field.list_map_keys } else { field.merge_key.as_slice() }
    }
}

/// Returns the items of a list, or an empty slice for any other value.
fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

/// Applies `manifest` to `live`. `shape` is `None` inside a Go map. If `retain` is set, fields that the manifest does
/// not set are removed.
fn apply_fields(
    shape: Option<&GoStruct>,
    retain: bool,
    before: Before<'_>,
    manifest: &Map<String, Value>,
    live: &mut Map<String, Value>,
) {
    let is_removed = |name: &str| retain || before.applied.get(name).is_some();
    live.retain(|name, _| manifest.contains_key(name) || !is_removed(name));
    for (name, value) in manifest {
        if value.is_null() {
            live.remove(name);
            continue;
        }
        let field = shape.and_then(|shape| shape.field(name));
        let before = before.field(name);
        let merged = field.filter(|field| !before.keys(field).is_empty());
        match (live.get_mut(name), value, merged) {
            (Some(Value::Object(live)), Value::Object(value), _) => {
                let shape = field.and_then(|field| field.kind.shape());
                let retain = field.is_some_and(|field| field.retain_keys);
                apply_fields(shape, retain, before, value, live);
            }
            (Some(Value::Array(live)), Value::Array(value), Some(field)) => apply_list(field, before, value, live),
            // `live` may differ from the value that was compared: see `apply_list`.
            _ if before.live == value => {}
            _ => drop(live.insert(name.clone(), value.clone())),
        }
    }
}

/// Applies a list to a live list with the same keys.
///
/// kubectl's merge key can repeat, for example if a port is listed with two protocols. kubectl then compares the last
/// items with this key, the second to last, and so on, but the server merges each difference into the first item with
/// the key. If one of the items is removed, the server removes all of them.
fn apply_list(field: &StructField, before: Before<'_>, manifest: &[Value], live: &mut Vec<Value>) {
    let keys = before.keys(field);
    let (applied, compared) = (items(before.applied), items(before.live));
    let removed = applied.iter().zip(match_items(keys, applied, manifest)).filter(|(_, kept)| kept.is_none());
    let removed = KeyIndex::new(keys, removed.map(|(item, _)| item));
    live.retain(|item| removed.get(item).is_none());
    let (live_index, manifest_index) = (KeyIndex::new(keys, &*live), KeyIndex::new(keys, manifest));
    let mut merged_index = KeyIndex::new(keys, &*live);
    let (last_applied, compared_items) = (match_items(keys, manifest, applied), match_items(keys, manifest, compared));
    for (item, (applied, compared)) in manifest.iter().zip(last_applied.iter().zip(&compared_items)).rev() {
        if removed.get(item).is_some() {
            continue;
        }
        match (merged_index.get(item).and_then(|place| live.get_mut(place)), item) {
            (Some(Value::Object(live)), Value::Object(item)) => {
                let before = before.item(*applied, *compared);
                apply_fields(field.kind.shape(), field.retain_keys, before, item, live);
            }
            (Some(live), item) => item.clone_into(live),
            (None, item) => {
                merged_index.add(item, live.len());
                live.push(item.clone());
            }
        }
    }
    // kubectl sends no order if neither the items nor the order of their keys changed.
    let is_same_order = compared_items.into_iter().eq((0..compared.len()).map(Some));
    if !(is_same_order && live == compared) {
        arrange(live, &live_index, &manifest_index);
    }
}
