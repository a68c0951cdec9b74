//! Strategic merge patches, restricted to the JSON of Go structs: patches contain no directives, and every item in a
//! merged list contains its merge key.
//!
//! The rules are those of apimachinery `pkg/util/strategicpatch` (`mergeMap`, `mergeSlice`, `normalizeElementOrder`).

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::shape::{GoStruct, StructField};

/// Merges `patch` into `original`. A null removes a field, and mappings are merged. Lists are merged if the shape
/// defines a merge key, and replaced otherwise.
pub fn merge(shape: &GoStruct, original: &mut Map<String, Value>, patch: Map<String, Value>) {
    merge_entries(Some(shape), original, patch);
}

/// Merges the entries of a mapping. `shape` is `None` inside a Go map.
fn merge_entries(shape: Option<&GoStruct>, original: &mut Map<String, Value>, patch: Map<String, Value>) {
    for (name, value) in patch {
        if value.is_null() {
            original.remove(&name);
            continue;
        }
        let field = shape.and_then(|shape| shape.field(&name));
        match (original.get_mut(&name), value) {
            (Some(Value::Object(original)), Value::Object(patch)) => {
                merge_entries(field.and_then(|field| field.kind.shape()), original, patch);
            }
            (Some(Value::Array(original)), Value::Array(patch)) => merge_lists(field, original, patch),
            (_, mut value) => {
                discard_nulls(&mut value);
                original.insert(name, value);
            }
        }
    }
}

fn merge_lists(field: Option<&StructField>, original: &mut Vec<Value>, patch: Vec<Value>) {
    match field.and_then(|field| field.merge_key.zip(field.kind.shape())) {
        Some((key, shape)) => merge_by_key(shape, key, original, patch),
        None => *original = patch,
    }
}

/// Merges each item of `patch` into the first item of `original` with the same key, and sorts the result.
fn merge_by_key(shape: &GoStruct, key: &str, original: &mut Vec<Value>, patch: Vec<Value>) {
    let keys = &[key];
    let (original_index, patch_index) = (KeyIndex::new(keys, &*original), KeyIndex::new(keys, &patch));
    let mut merged_index = KeyIndex::new(keys, &*original);
    for item in patch {
        let is_null = item.get(key).is_some_and(Value::is_null);
        match (merged_index.get(&item).and_then(|at| original.get_mut(at)), item) {
            (Some(Value::Object(old)), Value::Object(item)) => {
                merge_entries(Some(shape), old, item);
                if is_null {
                    // The patch set the merge key to null, which removed it.
                    merged_index = KeyIndex::new(keys, &*original);
                }
            }
            (_, item) => {
                merged_index.add(&item, original.len());
                original.push(item);
            }
        }
    }
    arrange(original, &original_index, &patch_index);
}

/// Sorts the items of a merged list: patched items in patch order, and all others in their original order
/// (`normalizeElementOrder`).
pub(crate) fn arrange(items: &mut Vec<Value>, original_index: &KeyIndex<'_>, patch_index: &KeyIndex<'_>) {
    let (mut patched, mut untouched): (Vec<_>, Vec<_>) =
        std::mem::take(items).into_iter().partition(|item| patch_index.get(item).is_some());
    patched.sort_by_cached_key(|item| patch_index.get(item));
    untouched.sort_by_cached_key(|item| original_index.get(item));
    *items = interleave(untouched, patched, |item| original_index.get(item));
}

/// Index of the first item with each combination of key values.
pub(crate) struct KeyIndex<'k> {
    keys: &'k [&'k str],
    first_indices: HashMap<Vec<Option<Value>>, usize>,
}

impl<'k> KeyIndex<'k> {
    pub(crate) fn new<'v>(keys: &'k [&'k str], items: impl IntoIterator<Item = &'v Value>) -> Self {
        let mut key_index = Self { keys, first_indices: HashMap::new() };
        for (i, item) in items.into_iter().enumerate() {
            key_index.add(item, i);
        }
        key_index
    }

    pub(crate) fn add(&mut self, item: &Value, offset: usize) {
        self.first_indices.entry(key_values(self.keys, item)).or_insert(offset);
    }

    pub(crate) fn get(&self, item: &Value) -> Option<usize> {
        self.first_indices.get(&key_values(self.keys, item)).copied()
    }
}

fn key_values(keys: &[&str], item: &Value) -> Vec<Option<Value>> {
    keys.iter().map(|key| key_value(key, item)).collect()
}

/// Returns the value of a field that identifies a list item. A port's protocol is the only such field that has a
/// default.
pub(crate) fn key_value(key: &str, item: &Value) -> Option<Value> {
    item.get(key).cloned().or_else(|| (key == "protocol").then(|| "TCP".into()))
}

/// Returns, for each of `items`, the index of the item in `others` that has the same key values. If the values repeat,
/// items are matched from last to first, as in kubectl: its sort reverses items with the same key
/// (`SortableSliceOfMaps`).
pub(crate) fn match_items(keys: &[&str], items: &[Value], others: &[Value]) -> Vec<Option<usize>> {
    let mut unmatched: HashMap<_, Vec<usize>> = HashMap::new();
    for (i, other) in others.iter().enumerate() {
        unmatched.entry(key_values(keys, other)).or_default().push(i);
    }
    let mut matches: Vec<_> =
        items.iter().rev().map(|item| unmatched.get_mut(&key_values(keys, item))?.pop()).collect();
    matches.reverse();
    matches
}

/// Merges two sorted lists. An untouched item comes before the first patched item that followed it in the original
/// (`mergeSortedSlice`).
fn interleave(untouched: Vec<Value>, patched: Vec<Value>, index_of: impl Fn(&Value) -> Option<usize>) -> Vec<Value> {
    let mut merged = Vec::with_capacity(untouched.len() + patched.len());
    let mut untouched = untouched.into_iter().peekable();
    for item in patched {
        let index = index_of(&item);
        while let Some(earlier) =
            untouched.next_if(|old| index.is_some_and(|at| index_of(old).is_some_and(|old| old < at)))
        {
            merged.push(earlier);
        }
        merged.push(item);
    }
    merged.extend(untouched);
    merged
}

/// Removes null fields, which are treated as missing.
pub(crate) fn discard_nulls(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|_, value| !value.is_null());
            entries.values_mut().for_each(discard_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(discard_nulls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn merge_values(original: Value, patch: Value) -> Value {
        let (Value::Object(mut original), Value::Object(patch)) = (original, patch) else { panic!("two mappings") };
        merge(GoStruct::lookup("Container"), &mut original, patch);
        Value::Object(original)
    }

    fn env_list(names: &str) -> Value {
        json!({"env": names.split_whitespace().map(|name| json!({"name": name})).collect::<Vec<_>>()})
    }

    #[test]
    fn orders_merged_items() {
        let cases = [
            ("a b c", "", "a b c"),
            ("a b c", "x", "x a b c"),
            ("a b c", "b", "a b c"),
            ("a b c", "c a", "b c a"),
            ("a b c", "b x", "a b x c"),
            ("a b c", "x b", "x a b c"),
            ("a b c d", "d x b", "a c d x b"),
            ("a b a", "b", "a a b"),
            ("a b", "x y x", "x y a b"),
            ("", "x y", "x y"),
            ("a b", "x b y x a y", "x b y a"),
        ];
        for (original, patch, expected) in cases {
            assert_eq!(merge_values(env_list(original), env_list(patch)), env_list(expected), "{original} + {patch}");
        }
    }

    #[test]
    fn merges_fields_of_every_type() {
        let cases = [
            (json!({"image": "a", "tty": true}), json!({"image": "b"}), json!({"image": "b", "tty": true})),
            (json!({"args": ["a", "b"]}), json!({"args": ["c"]}), json!({"args": ["c"]})),
            (
                json!({"resources": {"limits": {"cpu": "1", "memory": "1Gi"}}}),
                json!({"resources": {"limits": {"cpu": "2"}, "requests": {"cpu": "1"}}}),
                json!({"resources": {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}}}),
            ),
            (
                json!({"readinessProbe": {"httpGet": {"port": "http", "path": "/"}}}),
                json!({"readinessProbe": {"httpGet": {"port": 80}, "exec": {"command": ["x"]}}}),
                json!({"readinessProbe": {"httpGet": {"port": 80, "path": "/"}, "exec": {"command": ["x"]}}}),
            ),
            (
                json!({"env": [{"name": "A", "value": "1"}]}),
                json!({"env": [{"name": "A", "valueFrom": {}}, {"name": "B", "value": "1"}, {"name": "B", "value": "2"}]}),
                json!({"env": [{"name": "A", "value": "1", "valueFrom": {}}, {"name": "B", "value": "2"}]}),
            ),
            (
                json!({"ports": [{"containerPort": 80, "name": "a"}], "volumeMounts": [{"mountPath": "/a", "name": "a"}]}),
                json!({"ports": [{"containerPort": 80, "name": "b"}], "volumeMounts": [{"mountPath": "/b", "name": "a"}]}),
                json!({
                    "ports": [{"containerPort": 80, "name": "b"}],
                    "volumeMounts": [{"mountPath": "/b", "name": "a"}, {"mountPath": "/a", "name": "a"}],
                }),
            ),
            (
                json!({"livenessProbe": {"grpc": {"port": 1, "service": "s"}}}),
                json!({"livenessProbe": {"grpc": {"port": 1, "service": null}}, "startupProbe": {"grpc": {"service": null}}}),
                json!({"livenessProbe": {"grpc": {"port": 1}}, "startupProbe": {"grpc": {}}}),
            ),
            (
                json!({}),
                json!({"env": [{"name": "A", "value": null, "valueFrom": {"fieldRef": null}}], "args": ["a"]}),
                json!({"env": [{"name": "A", "valueFrom": {}}], "args": ["a"]}),
            ),
        ];
        for (original, patch, expected) in cases {
            assert_eq!(merge_values(original, patch), expected);
        }
    }
}
