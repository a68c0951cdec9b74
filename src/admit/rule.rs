//! Rules for values that have the right type.

use std::collections::HashMap;

use serde_json::Value;

use super::diagnostics::display_value;
use super::findings::ResourceFindings;
use super::frame::Frame;
use super::{diagnostics, suggestions};
use crate::api::is_encrypted;
use crate::api::schema::{ListType, Schema, ValueFormat};
use crate::diagnostic::Code;
use crate::go::base64;
use crate::go::time::is_date_time;
use crate::yaml::{self, Node, NodeValue};

/// Applies the rules for strings in the same order as kube-openapi. `allowed` is empty if any string is allowed.
pub(super) fn check_text(
    schema: &Schema,
    allowed: &[String],
    text: &str,
    node: Node<'_>,
    frame: &Frame<'_>,
    out: &mut ResourceFindings<'_>,
) {
    // Go counts code points (`utf8.RuneCount`).
    if schema.min_length > 0 && text.chars().count() < schema.min_length {
        out.add(Code::TooShort, || {
            let message = match schema.min_length {
                1 => format!("`{}` must not be empty", frame.name()),
                least => format!("`{}` must be at least {least} characters long", frame.name()),
            };
            frame.diagnostic(Code::TooShort, message, node.span(), "too short")
        });
    }
    if let Some(pattern) = schema.pattern.as_ref().filter(|pattern| !pattern.matches(text)) {
        let mismatch = || diagnostics::pattern_mismatch(pattern.as_str(), text, node, frame);
        out.add(Code::PatternMismatch, mismatch);
    }
    match schema.format {
        Some(ValueFormat::DateTime) if !is_date_time(text) => {
            out.add(Code::InvalidTime, || {
                let message = format!("`{}` must be an RFC 3339 time, but is `{}`", frame.name(), display_value(text));
                let finding = frame.diagnostic(Code::InvalidTime, message, node.span(), "not a time");
                finding.help("write it in the form `2006-01-02T15:04:05Z`")
            });
        }
        // A value encrypted with SOPS is accepted here, because it has to be decrypted only if a resource refers to it.
        Some(ValueFormat::Byte) if base64::decode(text).is_none() && !is_encrypted(text.as_bytes()) => {
            let help = match frame.to_string().starts_with("data") {
                true => "encode the value, or move it unchanged to `stringData`",
                false => "encode the value",
            };
            out.add(Code::InvalidBase64, || {
                // The message omits the value, because it may be a secret.
                let message = format!("the value of `{}` is not valid base64", frame.name());
                let finding = frame.diagnostic(Code::InvalidBase64, message, node.span(), "not valid base64");
                finding.help(help)
            });
        }
        _ => {}
    }
    if !allowed.is_empty() && !allowed.iter().any(|allowed| allowed == text) {
        let unsupported = || diagnostics::unsupported_value(allowed, text, node, frame);
        out.add(Code::UnsupportedValue, unsupported);
    }
}

/// Whether an integer is too large for the operator's field, which may have only 32 bits. agentctl reports such a value
/// and treats the field as missing.
///
/// In Kubernetes 1.29, the API server ignores the format of numbers. As a result, the operator fails to read the
/// resource and all other resources of the same kind. Ports also have 32 bits. Quantities, whose schema specifies a
/// pattern, can be any number.
pub(super) fn is_out_of_range(schema: &Schema, number: i64) -> bool {
    let is_port = schema.int_or_string && schema.pattern.is_none();
    i32::try_from(number).is_err() && (schema.format == Some(ValueFormat::Int32) || is_port)
}

/// Reports missing required fields. A `null` field is treated as missing, because it is dropped.
pub(super) fn check_required(schema: &Schema, node: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    for name in &schema.required {
        let field = schema.properties.get(name.as_str());
        if field.is_some_and(|field| field.default.is_some()) {
            continue;
        }
        match node.entry(name) {
            None => out.add(Code::MissingField, || {
                let missing = diagnostics::missing_field(name, field, frame);
                suggestions::explain_missing(missing, name, schema, node, frame)
            }),
            Some(entry) if entry.value.is_null() => out.add(Code::MissingField, || {
                let message = format!("`{}` has no `{name}`, which is required", frame.name());
                let label = "empty, which counts as missing";
                let finding = frame.field(entry).diagnostic(Code::MissingField, message, entry.key_span, label);
                finding.help(format!("set a value for `{name}`"))
            }),
            Some(_) => {}
        }
    }
}

/// Checks `x-kubernetes-list-type`: no two items may have equal keys (`ValidateListSetsAndMaps` in
/// apiextensions-apiserver). Like the API server, reports only the first duplicate of each item.
pub(super) fn check_unique(schema: &Schema, list: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    let mut items_by_keys = HashMap::new();
    for (index, item) in list.items().enumerate() {
        let Some(keys) = key_values(schema, item) else { continue };
        let (first, occurrences) = items_by_keys.entry(keys).or_insert(((index, item), 0));
        *occurrences += 1;
        if *occurrences == 2 {
            let (first_index, first_item) = *first;
            let (frame, first) = (frame.item(index, item), frame.item(first_index, first_item));
            out.add(diagnostics::duplicate_code(&frame), || {
                diagnostics::duplicate_item(&schema.list_map_keys, (&frame, item), (&first, first_item))
            });
        }
    }
}

/// Returns the keys of an item, or `None` if a key is not a scalar, which is reported as a wrong type. A missing key is
/// equal to any other missing key.
fn key_values(schema: &Schema, item: Node<'_>) -> Option<Vec<Value>> {
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

/// Returns the default for a key. The API server sets defaults before it compares items.
fn default(schema: &Schema, name: &str) -> Value {
    let key = schema.items.as_ref().and_then(|items| items.properties.get(name));
    key.and_then(|key| key.default.clone()).unwrap_or_default()
}

fn scalar(node: Node<'_>) -> Option<Value> {
    let is_collection = matches!(node.value(), NodeValue::Sequence | NodeValue::Mapping);
    (!is_collection).then(|| yaml::to_json(node))
}
