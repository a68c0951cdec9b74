//! Rules that the Promtail inside the agent applies.

mod client;
pub(super) mod job;
pub mod misread_stage;
pub(super) mod raw_stage;
mod stage;

#[cfg(test)]
mod tests;

use super::field::{COPIED_LABEL, GO_DURATION, LABEL_NAME, LABEL_TEMPLATE, POSITIVE_GO_DURATION, check_enforced_label};
use super::prometheus::SELECTOR;
use super::prometheus::additional::check_jobs;
use super::prometheus::relabel::RELABEL;
use super::rule::{Rule, table, table_in_instance};
use super::walk::Expect::{If, In, Mild, With};
use super::walk::{Json, Rows, Walk};
use crate::api::Kind;
use crate::go::duration;
use crate::resolve::Hierarchy;
use client::CLIENTS;

pub const RULES: &[Rule] = &[
    table(Kind::GrafanaAgent, AGENT, "`logs.Config` of the agent"),
    table(Kind::LogsInstance, LOGS_INSTANCE, "`InstanceConfig` of the agent"),
    table_in_instance(Kind::LogsInstance, JOBS, "`scrapeconfig.Config` of Promtail"),
    table(Kind::PodLogs, POD_LOGS, "`scrapeconfig.Config` of Promtail"),
];

const JOBS: Rows = &[("additionalScrapeConfigs", With(|selector, walk| check_jobs(selector, job::JOB, walk)))];

/// Rules for an agent's logs settings. The agent's clients apply to instances without their own clients.
const AGENT: Rows = &[("logs", If(has_logs, &In(LOGS)))];

const LOGS: Rows = &[
    ("logsExternalLabelName", If(has_clients, &LABEL_NAME)),
    ("enforcedNamespaceLabel", If(has_pod_logs, &LABEL_TEMPLATE)),
    ("", If(has_pod_logs, &With(check_enforced_label))),
    ("", If(are_clients_used, &In(CLIENTS))),
];

fn has_logs(hierarchy: &Hierarchy<'_, '_>) -> bool {
    !hierarchy.logs.is_empty()
}

fn has_clients(hierarchy: &Hierarchy<'_, '_>) -> bool {
    !hierarchy.agent.spec.logs.clients.is_empty()
        || hierarchy.logs.iter().any(|logs| !logs.instance.spec.clients.is_empty())
}

fn has_pod_logs(hierarchy: &Hierarchy<'_, '_>) -> bool {
    hierarchy.logs.iter().any(|logs| !logs.pod_logs.is_empty())
}

fn are_clients_used(hierarchy: &Hierarchy<'_, '_>) -> bool {
    hierarchy.logs.iter().any(|logs| logs.instance.spec.clients.is_empty())
}

/// Rules for a LogsInstance.
const LOGS_INSTANCE: Rows = &[
    ("", In(CLIENTS)),
    ("targetConfig.syncPeriod", GO_DURATION),
    ("targetConfig.syncPeriod", Mild(&With(check_sync_period))),
];

/// Checks how often Promtail searches for targets. With an interval of zero, the agent stops at the first target
/// (`FileTarget.run`).
fn check_sync_period<'v>(period: Json<'v>, walk: &mut Walk<'v>) {
    if period.as_str().and_then(duration::parse_go).is_some() {
        walk.check_rule(&POSITIVE_GO_DURATION, period);
    }
}

/// Rules for PodLogs.
const POD_LOGS: Rows = &[
    ("podTargetLabels[]", COPIED_LABEL),
    ("selector", In(SELECTOR)),
    ("relabelings[]", RELABEL),
    ("pipelineStages[]", With(check_stage)),
];

/// Checks a stage. Its other rules apply only if the agent reads all of its strings as strings.
fn check_stage<'v>(stage: Json<'v>, walk: &mut Walk<'v>) {
    if !misread_stage::check(stage, walk) {
        stage::check(stage, walk);
    }
}
