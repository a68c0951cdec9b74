//! Which text is a time, for Go's YAML and for an API server.

/// Whether `parseTimestamp` in Go's `resolve.go` accepts the text: `time.Parse` with `2006-1-2`,
/// `2006-1-2 15:4:5.999999999`, and the same with `T` or `t` and a zone.
pub fn is_timestamp(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.date().is_some() && (rest.is_done() || rest.clone().time_of_day().is_some())
}

/// Whether the text is a point in time of RFC 3339, as `strfmt.IsDateTime` of kube-openapi accepts it.
pub fn is_date_time(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    let zone = text.get(text.len().min("2006-01-02T15:04:05".len())..);
    rest.second().is_some() && zone.is_some_and(|zone| is_zone(skip_fraction(zone)))
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
        Some(offset) => Rest(offset.as_bytes()).offset().is_some(),
        None => text.eq_ignore_ascii_case("z"),
    }
}

#[derive(Clone)]
struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    fn date(&mut self) -> Option<()> {
        let year = self.digits(4)?;
        self.take(b'-')?;
        let month = self.number(1..=12)?;
        self.take(b'-')?;
        self.number(1..=days(year, month)).map(drop)
    }

    /// A date and a time of day, all numbers of their full width.
    fn second(&mut self) -> Option<()> {
        let year = self.digits(4)?;
        self.take(b'-')?;
        let month = self.digits(2).filter(|month| (1..=12).contains(month))?;
        self.take(b'-')?;
        self.digits(2).filter(|day| (1..=days(year, month)).contains(day))?;
        self.next().filter(|byte| matches!(byte, b'T' | b't'))?;
        self.digits(2).filter(|hour| *hour < 24)?;
        self.take(b':')?;
        self.digits(2).filter(|minute| *minute < 60)?;
        self.take(b':')?;
        self.digits(2).filter(|second| *second < 60).map(drop)
    }

    /// Two numbers of two digits, to the end.
    fn offset(&mut self) -> Option<()> {
        self.digits(2)?;
        self.take(b':')?;
        self.digits(2)?;
        self.is_done().then_some(())
    }

    /// What follows the date, to the end.
    fn time_of_day(&mut self) -> Option<()> {
        let has_zone = match self.next()? {
            b'T' | b't' => true,
            b' ' => false,
            _ => return None,
        };
        while !has_zone && self.take(b' ').is_some() {}
        self.number(0..=23)?;
        self.take(b':')?;
        self.number(0..=59)?;
        self.take(b':')?;
        self.number(0..=59)?;
        self.skip_fraction();
        if has_zone {
            self.zone()?;
        }
        self.is_done().then_some(())
    }

    /// Any number of digits after a point or comma; there need not be one.
    fn skip_fraction(&mut self) {
        if let [b'.' | b',', first, ..] = self.0
            && first.is_ascii_digit()
        {
            let digits = self.0.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
            self.0 = self.0.get(1 + digits..).unwrap_or_default();
        }
    }

    /// `Z`, or an offset such as `+07:00`.
    fn zone(&mut self) -> Option<()> {
        match self.next()? {
            b'Z' => Some(()),
            b'+' | b'-' => {
                let hours = self.digits(2)?;
                self.take(b':')?;
                let minutes = self.digits(2)?;
                (hours <= 24 && minutes <= 60).then_some(())
            }
            _ => None,
        }
    }

    /// A number of one or two digits in a range.
    fn number(&mut self, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let width = match self.0 {
            [_, second, ..] if second.is_ascii_digit() => 2,
            _ => 1,
        };
        self.digits(width).filter(|number| range.contains(number))
    }

    /// A number with a fixed number of digits.
    fn digits(&mut self, width: usize) -> Option<u32> {
        let mut number = 0;
        for _ in 0..width {
            let digit = self.next().filter(u8::is_ascii_digit)?;
            number = number * 10 + u32::from(digit - b'0');
        }
        Some(number)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn is_done(&self) -> bool {
        self.0.is_empty()
    }
}

fn days(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
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
