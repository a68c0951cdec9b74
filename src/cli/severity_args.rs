//! Which codes are errors, warnings or nothing, and the date that certificates are held against.

use std::time::SystemTime;

use clap::Args;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::completion;
use super::session::Session;
use crate::diagnostic::Warned;
use crate::severity::{Level, Policy, Setting, SettingError, Subject};
use crate::source::Sources;

/// Flags about codes. They come before what `agentctl.yaml` says of them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Findings")]
pub(super) struct PolicyArgs {
    /// Report findings with this code as errors
    ///
    /// `warnings` means every warning.
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', value_parser = deny, add = completion::severities(false))]
    deny: Vec<Setting>,

    /// Report findings with this code as warnings; --deny takes precedence
    #[arg(long, hide_short_help = true, value_name = "CODE,…", value_delimiter = ',', value_parser = warn, add = completion::severities(true))]
    warn: Vec<Setting>,

    /// Do not report findings with this code
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', value_parser = allow, add = completion::severities(true))]
    allow: Vec<Setting>,
}

fn deny(name: &str) -> Result<Setting, SettingError> {
    Setting::parse(name, Level::Deny)
}

fn warn(name: &str) -> Result<Setting, SettingError> {
    Setting::parse(name, Level::Warn)
}

fn allow(name: &str) -> Result<Setting, SettingError> {
    Setting::parse(name, Level::Allow)
}

impl PolicyArgs {
    /// Adds to `policy` what the file of settings says, and then the flags. The file becomes one of the sources, so that
    /// its mistakes can be shown.
    pub(super) fn policy(&self, mut policy: Policy, session: &Session, sources: &mut Sources) -> Warned<Policy> {
        let mut diagnostics = Vec::new();
        if let Some(file) = session.settings() {
            // `--deny warnings` comes before what the file says of single codes, as every flag comes before the file.
            let denies_all = self.deny.iter().any(|setting| setting.subject == Subject::Warnings);
            let severity = file.severity.iter();
            let severity = severity.filter(|setting| !denies_all || setting.level == Level::Deny);
            severity.for_each(|&setting| policy.set(setting));
            diagnostics.extend(file.add_to(sources));
        }
        let flags = self.allow.iter().chain(&self.warn).chain(&self.deny);
        flags.for_each(|&setting| policy.set(setting));
        Warned {
            output: policy,
            diagnostics,
        }
    }
}

/// A point in time, or that of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Now,
    Time(Timestamp),
}

impl At {
    /// The point in time. The clock is read here and for new certificates (`aggregate pki`), and nowhere else.
    pub(super) fn time(self) -> Timestamp {
        match self {
            At::Time(time) => time,
            At::Now => {
                let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
                let seconds = since.map_or(0, |since| since.as_secs());
                Timestamp::from_second(i64::try_from(seconds).unwrap_or(i64::MAX)).unwrap_or(Timestamp::MAX)
            }
        }
    }
}

/// Reads `now`, a date (its first second, in UTC) or a time stamp of RFC 3339.
pub(super) fn at(text: &str) -> Result<At, String> {
    if text == "now" {
        return Ok(At::Now);
    }
    let date = text.parse::<Date>().and_then(|date| date.to_zoned(TimeZone::UTC));
    match text.parse::<Timestamp>().or(date.map(|date| date.timestamp())) {
        Ok(time) => Ok(At::Time(time)),
        Err(_) => Err("expected a date such as 2026-03-01, a time such as 2026-03-01T12:00:00Z, or now".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_read() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(at("now"), Ok(At::Now));
        assert_eq!(at("2026-03-01"), Ok(At::Time(time("2026-03-01T00:00:00Z"))));
        assert_eq!(
            at("2026-03-01T12:00:00+02:00"),
            Ok(At::Time(time("2026-03-01T10:00:00Z")))
        );
        for text in ["", "today", "2026-02-30", "01.03.2026"] {
            assert!(at(text).is_err(), "{text}");
        }
    }
}
