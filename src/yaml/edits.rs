//! Changes that admission makes to a document: it prunes unknown fields, sets defaults and replaces rejected values.

use std::borrow::Cow;

use super::document::{Document, MapEntry, NodeContent, NodeId, Orders, append};
use super::node::Node;
use crate::source::Span;

/// Changes to apply to a document.
#[derive(Debug, Default)]
pub struct Edits {
    replaced: Vec<(NodeId, serde_json::Value)>,
    removed: Vec<(NodeId, String)>,
    added: Vec<(NodeId, String, serde_json::Value)>,
}

impl Edits {
    /// Removes a key from a mapping.
    pub fn remove(&mut self, mapping: Node<'_>, key: impl Into<String>) {
        self.removed.push((mapping.id(), key.into()));
    }

    pub fn set(&mut self, mapping: Node<'_>, key: impl Into<String>, value: serde_json::Value) {
        self.added.push((mapping.id(), key.into(), value));
    }

    /// Replaces a node with a scalar.
    pub fn replace(&mut self, node: Node<'_>, scalar: serde_json::Value) {
        self.replaced.push((node.id(), scalar));
    }

    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.replaced.is_empty()
    }
}

impl<'s> Document<'s> {
    /// Removes pruned fields, inserts defaults and replaces rejected values.
    pub fn apply(&mut self, mut edits: Edits) {
        self.orders = Orders::default();
        for (node, scalar) in edits.replaced {
            if let Some(slot) = self.slots.get_mut(node.0 as usize) {
                slot.content = NodeContent::from_scalar(&scalar);
            }
        }
        edits.removed.sort_unstable();
        for removed_keys in edits.removed.chunk_by(|a, b| a.0 == b.0) {
            let Some((mapping, _)) = removed_keys.first() else { continue };
            let is_removed =
                |pair: &MapEntry| removed_keys.binary_search_by(|(_, key)| (**key).cmp(&*pair.key)).is_ok();
            let mut dropped_entries = Vec::new();
            self.rebuild(*mapping, |pairs| dropped_entries.extend(pairs.extract_if(.., |pair| is_removed(pair))));
            let is_null =
                |pair: &MapEntry| matches!(self.slot(pair.value).map(|slot| &slot.content), Some(NodeContent::Null));
            dropped_entries.retain(is_null);
            self.dropped_nulls.extend(dropped_entries.into_iter().map(|pair| (*mapping, pair)));
        }
        for (mapping, key, default) in edits.added {
            let mapping_span = self.span(mapping);
            let value = self.copy_value(&default, mapping_span);
            self.rebuild(mapping, |pairs| {
                pairs.retain(|pair| pair.key != key);
                pairs.push(MapEntry::new(Cow::Owned(key), mapping_span, value));
            });
        }
    }

    /// Replaces the entries of a mapping with the entries that `change` produces, which are stored at the end of the
    /// arena.
    fn rebuild(&mut self, mapping: NodeId, change: impl FnOnce(&mut Vec<MapEntry<'s>>)) {
        let Some(mut pairs) = self.mapping_entries(mapping).map(<[_]>::to_vec) else {
            return;
        };
        change(&mut pairs);
        let slice = append(&mut self.pairs, pairs);
        let size = self.mapping_size(slice);
        if let Some(slot) = self.slots.get_mut(mapping.0 as usize) {
            slot.content = NodeContent::Mapping(slice, size);
        }
    }

    /// Adds nodes for a JSON value that is not in the source. They have the span of the mapping that they are added to.
    fn copy_value(&mut self, value: &serde_json::Value, span: Span) -> NodeId {
        match value {
            serde_json::Value::Array(values) => {
                let items: Vec<_> = values.iter().map(|value| self.copy_value(value, span)).collect();
                self.sequence(span, items)
            }
            serde_json::Value::Object(entries) => {
                let entry = |(key, value): (&String, _)| {
                    MapEntry::new(Cow::Owned(key.clone()), span, self.copy_value(value, span))
                };
                let pairs: Vec<_> = entries.iter().map(entry).collect();
                self.mapping(span, pairs)
            }
            scalar => self.push(span, NodeContent::from_scalar(scalar)),
        }
    }
}

impl NodeContent<'_> {
    /// Converts a JSON scalar. A list or mapping becomes null.
    fn from_scalar(scalar: &serde_json::Value) -> Self {
        match scalar {
            serde_json::Value::Bool(value) => NodeContent::Bool(*value),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(whole) => NodeContent::Int(whole),
                None => NodeContent::Float(number.as_f64().unwrap_or_default()),
            },
            serde_json::Value::String(text) => NodeContent::String(Cow::Owned(text.clone())),
            _ => NodeContent::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::FieldPath;
    use crate::testing::document;
    use crate::yaml::to_json;
    use serde_json::json;

    #[test]
    fn applies_each_kind_of_edit() {
        let document = document("{a: 1}");
        let root = document.root();
        let edits: [fn(&mut Edits, Node<'_>); 3] = [
            |edits, root| edits.remove(root, "a"),
            |edits, root| edits.set(root, "a", json!(2)),
            |edits, root| edits.replace(root, json!(2)),
        ];
        for edit in edits {
            let mut edits = Edits::default();
            assert!(edits.is_empty());
            edit(&mut edits, root);
            assert!(!edits.is_empty());
        }
    }

    #[test]
    fn edits_change_only_their_target() {
        let mut document = document("{a: {x: 1, w: 2, z: 3}, b: [4, 5], c: {x: 6}, d: 7}");
        let root = document.root();
        let mut edits = Edits::default();
        edits.remove(root.at("a").unwrap(), "w");
        edits.remove(root.at("a").unwrap(), "x");
        edits.remove(root, "d");
        edits.set(root.at("c").unwrap(), "x", json!({"k": [true, null, 1.5, 8, "s"]}));
        edits.set(root.at("c").unwrap(), "y", json!([]));
        edits.replace(root.at("b").unwrap().item(1).unwrap(), json!("t"));
        edits.replace(root.at("a.z").unwrap(), json!(false));
        document.apply(edits);
        let expected = json!({
            "a": {"z": false},
            "b": [4, "t"],
            "c": {"x": {"k": [true, null, 1.5, 8, "s"]}, "y": []},
        });
        assert_eq!(to_json(document.root()), expected);
    }

    #[test]
    fn keeps_the_span_of_removed_null_keys() {
        let text = "{a: {x: ~, w: 1}, b: {w: ~, x: ~}}";
        let mut document = document(text);
        let root = document.root();
        let mut edits = Edits::default();
        for (mapping, key) in [("a", "x"), ("a", "w"), ("b", "x"), ("b", "w")] {
            edits.remove(root.get(mapping).unwrap(), key);
        }
        document.apply(edits);
        for (mapping, key, expected) in [("a", "x", 5), ("a", "w", 1), ("b", "x", 28), ("b", "w", 22), ("b", "z", 18)] {
            let mut path = FieldPath::new();
            path.push_key(mapping);
            path.push_key(key);
            assert_eq!(path.locate(document.root()).start, expected, "{mapping}.{key}");
        }
    }
}
