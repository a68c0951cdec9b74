//! Safe fixes, which never change Secret values.

use super::frame::Frame;
use crate::api::Kind;
use crate::api::schema::{Schema, ValueType};
use crate::diagnostic::{Edit, Fix, suggest};
use crate::go::syntax;
use crate::yaml::{Entry, Node, NodeValue};

/// Returns a fix for a scalar with the wrong type.
pub(super) fn retype_fix(schema: &Schema, node: Node<'_>, frame: &Frame<'_>, is_duration: bool) -> Option<Fix> {
    if is_secret(frame) {
        return None;
    }
    let unquoted =
        |holds| certain_if(holds, format!("remove the quotes around the value of `{}`", frame.name()), node.unquote());
    match (schema.value_type, node.value()) {
        (Some(ValueType::String), NodeValue::Int(_)) if is_duration => unit_fix(node, frame),
        // A quantity's schema has a pattern instead of a type.
        (kind @ (Some(ValueType::String) | None), NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Float(_))
            if kind.is_some() || schema.pattern.is_some() =>
        {
            let is_accepted = node.plain_text().is_some_and(|text| accepts_text(schema, text, frame));
            certain_if(is_accepted, format!("quote `{}`", frame.name()), node.quote())
        }
        (Some(ValueType::Integer), NodeValue::String(text)) => {
            let is_number = text.parse().is_ok_and(|number: i64| number.to_string() == text);
            unquoted(is_number)
        }
        (Some(ValueType::Boolean), NodeValue::String("true" | "false")) => unquoted(true),
        _ => None,
    }
}

/// Returns a fix for a number where a duration is expected. Prometheus would interpret the number as seconds.
pub(super) fn unit_fix(node: Node<'_>, frame: &Frame<'_>) -> Option<Fix> {
    let is_plain = match node.value() {
        NodeValue::Int(number @ 0..) => node.plain_text().is_some_and(|text| number.to_string() == text),
        NodeValue::String(text) => text.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    certain_if(is_plain, format!("add the unit `s` to `{}`", frame.name()), node.append("s"))
}

/// Returns a fix for a string that is similar to an allowed value.
pub(super) fn nearest_value_fix(allowed: &[String], text: &str, node: Node<'_>, frame: &Frame<'_>) -> Option<Fix> {
    let nearest = suggest::clear_suggestion(text, allowed.iter().map(String::as_str))?;
    certain_if(!is_secret(frame), format!("change `{}` to `{nearest}`", frame.name()), node.replace(nearest))
}

/// Returns a fix for a misspelled field if `is_unused` confirms that the intended field is not set. The fix is certain
/// only if `accepts_text` confirms that this field accepts the value.
pub(super) fn rename_fix(
    schema: &Schema,
    entry: Entry<'_>,
    is_unused: impl FnOnce(&str) -> bool,
    accepts: impl FnOnce(&str) -> bool,
) -> Option<Fix> {
    let known_names = schema.properties.keys().copied();
    let nearest = suggest::clear_suggestion(entry.key, known_names)?;
    let title = format!("rename `{}` to `{nearest}`", entry.key);
    let fix = certain_if(is_unused(nearest), title, entry.rename(nearest))?;
    Some(if accepts(nearest) { fix } else { fix.likely() })
}

fn certain_if(holds: bool, title: String, edits: Option<Vec<Edit>>) -> Option<Fix> {
    Some(Fix::certain(title, edits.filter(|_| holds)?))
}

/// Whether a field accepts a string.
fn accepts_text(schema: &Schema, text: &str, frame: &Frame<'_>) -> bool {
    // Quoting a port number would turn it into a port name that no Service uses.
    let is_port = frame.name() == "port";
    let is_allowed = schema.allowed.is_empty() || schema.allowed.iter().any(|allowed| allowed == text);
    let matches_pattern = schema.pattern.as_ref().is_none_or(|pattern| pattern.matches(text));
    let is_long_enough = text.len() >= schema.min_length && schema.format.is_none();
    !is_port
        && is_allowed
        && matches_pattern
        && is_long_enough
        && validation_problem(text, &frame.to_string()).is_none()
}

/// Returns any problem with a string that the schema does not detect.
fn validation_problem(text: &str, path: &str) -> Option<String> {
    let is_value = ["metadata.labels", ".matchLabels.", ".matchExpressions["].iter().any(|part| path.contains(part));
    match path {
        _ if is_value => syntax::label_value(text),
        _ if path.starts_with("metadata.annotations") => None,
        _ if path.starts_with("metadata.") => syntax::dns_label(text),
        _ => None,
    }
}

/// Whether a field contains a Secret value.
fn is_secret(frame: &Frame<'_>) -> bool {
    frame.kind() == Kind::Secret && ["data", "stringData"].iter().any(|field| frame.to_string().starts_with(field))
}
