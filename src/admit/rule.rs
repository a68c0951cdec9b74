//! Rules for values that have the right type.

use std::collections::HashMap;

use serde_json::Value;

use super::diagnostics::shown;
use super::frame::Frame;
use super::{diagnostics, slips};
use crate::api::is_encrypted;
use crate::api::schema::{Format, ListType, Schema};
use crate::diagnostic::{Code, Diagnostic};
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
        let message = match schema.min_length {
            1 => format!("`{}` must not be empty", at.name()),
            least => format!("`{}` must have at least {least} characters", at.name()),
        };
        out.push(at.diagnostic(Code::TooShort, message, node.span(), "too short"));
    }
    if let Some(pattern) = schema.pattern.as_ref().filter(|pattern| !pattern.matches(text)) {
        out.push(diagnostics::pattern_mismatch(pattern.as_str(), text, node, at));
    }
    match schema.format {
        Some(Format::DateTime) if !is_date_time(text) => {
            let message = format!("`{}` must be a time of RFC 3339, found `{}`", at.name(), shown(text));
            let found = at.diagnostic(Code::InvalidTime, message, node.span(), "not a time");
            out.push(found.help("write it as `2006-01-02T15:04:05Z`"));
        }
        // What SOPS encrypted passes: only a value that is referred to has to be decrypted.
        Some(Format::Byte) if base64::decode(text).is_none() && !is_encrypted(text.as_bytes()) => {
            let help = match at.to_string().starts_with("data") {
                true => "encode the value, or move it to `stringData` as it is",
                false => "encode the value",
            };
            // The value may be a secret, so it is not shown.
            let message = format!("the value of `{}` is not base64", at.name());
            let found = at.diagnostic(Code::InvalidBase64, message, node.span(), "not base64");
            out.push(found.help(help));
        }
        _ => {}
    }
    if !allowed.is_empty() && !allowed.iter().any(|allowed| allowed == text) {
        out.push(diagnostics::unsupported_value(allowed, text, node, at));
    }
}

/// Checks that an integer fits the operator's field, which may have 32 bits; what does not fit it is taken for missing.
///
/// The API server of Kubernetes 1.29 ignores the format of a number. The operator then fails to read the resource, and with it
/// every other resource of that kind. A port has 32 bits too; a quantity, which has a pattern, may be any number.
pub(super) fn integer(schema: &Schema, number: i64, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    let is_port = schema.int_or_string && schema.pattern.is_none();
    if i32::try_from(number).is_ok() || !(schema.format == Some(Format::Int32) || is_port) {
        return None;
    }
    let message = format!(
        "`{}` does not fit in 32 bits, so the operator cannot read it",
        at.name()
    );
    let found = at.diagnostic(Code::IntegerOutOfRange, message, node.span(), "too large");
    Some(found.help(format!("use a number between {} and {}", i32::MIN, i32::MAX)))
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
            Some(entry) if entry.value.is_null() => {
                let message = format!("`{}` has no `{name}`, which is required", at.name());
                let label = "empty, which counts as missing";
                let found = at
                    .field(entry)
                    .diagnostic(Code::MissingField, message, entry.key_span, label);
                out.push(found.help(format!("give `{name}` a value")));
            }
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
