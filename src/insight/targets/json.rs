//! JSON output of `agentctl targets`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::source::Sources;
use crate::targets::relabel::Labels;
use crate::targets::scrape::{DiscoveredTarget, JobGroup, RuleOrigin, STATIC_POD, TargetState};

/// A target in `-o json` output.
#[derive(Serialize)]
pub struct TargetRecord<'t> {
    /// `namespace/name` of the GrafanaAgent.
    pub agent: &'t str,
    /// `namespace/name` of the instance.
    pub instance: String,
    /// Kind of target: `metrics` or `logs`.
    pub kind: &'static str,
    /// Shard index starting from 0, or `null` for a potential target if the agent has several shards.
    pub shard: Option<u32>,
    /// Name of the scrape job.
    pub job: &'t str,
    /// Whether the job comes from `additionalScrapeConfigs`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub additional: bool,
    pub state: &'static str,
    /// Reason why the target is not scraped, unless a rule drops it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Location of the rule that drops the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Labels before relabeling.
    pub discovered: BTreeMap<&'t str, &'t str>,
    /// Labels after relabeling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<&'t str, &'t str>>,
    /// URL from which the target is scraped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<&'t str>,
    /// Path of the log files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'t str>,
    /// Host that reads the log files, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<&'t str>,
}

/// State of a target that is only expected to exist.
pub(super) const POTENTIAL: &str = "potential";

impl<'t> TargetRecord<'t> {
    /// Creates the record for one of a job's targets.
    pub fn new(
        agent: &'t str,
        group: &'t JobGroup<'_, '_>,
        target: &'t DiscoveredTarget<'t, '_>,
        sources: &Sources,
    ) -> Option<Self> {
        let job = &group.first;
        let series_labels =
            |labels: &'t Labels<'_>| labels.iter().filter(|(name, _)| !name.starts_with("__")).collect();
        let mut record = Self {
            agent,
            instance: group.instance.resource().meta.full_name(),
            kind: group.instance.kind().as_str(),
            shard: (!target.is_potential || group.count == 1).then_some(target.shard),
            job: &job.name,
            additional: job.monitor.is_none(),
            state: if target.is_potential { POTENTIAL } else { "active" },
            reason: None,
            by: None,
            discovered: target.discovered.iter().collect(),
            labels: None,
            url: None,
            path: None,
            host: None,
        };
        match &target.state {
            TargetState::Active { labels, url, .. } => {
                record.labels = Some(series_labels(labels));
                record.url = Some(url);
            }
            TargetState::Read { labels } => {
                record.labels = Some(series_labels(labels));
                record.path = Some(labels.get("__path__"));
                record.host = Some(labels.get("__host__")).filter(|host| !host.is_empty());
            }
            TargetState::Dropped(rule) => {
                record.state = "dropped";
                record.by = job.rules.get(*rule).and_then(|rule| rule_place(&rule.origin, sources));
            }
            TargetState::Undecided(rule) => {
                record.state = "unknown";
                record.by = job.rules.get(*rule).and_then(|rule| rule_place(&rule.origin, sources));
            }
            TargetState::NoPath => {
                record.state = "dropped";
                record.reason = Some("no `__path__` after relabeling".to_owned());
            }
            TargetState::StaticPod { labels } => {
                record.state = "invalid";
                record.path = Some(labels.get("__path__"));
                record.reason = Some(STATIC_POD.to_owned());
            }
            TargetState::Invalid(invalid) => {
                record.state = "invalid";
                record.reason = Some(invalid.to_string());
            }
            TargetState::Duplicate => record.state = "duplicate",
        }
        Some(record)
    }
}

/// Returns the `file:line` of a rule, or `/secrets/NAMESPACE/NAME/KEY:line` for a rule in a Secret, with lines counted
/// from the start of the value.
pub fn rule_place(origin: &RuleOrigin<'_>, sources: &Sources) -> Option<String> {
    match origin {
        RuleOrigin::Field(origin) => {
            let location = sources.location(origin.span())?;
            Some(format!("{}:{}", location.file, location.start.line))
        }
        RuleOrigin::Additional { secret, line, .. } => Some(format!("{secret}:{line}")),
        RuleOrigin::Operator => None,
    }
}
