//! Walk that follows labels through the rules of a job or receiver.

use super::diagnostics::{Place, Problem};
use super::subject::Subject;
use super::{diagnostics, effects, groups, names, pipeline, required};
use crate::api::{GrafanaAgent, RelabelConfig};
use crate::diagnostic::{Code, Diagnostic};
use crate::flow::{self, ExpressionCache, FlowRule, LabelSet, Matching};
use crate::output::Target;
use crate::plan::{JobKind, Plan, RelabelAction, RelabelRule, RemoteWriteClient, ScrapeJob};

/// Reason to stop following a job's labels.
pub(super) enum FollowStop {
    /// No target or sample remains after a rule.
    Lost,
    /// A rule is invalid, or too large to follow.
    Unknown,
}

/// Settings of the agent that runs a job.
#[derive(Clone, Copy)]
pub(super) struct AgentSpec<'a> {
    pub spec: &'a GrafanaAgent<'a>,
    pub target: &'a Target,
}

/// Whether a rule writes the label that the operator reserves for the namespace.
fn is_enforced(target: &str, enforced: &str) -> bool {
    !enforced.is_empty() && target == enforced
}

/// Checks the rules for a job's targets and samples. `metric_rules` contains the configured rules for samples, some of
/// which the operator omits.
pub(super) fn check(
    agent: AgentSpec<'_>,
    job: &ScrapeJob<'_>,
    metric_rules: &[RelabelConfig<'_>],
    expressions: &mut ExpressionCache,
    findings: &mut Vec<Diagnostic>,
) {
    let (subject, enforced) = match job.kind() {
        // Alloy restores scrape settings that rules remove.
        JobKind::Metrics => (
            if *agent.target == Target::Agent { Subject::Target } else { Subject::AlloyTarget },
            agent.spec.metrics.enforced_namespace_label,
        ),
        JobKind::Logs => (Subject::LogTarget, agent.spec.logs.enforced_namespace_label),
    };
    let follower = &mut Follower { subject, enforced, expressions, findings };
    let mut targets = flow::target_labels(job);
    for (i, _) in metric_rules.iter().enumerate().filter(|(_, rule)| is_enforced(rule.target_label, enforced)) {
        follower.findings.push(diagnostics::omitted_rule(job.origin.key("metricRelabelings").inner_item(i), enforced));
    }
    if follower.follow(&mut targets, &job.relabelings).is_err() {
        return;
    }
    if let Some(stages) = job.stages {
        pipeline::check(job, stages, &targets, follower.expressions, follower.findings);
    }
    if !job.metric_relabelings.is_empty() {
        follower.subject = Subject::Sample;
        let mut samples = flow::sample_labels(job, &targets);
        let _ = follower.follow(&mut samples, &job.metric_relabelings);
    }
}

/// Returns the metrics receivers that have rules.
pub(super) fn receivers<'p, 'd>(plan: &'p Plan<'d>) -> impl Iterator<Item = &'p RemoteWriteClient<'d>> {
    let instance_receivers = plan.metrics.iter().flat_map(|instance| &instance.receivers);
    plan.receivers.iter().chain(instance_receivers).filter(|receiver| !receiver.relabelings.is_empty())
}

/// Checks a receiver's rules for samples.
pub(super) fn check_receiver(
    plan: &Plan<'_>,
    receiver: &RemoteWriteClient<'_>,
    expressions: &mut ExpressionCache,
    findings: &mut Vec<Diagnostic>,
) {
    let mut samples = flow::sent_labels(plan.external_labels);
    if plan.metrics.iter().any(|instance| instance.additional_jobs.is_some()) {
        // The rules of additional jobs may write any label.
        samples.open_prefix("__", false);
    }
    for name in names::sample_label_prefixes(plan) {
        samples.open_prefix(name, false);
    }
    let mut follower = Follower { subject: Subject::SentSample, enforced: "", expressions, findings };
    let _ = follower.follow(&mut samples, &receiver.relabelings);
}

/// Whether a rule may write a target's address.
fn may_write_address(rule: &RelabelRule<'_>) -> bool {
    let target = rule.target_label.as_deref().unwrap_or_default();
    target == "__address__" || target.contains('$') || rule.action.eq_ignore_ascii_case("labelmap")
}

/// State while following labels through a list of rules.
struct Follower<'f> {
    subject: Subject,
    /// Label that the operator sets after the configured rules; empty if there is none.
    enforced: &'f str,
    expressions: &'f mut ExpressionCache,
    findings: &'f mut Vec<Diagnostic>,
}

impl Follower<'_> {
    /// Applies rules to labels, and reports rules that cannot have their intended effect.
    fn follow<'r>(&mut self, labels: &mut LabelSet<'r>, rules: &'r [RelabelRule<'_>]) -> Result<(), FollowStop> {
        for (number, rule) in rules.iter().enumerate() {
            let Some(origin) = rule.origin else { continue };
            let (field, key) = origin.fields();
            if field == "spec.metrics.shards" {
                continue;
            }
            let is_configured = !self.subject.is_target()
                || key == "relabelings"
                || field.ends_with("relabelings")
                || field.ends_with("relabelingConfigs");
            let flow = FlowRule::new(rule, self.expressions).ok_or(FollowStop::Unknown)?;
            let matching = labels.matching(&flow);
            let (mut drops_all, mut maps_nothing) = (false, false);
            if is_configured && !flow.has_variable {
                let place = Place { subject: self.subject, origin, rule: &flow };
                let finding = self.finding(labels, &place, matching);
                drops_all = finding.as_ref().is_some_and(|(_, drops_all)| *drops_all);
                maps_nothing = flow.action == RelabelAction::LabelMap
                    && finding.as_ref().is_some_and(|(finding, _)| finding.code == Code::NeverSetLabel);
                self.findings.extend(finding.map(|(finding, _)| finding));
            }
            if maps_nothing {
                continue;
            }
            let loses_all = match flow.action {
                RelabelAction::Keep => matching == Matching::Never,
                RelabelAction::Drop => matching == Matching::Always,
                _ => false,
            };
            if drops_all || loses_all {
                return Err(FollowStop::Lost);
            }
            let labels_before = required::present_labels(self.subject, labels);
            if !labels.apply(&flow, matching) || flow.sources.iter().any(|source| labels.get(source).is_impossible()) {
                return Err(FollowStop::Unknown);
            }
            if is_configured && !flow.has_variable {
                let place = Place { subject: self.subject, origin, rule: &flow };
                let problem = required::find_lost_requirement(&place, &labels_before, labels, matching);
                let is_rewritten = || rules.iter().skip(number + 1).any(may_write_address);
                if let Some(problem) = problem.filter(|problem| !matches!(problem, Problem::Address) || !is_rewritten())
                {
                    self.findings.push(diagnostics::failing_scrape(&place, &problem));
                    return Err(FollowStop::Lost);
                }
            }
        }
        Ok(())
    }

    /// Returns the finding for a rule, and whether no target or sample remains after the rule.
    fn finding(&self, labels: &LabelSet<'_>, place: &Place<'_, '_>, matching: Matching) -> Option<(Diagnostic, bool)> {
        if self.subject.is_target()
            && place.rule.fixed_target().is_some_and(|target| is_enforced(target, self.enforced))
        {
            return Some((diagnostics::overwritten_label(place, self.enforced), false));
        }
        effects::finding(labels, place, matching)
            .or_else(|| Some((names::finding(labels, place)?, false)))
            .or_else(|| Some((groups::finding(labels, place)?, false)))
    }
}
