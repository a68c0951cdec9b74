//! Pipeline of a scrape job, from its targets to its receivers: `discovery.relabel` → `prometheus.scrape` →
//! `prometheus.relabel`.

use std::borrow::Cow;

use super::presets::presets;
use super::relabeled::{REPORT_NAMES, RelabeledTargets, affects_report_series, has_port_at_end};
use super::rules::rule_blocks;
use crate::diagnostic::Code;
use crate::flow::{self, Presence};
use crate::output::alloy::losses::loss::RULE;
use crate::output::alloy::losses::scrape_losses::{
    invalid_metric_name, normalized_number_loss, removed_setting_loss, rule_loss,
};
use crate::output::alloy::write::origins::ComponentSource;
use crate::output::alloy::write::syntax::{Body, Expression};
use crate::output::alloy::write::target_rules::newer_label_map;
use crate::output::alloy::write::target_rules::relabel_rule;
use crate::output::alloy::write::writer::{ComponentGroup, Writer};
use crate::plan::{DiscoveryRole, RelabelAction, RelabelRule, ScrapeJob, TargetSource};

/// Whether a rule may drop samples.
fn may_drop(rule: &RelabelRule<'_>) -> bool {
    rule.parse_action().is_some_and(RelabelAction::is_filter)
}

/// Scrape job, from its targets to its receivers.
pub struct ScrapePipeline<'v, 'p> {
    /// Label of the job's components.
    pub label: String,
    /// Name of the job. Empty if the agent has no such job.
    pub job_name: Cow<'v, str>,
    pub targets: Expression<'v>,
    /// Whether targets may have the `job` label after the rules are applied.
    pub has_job: bool,
    /// Blocks with the target rules.
    pub rules: Body<'v>,
    /// Arguments of the scrape component.
    pub scrape: Body<'v>,
    pub sample_rules: Body<'v>,
    pub component_source: ComponentSource<'v, 'p>,
}

impl<'p> Writer<'p, '_> {
    /// Writes the components for a scrape job.
    pub fn pipeline(&mut self, pipeline: ScrapePipeline<'_, 'p>, forward_to: Expression<'static>) {
        let label = pipeline.label.as_str();
        let (targets, component_source) = (pipeline.targets, pipeline.component_source);
        let (name, scrape) = (&pipeline.job_name, &pipeline.scrape);
        let (rules, sample_rules): (Vec<_>, Vec<_>);
        let (rules, sample_rules) = match component_source {
            ComponentSource::Job { job, .. } => (job.relabelings.as_slice(), job.metric_relabelings.as_slice()),
            _ => {
                rules = pipeline.rules.blocks().map(relabel_rule).collect();
                sample_rules = pipeline.sample_rules.blocks().map(relabel_rule).collect();
                (rules.as_slice(), sample_rules.as_slice())
            }
        };
        let mut presets = presets(rules, &mut self.expressions, name, scrape, &targets);
        let affects_report_series = sample_rules.iter().any(|rule| affects_report_series(rule, &mut self.expressions));
        self.drops_samples |= sample_rules.iter().any(may_drop);
        // Targets of an exporter have their labels before any rule is applied.
        if matches!(targets, Expression::Export(kind, ..) if kind.starts_with("prometheus.exporter.")) {
            presets.clear();
        }
        let rules_source = match component_source {
            ComponentSource::Job { .. } => component_source.with_presets(presets.len()),
            component_source => component_source,
        };
        let rules = rule_blocks(presets).with_statements(pipeline.rules.0);
        let targets = self.relabel(label, targets, rules, rules_source);
        let (forward_to, relabels) = self.sample_rules(
            label,
            pipeline.sample_rules,
            [affects_report_series, pipeline.has_job],
            component_source,
            forward_to,
        );
        let body = Body::new()
            .with("targets", targets)
            .with("forward_to", forward_to)
            .with("job_name", pipeline.job_name)
            .with_statements(pipeline.scrape.0);
        self.put_component(ComponentGroup::Pipelines, "prometheus.scrape", label, body, component_source);
        for (label, body, component_source) in relabels {
            self.put_component(ComponentGroup::Pipelines, "prometheus.relabel", &label, body, component_source);
        }
    }

    /// Returns the relabeled targets. Writes a component for the rules if there are any.
    pub fn relabel<'v>(
        &mut self,
        label: &str,
        targets: Expression<'v>,
        rules: Body<'v>,
        component_source: ComponentSource<'_, 'p>,
    ) -> Expression<'v> {
        if rules.0.is_empty() {
            return targets;
        }
        let body = Body::new().with("targets", targets).with_statements(rules.0);
        self.put_component(ComponentGroup::Pipelines, "discovery.relabel", label, body, component_source);
        Expression::Export("discovery.relabel", label.to_owned().into(), "output")
    }

    /// Writes the components for sample rules between a scrape and its receivers. Returns the receivers to which the
    /// scrape forwards samples. The agent applies these rules only to the target's series. In Alloy, the rules also
    /// apply to the series that a scrape reports about itself, unless those series are routed around the rules.
    fn sample_rules<'v>(
        &mut self,
        label: &str,
        rules: Body<'v>,
        [affects_report_series, has_job]: [bool; 2],
        component_source: ComponentSource<'v, 'p>,
        forward_to: Expression<'static>,
    ) -> (Expression<'static>, Vec<(String, Body<'v>, ComponentSource<'v, 'p>)>)
    where
        'p: 'v,
    {
        let by_name = |action| {
            Body::new()
                .with("source_labels", Expression::texts(["__name__"]))
                .with("regex", REPORT_NAMES)
                .with("action", action)
        };
        // Alloy sets a missing `job` to the name of the scrape job (`PopulateDiscoveredLabels`).
        let without_job = || {
            let rule = Body::new().with("regex", "job").with("action", "labeldrop");
            (!has_job).then_some(rule)
        };
        let relabel = |name: String, rules_before: Vec<Body<'v>>, rules: Body<'v>| {
            let presets = if rules.0.is_empty() { usize::MAX } else { rules_before.len() };
            let body = Body::new()
                .with("forward_to", forward_to.clone())
                .with_blocks("rule", rules_before)
                .with_statements(rules.0);
            (name, body, component_source.with_presets(presets))
        };
        let relabels = if affects_report_series {
            let reports = self.label("prometheus.scrape", &format!("{label}_reports"));
            let rules_before = |action| [by_name(action)].into_iter().chain(without_job()).collect();
            vec![
                relabel(label.to_owned(), rules_before("drop"), rules),
                relabel(reports, rules_before("keep"), Body::new()),
            ]
        } else if !rules.0.is_empty() || !has_job {
            vec![relabel(label.to_owned(), without_job().into_iter().collect(), rules)]
        } else {
            return (forward_to, Vec::new());
        };
        let receiver = |name: &String| Expression::Export("prometheus.relabel", name.clone().into(), "receiver");
        (relabels.iter().map(|(name, ..)| receiver(name)).collect(), relabels)
    }
}

impl<'p> Writer<'p, '_> {
    /// Reports the differences between Alloy and the agent for a monitor's job.
    pub fn report_job_losses(&mut self, job: &ScrapeJob<'p>, targets: &RelabeledTargets) {
        let (rules, sample_rules) = (&job.relabelings, &job.metric_relabelings);
        if let Some(limit) = job.sample_limit.filter(|limit| *limit > 0 && !sample_rules.is_empty()) {
            let message = format!(
                "Alloy applies the sample limit of {limit} before these rules, but the agent applies it after them"
            );
            let origin = job.origin.key("metricRelabelings");
            let help = "remove the limit, or use --alloy-discovery=dynamic; a limit above the number of samples that the targets expose does no harm";
            self.report_loss(Code::EarlyLimit, origin, &message, help);
        }
        let origin_of = |number| rules.get(number).and_then(|rule: &RelabelRule<'p>| rule.origin);
        if targets.job != Presence::Always {
            // During the scrape, the target has the `job` label that Alloy adds. Only `prometheus.relabel` removes it.
            let (effect, setting) = match job.honor_labels {
                Some(true) => ("removes", ""),
                _ => ("renames", " to `exported_job`"),
            };
            let (message, help) = match targets.job {
                Presence::Never => (
                    format!(
                        "Alloy {effect} the `job` label of exposed metrics{setting}, because this rule removes the target's `job` label"
                    ),
                    "set `job` to a fixed value instead, or change the queries that use it",
                ),
                _ => (
                    format!("Alloy sets `job` to `{}` if this rule leaves the label empty", job.name),
                    "add a rule that sets `job` for every target, or change the queries that use it",
                ),
            };
            let origin = origin_of(targets.job_rule).unwrap_or(job.origin);
            self.report_loss(Code::ChangedLabel, origin, &message, help);
        }
        let removed_loss =
            targets.removed_setting.and_then(|(rule, label)| Some((origin_of(rule)?, removed_setting_loss(label)?)));
        let invalid_loss = rule_loss(sample_rules, &mut self.expressions, invalid_metric_name);
        for (origin, (message, help)) in removed_loss.into_iter().chain(invalid_loss) {
            self.report_loss(Code::ChangedScrape, origin, &message, help);
        }
        if self.environment.is_empty_after_expansion(job.path) {
            let message = "this path is empty after variables are replaced, so the agent requests `/`, but Alloy requests `/metrics`";
            let help = "write the path without a variable, or use a default such as `${NAME:-/metrics}`";
            let origin = match job.name.index {
                Some(_) => job.origin.key("path"),
                None => job.origin.at("spec.prober.path"),
            };
            self.report_loss(Code::ChangedScrape, origin, message, help);
        }
        self.report_discovery_losses(job, targets);
    }

    /// Returns the targets of a monitor's job after its rules are applied.
    pub fn relabeled_targets(&mut self, job: &ScrapeJob<'p>) -> RelabeledTargets {
        let has_port = match &job.targets {
            TargetSource::Discovered(discovery) => discovery.role == DiscoveryRole::Endpoints,
            TargetSource::Static { config, .. } => config.r#static.iter().all(|address| has_port_at_end(address)),
        };
        RelabeledTargets::new(flow::target_labels(job), has_port, &job.relabelings, &mut self.expressions)
    }

    /// Reports how target labels differ, regardless of whether agentctl or Alloy discovers the monitor.
    pub fn report_discovery_losses(&mut self, job: &ScrapeJob<'p>, targets: &RelabeledTargets) {
        self.report_label_map_loss(job);
        let loss = rule_loss(&job.metric_relabelings, &mut self.expressions, normalized_number_loss);
        if let Some((origin, loss)) = loss {
            self.report_loss(loss.code, origin, &loss.message(RULE), loss.help);
        }
        if targets.has_other_instance() {
            let message =
                "for a target without a port, `instance` is `host` in Alloy, but `host:80` or `host:443` in the agent";
            let help = "set `port` or `targetPort`, or set the port or `instance` with a relabeling rule";
            self.report_loss(Code::ChangedLabel, job.origin, message, help);
        }
    }

    /// Reports a rule that copies a label that only Alloy's discovery sets.
    fn report_label_map_loss(&mut self, job: &ScrapeJob<'p>) {
        let TargetSource::Discovered(discovery) = &job.targets else {
            return;
        };
        let Some((index, label)) = newer_label_map(discovery.role, &job.relabelings, &mut self.expressions) else {
            return;
        };
        let origin = job.relabelings.get(index).and_then(|rule| rule.origin);
        let message =
            format!("in Alloy, this rule also copies the label `{label}`, which the agent's targets do not have");
        let help = "use a narrower `regex`, or remove the copy with a `labeldrop` rule after this one";
        self.report_loss(Code::ChangedLabel, origin.unwrap_or(job.origin), &message, help);
    }
}
