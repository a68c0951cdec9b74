//! Functions that are built into templates (`text/template/funcs.go`).

use std::cmp::Ordering;

use super::failure::Failure;
use super::format::sprintf;
use super::function::{Call, Function, Outcome};
use super::value::{MapKind, TemplateValue};

/// Returns the built-in function with this name, or `None` if it does not exist or is not supported.
pub fn builtin(name: &str) -> Option<Function> {
    BUILTINS.iter().find(|function| function.name == name).copied()
}

/// Built-in functions except `and` and `or`, which the executor evaluates.
const BUILTINS: &[Function] = &[
    Function { name: "and", parameters: "aa*", run: last_argument },
    Function { name: "or", parameters: "aa*", run: last_argument },
    Function { name: "not", parameters: "a", run: |call| Ok(TemplateValue::Bool(!call.get(0).is_true())) },
    Function { name: "eq", parameters: "aa*", run: |call| equals_any(call).map(TemplateValue::Bool) },
    Function { name: "ne", parameters: "aa", run: |call| Ok(TemplateValue::Bool(!equals_any(call)?)) },
    Function { name: "lt", parameters: "aa", run: |call| compare(call, false).map(TemplateValue::Bool) },
    Function { name: "le", parameters: "aa", run: |call| compare(call, true).map(TemplateValue::Bool) },
    Function { name: "gt", parameters: "aa", run: |call| Ok(TemplateValue::Bool(!compare(call, true)?)) },
    Function { name: "ge", parameters: "aa", run: |call| Ok(TemplateValue::Bool(!compare(call, false)?)) },
    Function { name: "index", parameters: "aa*", run: index },
    Function { name: "len", parameters: "a", run: length },
    Function { name: "print", parameters: "a*", run: sprint },
    Function { name: "println", parameters: "a*", run: println },
    Function { name: "printf", parameters: "sa*", run: printf },
];

fn last_argument(call: &mut Call<'_>) -> Outcome {
    Ok(call.arguments.pop().unwrap_or(TemplateValue::Missing))
}

/// Returns the kind of a value (`basicKind`), or `None` if the value cannot be compared.
fn basic_kind(value: &TemplateValue) -> Option<&'static str> {
    match value {
        TemplateValue::Bool(_) => Some("bool"),
        TemplateValue::Int(_) | TemplateValue::Int64(_) => Some("int"),
        TemplateValue::Float(_) => Some("float"),
        TemplateValue::Text(_) => Some("string"),
        _ => None,
    }
}

fn incompatible_types_error(one: &TemplateValue, other: &TemplateValue) -> Failure {
    let (one, other) = (one.type_name(), other.type_name());
    Failure::Error(format!("incompatible types for comparison: {one} and {other}"))
}

/// Whether the first argument equals any of the other arguments (`eq`).
fn equals_any(call: &Call<'_>) -> Result<bool, Failure> {
    let Some((first, rest @ [_, ..])) = call.arguments.split_first() else {
        return Err(Failure::error("missing argument for comparison"));
    };
    for other in rest {
        if equals(first, other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn equals(one: &TemplateValue, other: &TemplateValue) -> Result<bool, Failure> {
    use TemplateValue::{Int, Int64};
    match (one, other) {
        (Int(one) | Int64(one), Int(other) | Int64(other)) => Ok(one == other),
        _ if one.is_nil() || other.is_nil() => Ok(one.is_nil() && other.is_nil()),
        _ if basic_kind(one) != basic_kind(other) => Err(incompatible_types_error(one, other)),
        _ if basic_kind(one).is_some() => Ok(one == other),
        _ if one.kind_name() != other.kind_name() => Err(Failure::error("non-comparable types")),
        _ => Err(Failure::error(format!("non-comparable type: {}", other.type_name()))),
    }
}

/// Whether the first argument is less than the second or, with `or_equal`, equal to it (`lt`, `le`).
fn compare(call: &Call<'_>, or_equal: bool) -> Result<bool, Failure> {
    use TemplateValue::{Float, Int, Int64, Text};
    let (one, other) = (call.get(0), call.get(1));
    let order = match (one, other) {
        (Int(one) | Int64(one), Int(other) | Int64(other)) => Some(one.cmp(other)),
        (Float(one), Float(other)) => one.partial_cmp(other),
        (Text(one), Text(other)) => Some(one.cmp(other)),
        _ if basic_kind(one).is_none() || basic_kind(other).is_none() => {
            return Err(Failure::error("invalid type for comparison"));
        }
        _ if basic_kind(one) == basic_kind(other) => return Err(Failure::error("invalid type for comparison")),
        _ => return Err(incompatible_types_error(one, other)),
    };
    Ok(order.is_some_and(|order| order == Ordering::Less || (or_equal && order == Ordering::Equal)))
}

/// Returns an item in nested lists and maps (`index`).
fn index(call: &mut Call<'_>) -> Outcome {
    let Some((first, keys)) = call.arguments.split_first() else {
        return Ok(TemplateValue::Missing);
    };
    if first.is_nil() {
        return Err(Failure::error("index of untyped nil"));
    }
    let mut item = first.clone();
    for key in keys {
        item = match &item {
            TemplateValue::Missing | TemplateValue::Nil => return Err(Failure::error("index of nil pointer")),
            TemplateValue::List(..) => {
                let items = item.as_list().unwrap_or_default();
                let at = position(key, items.len())?;
                items.get(at).cloned().ok_or_else(|| out_of_range_error(at as i64))?
            }
            TemplateValue::Text(text) => {
                let at = position(key, text.len())?;
                let byte = text.as_bytes().get(at).ok_or_else(|| out_of_range_error(at as i64))?;
                TemplateValue::Int(i64::from(*byte))
            }
            TemplateValue::Map(kind, _) => {
                let TemplateValue::Text(key) = key else {
                    let found = if key.is_nil() { "nil" } else { key.type_name() };
                    return Err(Failure::error(format!("value has type {found}; should be string")));
                };
                let found = item.as_map().and_then(|map| map.get(key.as_ref()).cloned());
                found.unwrap_or_else(|| match kind {
                    MapKind::Any => TemplateValue::Nil,
                    MapKind::Strings => TemplateValue::text(""),
                })
            }
            other => return Err(Failure::error(format!("can't index item of type {}", other.type_name()))),
        };
    }
    Ok(item)
}

fn out_of_range_error(at: i64) -> Failure {
    Failure::Error(format!("index out of range: {at}"))
}

fn position(key: &TemplateValue, length: usize) -> Result<usize, Failure> {
    match key {
        TemplateValue::Int(at) | TemplateValue::Int64(at) => {
            let found = usize::try_from(*at).ok().filter(|at| *at < length);
            found.ok_or_else(|| out_of_range_error(*at))
        }
        key if key.is_nil() => Err(Failure::error("cannot index slice/array with nil")),
        key => Err(Failure::error(format!("cannot index slice/array with type {}", key.type_name()))),
    }
}

fn length(call: &mut Call<'_>) -> Outcome {
    let length = match call.get(0) {
        TemplateValue::Text(text) => text.len(),
        value => match (value.as_list(), value.as_map()) {
            (Some(list), _) => list.len(),
            (_, Some(map)) => map.len(),
            _ if value.is_nil() => return Err(Failure::error("len of nil pointer")),
            _ => return Err(Failure::error(format!("len of type {}", value.type_name()))),
        },
    };
    Ok(TemplateValue::Int(length as i64))
}

/// Port of `fmt.Sprint`, which adds a space between two operands if neither is a string.
fn sprint(call: &mut Call<'_>) -> Outcome {
    let mut text = String::new();
    let mut was_text = true;
    for (index, argument) in call.arguments.iter().enumerate() {
        let is_text = argument.as_text().is_some();
        if index > 0 && !is_text && !was_text {
            text.push(' ');
        }
        text.push_str(&call.format(argument)?);
        was_text = is_text;
    }
    call.text_result(text)
}

fn println(call: &mut Call<'_>) -> Outcome {
    let parts: Result<Vec<_>, _> = call.arguments.iter().map(|argument| call.format(argument)).collect();
    call.text_result(parts?.join(" ") + "\n")
}

fn printf(call: &mut Call<'_>) -> Outcome {
    let Some((_, operands)) = call.arguments.split_first() else {
        return call.text_result("");
    };
    let text = sprintf(call, call.text(0), operands)?;
    call.text_result(text)
}
