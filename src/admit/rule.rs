//! Rules for values that have the right type.

use std::collections::HashMap;

use serde_json::Value;

use super::frame::Frame;
use super::{diagnostics, slips};
use crate::api::is_encrypted;
use crate::api::schema::{Format, ListType, Schema};
use crate::diagnostic::Diagnostic;
use crate::go::base64;
use crate::go::time::is_date_time;
use crate::yaml::{self, Node, NodeValue};

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
        let field = schema.properties.get(name.as_str());
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

/// The keys of an item, of which missing ones are equal to each other; `None` if one is not a scalar, which is reported as a
/// wrong type.
fn keys(schema: &Schema, item: Node<'_>) -> Option<Vec<Value>> {
    if schema.list_type == ListType::Set {
        return Some(vec![scalar(item)?]);
    }
    if !item.is_mapping() {
        return None;
    }
    let key = |name: &String| match item.get(name).filter(|value| !value.is_null()) {
        Some(value) => scalar(value),
        None => Some(default(schema, name)),
    };
    schema.list_map_keys.iter().map(key).collect()
}

/// The default of a key, which is set before the items are compared.
fn default(schema: &Schema, name: &str) -> Value {
    let key = schema.items.as_ref().and_then(|items| items.properties.get(name));
    key.and_then(|key| key.default.clone()).unwrap_or_default()
}

fn scalar(node: Node<'_>) -> Option<Value> {
    let is_collection = matches!(node.value(), NodeValue::Sequence | NodeValue::Mapping);
    (!is_collection).then(|| yaml::to_json(node))
}
