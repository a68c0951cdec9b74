//! An Integration's scrape interval and timeout.
//!
//! Reports a timeout that exceeds the interval, if `autoscrape` sets one of them and the agent's own settings provide
//! the other (`SubsystemOptions.ApplyDefaults` in `integrations/v2`). The agent does not start, because the scraper
//! validates the resulting jobs (`GetScrapeConfigs`). Unlike for monitors, the default timeout is not lowered. An
//! example is `scrape_interval: 5s` with the default timeout of ten seconds.

use crate::api::{Integration, RejectedFields, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::go::duration;
use crate::plan::{explicit_time, shared_times};
use crate::resolve::Hierarchy;
use crate::yaml::Node;

/// Checks the interval and timeout in an enabled `autoscrape` section.
pub(super) fn check<'d>(
    integration: &Resource<'d, Integration<'d>>,
    autoscrape: Node<'_>,
    hierarchy: &Hierarchy<'_, '_>,
    rejected: &RejectedFields<'_>,
) -> Option<Diagnostic> {
    let agent = hierarchy.agent;
    let mut fields = ["spec.metrics.scrapeInterval", "spec.metrics.scrapeTimeout"].into_iter();
    if fields.any(|field| rejected.overlap(agent.object_ref(), field)) {
        return None;
    }
    let metrics = &agent.spec.metrics;
    let [interval, timeout] = ["scrape_interval", "scrape_timeout"].map(|key| explicit_time(autoscrape.text(key)));
    let [shared, shared_timeout] = shared_times(metrics);
    let path = FieldPath::parse("spec.config.autoscrape");
    let (field, message, help) = match (interval, timeout) {
        (_, Some(timeout)) if is_longer(timeout, interval.unwrap_or(shared)) => {
            let interval = interval.unwrap_or(shared);
            let message = format!("the scrape timeout of `{timeout}` exceeds the interval of `{interval}`");
            ("scrape_timeout", message, "lower the timeout, or raise the interval")
        }
        (Some(interval), None) if is_longer(shared_timeout, interval) => {
            let message =
                format!("the agent's scrape timeout of `{shared_timeout}` exceeds the interval of `{interval}`");
            let help = "set `scrape_timeout`, or raise the interval";
            ("scrape_interval", message, help)
        }
        _ => return None,
    };
    let finding = integration.finding(Code::TimeoutAboveInterval, &path.key(field), message);
    Some(finding.help(help))
}

/// Whether `time` exceeds `other`. Returns `false` if either is not a duration, which is reported elsewhere.
fn is_longer(time: &str, other: &str) -> bool {
    let times = duration::parse_prometheus(time).zip(duration::parse_prometheus(other));
    times.is_some_and(|(time, other)| time > other)
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, integration, lines, manifest};

    /// Returns the findings about an Integration's interval and timeout, given an agent's metrics settings.
    fn time_findings(metrics: &str, autoscrape: &str) -> Vec<String> {
        let fields = format!("integrations: {{selector: {{}}}}, metrics: {{instanceSelector: {{}}, {metrics}}}");
        let config = format!("{{autoscrape: {{enable: true, metrics_instance: default/m, {autoscrape}}}}}");
        let mut findings = lines(&[
            &agent("a", &fields),
            &manifest("MetricsInstance", "m", "{}"),
            &integration("i", "process", &["allNodes"], &config),
        ]);
        findings.retain(|line| line.starts_with("timeout-above-interval spec.config"));
        findings
    }

    #[test]
    fn accepts_valid_scrape_times() {
        for (metrics, autoscrape) in [
            ("", ""),
            ("", "scrape_interval: 10s"),
            ("", "scrape_timeout: 1m"),
            ("", "scrape_interval: 0s, scrape_timeout: 0s"),
            ("scrapeInterval: 5s", "scrape_timeout: 5s"),
            ("scrapeInterval: 5s", "scrape_interval: 5s"),
            ("scrapeTimeout: 2s", "scrape_interval: 5s"),
            ("", "scrape_interval: 5s, scrape_timeout: 5s"),
            ("", "scrape_interval: '${X}', scrape_timeout: 1h"),
            ("scrapeInterval: 1d", "scrape_timeout: 2h"),
        ] {
            assert_eq!(time_findings(metrics, autoscrape), [""; 0], "{metrics} {autoscrape}");
        }
    }

    #[test]
    fn reports_scrape_times_that_prevent_startup() {
        for (metrics, autoscrape, expected) in [
            (
                "",
                "scrape_interval: 5s",
                "scrape_interval: the agent's scrape timeout of `10s` exceeds the interval of `5s`",
            ),
            (
                "scrapeTimeout: 30s",
                "scrape_interval: 20s",
                "scrape_interval: the agent's scrape timeout of `30s` exceeds the interval of `20s`",
            ),
            (
                "scrapeInterval: 15s",
                "scrape_timeout: 30s",
                "scrape_timeout: the scrape timeout of `30s` exceeds the interval of `15s`",
            ),
            (
                "scrapeInterval: 15s",
                "scrape_interval: 1m, scrape_timeout: 2m",
                "scrape_timeout: the scrape timeout of `2m` exceeds the interval of `1m`",
            ),
        ] {
            let expected = format!("timeout-above-interval spec.config.autoscrape.{expected}");
            assert_eq!(time_findings(metrics, autoscrape), [expected], "{metrics} {autoscrape}");
        }
    }
}
