//! The agent's interval, compared with the truncation frequency of its instances.
//!
//! Reports a job without its own interval if the agent's interval exceeds the frequency at which the instance truncates
//! its write-ahead log (`instance.Config.ApplyDefaults`: `scrape interval greater than wal_truncate_frequency`). The
//! agent rejects its entire configuration. An example is `walTruncateFrequency: 30s` with the agent's default interval
//! of one minute. If the instance sets the frequency, the finding is reported at the instance, and otherwise at the
//! agent.

use super::times::{AgentTimes, parse_positive};
use crate::check::walk::{Json, RuleContext, Step, Walk};
use crate::diagnostic::{Code, FieldPath};
use crate::go::duration;
use crate::plan::EmbeddedYaml;
use crate::resolve::{AssetKey, Hierarchy, MetricsHierarchy};

const HELP: &str = "scrape more often, or raise `walTruncateFrequency`";

/// Checks an instance that sets the truncation frequency.
pub fn check_instance<'v>(instance: Json<'v>, walk: &mut Walk<'v>) {
    let RuleContext { hierarchy: Some(hierarchy), metrics: Some(metrics), .. } = walk.context else {
        return;
    };
    let frequency = instance.text("walTruncateFrequency");
    let Some(times) = exceeded_frequency(hierarchy, metrics, walk).filter(|_| !frequency.is_empty()) else {
        return;
    };
    let message = format!(
        "jobs without their own interval are scraped every `{}`, but the write-ahead log is truncated every `{frequency}`",
        times.interval.unwrap_or_default()
    );
    let agent = hierarchy.agent;
    let is_set = !agent.spec.metrics.scrape_interval.is_empty();
    let label =
        is_set.then(|| (agent.locate(&FieldPath::parse("spec.metrics.scrapeInterval")), "the interval is set here"));
    let at = [Step::Key("walTruncateFrequency")];
    let report = walk.report_with_code(Code::IntervalAboveTruncation, &at, message, HELP);
    report.labels.extend(label);
}

/// Checks the agent's interval against the default truncation frequency of instances.
pub fn check_agent<'v>(metrics: Json<'v>, walk: &mut Walk<'v>) {
    let Some(hierarchy) = walk.context.hierarchy.filter(|_| metrics.has("scrapeInterval")) else {
        return;
    };
    let is_default = |metrics: &&MetricsHierarchy<'_, '_>| metrics.instance.spec.wal_truncate_frequency.is_empty();
    let mut instances = hierarchy.metrics.iter().filter(is_default);
    let first = instances.find_map(|metrics| Some((metrics.instance, exceeded_frequency(hierarchy, metrics, walk)?)));
    if let Some((instance, times)) = first {
        let message = format!(
            "the scrape interval of `{}` exceeds the default `walTruncateFrequency` (`{}`), which sets how often the write-ahead log of MetricsInstance `{}` is truncated",
            times.interval.unwrap_or_default(),
            times.truncation.unwrap_or_default(),
            instance.meta.full_name()
        );
        walk.report_with_code(Code::IntervalAboveTruncation, &[Step::Key("scrapeInterval")], message, HELP);
    }
}

/// Returns the agent's interval and the instance's truncation frequency if the interval is longer and applies to one of
/// the instance's jobs.
fn exceeded_frequency<'v>(
    hierarchy: &'v Hierarchy<'v, 'v>,
    metrics: &'v MetricsHierarchy<'v, 'v>,
    walk: &Walk<'v>,
) -> Option<AgentTimes<'v>> {
    let times = AgentTimes::new(hierarchy, metrics, walk.context.resources?);
    let (interval, truncation) = (parse_positive(times.interval?)?, duration::parse_go(times.truncation?)?);
    let is_longer = u64::try_from(truncation).is_ok_and(|truncation| truncation > 0 && interval > truncation);
    (walk.context.is_for_agent() && is_longer && has_shared_job(hierarchy, metrics)).then_some(times)
}

/// Whether an instance has a job without its own interval.
fn has_shared_job(hierarchy: &Hierarchy<'_, '_>, metrics: &MetricsHierarchy<'_, '_>) -> bool {
    let is_shared = |interval: &str| interval.is_empty() || duration::parse_prometheus(interval) == Some(0);
    let mut endpoints = metrics.monitors().flat_map(|monitor| monitor.endpoints);
    endpoints.any(|endpoint| is_shared(endpoint.interval))
        || metrics.probes.iter().any(|probe| is_shared(probe.spec.interval))
        || has_shared_additional_job(hierarchy, metrics, is_shared)
}

fn has_shared_additional_job(
    hierarchy: &Hierarchy<'_, '_>,
    metrics: &MetricsHierarchy<'_, '_>,
    is_shared: impl Fn(&str) -> bool,
) -> bool {
    let instance = metrics.instance;
    let selector = instance.spec.additional_scrape_configs.as_ref();
    let key = selector.map(|selector| AssetKey::secret(instance.meta.namespace, selector));
    let Some(text) = key.and_then(|key| hierarchy.secrets.text(&key)) else {
        return false;
    };
    let yaml = EmbeddedYaml::read(instance.root.span().source, &text);
    let jobs = yaml.document.as_ref().into_iter().flat_map(|document| document.root().items());
    jobs.map(Json::Read)
        .filter(|job| job.is_mapping())
        .any(|job| job.get("scrape_interval").and_then(Json::scalar).is_none_or(|interval| is_shared(&interval)))
}
