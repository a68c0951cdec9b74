//! What admission changes in a document: it prunes unknown fields, sets defaults, and replaces what it refuses.

use std::borrow::Cow;

use super::document::{Content, Document, MapEntry, NodeId, Orders, append};
use super::node::Node;
use crate::source::Span;

/// Changes to a document.
#[derive(Debug, Default)]
pub struct Edits {
    replaced: Vec<(NodeId, serde_json::Value)>,
    removed: Vec<(NodeId, String)>,
    added: Vec<(NodeId, String, serde_json::Value)>,
}

impl Edits {
    /// Takes a key out of a mapping.
    pub fn remove(&mut self, mapping: Node<'_>, key: impl Into<String>) {
        self.removed.push((mapping.id(), key.into()));
    }

    /// Sets a key of a mapping.
    pub fn set(&mut self, mapping: Node<'_>, key: impl Into<String>, value: serde_json::Value) {
        self.added.push((mapping.id(), key.into(), value));
    }

    /// Puts a scalar in the place of a node.
    pub fn replace(&mut self, node: Node<'_>, scalar: serde_json::Value) {
        self.replaced.push((node.id(), scalar));
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.replaced.is_empty()
    }
}

impl<'s> Document<'s> {
    /// Takes out what admission prunes and puts in what it defaults.
    pub fn apply(&mut self, mut edits: Edits) {
        self.orders = Orders::default();
        for (node, scalar) in edits.replaced {
            if let Some(slot) = self.slots.get_mut(node.0 as usize) {
                slot.content = Content::of_scalar(&scalar);
            }
        }
        edits.removed.sort_unstable();
        for removed in edits.removed.chunk_by(|a, b| a.0 == b.0) {
            let Some((mapping, _)) = removed.first() else { continue };
            let is_removed = |pair: &MapEntry| removed.binary_search_by(|(_, key)| (**key).cmp(&*pair.key)).is_ok();
            let mut dropped = Vec::new();
            self.rebuild(*mapping, |pairs| {
                dropped.extend(pairs.extract_if(.., |pair| is_removed(pair)))
            });
            let is_null =
                |pair: &MapEntry| matches!(self.slot(pair.value).map(|slot| &slot.content), Some(Content::Null));
            dropped.retain(is_null);
            self.dropped_nulls
                .extend(dropped.into_iter().map(|pair| (*mapping, pair)));
        }
        for (mapping, key, default) in edits.added {
            let at = self.span(mapping);
            let value = self.copy_in(&default, at);
            self.rebuild(mapping, |pairs| {
                pairs.retain(|pair| pair.key != key);
                pairs.push(MapEntry::new(Cow::Owned(key), at, value));
            });
        }
    }

    /// Replaces the entries of a mapping by what `change` makes of them, at the end of the arena.
    fn rebuild(&mut self, mapping: NodeId, change: impl FnOnce(&mut Vec<MapEntry<'s>>)) {
        let Some(mut pairs) = self.entries_of(mapping).map(<[_]>::to_vec) else {
            return;
        };
        change(&mut pairs);
        let slice = append(&mut self.pairs, pairs);
        if let Some(slot) = self.slots.get_mut(mapping.0 as usize) {
            slot.content = Content::Mapping(slice);
        }
    }

    /// Builds nodes for a JSON value that no text has: they get the span of the mapping they are put into.
    fn copy_in(&mut self, value: &serde_json::Value, at: Span) -> NodeId {
        match value {
            serde_json::Value::Array(values) => {
                let items: Vec<_> = values.iter().map(|value| self.copy_in(value, at)).collect();
                self.sequence(at, items)
            }
            serde_json::Value::Object(entries) => {
                let entry =
                    |(key, value): (&String, _)| MapEntry::new(Cow::Owned(key.clone()), at, self.copy_in(value, at));
                let pairs: Vec<_> = entries.iter().map(entry).collect();
                self.mapping(at, pairs)
            }
            scalar => self.push(at, Content::of_scalar(scalar)),
        }
    }
}

impl Content<'_> {
    /// A scalar of JSON; a list or a mapping counts as null.
    fn of_scalar(scalar: &serde_json::Value) -> Self {
        match scalar {
            serde_json::Value::Bool(value) => Content::Bool(*value),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(whole) => Content::Int(whole),
                None => Content::Float(number.as_f64().unwrap_or_default()),
            },
            serde_json::Value::String(text) => Content::String(Cow::Owned(text.clone())),
            _ => Content::Null,
        }
    }
}
