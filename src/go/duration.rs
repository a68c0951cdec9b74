//! Durations, which Prometheus and Go write differently.

const MICROSECOND: u64 = 1000;
const MILLISECOND: u64 = 1000 * MICROSECOND;
const SECOND: u64 = 1000 * MILLISECOND;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The most nanoseconds that fit in Go's `time.Duration`.
const LONGEST: u64 = i64::MAX as u64;

/// The nanoseconds of a duration as Prometheus writes it (`model.ParseDuration`): whole numbers with units from `y` down
/// to `ms`, each at most once and in this order, or `0` alone.
pub fn of_prometheus(text: &str) -> Option<u64> {
    if text == "0" {
        return Some(0);
    }
    let mut last_unit = u64::MAX;
    sum_of(text, LONGEST, |number, unit| {
        let is_next = (MILLISECOND..last_unit).contains(&unit);
        last_unit = unit;
        number.parse::<u64>().ok()?.checked_mul(unit).filter(|_| is_next)
    })
}

/// Nanoseconds as Prometheus writes a duration (`model.Duration.String`): years and weeks only where nothing is left over, and
/// nothing below a millisecond.
pub fn to_prometheus(nanoseconds: u64) -> String {
    let mut rest = nanoseconds / MILLISECOND * MILLISECOND;
    if rest == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    for name in ["y", "w", "d", "h", "m", "s", "ms"] {
        let unit = nanoseconds_of(name).unwrap_or(MILLISECOND);
        let is_whole = rest.is_multiple_of(unit) || !matches!(name, "y" | "w");
        if is_whole && rest >= unit {
            text.push_str(&format!("{}{name}", rest / unit));
            rest %= unit;
        }
    }
    text
}

/// The nanoseconds of a duration as Go writes it (`time.ParseDuration`): an optional sign, then numbers, which may have
/// fractions, with units from `h` down to `ns` in any order, or `0` alone.
pub fn of_go(text: &str) -> Option<i64> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if unsigned == "0" {
        return Some(0);
    }
    let sum = sum_of(unsigned, LONGEST + 1, |number, unit| {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if number.len() == number.matches('.').count() || fraction.contains('.') || unit > HOUR {
            return None;
        }
        let whole = if whole.is_empty() { "0" } else { whole };
        let whole = whole.parse::<u64>().ok()?.checked_mul(unit)?;
        whole.checked_add(fraction_of(fraction, unit))
    })?;
    match is_negative {
        true => 0i64.checked_sub_unsigned(sum),
        false => i64::try_from(sum).ok(),
    }
}

/// The sum of the parts of a text, at least one and at most so much, each a number with a unit; `part` gives the nanoseconds of one.
fn sum_of(text: &str, most: u64, mut part: impl FnMut(&str, u64) -> Option<u64>) -> Option<u64> {
    let is_of_number = |c: char| c == '.' || c.is_ascii_digit();
    let (mut sum, mut rest) = (0_u64, text);
    loop {
        let (number, behind) = rest.split_at_checked(rest.find(|c| !is_of_number(c))?)?;
        let (unit, behind) = behind.split_at_checked(behind.find(is_of_number).unwrap_or(behind.len()))?;
        sum = sum.checked_add(part(number, nanoseconds_of(unit)?)?)?;
        rest = behind;
        if rest.is_empty() {
            return Some(sum).filter(|sum| *sum <= most);
        }
    }
}

fn fraction_of(digits: &str, unit: u64) -> u64 {
    let mut place = unit as f64;
    let mut sum = 0.0;
    for digit in digits.bytes() {
        place /= 10.0;
        sum += f64::from(digit - b'0') * place;
    }
    sum as u64
}

/// The nanoseconds of a unit: Prometheus has those from `ms` on, Go those up to `h`.
fn nanoseconds_of(unit: &str) -> Option<u64> {
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
    fn prometheus_writes_whole_units_in_order() {
        for (text, expected) in [
            ("0", 0),
            ("0s", 0),
            ("30s", 30 * SECOND),
            ("1h30m", 90 * MINUTE),
            (
                "1y2w3d4h5m6s7ms",
                382 * DAY + 4 * HOUR + 5 * MINUTE + 6 * SECOND + 7 * MILLISECOND,
            ),
            ("0h0m0s", 0),
            ("292y", 292 * 365 * DAY),
            ("106751d23h47m16s854ms", 9_223_372_036_854_000_000),
        ] {
            assert_eq!(of_prometheus(text), Some(expected), "{text}");
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
            assert_eq!(of_prometheus(text), None, "{text}");
        }
    }

    #[test]
    fn durations_are_written_anew() {
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
            assert_eq!(to_prometheus(of_prometheus(text).unwrap()), expected, "{text}");
        }
        assert_eq!(to_prometheus(MILLISECOND - 1), "0s");
        assert_eq!(to_prometheus(2 * MILLISECOND - 1), "1ms");
    }

    #[test]
    fn go_writes_fractions_and_signs() {
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
        ] {
            assert_eq!(of_go(text), Some(expected), "{text}");
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
            assert_eq!(of_go(text), None, "{text}");
        }
    }
}
