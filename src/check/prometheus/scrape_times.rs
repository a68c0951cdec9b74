//! Intervals against timeouts and the write-ahead log.
//!
//! What: a timeout above the interval, or an interval above the time after which the write-ahead log is cut
//! (`instance.Config.ApplyDefaults` of the agent). Why: the agent refuses its whole configuration. Example: `interval: 5s`
//! with `scrapeTimeout: 10s`; a `scrapeTimeout: 2m` where the agent's interval is the default of one minute.

use crate::api::{Metrics, MetricsInstance};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::go::duration;

const DEFAULT_INTERVAL: &str = "1m";
const DEFAULT_TRUNCATION: &str = "60m";

/// What holds for the jobs of an instance in an agent; by default nothing is known of either.
#[derive(Default)]
pub struct ScrapeTimes<'a> {
    interval: Option<&'a str>,
    /// With the `spec` of the instance.
    truncation: Option<(&'a str, &'a Place<'a>)>,
}

impl<'a> ScrapeTimes<'a> {
    /// The settings of an agent and of one of its instances, whose `spec` stands at `at`.
    pub fn new(agent: &Metrics<'a>, instance: &MetricsInstance<'a>, at: &'a Place<'a>) -> Self {
        Self {
            interval: Some(or_default(agent.scrape_interval, DEFAULT_INTERVAL)),
            truncation: Some((or_default(instance.wal_truncate_frequency, DEFAULT_TRUNCATION), at)),
        }
    }

    /// The same, where the agent's interval was refused.
    pub fn without_interval(self) -> Self {
        Self { interval: None, ..self }
    }

    /// The same, where the instance's time for the write-ahead log was refused.
    pub fn without_truncation(self) -> Self {
        Self {
            truncation: None,
            ..self
        }
    }

    /// The agent's own timeout against its own interval. It lowers the timeout itself, where Prometheus would refuse it.
    pub fn of_agent(agent: &Metrics<'a>, at: &Place<'_>) -> Option<Diagnostic> {
        let interval = or_default(agent.scrape_interval, DEFAULT_INTERVAL);
        let timeout = duration::of_prometheus(agent.scrape_timeout)?;
        let is_above = duration::of_prometheus(interval).is_some_and(|interval| interval > 0 && timeout > interval);
        let interval_at = at.key("scrapeInterval");
        let timeout_at = at.key("scrapeTimeout");
        is_above.then(|| {
            diagnostics::timeout_above_interval(&timeout_at, agent.scrape_timeout, interval, Some(&interval_at))
        })
    }

    /// Checks the times of a job. A duration that cannot be read is reported elsewhere; zero counts as absent.
    pub fn check(&self, interval: &str, timeout: &str, at: &Place<'_>) -> Vec<Diagnostic> {
        self.check_fields(interval, timeout, &at.key("interval"), &at.key("scrapeTimeout"))
    }

    /// Checks the times of a job that stand at these fields.
    pub fn check_fields(
        &self,
        interval: &str,
        timeout: &str,
        interval_at: &Place<'_>,
        timeout_at: &Place<'_>,
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if interval.is_empty() && timeout.is_empty() {
            return found;
        }
        let own = duration::of_prometheus(interval).filter(|interval| *interval > 0);
        let Some(nanoseconds) = own.or_else(|| duration::of_prometheus(self.interval?)) else {
            return found;
        };
        let (shown, shown_at) = match own {
            Some(_) => (interval, Some(interval_at)),
            None => (self.interval.unwrap_or_default(), None),
        };
        if duration::of_prometheus(timeout).is_some_and(|timeout| timeout > nanoseconds) {
            found.push(diagnostics::timeout_above_interval(
                timeout_at, timeout, shown, shown_at,
            ));
        }
        if let Some((truncation, instance)) = self.truncation {
            let time = duration::of_go(truncation).and_then(|time| u64::try_from(time).ok());
            if time.is_some_and(|time| time > 0 && own.is_some_and(|own| own > time)) {
                let truncation_at = instance.key("walTruncateFrequency");
                found.push(diagnostics::interval_above_truncation(
                    interval_at,
                    interval,
                    truncation,
                    &truncation_at,
                ));
            }
        }
        found
    }
}

fn or_default<'a>(text: &'a str, default: &'a str) -> &'a str {
    if text.is_empty() { default } else { text }
}
