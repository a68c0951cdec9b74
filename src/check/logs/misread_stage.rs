//! Strings in stages that become numbers or booleans when the agent replaces their variables.
//!
//! The operator does not quote strings that contain variables, and most stages accept only strings
//! (`mapstructure.Decode`), so the agent exits. An example is `expression: ${NAME:-5}`.

use std::iter;

use serde_json::Value;

use super::raw_stage::is_weak;
use crate::check::variables::Expansion;
use crate::check::walk::{Json, Step, Walk, is_among};
use crate::diagnostic::Code;
use crate::yaml::NodeValue;

/// Boolean fields in stages that are not decoded with `WeakDecode`.
const BOOLEAN_FIELDS: &str = "matchAll|countEntryBytes";

/// Replaces each stage string that the agent reads as a different type. A stage that is decoded with `WeakDecode`
/// converts the value back to a string.
pub fn expand(stages: &mut Value, expansion: &Expansion<'_>) {
    let stages = stages.as_array_mut().into_iter().flatten();
    for (kind, config) in stages.filter_map(Value::as_object_mut).flatten() {
        match config {
            Value::Object(fields) => {
                for (field, value) in fields {
                    expand_strings(value, accepts_scalars(kind, field), expansion);
                }
            }
            config => expand_strings(config, is_weak(kind), expansion),
        }
    }
}

/// Whether a field of a stage accepts numbers and booleans. The `source` of `drop` does not: it may also be a list, so
/// its type is any value, and the stage's validation rejects numbers and booleans (`validateDropConfig`).
fn accepts_scalars(kind: &str, field: &str) -> bool {
    is_weak(kind) && (kind, field) != ("drop", "source")
}

fn expand_strings(value: &mut Value, is_weak: bool, expansion: &Expansion<'_>) {
    match value {
        Value::String(text) => match expansion.scalar(text) {
            None => {}
            Some(Value::Bool(scalar)) if is_weak => *text = u8::from(scalar).to_string(),
            Some(Value::Number(scalar)) if is_weak => *text = scalar.to_string(),
            Some(scalar) => *value = scalar,
        },
        Value::Array(items) => items.iter_mut().for_each(|item| expand_strings(item, is_weak, expansion)),
        Value::Object(fields) => fields.values_mut().for_each(|field| expand_strings(field, is_weak, expansion)),
        _ => {}
    }
}

/// Reports a number or boolean in a stage that accepts only strings. Returns whether there was one.
pub fn check<'v>(stage: Json<'v>, walk: &mut Walk<'v>) -> bool {
    let misread = stage.entries().find_map(|(kind, config)| {
        let misread_path = match is_weak(kind) {
            true => {
                let mut strict_fields = config.entries().filter(|(field, _)| !accepts_scalars(kind, field));
                strict_fields.find_map(|(field, value)| find_misread(value).map(|_| vec![Step::Key(field)]))
            }
            false => find_misread(config),
        };
        Some((kind, misread_path?))
    });
    let Some((kind, misread_path)) = misread else {
        return false;
    };
    let at: Vec<_> = iter::once(Step::Key(kind)).chain(misread_path).collect();
    let message = format!(
        "after replacing the variable, the agent reads a number or Boolean, but `{kind}` accepts only strings, so the agent does not start"
    );
    let help = "use a default that YAML reads as a string, or replace the variable with a fixed string";
    walk.report_with_code(Code::MisreadVariable, &at, message, help);
    true
}

/// Returns the path of a number or boolean that should be a string.
fn find_misread(config: Json<'_>) -> Option<Vec<Step<'_>>> {
    let nested = |step, value| {
        let inner_path = find_misread(value)?;
        Some(iter::once(step).chain(inner_path).collect())
    };
    let is_boolean =
        |key: &str, value: Json<'_>| matches!(value.value(), NodeValue::Bool(_)) && is_among(key, BOOLEAN_FIELDS);
    match config.value() {
        NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Float(_) => Some(Vec::new()),
        NodeValue::Sequence => config.items().enumerate().find_map(|(i, item)| nested(Step::Index(i), item)),
        NodeValue::Mapping => {
            let mut fields = config.entries().filter(|(key, value)| !is_boolean(key, *value));
            fields.find_map(|(key, value)| nested(Step::Key(key), value))
        }
        _ => None,
    }
}
