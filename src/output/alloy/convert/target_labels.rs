//! Labels that the agent sets on the targets of integrations, as rules that run before and after the user's rules.

use super::free_form::entries;
use crate::flow::{ExpressionCache, FlowRule};
use crate::output::alloy::write::environment::replacement;
use crate::output::alloy::write::syntax::{Body, Expression, expression};
use crate::output::alloy::write::target_rules::relabel_rule;
use crate::plan::RelabelAction;
use crate::programs::integrations::KnownIntegration;
use crate::yaml::Value;

/// Integrations with a label that distinguishes targets within the same integration.
const TARGET_LABELS: [(&str, &str); 2] = [("blackbox", "blackbox_target"), ("snmp", "snmp_target")];

/// Labels that the agent sets on the targets of an integration before applying relabeling rules (`Targets` in
/// `metricsutils/metricshandler_integration.go`).
pub struct TargetLabels<'p> {
    pub integration: &'static KnownIntegration,
    pub instance: &'p str,
    pub yaml: &'p Value<'p>,
}

impl<'p> TargetLabels<'p> {
    /// Returns the user's rules together with the rules that set the labels, and the number of label rules that precede
    /// the user's rules. A label's rule follows the user's rules, as in the output of `alloy convert`, unless a user's
    /// rule reads or writes the label.
    pub fn surround(&self, bodies: Vec<Body<'p>>, expressions: &mut ExpressionCache) -> (usize, Vec<Body<'p>>) {
        let rules: Vec<_> = bodies.iter().map(relabel_rule).collect();
        let rules: Vec<_> = rules.iter().filter_map(|rule| FlowRule::new(rule, expressions)).collect();
        let is_used = |label: &str| rules.iter().any(|rule| reads(rule, label) || writes_label(rule, label));
        let names_job = rules.iter().any(|rule| writes_label(rule, "job"));
        let (mut rules_before, mut rules_after) = (Vec::new(), Vec::new());
        for (label, value) in self.extra_labels() {
            let rule_list = if is_used(label) { &mut rules_before } else { &mut rules_after };
            rule_list.push(set(label, value).with("source_labels", Expression::texts(["__address__"])));
        }
        let is_extra = |label: &str| self.extra_labels().any(|(extra, _)| extra == label);
        let instance = Expression::from(self.instance);
        if !self.instance.is_empty() && !is_extra("instance") {
            let rule_list = if is_used("instance") { &mut rules_before } else { &mut rules_after };
            rule_list.push(set("instance", instance.clone()));
        }
        let job = set("job", format!("integrations/{}", self.integration.job).into());
        if !is_extra("job") {
            if is_used("job") && !always_writes(&rules, "job") {
                rules_before.push(job);
            } else if !names_job {
                rules_after.push(job);
            }
        }
        let meta = |name: &str| format!("__meta_agent_integration_{name}");
        let name = Expression::from(self.integration.name);
        let target = TARGET_LABELS.iter().find(|(name, _)| *name == self.integration.name);
        let instance = if target.is_some() { name.clone() } else { instance };
        for (part, value) in [("name", name), ("instance", instance), ("autoscrape", "1".into())] {
            let label = meta(part);
            if !is_used(&label) {
                continue;
            }
            let is_unknown = value == Expression::from("");
            let rule = Body::new().with("target_label", label);
            rules_before.push(if is_unknown {
                rule.with("source_labels", Expression::texts(["instance"]))
            } else {
                rule.with("replacement", literal(value))
            });
        }
        if let Some((_, label)) = target {
            let source = Expression::texts(["__param_target"]);
            rules_before.push(Body::new().with("source_labels", source).with("target_label", *label));
        }
        let preset_count = rules_before.len();
        (preset_count, rules_before.into_iter().chain(bodies).chain(rules_after).collect())
    }

    /// Returns the extra labels that take precedence over the agent's own labels. An integration that the agent upgrades
    /// sets `job` on the target itself (`ConfigShim.NewIntegration`), which takes precedence over an extra label.
    fn extra_labels(&self) -> impl Iterator<Item = (&'p str, Expression<'p>)> {
        let is_native = self.integration.is_native;
        extra_labels(self.yaml).filter(move |(label, _)| is_native || *label != "job")
    }
}

/// Whether a rule reads a label or might do so.
fn reads(rule: &FlowRule<'_>, label: &str) -> bool {
    rule.sources.iter().any(|source| source == label) || removes_or_maps(rule, label)
}

/// Whether a rule writes or removes a label, or might do so.
fn writes_label(rule: &FlowRule<'_>, label: &str) -> bool {
    rule.target == label || rule.target.contains('$') || removes_or_maps(rule, label)
}

/// Whether a rule removes a label by name, or copies labels to names that cannot be predicted.
fn removes_or_maps(rule: &FlowRule<'_>, label: &str) -> bool {
    rule.action == RelabelAction::LabelMap || rule.removes(label)
}

/// Whether the first rule that involves a label sets it on every target.
fn always_writes(rules: &[FlowRule<'_>], label: &str) -> bool {
    let first_rule = rules.iter().find(|rule| reads(rule, label) || writes_label(rule, label));
    first_rule.is_some_and(|rule| {
        let is_constant = rule.action == RelabelAction::Replace && rule.sources.is_empty() && rule.pattern.is_empty();
        is_constant && rule.target == label
    })
}

/// Returns a rule that sets a label.
pub fn set<'v>(label: &'v str, value: Expression<'v>) -> Body<'v> {
    Body::new().with("target_label", label).with("replacement", literal(value))
}

/// Returns a value escaped for use as the replacement in a rule.
fn literal(value: Expression<'_>) -> Expression<'_> {
    match &value {
        // In a concatenation, an empty variable yields an empty string rather than a missing value.
        Expression::String(text) if text.contains('$') => Expression::Sum(vec![replacement(text).into()]),
        _ => value,
    }
}

/// Returns the labels that the user adds.
pub fn extra_labels<'v>(yaml: &'v Value<'_>) -> impl Iterator<Item = (&'v str, Expression<'v>)> {
    let labels = yaml.get("extra_labels").into_iter().flat_map(entries);
    labels.map(|(key, value)| (key, expression(value)))
}
