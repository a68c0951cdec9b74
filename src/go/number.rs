//! Numbers as Go writes them in JSON.

/// The text Go's `encoding/json` writes for a double: plain digits from 1e-6 up to 1e21, else an exponent.
pub fn json_text(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{value:e}");
        return if size < 1.0 { text } else { text.replace('e', "e+") };
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
    if value.is_nan() {
        return ".nan".to_owned();
    }
    let single = value as f32;
    if single.is_infinite() {
        return if single > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{single:e}");
    match scientific
        .split_once('e')
        .map(|(digits, power)| (digits, power.parse::<i32>()))
    {
        Some((digits, Ok(power))) if !(-4..6).contains(&power) => {
            let sign = if power < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", power.unsigned_abs())
        }
        _ => single.to_string(),
    }
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
