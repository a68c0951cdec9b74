//! Field types of stages, as decoded by mapstructure (`Decode`, `WeakDecode`).

use super::common::report_invalid;
use crate::check::walk::{Json, Walk};
use crate::yaml::NodeValue;

/// Checks the types of a stage's fields, ignoring case in field names. Returns whether all types are correct.
pub fn check_types<'v>(fields: &'static str, is_weak: bool, config: Json<'v>, walk: &mut Walk<'v>) -> bool {
    let problem = match fields {
        "" => None,
        "list" | "map" => {
            (!has_type(fields, is_weak, config)).then(|| format!("the stage must be {}", expected_type(fields)))
        }
        _ if !config.is_mapping() => Some("the stage must be a mapping".to_owned()),
        _ => {
            let mut all_fields = fields.split(',').filter_map(|field| field.split_once(' '));
            let wrong_field = all_fields.find(|(field, type_name)| {
                let mut values =
                    config.entries().filter(|(key, value)| key.eq_ignore_ascii_case(field) && !value.is_null());
                values.any(|(_, value)| !has_type(type_name, is_weak, value))
            });
            wrong_field.map(|(field, type_name)| format!("`{field}` must be {}", expected_type(type_name)))
        }
    };
    let is_valid = problem.is_none();
    if let Some(problem) = problem {
        report_invalid(problem, &[], walk);
    }
    is_valid
}

fn expected_type(type_name: &str) -> &'static str {
    match type_name {
        "bool" => "`true` or `false`",
        "float" => "a number",
        "int" => "a whole number",
        "uint" => "a non-negative whole number",
        "list" => "a list of strings",
        "map" => "a mapping of strings",
        _ => "a string",
    }
}

/// Whether mapstructure can decode a value into a type. A variable may represent any value.
pub fn has_type(type_name: &str, is_weak: bool, value: Json<'_>) -> bool {
    let value_of = value.value();
    let text = match value_of {
        NodeValue::String(text) if text.contains('$') => return true,
        NodeValue::String(text) => text,
        _ => "",
    };
    let is_text = matches!(value_of, NodeValue::String(_));
    let is_number = matches!(value_of, NodeValue::Int(_) | NodeValue::Float(_));
    let is_bool = matches!(value_of, NodeValue::Bool(_));
    let is_text_of = |is_valid: bool| is_text && is_weak && (text.is_empty() || is_valid);
    match type_name {
        "bool" => {
            let words = ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"];
            is_bool || is_number && is_weak || is_text_of(words.contains(&text))
        }
        "float" => is_number || is_bool && is_weak || is_text_of(text.parse::<f64>().is_ok()),
        "int" => is_number || is_bool && is_weak || is_text_of(text.parse::<i64>().is_ok()),
        "uint" => {
            let is_negative = matches!(value_of, NodeValue::Int(..=-1));
            is_number && (is_weak || !is_negative) || is_bool && is_weak || is_text_of(text.parse::<u64>().is_ok())
        }
        "list" => match value_of {
            NodeValue::Sequence => value.items().all(|item| item.is_null() || has_type("string", is_weak, item)),
            NodeValue::Mapping => is_weak && value.entries().next().is_none(),
            _ => is_weak,
        },
        "map" => {
            value.is_mapping()
                && value.entries().all(|(_, value)| value.is_null() || has_type("string", is_weak, value))
        }
        "any" => true,
        _ => is_text || is_weak && (is_number || is_bool),
    }
}
