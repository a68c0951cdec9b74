//! Which text is a time, for Go's YAML and for an API server.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use super::text::pattern;

/// Whether `parseTimestamp` in Go's `resolve.go` accepts the text: `time.Parse` with `2006-1-2`,
/// `2006-1-2 15:4:5.999999999`, and the same with `T` or `t` and a zone.
pub fn is_timestamp(text: &str) -> bool {
    static TIMESTAMP: LazyLock<Regex> = LazyLock::new(|| {
        let clock = "(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:[.,][0-9]+)?";
        let zone = "(?:Z|[+-](?:[01][0-9]|2[0-4]):(?:[0-5][0-9]|60))";
        let date = "([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})";
        pattern(&format!("^{date}(?:[Tt]{clock}{zone}| +{clock})?$"))
    });
    // Most texts do not start like a date: they need no pattern.
    text.as_bytes().get(4) == Some(&b'-') && is_on_a_day(text, &TIMESTAMP)
}

/// Whether the text is a point in time of RFC 3339, as `strfmt.IsDateTime` of kube-openapi accepts it: a fraction may start
/// with any character.
pub fn is_date_time(text: &str) -> bool {
    static DATE_TIME: LazyLock<Regex> = LazyLock::new(|| {
        let clock = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:.[0-9]+)?";
        let zone = "(?:[Zz]|[+-][0-9]{2}:[0-9]{2})";
        pattern(&format!("^([0-9]{{4}})-([0-9]{{2}})-([0-9]{{2}})[Tt]{clock}{zone}$"))
    });
    is_on_a_day(text, &DATE_TIME)
}

/// Whether a text matches a pattern, and the year, month and day that it captures are a day of the calendar.
fn is_on_a_day(text: &str, pattern: &Regex) -> bool {
    let date = pattern.captures(text).and_then(|found| {
        let (_, [year, month, day]) = found.extract();
        Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
    });
    date.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_go_accepts() {
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
    fn other_text_is_no_time() {
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
    fn times_are_of_rfc_3339() {
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
