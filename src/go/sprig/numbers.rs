//! Sprig functions for numbers.

use super::value_text::string;
use crate::go::literal;
use crate::go::template::{Call, Failure, Function, Outcome, TemplateValue};

pub const FUNCTIONS: &[Function] = &[
    Function { name: "atoi", parameters: "s", run: |call| Ok(TemplateValue::Int(call.text(0).parse().unwrap_or(0))) },
    Function { name: "int", parameters: "a", run: |call| Ok(TemplateValue::Int(to_integer(call.get(0)))) },
    Function { name: "int64", parameters: "a", run: |call| Ok(TemplateValue::Int64(to_integer(call.get(0)))) },
    Function { name: "float64", parameters: "a", run: |call| Ok(TemplateValue::Float(to_float(call.get(0)))) },
    Function { name: "toDecimal", parameters: "a", run: to_decimal },
    Function { name: "add1", parameters: "a", run: |call| int64_result(to_integer(call.get(0)).wrapping_add(1)) },
    Function { name: "add", parameters: "a*", run: |call| fold(call, Some(0), i64::wrapping_add) },
    Function { name: "sub", parameters: "aa", run: |call| fold(call, None, i64::wrapping_sub) },
    Function { name: "mul", parameters: "aa*", run: |call| fold(call, None, i64::wrapping_mul) },
    Function { name: "div", parameters: "aa", run: |call| divide(call, i64::wrapping_div) },
    Function { name: "mod", parameters: "aa", run: |call| divide(call, i64::wrapping_rem) },
    Function { name: "max", parameters: "aa*", run: |call| fold(call, None, i64::max) },
    Function { name: "biggest", parameters: "aa*", run: |call| fold(call, None, i64::max) },
    Function { name: "min", parameters: "aa*", run: |call| fold(call, None, i64::min) },
    Function { name: "maxf", parameters: "aa*", run: |call| fold_floats(call, f64::max) },
    Function { name: "minf", parameters: "aa*", run: |call| fold_floats(call, f64::min) },
    Function { name: "ceil", parameters: "a", run: |call| Ok(TemplateValue::Float(to_float(call.get(0)).ceil())) },
    Function { name: "floor", parameters: "a", run: |call| Ok(TemplateValue::Float(to_float(call.get(0)).floor())) },
    Function { name: "round", parameters: "aif*", run: round },
];

fn int64_result(value: i64) -> Outcome {
    Ok(TemplateValue::Int64(value))
}

/// Converts a value to an integer, or to 0 if that is not possible (`cast.ToInt64`).
pub fn to_integer(value: &TemplateValue) -> i64 {
    match value {
        TemplateValue::Int(value) | TemplateValue::Int64(value) => *value,
        // `as` saturates, so no value is out of range.
        TemplateValue::Float(value) => *value as i64,
        TemplateValue::Bool(value) => i64::from(*value),
        TemplateValue::Text(text) => {
            // A fraction that consists only of zeros is removed.
            let text = match text.split_once('.') {
                Some((whole, zeros)) if !zeros.is_empty() && zeros.chars().all(|c| c == '0') => whole,
                _ => text,
            };
            literal::parse_integer(text).unwrap_or_default()
        }
        _ => 0,
    }
}

fn to_float(value: &TemplateValue) -> f64 {
    match value {
        TemplateValue::Float(value) => *value,
        TemplateValue::Text(text) => text.parse().unwrap_or_default(),
        value => to_integer(value) as f64,
    }
}

fn fold(call: &mut Call<'_>, start: Option<i64>, combine: fn(i64, i64) -> i64) -> Outcome {
    let mut values = call.arguments.iter().map(to_integer);
    let first = start.or_else(|| values.next()).unwrap_or_default();
    int64_result(values.fold(first, combine))
}

fn fold_floats(call: &mut Call<'_>, combine: fn(f64, f64) -> f64) -> Outcome {
    let mut values = call.arguments.iter().map(to_float);
    let first = values.next().unwrap_or_default();
    Ok(TemplateValue::Float(values.fold(first, combine)))
}

fn divide(call: &mut Call<'_>, combine: fn(i64, i64) -> i64) -> Outcome {
    let (dividend, divisor) = (to_integer(call.get(0)), to_integer(call.get(1)));
    if divisor == 0 {
        return Err(Failure::error("runtime error: integer divide by zero"));
    }
    int64_result(combine(dividend, divisor))
}

fn round(call: &mut Call<'_>) -> Outcome {
    let rounding_threshold = if call.arguments.len() > 2 { to_float(call.get(2)) } else { 0.5 };
    let power = 10_f64.powf(call.int(1) as f64);
    let shifted = power * to_float(call.get(0));
    let rounded = if shifted.fract() >= rounding_threshold { shifted.ceil() } else { shifted.floor() };
    Ok(TemplateValue::Float(rounded / power))
}

/// Parses an octal number, or returns 0 if it is invalid (`toDecimal`).
fn to_decimal(call: &mut Call<'_>) -> Outcome {
    let text = string(call, call.get(0))?;
    int64_result(i64::from_str_radix(&text, 8).unwrap_or_default())
}
