//! Number formatting, as in Go.

use std::fmt::{self, Write};

/// Formats a double like Go's `encoding/json`: with plain digits from 1e-6 up to 1e21, and with an exponent otherwise.
pub fn json_text(value: f64) -> String {
    let size = value.abs();
    if size >= 1e21 {
        return format!("{value:e}").replace('e', "e+");
    }
    if size != 0.0 && size < 1e-6 {
        return format!("{value:e}");
    }
    value.to_string()
}

/// Returns the integer that JSON would show for a double, or `None` if JSON would show a fraction, an exponent, or too
/// many digits. JSON writes the shortest digits that identify a double, so the result depends on those digits rather
/// than on the exact value.
pub fn whole_number(value: f64) -> Option<i64> {
    /// Doubles represent every integer up to this magnitude exactly.
    const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;
    if value.fract() != 0.0 {
        None
    } else if value.abs() <= MAX_EXACT_INTEGER {
        Some(value as i64)
    } else {
        json_text(value).parse().ok()
    }
}

/// Formats a double as a mapping key, like sigs.k8s.io/yaml: `strconv.FormatFloat(key, 'g', -1, 32)`.
pub fn key_text(value: f64) -> String {
    let mut text = String::new();
    push_number(&mut text, value as f32);
    text
}

/// Appends the shortest representation of a number that parses back to the same value (`strconv.FormatFloat(number,
/// 'g', -1, …)`). Numbers below 1e-4, and from 1e+06 up, have an exponent of at least two digits.
pub fn push_number(out: &mut String, number: impl Copy + fmt::Display + fmt::LowerExp + Into<f64>) {
    let value: f64 = number.into();
    if value.is_nan() {
        return out.push_str(".nan");
    }
    if value.is_infinite() {
        return out.push_str(if value.is_sign_positive() { ".inf" } else { "-.inf" });
    }
    // Writing to a string cannot fail, here and in the calls below.
    if value.abs() < 1e6 && value.fract() == 0.0 && (value != 0.0 || value.is_sign_positive()) {
        // Nearly all numbers in a configuration are integers, which this branch formats much faster.
        let _ = write!(out, "{}", value as i64);
        return;
    }
    let start = out.len();
    let _ = write!(out, "{number:e}");
    let written = out.get(start..).unwrap_or_default();
    let Some((mantissa, exponent)) = written.split_once('e') else {
        return;
    };
    let (end, exponent) = (start + mantissa.len(), exponent.parse::<i32>().unwrap_or_default());
    let _ = if (-4..6).contains(&exponent) {
        out.truncate(start);
        write!(out, "{number}")
    } else {
        out.truncate(end);
        write!(out, "e{exponent:+03}")
    };
}

/// Appends a double that has passed through JSON: an integer that fits in 64 bits is written without an exponent.
pub fn push_from_json(out: &mut String, number: f64) {
    let start = out.len();
    if number.fract() == 0.0 {
        let _ = write!(out, "{}", number + 0.0);
        let digits = out.get(start..).unwrap_or_default();
        if digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok() {
            return;
        }
        out.truncate(start);
    }
    push_number(out, number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_json_numbers_like_go() {
        let cases = [
            (0.5, "0.5"),
            (-0.0, "-0"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
            (0.000001, "0.000001"),
            (1e-7, "1e-7"),
            (-2.5e-7, "-2.5e-7"),
            (0.0, "0"),
            (999_999_999_999_999_900_000.0, "999999999999999900000"),
        ];
        for (value, text) in cases {
            assert_eq!(json_text(value), text);
        }
    }

    #[test]
    fn converts_whole_numbers_with_the_shortest_digits() {
        let cases = [
            (1000.0, Some(1000)),
            (-0.0, Some(0)),
            (0.5, None),
            (9_007_199_254_740_993.0, Some(9_007_199_254_740_992)),
            (1_234_567_890_123_456_789.0, Some(1_234_567_890_123_456_800)),
            (9.3e18, None),
            (1e21, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ];
        for (value, expected) in cases {
            assert_eq!(whole_number(value), expected, "{value}");
        }
    }

    #[test]
    fn formats_keys_in_single_precision() {
        let cases = [
            (1.5, "1.5"),
            (0.1, "0.1"),
            (100_000.0, "100000"),
            (1e6, "1e+06"),
            (123_456_789.0, "1.2345679e+08"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e300, ".inf"),
            (f64::NEG_INFINITY, "-.inf"),
            (f64::NAN, ".nan"),
        ];
        for (value, text) in cases {
            assert_eq!(key_text(value), text);
        }
    }
}
