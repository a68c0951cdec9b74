//! Findings from admission. They never contain numbers or unconstrained strings, because any field may contain a
//! secret.

use super::frame::{Frame, misread_key_cause};
use super::suggestions::Suggestion;
use super::{fixes, stages};
use crate::api::schema::{Schema, ValueType};
use crate::api::{OperatorVersion, help_for_empty_stage};
use crate::diagnostic::listed::join_words;
use crate::diagnostic::{Code, Diagnostic, Fix, Severity, display_data_key, suggest};
use crate::go::quantity;
use crate::yaml::{Entry, Node, NodeValue};

/// Maximum number of characters to show from an invalid value.
const MAX_SHOWN_CHARS: usize = 60;

const DURATION: &str = "^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$";
/// Durations in the operator's own kinds.
const DURATION_FIELDS: [&str; 18] = [
    "batchSendDeadline",
    "batchWait",
    "maxBackoff",
    "maxIdleDuration",
    "maxPeriod",
    "maxWaitTime",
    "maxWALTime",
    "minBackoff",
    "minPeriod",
    "minWALTime",
    "olderThan",
    "remoteFlushDeadline",
    "remoteTimeout",
    "scrapeInterval",
    "scrapeTimeout",
    "sendInterval",
    "syncPeriod",
    "walTruncateFrequency",
];
const LABEL_NAME: &str = "^[a-zA-Z_][a-zA-Z0-9_]*$";
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Finding for a value that does not have the type required by its field.
pub(super) fn wrong_type(schema: &Schema, node: Node<'_>, frame: &Frame<'_>) -> Diagnostic {
    let (expected, found_type) = (expected_type(schema), describe_type(node));
    let message = format!("`{}` must be {expected}, but is {found_type}", frame.name());
    let label = format!("{found_type}, expected {expected}");
    let diagnostic = frame.diagnostic(Code::WrongType, message, frame.value_span(node), label);
    let fix = fixes::retype_fix(schema, node, frame, is_duration(schema, frame));
    diagnostic.help_if(suggest_repair(schema, node, frame)).fix_if(fix)
}

fn expected_type(schema: &Schema) -> &'static str {
    match schema.value_type {
        Some(ValueType::Object) => "a mapping",
        Some(ValueType::Array) => "a list",
        Some(ValueType::String) => "a string",
        Some(ValueType::Integer) => "an integer",
        Some(ValueType::Boolean) => "a boolean",
        None => "an integer or a string",
    }
}

fn describe_type(node: Node<'_>) -> &'static str {
    match node.value() {
        NodeValue::Null => "null",
        NodeValue::Bool(_) => "a boolean",
        NodeValue::Int(_) => "an integer",
        NodeValue::Float(_) if is_whole(node) => "a number that does not fit in a signed 64-bit integer",
        NodeValue::Float(_) => "a number with a fraction",
        NodeValue::String(_) => "a string",
        NodeValue::Sequence => "a list",
        NodeValue::Mapping => "a mapping",
    }
}

/// Whether a number that exceeds the integer range has no fraction.
fn is_whole(node: Node<'_>) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    node.plain_text().is_some_and(|text| is_number(text.trim_start_matches(['+', '-'])))
}

/// Returns the most likely fix for a value of the wrong type.
fn suggest_repair(schema: &Schema, node: Node<'_>, frame: &Frame<'_>) -> Option<String> {
    let accepts_text = matches!(schema.value_type, Some(ValueType::String) | None);
    let help = match (schema.value_type, node.value()) {
        (_, NodeValue::Null) => "remove the empty item".to_owned(),
        _ if !schema.allowed.is_empty() => allowed_values_help(&schema.allowed),
        (_, NodeValue::Bool(_)) if accepts_text => {
            "quote it: without quotes, `y`, `yes`, `on`, `n`, `no` and `off` are booleans".to_owned()
        }
        // An endpoint's `port` is a port name, so quoting the number would make it refer to a port that does not exist.
        (_, NodeValue::Int(_)) if frame.name() == "port" => "use `targetPort` for a port number".to_owned(),
        (_, NodeValue::Int(number @ 0..)) if is_duration(schema, frame) => format!("add a unit: `{number}s`"),
        (_, NodeValue::Int(_) | NodeValue::Float(_)) if accepts_text => {
            "quote it: without quotes, it is a number".to_owned()
        }
        (Some(ValueType::Integer), NodeValue::Float(_)) if is_whole(node) => {
            format!("use a number up to {}", i64::MAX)
        }
        (Some(ValueType::Integer), NodeValue::Float(_)) => "use a whole number".to_owned(),
        (Some(ValueType::String), NodeValue::Sequence) if frame.to_string().ends_with(".match.stages") => {
            "write the list as a string: put `|` after `stages:`".to_owned()
        }
        (Some(ValueType::String), NodeValue::Mapping) if frame.to_string().contains(".static[") => {
            "write the address itself, without keys: `- http://shop.example`".to_owned()
        }
        (Some(ValueType::Array), NodeValue::String(_)) if item_schema(schema).is_some_and(has_url) => {
            "write it as a list of mappings: `- url: …`".to_owned()
        }
        (Some(ValueType::Object), NodeValue::String(_)) if has_url(schema) => {
            "write it as a mapping: `url: …`".to_owned()
        }
        (Some(ValueType::Integer), NodeValue::String(text)) if text.parse::<i64>().is_ok() => {
            "remove the quotes".to_owned()
        }
        (Some(ValueType::Boolean), NodeValue::String("true" | "false")) => "remove the quotes".to_owned(),
        (Some(ValueType::Boolean), NodeValue::String(_)) => "use `true` or `false`, without quotes".to_owned(),
        (Some(ValueType::Boolean), _) => "use `true` or `false`".to_owned(),
        (Some(ValueType::Array), value) if schema.items.as_ref().is_some_and(|items| items.accepts(value)) => {
            "write it as a list: put `- ` before it".to_owned()
        }
        (Some(ValueType::Object), NodeValue::String(_)) if is_key_selector(schema) => {
            "set `name` to the object that contains the value, and `key` to its key in that object".to_owned()
        }
        (Some(ValueType::Object), NodeValue::Sequence) => "write it as a mapping, without `- `".to_owned(),
        _ => return None,
    };
    Some(help)
}

fn item_schema(schema: &Schema) -> Option<&Schema> {
    schema.items.as_deref()
}

/// Whether a schema describes an object that must have a URL.
fn has_url(schema: &Schema) -> bool {
    schema.required.iter().any(|name| name == "url")
}

/// Whether a field is a duration. The schemas of the operator's own kinds accept any string as a duration.
fn is_duration(schema: &Schema, frame: &Frame<'_>) -> bool {
    match &schema.pattern {
        Some(pattern) => pattern.as_str() == DURATION,
        None => DURATION_FIELDS.contains(&frame.name().as_str()) || frame.to_string().ends_with("].timeout"),
    }
}

fn is_key_selector(schema: &Schema) -> bool {
    schema.required.iter().any(|name| name == "key") && schema.properties.contains_key("name")
}

/// Finding for a field that the schema does not define.
pub(super) fn unknown_field(
    suggestion: &Suggestion,
    schema: &Schema,
    entry: Entry<'_>,
    frame: &Frame<'_>,
) -> Diagnostic {
    let name = if frame.kind().is_data() { display_data_key(entry.key) } else { entry.key };
    let stage = stages::unknown_stage_message(schema, &display_value(name), frame);
    let message = stage.unwrap_or_else(|| format!("`{}` has no field `{}`", frame.name(), display_value(name)));
    let field = frame.field(entry);
    let finding = field.diagnostic(Code::UnknownField, message, entry.key_span, "unknown field");
    let finding = finding.severity(Severity::Error).help_if(suggestion.help.as_deref());
    Diagnostic { cause: suggestion.cause.clone(), ..finding }
}

/// Finding for an unquoted key that is read as a boolean. `word` is the key as written, in lower case.
pub(super) fn misread_key(word: &str, entry: Entry<'_>, frame: &Frame<'_>) -> Diagnostic {
    let message = format!("the unquoted key `{word}` is read as `{}`", entry.key);
    frame
        .field(entry)
        .diagnostic(Code::MisreadKey, message, entry.key_span, "read as a boolean")
        .help(format!("quote it: `\"{word}\"`"))
        .fix_if(entry.quote_key().map(|edits| Fix::certain(format!("quote the key `{word}`"), edits)))
        .cause(misread_key_cause(entry.key_span))
}

/// Finding for a map key with a null value.
pub(super) fn dropped_key(schema: &Schema, entry: Entry<'_>, frame: &Frame<'_>) -> Diagnostic {
    let message = format!("`{}` in `{}` has no value, so the key is dropped", display_value(entry.key), frame.name());
    let help = match schema.value_type {
        Some(ValueType::String) => "set a value, write `\"\"` for an empty string, or remove the key",
        _ => "set a value, or remove the key",
    };
    frame.field(entry).diagnostic(Code::DroppedKey, message, entry.key_span, "no value").help(help)
}

/// Finding for a stage with a null value.
pub(super) fn dropped_stage(entry: Entry<'_>, frame: &Frame<'_>) -> Diagnostic {
    let message = format!("the `{}` stage has no value, so it is dropped", entry.key);
    let finding = frame.field(entry).diagnostic(Code::DroppedKey, message, entry.key_span, "no value");
    finding.help(help_for_empty_stage(entry.key))
}

/// Finding for a field that only a later release of the operator supports.
pub(super) fn later_field(since: OperatorVersion, entry: Entry<'_>, frame: &Frame<'_>) -> Diagnostic {
    let message = format!("`{}` has no field `{}` in operator versions before {since}", frame.name(), entry.key);
    frame
        .field(entry)
        .diagnostic(Code::UnknownField, message, entry.key_span, "unknown field")
        .severity(Severity::Error)
        .help(format!("remove it, or compile with `--operator-version={since}` or later"))
}

/// Turns the finding for an unknown field into a warning that the API server drops the field.
pub(super) fn dropped_field_warning(unknown: Diagnostic) -> Diagnostic {
    let mut diagnostic = unknown.severity(Severity::Warning);
    let effect = stages::stage_effect(&diagnostic.message);
    diagnostic.message.push_str(effect);
    diagnostic
}

/// Finding for a missing required field.
pub(super) fn missing_field(name: &str, field: Option<&Schema>, frame: &Frame<'_>) -> Diagnostic {
    let help = match field {
        Some(field) if !field.allowed.is_empty() => format!("set `{name}` to {}", alternatives(&field.allowed)),
        Some(field) => format!("set `{name}` to {}", expected_type(field)),
        None => format!("add `{name}`"),
    };
    let message = format!("`{}` has no `{name}`, which is required", frame.name());
    Diagnostic::new(Code::MissingField, message)
        .path(frame.missing_path(name))
        .label(frame.head(), format!("`{name}` is missing"))
        .help(help)
}

/// Finding for a string that is not one of the allowed values.
pub(super) fn unsupported_value(allowed: &[String], text: &str, node: Node<'_>, frame: &Frame<'_>) -> Diagnostic {
    let help =
        suggest::did_you_mean(text, allowed.iter().map(String::as_str)).unwrap_or_else(|| allowed_values_help(allowed));
    let message = format!("`{}` cannot be `{}`", frame.name(), display_value(text));
    frame
        .diagnostic(Code::UnsupportedValue, message, node.span(), "unsupported value")
        .help(help)
        .fix_if(fixes::nearest_value_fix(allowed, text, node, frame))
}

fn allowed_values_help(allowed: &[String]) -> String {
    format!("use {}", alternatives(allowed))
}

/// Lists the allowed values. If several differ only in case, only the first is listed.
fn alternatives(allowed: &[String]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in allowed {
        if !words.iter().any(|candidate| candidate.eq_ignore_ascii_case(word)) {
            words.push(word);
        }
    }
    let several = if words.len() > 2 { "one of " } else { "" };
    let quoted_words = words.iter().map(|word| format!("`{word}`"));
    format!("{several}{}", join_words("or", quoted_words))
}

/// Finding for a string that does not match its field's pattern.
pub(super) fn pattern_mismatch(pattern: &str, text: &str, node: Node<'_>, frame: &Frame<'_>) -> Diagnostic {
    let (expected, help) = match pattern {
        DURATION if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            ("a duration".to_owned(), format!("add a unit: `{}s`", display_value(text)))
        }
        DURATION => (
            "a duration".to_owned(),
            "write the units from largest to smallest, each at most once, as in `1h30m`, `15s` or `500ms`".to_owned(),
        ),
        LABEL_NAME => {
            ("a label name".to_owned(), "use letters, digits and `_`, and do not start with a digit".to_owned())
        }
        QUANTITY => (
            "a quantity".to_owned(),
            match intended_quantity(text) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "use a number, optionally with a suffix, such as `500m`, `2` or `1Gi`".to_owned(),
            },
        ),
        _ => ("a string that matches its pattern".to_owned(), format!("use a string that matches `{pattern}`")),
    };
    let fix = (pattern == DURATION).then(|| fixes::unit_fix(node, frame)).flatten();
    let message = format!("`{}` must be {expected}, but is `{}`", frame.name(), display_value(text));
    frame.diagnostic(Code::PatternMismatch, message, node.span(), format!("not {expected}")).help(help).fix_if(fix)
}

/// Returns the quantity that was probably meant by a number with a byte unit, such as `1Gi` for `1GB`.
fn intended_quantity(text: &str) -> Option<String> {
    let number = text.trim_end_matches(['b', 'B', 'i']);
    let binary_quantity = format!("{number}i");
    let is_number = text.starts_with(|c: char| c.is_ascii_digit()) && quantity::canonicalize(&binary_quantity).is_ok();
    (text.ends_with(['b', 'B']) && is_number).then_some(binary_quantity)
}

/// Finding for an integer that is too large for the operator's field.
pub(super) fn out_of_range(node: Node<'_>, frame: &Frame<'_>) -> Diagnostic {
    let message = format!("`{}` does not fit in 32 bits, so the operator cannot read it", frame.name());
    let finding = frame.diagnostic(Code::IntegerOutOfRange, message, node.span(), "too large");
    finding.help(format!("use a number between {} and {}", i32::MIN, i32::MAX))
}

/// Returns the code for list items with equal keys. Duplicate `claims` in a container's resources do not prevent
/// rendering, so they have the code for errors that occur only at run time.
pub(super) fn duplicate_code(frame: &Frame<'_>) -> Code {
    match frame.name().starts_with("claims[") {
        true => Code::InvalidResources,
        false => Code::DuplicateItem,
    }
}

/// Finding for list items with equal keys.
pub(super) fn duplicate_item(
    keys: &[String],
    (at, item): (&Frame<'_>, Node<'_>),
    (first, first_item): (&Frame<'_>, Node<'_>),
) -> Diagnostic {
    let key_span = |frame: &Frame<'_>, item: Node<'_>| {
        let key = keys.iter().find_map(|key| item.get(key));
        key.map_or(frame.value_span(item), Node::span)
    };
    let equal_keys = match keys {
        [] => "repeats".to_owned(),
        keys => format!("has the same `{}` as", keys.join("` and `")),
    };
    let message = format!("`{}` {equal_keys} `{}`", at.name(), first.name());
    at.diagnostic(duplicate_code(at), message, key_span(at, item), "repeated")
        .label(key_span(first, first_item), "first defined here")
        .help("make them differ, or remove one")
}

/// Formats an invalid value for use in a message, shortened and on one line.
pub(super) fn display_value(text: &str) -> String {
    let mut displayed: String = text.chars().take(MAX_SHOWN_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_SHOWN_CHARS).is_some() {
        displayed.push('…');
    }
    displayed.replace("\\\"", "\"").replace("\\'", "'")
}
