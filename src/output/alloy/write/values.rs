//! Conversion of values from the formats of Prometheus, Promtail and Go to Alloy's formats.

use std::fmt::Write;

use crate::go::duration;

const SECOND: u64 = 1_000_000_000;
const UNITS: [(&str, u64); 2] = [("h", 3600 * SECOND), ("m", 60 * SECOND)];
const SMALL_UNITS: [(&str, u64); 3] = [("ms", 1_000_000), ("µs", 1_000), ("ns", 1)];
const SIZES: [(&str, u32); 7] =
    [("EiB", 60), ("PiB", 50), ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];

/// Converts a duration to units that Alloy supports: `1d` becomes `24h0m0s`. Returns `None` if `text` is not a
/// duration.
pub fn duration(text: &str) -> Option<String> {
    nanoseconds(text).map(format_duration)
}

/// Parses a Prometheus or Go duration into nanoseconds.
pub fn nanoseconds(text: &str) -> Option<i64> {
    let parse_prometheus = || i64::try_from(duration::parse_prometheus(text)?).ok();
    duration::parse_go(text).or_else(parse_prometheus)
}

/// Port of Go's `Duration.String`.
pub fn format_duration(nanoseconds: i64) -> String {
    let sign = if nanoseconds.is_negative() { "-" } else { "" };
    let total = nanoseconds.unsigned_abs();
    if total == 0 {
        return "0s".to_owned();
    }
    if total < SECOND {
        let unit = SMALL_UNITS.iter().find(|(_, size)| total >= *size);
        let (name, size) = unit.copied().unwrap_or(("ns", 1));
        return format!("{sign}{}{name}", total as f64 / size as f64);
    }
    let (mut text, mut rest) = (sign.to_owned(), total);
    for (unit, size) in UNITS.iter().filter(|(_, size)| total >= *size) {
        let _ = write!(text, "{}{unit}", rest / size);
        rest %= size;
    }
    let _ = write!(text, "{}{}s", rest / SECOND, fraction(rest % SECOND));
    text
}

/// Formats a duration in Prometheus' style: `1d`, `1m30s`.
pub fn format_prometheus(nanoseconds: i64) -> String {
    duration::to_prometheus(u64::try_from(nanoseconds).unwrap_or_default())
}

/// Formats a fraction of a second, with a leading decimal point.
fn fraction(nanoseconds: u64) -> String {
    if nanoseconds == 0 {
        return String::new();
    }
    let digits = format!(".{nanoseconds:09}");
    digits.trim_end_matches('0').to_owned()
}

/// Converts a size to units that Alloy supports: `8kb` becomes `8KiB`. Returns `None` if `text` is not a size.
pub fn size(text: &str) -> Option<String> {
    size_in_bytes(text).map(bytes)
}

/// Parses a size such as `8kb`, `1.5GiB` or `1MB512KB` into bytes (`ParseBase2Bytes`). Returns `None` if `text` is not
/// a size.
pub fn size_in_bytes(text: &str) -> Option<u64> {
    let (mut rest, mut total) = (text.trim(), 0.0);
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, suffix) = rest.split_at_checked(end)?;
        let end = suffix.find(|c: char| c.is_ascii_digit()).unwrap_or(suffix.len());
        let (unit, next) = suffix.split_at_checked(end)?;
        total += number.parse::<f64>().ok()? * factor(unit.trim())?;
        if next.is_empty() {
            return (total < u64::MAX as f64).then_some(total as u64);
        }
        rest = next;
    }
}

/// Returns the number of bytes in a unit, determined by the unit's first letter.
fn factor(unit: &str) -> Option<f64> {
    let Some(letter) = unit.chars().next() else {
        return Some(1.0);
    };
    let mut sizes = SIZES.iter();
    let (_, shift) = sizes.find(|(name, _)| name.starts_with(letter.to_ascii_uppercase()))?;
    Some((1_u64 << shift) as f64)
}

/// Formats a size in the largest unit of which it is a multiple.
pub fn bytes(bytes: u64) -> String {
    let is_whole = |shift: u32| bytes.trailing_zeros() >= shift && bytes >> shift > 0;
    let (name, shift) = SIZES.into_iter().find(|(_, shift)| is_whole(*shift)).unwrap_or(("B", 0));
    format!("{}{name}", bytes >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_durations_like_go() {
        let cases = [
            ("1m", Some("1m0s")),
            ("1d", Some("24h0m0s")),
            ("1w", Some("168h0m0s")),
            ("90s", Some("1m30s")),
            ("1h1ms", Some("1h0m0.001s")),
            ("0", Some("0s")),
            ("30ms", Some("30ms")),
            ("1.5us", Some("1.5µs")),
            ("1.5h", Some("1h30m0s")),
            ("-2s", Some("-2s")),
            ("1h", Some("1h0m0s")),
            ("1s", Some("1s")),
            ("1ms", Some("1ms")),
            ("1us", Some("1µs")),
            ("1ns", Some("1ns")),
            ("-999us", Some("-999µs")),
            ("5", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(duration(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn formats_prometheus_durations_with_days() {
        for (text, expected) in
            [("2m", "2m"), ("90s", "1m30s"), ("24h", "1d"), ("25h", "1d1h"), ("0", "0s"), ("1w1ms", "7d1ms")]
        {
            assert_eq!(nanoseconds(text).map(format_prometheus).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn converts_sizes_to_binary_units() {
        let cases = [
            ("8kb", Some("8KiB")),
            ("10", Some("10B")),
            ("5000000", Some("5000000B")),
            ("1 MB", Some("1MiB")),
            ("1.5GiB", Some("1536MiB")),
            ("1MB512KB", Some("1536KiB")),
            ("MB", None),
            ("", None),
            ("0", Some("0B")),
            ("x", None),
            ("99999999999gb", None),
            ("15.5EiB", Some("15872PiB")),
            ("16EiB", None),
        ];
        for (text, expected) in cases {
            assert_eq!(size(text).as_deref(), expected, "{text}");
        }
    }
}
