//! Checks of relabeling rules and pipeline stages that every program accepts, but that cannot do what they say,
//! regardless of the objects in the cluster.
//!
//! Each finding is certain: it follows from the labels that discovery and the operator's own rules can set
//! ([`crate::flow`]). Only the first rule after which no target or sample of a job remains is reported.

mod backslash;
mod diagnostics;
mod effects;
mod groups;
mod job;
mod names;
mod pipeline;
mod repeated;
mod required;
mod stage_diagnostics;
mod subject;
mod time_format;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::flow::ExpressionCache;
use crate::plan::{ConfigKind, Plan};
use crate::resolve::Hierarchy;

pub const RULES: &[Rule] = &[rule(
    &[
        Code::NeverSetLabel,
        Code::EmptyLabelName,
        Code::MissingGroup,
        Code::DropsEverything,
        Code::FailingScrape,
        Code::IneffectiveRule,
        Code::NeverExtracted,
        Code::NeverMatches,
        Code::UnparsableTime,
    ],
    RuleTarget::Hierarchy(check),
    "`relabel.Process` of Prometheus; `Pipeline.Run` and the stages of Promtail",
)];

/// Checks the rules of an agent's jobs and receivers.
fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !input.conditions.follows_labels {
        return findings;
    }
    // Errors in nested YAML are reported during rendering.
    let plan = Plan::new(hierarchy, &[ConfigKind::Metrics, ConfigKind::Logs], &mut Vec::new());
    let mut expressions = ExpressionCache::default();
    let mut checked_rules = repeated::CheckedRules::default();
    for instance in plan.instances() {
        let build = instance.builder();
        for source in instance.sources() {
            let [rules, metric_rules] = source.configured_rules();
            let has_rules = !rules.is_empty() || !metric_rules.is_empty() || source.has_stages();
            let lists = (source.kind(), [rules, metric_rules]);
            if !has_rules || checked_rules.contains_equal(lists) {
                continue;
            }
            let key = repeated::key(source.kind(), [rules, metric_rules]);
            if checked_rules.contains(key) {
                continue;
            }
            let first_new = findings.len();
            if let Some(job) = build(source) {
                let agent = job::AgentSpec { spec: &plan.agent.spec, target: input.conditions.target };
                job::check(agent, &job, metric_rules, &mut expressions, &mut findings);
            }
            if findings.len() == first_new {
                checked_rules.insert(key, lists);
            }
        }
    }
    for receiver in job::receivers(&plan) {
        job::check_receiver(&plan, receiver, &mut expressions, &mut findings);
    }
    findings
}

/// Removes findings about rules and stages that also contain an error, because their effect is unknown.
pub fn drop_consequences(findings: &mut Vec<Diagnostic>) {
    let is_flow = |diagnostic: &Diagnostic| RULES.iter().any(|rule| rule.codes.contains(&diagnostic.code));
    if !findings.iter().any(is_flow) {
        return;
    }
    let errors = findings.iter().filter(|diagnostic| diagnostic.severity == Severity::Error && !is_flow(diagnostic));
    let errors: BTreeSet<_> =
        errors.filter_map(|diagnostic| Some((diagnostic.resource.clone()?, diagnostic.path.clone()?))).collect();
    findings.retain(|finding| {
        let (true, Some(resource), Some(path)) = (is_flow(finding), &finding.resource, &finding.path) else {
            return true;
        };
        let mut later_errors = errors.range((resource.clone(), path.clone())..);
        !later_errors.next().is_some_and(|(other, error)| other == resource && error.starts_with(path.as_str()))
    });
}

/// Removes each finding for a rule that drops all targets in the input if another finding already states that the rule
/// drops every possible target.
pub(super) fn drop_repeated(findings: &mut Vec<Diagnostic>) {
    let codes_of_lost_data = [Code::NeverSetLabel, Code::DropsEverything, Code::FailingScrape, Code::RejectedTarget];
    let drops_everything = |finding: &&Diagnostic| codes_of_lost_data.contains(&finding.code);
    let key = |finding: &Diagnostic| (finding.resource.clone(), finding.path.clone());
    let known_findings: BTreeSet<_> = findings.iter().filter(drops_everything).map(key).collect();
    if !known_findings.is_empty() {
        findings.retain(|finding| finding.code != Code::DropsEveryTarget || !known_findings.contains(&key(finding)));
    }
}
