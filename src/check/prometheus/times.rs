//! Scrape intervals, timeouts and the times of the write-ahead log.
//!
//! What: a timeout above the interval, an interval above the time after which the write-ahead log is cut, a frequency or deadline
//! of zero, a least time above the most (`instance.Config.ApplyDefaults` of the agent). Why: the agent refuses its whole
//! configuration. Example: `interval: 5s` with `scrapeTimeout: 10s`; a `scrapeTimeout: 2m` where the agent's interval is the
//! default of one minute; `minWALTime: 5h` with the default `maxWALTime` of four hours.

use crate::api::{Metrics, MetricsInstance, RejectedFields};
use crate::check::field::{go_duration, positive_go_duration};
use crate::check::place::Place;
use crate::diagnostic::Code;
use crate::go::duration;

const DEFAULT_INTERVAL: &str = "1m";
const DEFAULT_TRUNCATION: &str = "60m";

const MINUTE: i64 = 60_000_000_000;
const DEFAULT_MINIMUM: i64 = 5 * MINUTE;
const DEFAULT_MAXIMUM: i64 = 4 * 60 * MINUTE;

/// Checks the times of the write-ahead log of an instance.
pub fn write_ahead_log(instance: &MetricsInstance<'_>, spec: &Place<'_>) {
    positive_go_duration(instance.wal_truncate_frequency, &spec.key("walTruncateFrequency"));
    positive_go_duration(instance.remote_flush_deadline, &spec.key("remoteFlushDeadline"));
    let (minimum_at, maximum_at) = (spec.key("minWALTime"), spec.key("maxWALTime"));
    let time = |text, at: &Place<'_>, default| match text {
        "" => Some(default),
        text => go_duration(text, at),
    };
    let minimum = time(instance.min_wal_time, &minimum_at, DEFAULT_MINIMUM);
    let maximum = time(instance.max_wal_time, &maximum_at, DEFAULT_MAXIMUM);
    if minimum.zip(maximum).is_some_and(|(minimum, maximum)| minimum > maximum) {
        let message = "`minWALTime` must not be greater than `maxWALTime`";
        let finding = minimum_at.diagnostic(Code::InvalidDuration, message);
        spec.add(finding.label(maximum_at.span(), "the maximum, `4h` by default"));
    }
}

/// Checks the agent's own timeout against its own interval. It lowers the timeout itself, where Prometheus would refuse it.
pub fn of_agent(agent: &Metrics<'_>, at: &Place<'_>) {
    let interval = or_default(agent.scrape_interval, DEFAULT_INTERVAL);
    let Some(timeout) = duration::of_prometheus(agent.scrape_timeout) else {
        return;
    };
    if duration::of_prometheus(interval).is_some_and(|interval| interval > 0 && timeout > interval) {
        let interval_at = at.key("scrapeInterval");
        timeout_above_interval(
            agent.scrape_timeout,
            interval,
            &at.key("scrapeTimeout"),
            Some(&interval_at),
        );
    }
}

/// The times that apply to the jobs of an instance in an agent.
pub struct ScrapeTimes<'a> {
    rejected: &'a RejectedFields<'a>,
    interval: Option<&'a str>,
    /// With the `spec` of the instance.
    truncation: Option<(&'a str, &'a Place<'a>)>,
}

impl<'a> ScrapeTimes<'a> {
    /// For resources whose agent and instance are not known.
    pub fn unknown(rejected: &'a RejectedFields<'a>) -> Self {
        Self {
            rejected,
            interval: None,
            truncation: None,
        }
    }

    /// The settings of an agent at `agent_at` and of one of its instances at `instance_at`, without refused fields.
    pub fn new(
        agent: &Metrics<'a>,
        agent_at: &Place<'_>,
        instance: &MetricsInstance<'a>,
        instance_at: &'a Place<'a>,
        rejected: &'a RejectedFields<'a>,
    ) -> Self {
        let known = |at: Place<'_>| !at.is_refused(rejected);
        let interval = or_default(agent.scrape_interval, DEFAULT_INTERVAL);
        let truncation = or_default(instance.wal_truncate_frequency, DEFAULT_TRUNCATION);
        Self {
            rejected,
            interval: known(agent_at.key("scrapeInterval")).then_some(interval),
            truncation: known(instance_at.key("walTruncateFrequency")).then_some((truncation, instance_at)),
        }
    }

    /// Checks the times of a job of a monitor, unless its interval was refused.
    pub fn check_monitor(&self, interval: &str, timeout: &str, at: &Place<'_>) {
        let interval_at = at.key("interval");
        if !interval_at.is_refused(self.rejected) {
            self.check(interval, timeout, &interval_at, &at.key("scrapeTimeout"));
        }
    }

    /// Checks the times of a job, which are set in these fields. An invalid duration is reported elsewhere; zero counts as not set.
    pub fn check(&self, interval: &str, timeout: &str, interval_at: &Place<'_>, timeout_at: &Place<'_>) {
        if interval.is_empty() && timeout.is_empty() {
            return;
        }
        let own = duration::of_prometheus(interval).filter(|interval| *interval > 0);
        let Some(nanoseconds) = own.or_else(|| duration::of_prometheus(self.interval?)) else {
            return;
        };
        let (shown, shown_at) = match own {
            Some(_) => (interval, Some(interval_at)),
            None => (self.interval.unwrap_or_default(), None),
        };
        if duration::of_prometheus(timeout).is_some_and(|timeout| timeout > nanoseconds) {
            timeout_above_interval(timeout, shown, timeout_at, shown_at);
        }
        if let Some((truncation, instance)) = self.truncation {
            let time = duration::of_go(truncation).and_then(|time| u64::try_from(time).ok());
            if time.is_some_and(|time| time > 0 && own.is_some_and(|own| own > time)) {
                interval_above_truncation(interval, truncation, interval_at, &instance.key("walTruncateFrequency"));
            }
        }
    }
}

fn or_default<'a>(text: &'a str, default: &'a str) -> &'a str {
    if text.is_empty() { default } else { text }
}

fn timeout_above_interval(timeout: &str, interval: &str, at: &Place<'_>, interval_at: Option<&Place<'_>>) {
    let message = match at.is_secret() {
        true => "a scrape may take longer than the interval".to_owned(),
        false => format!("a scrape may take `{timeout}`, longer than the interval of `{interval}`"),
    };
    let mut finding = at.diagnostic(Code::TimeoutAboveInterval, message);
    if let Some(place) = interval_at {
        finding = finding.label(place.span(), "the interval");
    }
    at.add(finding.help("lower the timeout, or raise the interval"));
}

fn interval_above_truncation(interval: &str, truncation: &str, at: &Place<'_>, truncation_at: &Place<'_>) {
    let shown = match at.is_secret() {
        true => String::new(),
        false => format!(" of `{interval}`"),
    };
    let message = format!("the interval{shown} is longer than the `{truncation}` after which the log is cut");
    let label = "`walTruncateFrequency`, `60m` where it is not set";
    let finding = at.diagnostic(Code::IntervalAboveTruncation, message);
    let finding = finding.label(truncation_at.span(), label);
    at.add(finding.help("scrape more often, or raise `walTruncateFrequency`"));
}
