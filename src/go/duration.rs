//! Durations in Prometheus and Go syntax.

const MICROSECOND: u64 = 1000;
const MILLISECOND: u64 = 1000 * MICROSECOND;
const SECOND: u64 = 1000 * MILLISECOND;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Maximum value of Go's `time.Duration`, in nanoseconds.
const MAX_NANOSECONDS: u64 = i64::MAX as u64;

/// Parses a Prometheus duration into nanoseconds (`model.ParseDuration`): integers with units from `y` to `ms`, each at
/// most once and in that order, or just `0`.
pub fn parse_prometheus(text: &str) -> Option<u64> {
    if text == "0" {
        return Some(0);
    }
    let mut last_unit = u64::MAX;
    sum_parts(text, MAX_NANOSECONDS, |number, unit| {
        let is_next = (MILLISECOND..last_unit).contains(&unit);
        last_unit = unit;
        number.parse::<u64>().ok()?.checked_mul(unit).filter(|_| is_next)
    })
}

/// Formats nanoseconds as a Prometheus duration (`model.Duration.String`). Years and weeks are used only for exact
/// multiples, and fractions of a millisecond are dropped.
pub fn to_prometheus(nanoseconds: u64) -> String {
    let mut remaining = nanoseconds / MILLISECOND * MILLISECOND;
    if remaining == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for name in ["y", "w", "d", "h", "m", "s", "ms"] {
        let unit = unit_nanoseconds(name).unwrap_or(MILLISECOND);
        let is_whole = remaining.is_multiple_of(unit) || !matches!(name, "y" | "w");
        if is_whole && remaining >= unit {
            text.push_str(&format!("{}{name}", remaining / unit));
            remaining %= unit;
        }
    }
    text
}

/// Parses a Go duration into nanoseconds (`time.ParseDuration`): an optional sign, followed by numbers with optional
/// fractions and units from `h` to `ns` in any order, or just `0`.
pub fn parse_go(text: &str) -> Option<i64> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if unsigned == "0" {
        return Some(0);
    }
    let sum = sum_parts(unsigned, MAX_NANOSECONDS + 1, |number, unit| {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if number.len() == number.matches('.').count() || fraction.contains('.') || unit > HOUR {
            return None;
        }
        let whole = if whole.is_empty() { "0" } else { whole };
        let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
        whole.checked_add(parse_fraction(fraction, unit))
    })?;
    match is_negative {
        true => 0i64.checked_sub_unsigned(sum),
        false => i64::try_from(sum).ok(),
    }
}

/// Sums the parts of a duration, each a number with a unit that `part_nanoseconds` converts to nanoseconds. Returns
/// `None` if there are no parts, or if a part or the sum exceeds `maximum`.
fn sum_parts(text: &str, maximum: u64, mut part_nanoseconds: impl FnMut(&str, u64) -> Option<u64>) -> Option<u64> {
    let is_number_character = |c: char| c == '.' || c.is_ascii_digit();
    let (mut sum, mut rest) = (0_u64, text);
    loop {
        let (number, after) = rest.split_at_checked(rest.find(|c| !is_number_character(c))?)?;
        let (unit, after) = after.split_at_checked(after.find(is_number_character).unwrap_or(after.len()))?;
        let part = part_nanoseconds(number, unit_nanoseconds(unit)?).filter(|part| *part <= maximum)?;
        // In Go, twice 2^63 nanoseconds wrap to zero.
        sum = Some(sum.wrapping_add(part)).filter(|sum| *sum <= maximum)?;
        rest = after;
        if rest.is_empty() {
            return Some(sum);
        }
    }
}

fn parse_fraction(digits: &str, unit: u64) -> u64 {
    let mut place_value = unit as f64;
    let mut sum = 0.0;
    for digit in digits.bytes() {
        place_value /= 10.0;
        sum += f64::from(digit - b'0') * place_value;
    }
    sum as u64
}

/// Returns the number of nanoseconds in a unit. Prometheus supports units of at least `ms`, and Go supports units of at
/// most `h`.
fn unit_nanoseconds(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => MICROSECOND,
        "ms" => MILLISECOND,
        "s" => SECOND,
        "m" => MINUTE,
        "h" => HOUR,
        "d" => DAY,
        "w" => 7 * DAY,
        "y" => 365 * DAY,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_prometheus_durations() {
        for (text, expected) in [
            ("0", 0),
            ("0s", 0),
            ("30s", 30 * SECOND),
            ("1h30m", 90 * MINUTE),
            ("1y2w3d4h5m6s7ms", 382 * DAY + 4 * HOUR + 5 * MINUTE + 6 * SECOND + 7 * MILLISECOND),
            ("0h0m0s", 0),
            ("292y", 292 * 365 * DAY),
            ("106751d23h47m16s854ms", 9_223_372_036_854_000_000),
        ] {
            assert_eq!(parse_prometheus(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "5",
            "1.5s",
            "-1s",
            "1m1h",
            "1s1s",
            "1s ",
            " 1s",
            "1us",
            "s",
            "1S",
            "9999999y",
            "292y30w",
            "106751d23h47m16s855ms",
            "1h 5m",
            "00",
            "18446744073709551616s",
        ] {
            assert_eq!(parse_prometheus(text), None, "{text}");
        }
    }

    #[test]
    fn formats_prometheus_durations() {
        for (text, expected) in [
            ("90s", "1m30s"),
            ("36h", "1d12h"),
            ("10080m", "1w"),
            ("8d", "8d"),
            ("1500ms", "1s500ms"),
            ("365d", "1y"),
            ("0s", "0s"),
            ("1m", "1m"),
        ] {
            assert_eq!(to_prometheus(parse_prometheus(text).unwrap()), expected, "{text}");
        }
        assert_eq!(to_prometheus(MILLISECOND - 1), "0s");
        assert_eq!(to_prometheus(2 * MILLISECOND - 1), "1ms");
    }

    #[test]
    fn parses_go_durations() {
        for (text, expected) in [
            ("0", 0),
            ("-0", 0),
            ("1.5h", 5_400_000_000_000),
            ("1m1h", 3_660_000_000_000),
            ("1s1s", 2_000_000_000),
            (".5s", 500_000_000),
            ("5.s", 5_000_000_000),
            ("-2ms", -2_000_000),
            ("+1us", 1000),
            ("1µs", 1000),
            ("1μs", 1000),
            ("1.25m", 75_000_000_000),
            ("0.001s", 1_000_000),
            ("1.9ns", 1),
            ("9223372036854775807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
            ("9223372036854775808ns9223372036854775808ns", 0),
        ] {
            assert_eq!(parse_go(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "5",
            "1d",
            "s",
            ".s",
            "1 s",
            "--1s",
            "+",
            "1h5",
            "3000000h",
            "1w",
            "00",
            "1..s",
            "1.2.3s",
            "9223372036854775808ns",
            "-9223372036854775809ns",
            "3000000h3000000h",
        ] {
            assert_eq!(parse_go(text), None, "{text}");
        }
    }
}
