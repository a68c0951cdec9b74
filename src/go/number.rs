//! Numbers as Go writes them.

use std::fmt::{self, Write};

/// The text Go's `encoding/json` writes for a double: plain digits from 1e-6 up to 1e21, else an exponent.
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

/// The whole number that JSON would show for a double; `None` where it shows a fraction, an exponent, or too many
/// digits. JSON has the shortest digits of a double, so these count, not its exact value.
pub fn whole(value: f64) -> Option<i64> {
    /// Below, a double is as exact as an integer.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() != 0.0 {
        None
    } else if value.abs() <= EXACT {
        Some(value as i64)
    } else {
        json_text(value).parse().ok()
    }
}

/// The text of a double as a mapping key: `strconv.FormatFloat(key, 'g', -1, 32)`, as sigs.k8s.io/yaml converts it.
pub fn key_text(value: f64) -> String {
    let mut text = String::new();
    push(&mut text, value as f32);
    text
}

/// Appends the shortest form of a number that reads back equal, as `strconv.FormatFloat(number, 'g', -1, …)` has it: with
/// an exponent, of two digits at least, below 1e-4 and from 1e+06 on.
pub fn push(out: &mut String, number: impl Copy + fmt::Display + fmt::LowerExp + Into<f64>) {
    let value: f64 = number.into();
    if value.is_nan() {
        return out.push_str(".nan");
    }
    if value.is_infinite() {
        return out.push_str(if value.is_sign_positive() { ".inf" } else { "-.inf" });
    }
    // Writing to a string cannot fail, here and below.
    if value.abs() < 1e6 && value.fract() == 0.0 && (value != 0.0 || value.is_sign_positive()) {
        // Nearly every number of a configuration; whole numbers are written much faster.
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

/// Appends a double that went through JSON: a whole one that fits 64 bits reads back as an integer.
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
    push(out, number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_text_is_gos() {
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
    fn whole_numbers_have_the_shortest_digits() {
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
            assert_eq!(whole(value), expected, "{value}");
        }
    }

    #[test]
    fn keys_are_written_in_single_precision() {
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
