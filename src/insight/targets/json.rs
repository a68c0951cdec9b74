//! Targets for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::source::Sources;
use crate::targets::relabel::Labels;
use crate::targets::scrape::{Found, JobGroup, RuleOrigin, State};

/// A target, as `-o json` prints it.
#[derive(Serialize)]
pub struct TargetRecord<'t> {
    /// `namespace/name` of the GrafanaAgent.
    pub agent: &'t str,
    /// `namespace/name` of the instance.
    pub instance: String,
    /// `metrics` or `logs`.
    pub kind: &'static str,
    /// The shard, from 0; `null` for a potential target of an agent with several.
    pub shard: Option<u32>,
    /// The name of the job.
    pub job: &'t str,
    /// Whether the job is one of `additionalScrapeConfigs`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub additional: bool,
    pub state: &'static str,
    /// Why it is neither scraped nor dropped by a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The place of the rule that drops it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Its labels before the first rule.
    pub discovered: BTreeMap<&'t str, &'t str>,
    /// Its labels after the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<&'t str, &'t str>>,
    /// Where it is scraped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<&'t str>,
    /// The path of its logs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'t str>,
    /// The host that reads its logs, where it is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<&'t str>,
}

/// The state of a target that is only expected.
pub(super) const POTENTIAL: &str = "potential";

impl<'t> TargetRecord<'t> {
    /// The record of a target of a job.
    pub fn new(
        agent: &'t str,
        group: &'t JobGroup<'_, '_>,
        found: &'t Found<'t, '_>,
        sources: &Sources,
    ) -> Option<Self> {
        let job = &group.first;
        let of_series = |labels: &'t Labels<'_>| labels.iter().filter(|(name, _)| !name.starts_with("__")).collect();
        let mut record = Self {
            agent,
            instance: group.instance.resource().meta.full_name(),
            kind: group.instance.kind().as_str(),
            shard: (!found.is_potential || group.count == 1).then_some(found.shard),
            job: &job.name,
            additional: job.monitor.is_none(),
            state: if found.is_potential { POTENTIAL } else { "active" },
            reason: None,
            by: None,
            discovered: found.discovered.iter().collect(),
            labels: None,
            url: None,
            path: None,
            host: None,
        };
        match &found.state {
            State::Active { labels, url, .. } => {
                record.labels = Some(of_series(labels));
                record.url = Some(url);
            }
            State::Read { labels } => {
                record.labels = Some(of_series(labels));
                record.path = Some(labels.get("__path__"));
                record.host = Some(labels.get("__host__")).filter(|host| !host.is_empty());
            }
            State::Dropped(rule) => {
                record.state = "dropped";
                record.by = job.rules.get(*rule).and_then(|rule| rule_place(&rule.origin, sources));
            }
            State::Undecided(rule) => {
                record.state = "unknown";
                record.by = job.rules.get(*rule).and_then(|rule| rule_place(&rule.origin, sources));
            }
            State::NoPath => {
                record.state = "dropped";
                record.reason = Some("it has no `__path__` after relabeling".to_owned());
            }
            State::Invalid(invalid) => {
                record.state = "invalid";
                record.reason = Some(invalid.to_string());
            }
            State::Duplicate => record.state = "duplicate",
        }
        Some(record)
    }
}

/// `file:line` of a rule; of one in a Secret, the line in its text: `/secrets/NAMESPACE/NAME/KEY:line`.
pub fn rule_place(origin: &RuleOrigin<'_>, sources: &Sources) -> Option<String> {
    match origin {
        RuleOrigin::Field(origin) => {
            let place = sources.location(origin.span())?;
            Some(format!("{}:{}", place.file, place.start.line))
        }
        RuleOrigin::Additional { secret, line, .. } => Some(format!("{secret}:{line}")),
        RuleOrigin::Unknown => None,
    }
}
