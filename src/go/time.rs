//! Timestamps as recognized by Go's YAML libraries and by an API server.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use super::text::pattern;

/// Whether `parseTimestamp` in go-yaml's `resolve.go` accepts a string: `time.Parse` with `2006-1-2`, `2006-1-2
/// 15:4:5.999999999`, or the latter with `T` or `t` and a time zone.
pub fn is_timestamp(text: &str) -> bool {
    static TIMESTAMP: LazyLock<Regex> = LazyLock::new(|| {
        let clock = "(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:[.,][0-9]+)?";
        let zone = "(?:Z|[+-](?:[01][0-9]|2[0-4]):(?:[0-5][0-9]|60))";
        let date = "([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})";
        pattern(&format!("^{date}(?:[Tt]{clock}{zone}| +{clock})?$"))
    });
    // Most strings do not start like a date, so the pattern is rarely needed.
    text.as_bytes().get(4) == Some(&b'-') && is_on_a_day(text, &TIMESTAMP)
}

/// Whether a string is an RFC 3339 date-time that `strfmt.IsDateTime` in kube-openapi accepts. Any character may
/// precede the fraction instead of a dot.
pub fn is_date_time(text: &str) -> bool {
    static DATE_TIME: LazyLock<Regex> = LazyLock::new(|| {
        let clock = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:.[0-9]+)?";
        let zone = "(?:[Zz]|[+-][0-9]{2}:[0-9]{2})";
        pattern(&format!("^([0-9]{{4}})-([0-9]{{2}})-([0-9]{{2}})[Tt]{clock}{zone}$"))
    });
    is_on_a_day(text, &DATE_TIME)
}

/// Whether a string matches a pattern and the captured year, month and day form a valid date.
fn is_on_a_day(text: &str, pattern: &Regex) -> bool {
    let date = pattern.captures(text).and_then(|captures| {
        let (_, [year, month, day]) = captures.extract();
        Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
    });
    date.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_timestamps_like_go() {
        for text in [
            "2001-12-14",
            "2001-1-2",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14T21:59:43Z",
            "2001-12-14T1:2:3,5Z",
            "2001-12-14 21:59:43.10",
            "2001-12-14   21:59:43",
            "2004-02-29",
            "2001-12-14T21:59:43+24:60",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_timestamps() {
        for text in [
            "",
            "2001",
            "2001-12",
            "2001-13-01",
            "2001-02-29",
            "2001-12-14T21:59:43",
            "2001-12-14 21:59:43Z",
            "2001-12-14 24:00:00",
            "2001-12-14T21:59Z",
            "2001-12-14T21:59:43.Z",
            "2001-12-14T21:59:43+25:00",
            "2001-12-14x",
            "12001-12-14",
            "2001-12-143",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }

    #[test]
    fn recognizes_rfc_3339_times() {
        for (text, expected) in [
            ("2024-02-29T12:00:00Z", true),
            ("2024-02-29t12:00:00.25+01:00", true),
            ("2024-02-29T12:00:00-01:00", true),
            ("2023-02-29T12:00:00Z", false),
            ("2024-13-01T12:00:00Z", false),
            ("2024-01-01T24:00:00Z", false),
            ("2024-01-01T12:60:00Z", false),
            ("2024-01-01T12:00:00", false),
            ("2024-01-01 12:00:00Z", false),
            ("2024-01-01", false),
            ("yesterday", false),
            ("", false),
            ("é2024-01-01T1é:00:00Z", false),
        ] {
            assert_eq!(is_date_time(text), expected, "{text}");
        }
    }
}
