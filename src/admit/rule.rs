//! Rules for values that have the right type.

use std::collections::HashMap;

use super::frame::Frame;
use super::{diagnostics, slips};
use crate::api::is_encrypted;
use crate::api::schema::{Format, ListType, Schema};
use crate::diagnostic::Diagnostic;
use crate::go::base64;
use crate::go::time::is_date_time;
use crate::yaml::{Node, NodeValue};

/// Checks the rules for strings, in the order of kube-openapi. `allowed` is empty where any text is.
pub(super) fn text(
    schema: &Schema,
    allowed: &[String],
    text: &str,
    node: Node<'_>,
    at: &Frame<'_>,
    out: &mut Vec<Diagnostic>,
) {
    // Go counts code points (`utf8.RuneCount`).
    if schema.min_length > 0 && text.chars().count() < schema.min_length {
        out.push(diagnostics::too_short(schema.min_length, node, at));
    }
    if let Some(pattern) = schema.pattern.as_ref().filter(|pattern| !pattern.matches(text)) {
        out.push(diagnostics::pattern_mismatch(pattern.as_str(), text, node, at));
    }
    match schema.format {
        Some(Format::DateTime) if !is_date_time(text) => {
            out.push(diagnostics::invalid_time(text, node, at));
        }
        // What SOPS encrypted passes: only a value that is referred to has to be decrypted.
        Some(Format::Byte) if base64::decode(text).is_none() && !is_encrypted(text.as_bytes()) => {
            out.push(diagnostics::invalid_base64(node, at));
        }
        _ => {}
    }
    if !allowed.is_empty() && !allowed.iter().any(|allowed| allowed == text) {
        out.push(diagnostics::unsupported_value(allowed, text, node, at));
    }
}

/// Whether an integer fits the operator's field, which may have 32 bits.
///
/// The API server of Kubernetes 1.29 ignores the format of a number. The operator then fails to read the resource, and with it
/// every other resource of that kind. A port has 32 bits too; a quantity, which has a pattern, may be any number.
pub(super) fn fits(schema: &Schema, number: i64) -> bool {
    let is_port = schema.int_or_string && schema.pattern.is_none();
    i32::try_from(number).is_ok() || !(schema.format == Some(Format::Int32) || is_port)
}

/// Reports required fields that are missing. A `null` counts as missing, since it is dropped.
pub(super) fn required(schema: &Schema, node: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    for name in &schema.required {
        let field = schema.properties.get(name);
        if field.is_some_and(|field| field.default.is_some()) {
            continue;
        }
        match node.entry(name) {
            None => {
                let missing = diagnostics::missing_field(name, field, at);
                out.push(slips::explain_missing(missing, name, schema, node, at));
            }
            Some(entry) if entry.value.is_null() => out.push(diagnostics::null_field(entry, at)),
            Some(_) => {}
        }
    }
}

/// The key of an item. Missing keys are equal to each other.
#[derive(PartialEq, Eq, Hash)]
enum Key<'d> {
    Missing,
    Bool(bool),
    Int(i64),
    Float(u64),
    Text(&'d str),
}

/// `x-kubernetes-list-type`: no two items have the same keys (`ValidateListSetsAndMaps` of apiextensions-apiserver, which names the
/// first repetition of each).
pub(super) fn unique(schema: &Schema, list: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    let mut seen = HashMap::new();
    for (index, item) in list.items().enumerate() {
        let Some(keys) = keys(schema, item) else { continue };
        let (first, times) = seen.entry(keys).or_insert(((index, item), 0));
        *times += 1;
        if *times == 2 {
            let (first_index, first_item) = *first;
            let (at, first) = (at.item(index, item), at.item(first_index, first_item));
            let found = diagnostics::duplicate_item(&schema.list_map_keys, (&at, item), (&first, first_item));
            out.push(found);
        }
    }
}

/// The keys of an item; `None` if one is not a scalar, which is reported as a wrong type.
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
