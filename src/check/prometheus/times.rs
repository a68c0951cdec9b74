//! Scrape intervals, timeouts, and the timing settings of the write-ahead log.
//!
//! Reports a timeout that exceeds the interval, an interval that exceeds the truncation frequency of the write-ahead
//! log, a frequency or deadline of zero, and a minimum time that exceeds the maximum (`instance.Config.ApplyDefaults`
//! in the agent). Each of these makes the agent reject its entire configuration. Examples:
//!
//! - `interval: 5s` with `scrapeTimeout: 10s`
//! - `scrapeTimeout: 2m` with the agent's default interval of one minute
//! - `minWALTime: 5h` with the default `maxWALTime` of four hours
//! - `walTruncateFrequency: 30s` with a job that uses the agent's interval

use crate::api::{ResourceHeader, Resources};
use crate::check::walk::Expect::With;
use crate::check::walk::{Json, Rows, RuleContext, Step, Walk};
use crate::diagnostic::{Code, FieldPath};
use crate::go::duration;
use crate::plan::{MAX_WAL_TIME, MIN_WAL_TIME, SCRAPE_INTERVAL, SCRAPE_TIMEOUT, TRUNCATE_FREQUENCY, explicit_time};
use crate::resolve::{Hierarchy, MetricsHierarchy};

/// Checks the timing settings of an instance's write-ahead log.
pub fn write_ahead_log<'v>(instance: Json<'v>, walk: &mut Walk<'v>) {
    let time = |field, default| duration::parse_go(or_default(instance.text(field), default));
    let times = time("minWALTime", MIN_WAL_TIME).zip(time("maxWALTime", MAX_WAL_TIME));
    if times.is_none_or(|(minimum, maximum)| minimum <= maximum) {
        return;
    }
    if instance.text("minWALTime").is_empty() {
        let message = "`maxWALTime` must not be less than `minWALTime`, which is `5m` by default";
        walk.report_with_code(
            Code::InvalidDuration,
            &[Step::Key("maxWALTime")],
            message,
            "raise `maxWALTime`, or set `minWALTime`",
        );
        return;
    }
    let (message, at) = ("`minWALTime` must not be greater than `maxWALTime`", [Step::Key("minWALTime")]);
    let label = walk.span(&[Step::Key("maxWALTime")]);
    let text = match instance.text("maxWALTime") {
        "" => "`maxWALTime` defaults to `4h`",
        _ => "`maxWALTime` is set here",
    };
    let label = label.map(|span| (span, text));
    walk.report_with_code(Code::InvalidDuration, &at, message, "").labels.extend(label);
}

/// Checks the agent's own timeout against its own interval. The agent lowers a timeout that is too long, whereas
/// Prometheus would reject it.
pub fn check_agent<'v>(metrics: Json<'v>, walk: &mut Walk<'v>) {
    let interval = or_default(metrics.text("scrapeInterval"), SCRAPE_INTERVAL);
    let timeout = metrics.text("scrapeTimeout");
    if parse_positive(interval).is_some_and(|interval| parse_positive(timeout) > Some(interval)) {
        report_timeout_above_interval(timeout, interval, "scrapeTimeout", Some("scrapeInterval"), walk);
    }
}

/// Reports an interval of zero that a job uses (`PopulateLabels`). The agent does not replace it with the default.
pub fn report_zero_interval<'v>(interval: Json<'v>, walk: &mut Walk<'v>) {
    check_zero(interval, |[interval, _]| interval, walk);
}

/// Reports a timeout of zero that a job uses.
pub fn report_zero_timeout<'v>(timeout: Json<'v>, walk: &mut Walk<'v>) {
    check_zero(timeout, |[_, timeout]| timeout, walk);
}

fn check_zero<'v>(time: Json<'v>, job_time: impl Fn([&'v str; 2]) -> &'v str, walk: &mut Walk<'v>) {
    let is_zero = |text: &str| duration::parse_prometheus(text) == Some(0);
    let uses_default = |job: [&'v str; 2]| job_time(job).is_empty() || is_zero(job_time(job));
    let is_used = |metrics: &MetricsHierarchy<'v, 'v>| {
        let mut endpoints = metrics.monitors().flat_map(|monitor| monitor.endpoints);
        let mut probes = metrics.probes.iter();
        endpoints.any(|endpoint| uses_default([endpoint.interval, endpoint.scrape_timeout]))
            || probes.any(|probe| uses_default([probe.spec.interval, probe.spec.scrape_timeout]))
    };
    if time.as_str().is_some_and(is_zero)
        && walk.context.hierarchy.is_some_and(|hierarchy| hierarchy.metrics.iter().any(is_used))
    {
        let name = walk.last_key();
        let message =
            format!("the agent rejects every target of the jobs that use its own `{name}`, because it is zero");
        walk.report_with_code(
            Code::RejectedTarget,
            &[],
            message,
            "write a duration such as `30s`, or remove the field",
        );
    }
}

/// Checks a job's interval and timeout, which are in the given fields. An invalid duration is reported elsewhere. Zero
/// is treated as unset.
pub fn check<'v>(job: Json<'v>, [interval_at, timeout_at]: [&'static str; 2], walk: &mut Walk<'v>) {
    let AgentTimes { interval: shared_interval, truncation } = AgentTimes::from_walk(walk);
    let (interval, timeout) = (job.text(interval_at), job.text(timeout_at));
    let (interval_time, limit) = (parse_positive(interval), parse_positive(timeout));
    let interval_text = interval_time.map_or(shared_interval, |_| Some(interval));
    let is_above =
        |interval: &&str| limit.is_some() && duration::parse_prometheus(interval).is_some_and(|it| limit > Some(it));
    let truncation = truncation.filter(|truncation| {
        let is_for_agent = walk.context.is_for_agent();
        let time = duration::parse_go(truncation).and_then(|time| u64::try_from(time).ok());
        is_for_agent && time.is_some_and(|time| time > 0 && interval_time > Some(time))
    });
    if let Some(long_interval) = interval_text.filter(is_above) {
        let interval_at = interval_time.map(|_| interval_at);
        report_timeout_above_interval(timeout, long_interval, timeout_at, interval_at, walk);
    }
    if let Some(truncation) = truncation {
        let interval_text = match walk.context.is_secret {
            true => String::new(),
            false => format!(" of `{interval}`"),
        };
        let message = format!(
            "the scrape interval{interval_text} exceeds `walTruncateFrequency` (`{truncation}`), which sets how often the write-ahead log is truncated"
        );
        let help = "scrape more often, or raise `walTruncateFrequency`";
        let instance = walk.context.metrics.map(|metrics| metrics.instance);
        let place = instance.map(|instance| instance.locate(&FieldPath::parse(TRUNCATION)));
        let is_default = instance.is_some_and(|instance| instance.spec.wal_truncate_frequency.is_empty());
        let text = match is_default {
            true => "`walTruncateFrequency` defaults to `60m`",
            false => "`walTruncateFrequency` is set here",
        };
        let label = place.map(|place| (place, text));
        let report = walk.report_with_code(Code::IntervalAboveTruncation, &[Step::Key(interval_at)], message, help);
        report.labels.extend(label);
    }
}

/// An agent's interval, and the truncation frequency of an instance's write-ahead log. A time is `None` if it is
/// unknown.
#[derive(Clone, Copy, Default)]
pub struct AgentTimes<'v> {
    pub interval: Option<&'v str>,
    pub truncation: Option<&'v str>,
}

impl<'v> AgentTimes<'v> {
    /// Returns the times that apply to an instance. A time is unknown if its field was rejected.
    pub fn new(
        hierarchy: &'v Hierarchy<'v, 'v>,
        metrics: &'v MetricsHierarchy<'v, 'v>,
        resources: &Resources<'_>,
    ) -> Self {
        let is_known = |head: &ResourceHeader<'_>, field| !resources.rejected_fields.overlap(head.object_ref(), field);
        let (agent, instance) = (hierarchy.agent, metrics.instance);
        let interval = or_default(agent.spec.metrics.scrape_interval, SCRAPE_INTERVAL);
        let truncation = or_default(instance.spec.wal_truncate_frequency, TRUNCATE_FREQUENCY);
        Self {
            interval: is_known(agent, "spec.metrics.scrapeInterval").then_some(interval),
            truncation: is_known(instance, TRUNCATION).then_some(truncation),
        }
    }

    /// Returns the interval and timeout of a job with these settings. A time is `None` if it is unknown. The agent
    /// lowers only its own timeout to the interval (`Config.ApplyDefaults`).
    pub fn job_times([interval, timeout]: [&str; 2], walk: &Walk<'v>) -> [Option<String>; 2] {
        let shared = Self::from_walk(walk).interval;
        let interval = explicit_time(interval).or(shared);
        let timeout = explicit_time(timeout).or_else(|| {
            let shared = walk.context.hierarchy?.agent.spec.metrics.scrape_timeout;
            let timeout = or_default(shared, SCRAPE_TIMEOUT);
            let times = interval.and_then(duration::parse_prometheus).zip(duration::parse_prometheus(timeout));
            times.and_then(|(most, time)| if time > most { interval } else { Some(timeout) })
        });
        [interval, timeout].map(|time| time.map(str::to_owned))
    }

    /// Returns the times that apply to the current resource.
    fn from_walk(walk: &Walk<'v>) -> Self {
        match walk.context {
            RuleContext { hierarchy: Some(hierarchy), metrics: Some(metrics), resources: Some(resources), .. } => {
                Self::new(hierarchy, metrics, resources)
            }
            _ => Self::default(),
        }
    }
}

const TRUNCATION: &str = "spec.walTruncateFrequency";

/// Rules for the intervals and timeouts of a ServiceMonitor's or PodMonitor's jobs.
pub const MONITOR_TIMES: Rows = &[("endpoints|podMetricsEndpoints[]", With(check_job))];

/// Rules for the interval and timeout of a Probe's job.
pub const PROBE_TIMES: Rows = &[("", With(check_job))];

/// Checks the interval and timeout of a monitor's job, unless the job's interval was rejected.
fn check_job<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    if !walk.is_rejected("interval") {
        check(job, ["interval", "scrapeTimeout"], walk);
    }
}

fn or_default<'a>(text: &'a str, default: &'a str) -> &'a str {
    if text.is_empty() { default } else { text }
}

/// Parses a Prometheus duration above zero.
pub fn parse_positive(text: &str) -> Option<u64> {
    duration::parse_prometheus(text).filter(|time| *time > 0)
}

fn report_timeout_above_interval<'v>(
    timeout: &str,
    interval: &str,
    at: &'v str,
    interval_at: Option<&'v str>,
    walk: &mut Walk<'v>,
) {
    let message = match walk.context.is_secret {
        true => "the scrape timeout exceeds the interval".to_owned(),
        false => format!("the scrape timeout of `{timeout}` exceeds the interval of `{interval}`"),
    };
    let label = interval_at.and_then(|interval| walk.span(&[Step::Key(interval)]));
    let help = "lower the timeout, or raise the interval";
    let report = walk.report_with_code(Code::TimeoutAboveInterval, &[Step::Key(at)], message, help);
    report.labels.extend(label.map(|span| (span, "the interval is set here")));
}
