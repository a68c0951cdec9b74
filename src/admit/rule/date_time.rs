//! `format: date-time`: a point in time of RFC 3339, as `strfmt.IsDateTime` of kube-openapi accepts it.

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::{Format, Schema};
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

pub(super) fn check(schema: &Schema, text: &str, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    if schema.format != Some(Format::DateTime) || is_date_time(text) {
        return None;
    }
    Some(diagnostics::invalid_time(text, node, at))
}

fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else {
        return false;
    };
    is_date(date) && is_time(time)
}

fn is_date(text: &str) -> bool {
    let [Some(year), Some(month), Some(day)] = numbers(text, b'-', [4, 2, 2]) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_time(text: &str) -> bool {
    let (Some(clock), Some(rest)) = (text.get(..8), text.get(8..)) else {
        return false;
    };
    let [Some(hour), Some(minute), Some(second)] = numbers(clock, b':', [2, 2, 2]) else {
        return false;
    };
    hour < 24 && minute < 60 && second < 60 && is_zone(skip_fraction(rest))
}

/// A fraction is one character, which need not be a point, and digits.
fn skip_fraction(text: &str) -> &str {
    let mut chars = text.chars();
    if chars.next().is_none_or(|c| c == '\n') {
        return text;
    }
    let rest = chars.as_str().trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < chars.as_str().len() && !is_zone(text) {
        rest
    } else {
        text
    }
}

fn is_zone(text: &str) -> bool {
    match text.strip_prefix(['+', '-']) {
        Some(offset) => matches!(numbers(offset, b':', [2, 2]), [Some(_), Some(_)]),
        None => text.eq_ignore_ascii_case("z"),
    }
}

/// The numbers of these many digits each, apart by a separator, with nothing after them.
fn numbers<const N: usize>(text: &str, separator: u8, digits: [usize; N]) -> [Option<u32>; N] {
    let mut parts = text.split(char::from(separator));
    let numbers = digits.map(|width| {
        let part = parts.next()?;
        (part.len() == width && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse().ok())
            .flatten()
    });
    if parts.next().is_some() { [None; N] } else { numbers }
}

#[cfg(test)]
mod tests {
    use super::*;

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
