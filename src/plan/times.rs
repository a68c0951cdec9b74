//! Default intervals and timeouts.

use crate::api::Metrics;
use crate::go::duration;

/// Prometheus' default scrape interval (`DefaultGlobalConfig`).
pub const SCRAPE_INTERVAL: &str = "1m";

/// Prometheus' default scrape timeout (`DefaultGlobalConfig`).
pub const SCRAPE_TIMEOUT: &str = "10s";

/// Time after which the agent truncates its write-ahead log (`instance.DefaultConfig`).
pub const TRUNCATE_FREQUENCY: &str = "60m";

/// Minimum age of samples that the agent truncates.
pub const MIN_WAL_TIME: &str = "5m";

/// Age at which the agent always truncates samples.
pub const MAX_WAL_TIME: &str = "4h";

/// Returns the time if it is set. Zero is treated as unset.
pub fn explicit_time(time: &str) -> Option<&str> {
    (!time.is_empty() && duration::parse_prometheus(time) != Some(0)).then_some(time)
}

/// Returns the interval and timeout of jobs that set neither. The default timeout never exceeds the interval
/// (`GlobalConfig.UnmarshalYAML`).
pub fn shared_times<'d>(metrics: &Metrics<'d>) -> [&'d str; 2] {
    let interval = explicit_time(metrics.scrape_interval).unwrap_or(SCRAPE_INTERVAL);
    let timeout = explicit_time(metrics.scrape_timeout).unwrap_or_else(|| shorter_time(SCRAPE_TIMEOUT, interval));
    [interval, timeout]
}

/// Returns the shorter of two times, or the first if either is not a duration.
pub fn shorter_time<'t>(time: &'t str, other: &'t str) -> &'t str {
    let times = duration::parse_prometheus(time).zip(duration::parse_prometheus(other));
    if times.is_some_and(|(time, other)| other < time) { other } else { time }
}
