//! Numbers as Go writes them.

use std::fmt::Write;

use super::Style;

/// Appends a whole number.
pub(super) fn push_integer(out: &mut String, number: i64) {
    // Writing to a string cannot fail, here and below.
    let _ = write!(out, "{number}");
}

/// Appends a double. In the Kubernetes style a whole one that fits 64 bits reads back from JSON as an integer.
pub(super) fn push(out: &mut String, number: f64, style: Style) {
    let start = out.len();
    if style == Style::Kubernetes && number.fract() == 0.0 && number.abs() < 1e21 {
        let _ = write!(out, "{}", number + 0.0);
        let digits = out.get(start..).unwrap_or_default();
        if digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok() {
            return;
        }
        out.truncate(start);
    }
    push_general(out, number);
}

/// The shortest form that reads back equal, as `strconv.FormatFloat(number, 'g', -1, 64)` has it: an exponent, of two
/// digits at least, below 1e-4 and from 1e+06 on.
fn push_general(out: &mut String, number: f64) {
    if number.is_nan() {
        out.push_str(".nan");
    } else if number.is_infinite() {
        out.push_str(if number > 0.0 { ".inf" } else { "-.inf" });
    } else if number == 0.0 || (1e-4..1e6).contains(&number.abs()) {
        let _ = write!(out, "{number}");
    } else {
        push_exponential(out, number);
    }
}

fn push_exponential(out: &mut String, number: f64) {
    let start = out.len();
    let _ = write!(out, "{number:e}");
    let written = out.get(start..).unwrap_or_default();
    let Some((mantissa, exponent)) = written.split_once('e') else {
        return;
    };
    let (end, exponent) = (start + mantissa.len(), exponent.parse::<i32>().unwrap_or_default());
    out.truncate(end);
    let _ = write!(out, "e{exponent:+03}");
}
