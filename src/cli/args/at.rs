//! `--at`: the time at which certificates must be valid.

use std::time::SystemTime;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// A fixed point in time, or the current time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum TimeArg {
    Now,
    Time(Timestamp),
}

impl TimeArg {
    /// Returns the point in time. The clock is read only here and for new certificates (`aggregate pki`).
    pub(in crate::cli) fn time(self) -> Timestamp {
        match self {
            TimeArg::Time(time) => time,
            TimeArg::Now => {
                let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
                let seconds = since.map_or(0, |since| since.as_secs());
                Timestamp::from_second(i64::try_from(seconds).unwrap_or(i64::MAX)).unwrap_or(Timestamp::MAX)
            }
        }
    }
}

/// Parses `now`, a date (its first second in UTC), or an RFC 3339 timestamp.
pub(in crate::cli) fn parse_time(text: &str) -> Result<TimeArg, String> {
    if text == "now" {
        return Ok(TimeArg::Now);
    }
    let date = text.parse::<Date>().and_then(|date| date.to_zoned(TimeZone::UTC));
    match text.parse::<Timestamp>().or(date.map(|date| date.timestamp())) {
        Ok(time) => Ok(TimeArg::Time(time)),
        Err(_) => Err("expected a date such as 2026-03-01, a time such as 2026-03-01T12:00:00Z, or now".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_dates_and_times() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(parse_time("now"), Ok(TimeArg::Now));
        assert_eq!(parse_time("2026-03-01"), Ok(TimeArg::Time(time("2026-03-01T00:00:00Z"))));
        assert_eq!(parse_time("2026-03-01T12:00:00+02:00"), Ok(TimeArg::Time(time("2026-03-01T10:00:00Z"))));
        for text in ["", "today", "2026-02-30", "01.03.2026"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }
}
