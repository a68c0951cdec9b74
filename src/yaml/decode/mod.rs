//! Decodes nodes into Rust types with serde, following the rules of Go's `encoding/json`.

mod error;

pub use error::DecodeError;

use std::iter;

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};

use super::document::NodeId;
use super::node::{Entry, Node, NodeValue};
use crate::diagnostic::Step;

/// Decodes a node, borrowing its strings.
///
/// As in Go, unknown fields are ignored. A null field is treated as missing, and any other null as the zero value of
/// the expected type. Field names are case-sensitive, as in objects that the API server has pruned.
pub fn decode<'d, T: Deserialize<'d>>(node: Node<'d>) -> Result<T, DecodeError> {
    decode_as(node, &DecodeOptions::default())
}

/// Like [`decode`], but treats the nodes in `null_nodes` as null.
pub fn decode_without<'d, T: Deserialize<'d>>(node: Node<'d>, null_nodes: Vec<NodeId>) -> Result<T, DecodeError> {
    let is_folded = false;
    decode_as(node, &DecodeOptions { is_case_insensitive: is_folded, null_nodes })
}

/// Decodes a node with case-insensitive field names, as `encoding/json` does, for input that has not passed through the
/// API server. If several keys match a field, the last one in byte order wins, because the conversion to JSON sorts the
/// keys.
pub fn decode_case_insensitive<'d, T: Deserialize<'d>>(node: Node<'d>) -> Result<T, DecodeError> {
    let null_nodes = Vec::new();
    let is_folded = true;
    decode_as(node, &DecodeOptions { is_case_insensitive: is_folded, null_nodes })
}

fn decode_as<'d, T: Deserialize<'d>>(node: Node<'d>, reading: &DecodeOptions) -> Result<T, DecodeError> {
    T::deserialize(NodeDecoder { node, reading }).map_err(|error| error.at(node))
}

#[derive(Default)]
struct DecodeOptions {
    /// Whether field names are case-insensitive.
    is_case_insensitive: bool,
    /// Nodes to treat as null.
    null_nodes: Vec<NodeId>,
}

impl DecodeOptions {
    fn value<'d>(&self, node: Node<'d>) -> NodeValue<'d> {
        if !self.null_nodes.is_empty() && self.null_nodes.contains(&node.id()) {
            return NodeValue::Null;
        }
        node.value()
    }

    /// Whether an entry for a field of a struct is present.
    fn has(&self, entry: &Entry<'_>) -> bool {
        self.value(entry.value) != NodeValue::Null
    }
}

#[derive(Clone, Copy)]
struct NodeDecoder<'d, 'r> {
    node: Node<'d>,
    reading: &'r DecodeOptions,
}

impl<'d, 'r> NodeDecoder<'d, 'r> {
    fn seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<T::Value, DecodeError> {
        seed.deserialize(self).map_err(|error| error.at(self.node))
    }

    fn value(self) -> NodeValue<'d> {
        self.reading.value(self.node)
    }

    fn sequence(self) -> Items<'r, impl Iterator<Item = Node<'d>>> {
        Items { items: self.node.items(), reading: self.reading, index: 0 }
    }

    fn mapping<I>(self, entries: I) -> Entries<'d, 'r, I> {
        Entries { entries, reading: self.reading, current: None }
    }

    /// Returns the entries of a struct with their field names. Nulls are treated as missing.
    fn fields(self, fields: &'static [&'static str]) -> Vec<Entry<'d>> {
        let mut known_entries: Vec<(Entry<'d>, &'static str)> = Vec::with_capacity(fields.len());
        for entry in self.node.entries().filter(|entry| self.reading.has(entry)) {
            let Some(&field) = find_field(entry.key, fields) else {
                continue;
            };
            match known_entries.iter_mut().find(|(_, other)| *other == field) {
                Some((other, _)) if other.key <= entry.key => *other = entry,
                Some(_) => {}
                None => known_entries.push((entry, field)),
            }
        }
        let entries = known_entries.into_iter();
        entries.map(|(entry, field)| Entry { key: field, ..entry }).collect()
    }
}

/// Returns no entries, because null decodes as an empty mapping.
fn empty_map_access<'d>() -> impl MapAccess<'d, Error = DecodeError> {
    MapDeserializer::new(iter::empty::<((), ())>())
}

fn find_field<'f>(key: &str, fields: &'f [&'static str]) -> Option<&'f &'static str> {
    let exact_match = fields.iter().find(|field| **field == key);
    exact_match.or_else(|| fields.iter().find(|field| field.eq_ignore_ascii_case(key)))
}

/// Methods that decode the expected type, treating null as the zero value of that type.
macro_rules! or_zero {
    ($($($method:ident)+ => $visit:ident($zero:expr);)+) => {$($(
        fn $method<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            match self.value() {
                NodeValue::Null => visitor.$visit($zero),
                _ => self.deserialize_any(visitor),
            }
        }
    )+)+};
}

impl<'d> Deserializer<'d> for NodeDecoder<'d, '_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value() {
            NodeValue::Null => visitor.visit_unit(),
            NodeValue::Bool(value) => visitor.visit_bool(value),
            NodeValue::Int(value) => visitor.visit_i64(value),
            NodeValue::Float(value) => visitor.visit_f64(value),
            NodeValue::String(text) => visitor.visit_borrowed_str(text),
            NodeValue::Sequence => visitor.visit_seq(self.sequence()),
            NodeValue::Mapping => visitor.visit_map(self.mapping(self.node.entries())),
        }
    }

    or_zero! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 => visit_i64(0);
        deserialize_bool => visit_bool(false);
        deserialize_str deserialize_string => visit_borrowed_str("");
        deserialize_seq => visit_seq(SeqDeserializer::new(iter::empty::<()>()));
        deserialize_map => visit_map(empty_map_access());
    }

    fn deserialize_struct<V: Visitor<'d>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.value() {
            NodeValue::Null => visitor.visit_map(empty_map_access()),
            NodeValue::Mapping if self.reading.is_case_insensitive => {
                visitor.visit_map(self.mapping(self.fields(fields).into_iter()))
            }
            NodeValue::Mapping => {
                let entries = self.node.entries().filter(|entry| self.reading.has(entry));
                visitor.visit_map(self.mapping(entries))
            }
            NodeValue::Sequence => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.value() == NodeValue::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'d>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'d>>
        char bytes byte_buf unit unit_struct tuple tuple_struct enum identifier
    }
}

struct Items<'r, I> {
    items: I,
    reading: &'r DecodeOptions,
    index: usize,
}

impl<'d, I: Iterator<Item = Node<'d>>> SeqAccess<'d> for Items<'_, I> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        let decoded_item = NodeDecoder { node: item, reading: self.reading }.seed(seed);
        decoded_item.map(Some).map_err(|error| error.prepend_step(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.items.size_hint().1
    }
}

struct Entries<'d, 'r, I> {
    entries: I,
    reading: &'r DecodeOptions,
    current: Option<Entry<'d>>,
}

impl<'d, I: Iterator<Item = Entry<'d>>> MapAccess<'d> for Entries<'d, '_, I> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'d>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        self.current = self.entries.next();
        let Some(entry) = self.current else {
            return Ok(None);
        };
        seed.deserialize(BorrowedStrDeserializer::new(entry.key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'d>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let Some(entry) = self.current.take() else {
            return Err(de::Error::custom("found a value without its key"));
        };
        let decoder = NodeDecoder { node: entry.value, reading: self.reading };
        decoder.seed(seed).map_err(|error| error.prepend_step(Step::Key(entry.key)))
    }
}

#[cfg(test)]
mod tests;
