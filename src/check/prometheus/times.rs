//! Scrape intervals, timeouts and the times of the write-ahead log.
//!
//! What: a timeout above the interval, an interval above the time after which the write-ahead log is cut, a frequency or deadline
//! of zero, a least time above the most (`instance.Config.ApplyDefaults` of the agent). Why: the agent refuses its whole
//! configuration. Example: `interval: 5s` with `scrapeTimeout: 10s`; a `scrapeTimeout: 2m` where the agent's interval is the
//! default of one minute; `minWALTime: 5h` with the default `maxWALTime` of four hours.

use crate::check::conditions::{DEFAULT_INTERVAL, ScrapeTimes, or_default};
use crate::check::walk::Expect::With;
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::go::duration;

const DEFAULT_MINIMUM: &str = "5m";
const DEFAULT_MAXIMUM: &str = "4h";

/// Checks the times of the write-ahead log of an instance.
pub fn write_ahead_log<'v>(instance: Json<'v>, walk: &mut Walk<'v>) {
    let time = |field, default| duration::of_go(or_default(instance.text(field), default));
    let times = time("minWALTime", DEFAULT_MINIMUM).zip(time("maxWALTime", DEFAULT_MAXIMUM));
    if times.is_some_and(|(minimum, maximum)| minimum > maximum) {
        let (message, at) = (
            "`minWALTime` must not be greater than `maxWALTime`",
            [Step::Key("minWALTime")],
        );
        let label = walk.span(&[Step::Key("maxWALTime")]);
        let label = label.map(|span| (span, "the maximum, `4h` by default"));
        walk.tell(Code::InvalidDuration, &at, message, "").labels.extend(label);
    }
}

/// Checks the agent's own timeout against its own interval. It lowers the timeout itself, where Prometheus would refuse it.
pub fn of_agent<'v>(metrics: Json<'v>, walk: &mut Walk<'v>) {
    let interval = or_default(metrics.text("scrapeInterval"), DEFAULT_INTERVAL);
    let timeout = metrics.text("scrapeTimeout");
    if prometheus(interval).is_some_and(|interval| prometheus(timeout) > Some(interval)) {
        timeout_above_interval(timeout, interval, "scrapeTimeout", Some("scrapeInterval"), walk);
    }
}

/// Checks the times of a job, which are set in these fields. An invalid duration is reported elsewhere; zero counts as not set.
pub fn check<'v>(
    times: &ScrapeTimes<'_>,
    job: Json<'v>,
    [interval_at, timeout_at]: [&'static str; 2],
    walk: &mut Walk<'v>,
) {
    let (interval, timeout) = (job.text(interval_at), job.text(timeout_at));
    let own = prometheus(interval);
    let shown = own.map_or(times.interval, |_| Some(interval));
    let is_above = |interval: &&str| duration::of_prometheus(interval).is_some_and(|it| prometheus(timeout) > Some(it));
    let truncation = times.truncation.filter(|(truncation, _)| {
        let time = duration::of_go(truncation).and_then(|time| u64::try_from(time).ok());
        time.is_some_and(|time| time > 0 && own > Some(time))
    });
    if let Some(above) = shown.filter(is_above) {
        let interval_at = own.map(|_| interval_at);
        timeout_above_interval(timeout, above, timeout_at, interval_at, walk);
    }
    if let Some((truncation, place)) = truncation {
        let shown = match walk.context.is_secret {
            true => String::new(),
            false => format!(" of `{interval}`"),
        };
        let message = format!("the interval{shown} is longer than the `{truncation}` after which the log is cut");
        let help = "scrape more often, or raise `walTruncateFrequency`";
        let report = walk.tell(Code::IntervalAboveTruncation, &[Step::Key(interval_at)], message, help);
        report
            .labels
            .push((place, "`walTruncateFrequency`, `60m` where it is not set"));
    }
}

/// The times of the jobs of a ServiceMonitor or PodMonitor.
pub const MONITOR_TIMES: Rows = &[("endpoints|podMetricsEndpoints[]", With(of_job))];

/// The times of the job of a Probe.
pub const PROBE_TIMES: Rows = &[("", With(of_job))];

/// Checks the times of a job of a monitor, unless its interval was refused.
fn of_job<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    if let Some(times) = walk.context.times.filter(|_| !walk.is_refused("interval")) {
        check(times, job, ["interval", "scrapeTimeout"], walk);
    }
}

/// A duration above zero.
fn prometheus(text: &str) -> Option<u64> {
    duration::of_prometheus(text).filter(|time| *time > 0)
}

fn timeout_above_interval<'v>(
    timeout: &str,
    interval: &str,
    at: &'v str,
    interval_at: Option<&'v str>,
    walk: &mut Walk<'v>,
) {
    let message = match walk.context.is_secret {
        true => "a scrape may take longer than the interval".to_owned(),
        false => format!("a scrape may take `{timeout}`, longer than the interval of `{interval}`"),
    };
    let label = interval_at.and_then(|interval| walk.span(&[Step::Key(interval)]));
    let help = "lower the timeout, or raise the interval";
    let report = walk.tell(Code::TimeoutAboveInterval, &[Step::Key(at)], message, help);
    report.labels.extend(label.map(|span| (span, "the interval")));
}
