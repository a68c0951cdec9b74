//! `x-kubernetes-list-type: map`: no two items have the same keys (`ValidateListSetsAndMaps` of
//! apiextensions-apiserver, which names the first repetition of each).

use std::collections::HashMap;

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::{ListType, Schema};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Node, NodeValue};

/// What tells an item apart. Every missing key is equal to every other.
#[derive(PartialEq, Eq, Hash)]
enum Key<'d> {
    Missing,
    Bool(bool),
    Int(i64),
    Float(u64),
    Text(&'d str),
}

pub(in crate::admit) fn check(schema: &Schema, list: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    let mut seen = HashMap::new();
    for (index, item) in list.items().enumerate() {
        let Some(keys) = keys(schema, item) else { continue };
        let (first, times) = seen.entry(keys).or_insert(((index, item), 0));
        *times += 1;
        if *times == 2 {
            let (at, first) = (at.item(index, item), at.item(first.0, first.1));
            out.push(diagnostics::duplicate_item(&schema.list_map_keys, item, &at, &first));
        }
    }
}

/// The keys of an item; none where one is no scalar, which the types say already.
fn keys<'d>(schema: &'d Schema, item: Node<'d>) -> Option<Vec<Key<'d>>> {
    if schema.list_type == ListType::Set {
        return Some(vec![scalar(item.value())?]);
    }
    if !item.is_mapping() {
        return None;
    }
    schema
        .list_map_keys
        .iter()
        .map(|name| match item.get(name).map(Node::value) {
            None | Some(NodeValue::Null) => Some(default(schema, name).map_or(Key::Missing, Key::Text)),
            Some(value) => scalar(value),
        })
        .collect()
}

/// The default of a key, which is set before the items are compared.
fn default<'d>(schema: &'d Schema, name: &str) -> Option<&'d str> {
    schema.items.as_ref()?.properties.get(name)?.default.as_ref()?.as_str()
}

fn scalar(value: NodeValue<'_>) -> Option<Key<'_>> {
    match value {
        NodeValue::Null => Some(Key::Missing),
        NodeValue::Bool(b) => Some(Key::Bool(b)),
        NodeValue::Int(i) => Some(Key::Int(i)),
        NodeValue::Float(f) => Some(Key::Float(f.to_bits())),
        NodeValue::String(s) => Some(Key::Text(s)),
        NodeValue::Sequence | NodeValue::Mapping => None,
    }
}
