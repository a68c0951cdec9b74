//! Which text Go's YAML reads as a time.

/// Whether `parseTimestamp` in Go's `resolve.go` accepts the text: `time.Parse` with `2006-1-2`,
/// `2006-1-2 15:4:5.999999999`, and the same with `T` or `t` and a zone.
pub fn is_timestamp(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.date().is_some() && (rest.is_done() || rest.clone().time_of_day().is_some())
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

    /// A number of so many digits.
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
}
