//! A node as the templates write it: without nulls, and with every number a double (`optionals.trim`).

use std::collections::BTreeMap;

use crate::yaml::{Node, NodeValue, Value};

/// The value of a node. Keys and list items that are null are dropped, however deep; what is left empty stays. Of a key
/// that stands twice the last counts.
pub(super) fn trimmed<'d>(node: Node<'d>) -> Value<'d> {
    match node.value() {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => Value::Bool(value),
        NodeValue::Int(value) => Value::Float(value as f64),
        NodeValue::Float(value) => Value::Float(value),
        NodeValue::String(text) => Value::from(text),
        NodeValue::Sequence => Value::Sequence(node.items().filter(|item| !item.is_null()).map(trimmed).collect()),
        NodeValue::Mapping => {
            let last: BTreeMap<_, _> = node.entries().map(|entry| (entry.key, entry.value)).collect();
            let entries = last.into_iter().filter(|(_, value)| !value.is_null());
            Value::Mapping(entries.map(|(key, value)| (key.into(), trimmed(value))).collect())
        }
    }
}
