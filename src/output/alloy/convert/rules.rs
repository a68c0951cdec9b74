//! Relabeling rules, either as blocks or as the lines of blocks. Lines are faster, but do not record their sources.

use super::free_form::convert_body;
use crate::output::alloy::write::environment::AlloyEnvironment;
use crate::output::alloy::write::layout;
use crate::output::alloy::write::mask::mask;
use crate::output::alloy::write::syntax::{Block, Body, Expression};
use crate::output::alloy::write::target_rules::{TargetRule, guard, target_rules};
use crate::output::alloy::write::writer::finish_body;
use crate::output::shares::SharedRules;
use crate::plan::{RelabelRule, ScrapeJob};
use crate::secrecy::SecretKeys;
use crate::yaml::Value;

/// Returns the rules at a key in a job that is given as YAML.
pub fn yaml_rules<'v>(yaml: &'v Value<'_>, key: &str) -> Vec<Body<'v>> {
    let rules = yaml.items(key).iter();
    rules.map(|rule| convert_body("relabel.Config", rule, &[]).0).collect()
}

pub fn rule_blocks<'v>(rules: impl IntoIterator<Item = Body<'v>>) -> Body<'v> {
    Body::new().with_blocks("rule", rules)
}

/// Returns the bodies of a job's target rules.
pub fn target_rule_bodies<'v>(rules: &[RelabelRule<'v>]) -> Vec<Body<'v>> {
    let body = |target_rule: TargetRule<'_, 'v>| match target_rule {
        TargetRule::Own(_, own) => rule(own),
        TargetRule::Guard(_) => guard(),
    };
    target_rules(rules).map(body).collect()
}

pub fn rule<'v>(rule: &RelabelRule<'v>) -> Body<'v> {
    Body::new()
        .with("source_labels", Expression::texts(rule.source_labels.iter().map(|label| label.to_owned())))
        .with_text("separator", rule.separator)
        .with_option("regex", rule.regex.clone())
        .with_option("modulus", (rule.modulus > 0).then_some(rule.modulus as f64))
        .with_option("target_label", rule.target_label.clone())
        .with_option("replacement", rule.replacement.clone())
        .with_text("action", rule.action)
}

/// Formatted relabeling rules of several jobs.
#[derive(Default)]
pub struct RuleLines {
    text: String,
    /// End offsets of the target rules and the sample rules of each job.
    ends: Vec<[usize; 2]>,
    /// Whether secrets in the rules are masked.
    masks: bool,
    pub has_masked: bool,
}

impl RuleLines {
    /// Formats the relabeling rules of `jobs`.
    pub fn new(jobs: &[ScrapeJob<'_>], environment: &AlloyEnvironment<'_>, masks: bool) -> Self {
        let (mut lines, mut rules) = (Self::default(), SharedRules::default());
        lines.masks = masks;
        let mut keys = SecretKeys::default();
        for job in jobs {
            lines.append(target_rules(&job.relabelings), &mut rules, (environment, &mut keys));
            let end_of_targets = lines.text.len();
            let sample_rules = job.metric_relabelings.iter().enumerate();
            let sample_rules = sample_rules.map(|(i, rule)| TargetRule::Own(i, rule));
            lines.append(sample_rules, &mut rules, (environment, &mut keys));
            lines.ends.push([end_of_targets, lines.text.len()]);
            rules.end_job();
        }
        lines
    }

    fn append<'j>(
        &mut self,
        list: impl Iterator<Item = TargetRule<'j, 'j>>,
        rules: &mut SharedRules<'j>,
        (environment, keys): (&AlloyEnvironment<'_>, &mut SecretKeys),
    ) {
        for (i, target_rule) in list.enumerate() {
            if i > 0 {
                self.text.push('\n');
            }
            let TargetRule::Own(_, own_rule) = target_rule else {
                layout::append_block(&mut self.text, &Block::new("rule", "", guard()));
                continue;
            };
            let (masks, has_masked) = (self.masks, &mut self.has_masked);
            rules.append(&mut self.text, own_rule, |text| {
                let mut body = finish_body("relabel.Config", rule(own_rule), environment);
                *has_masked |= masks && mask("relabel.Config", &mut body, false, keys);
                layout::append_block(text, &Block::new("rule", "", body));
            });
        }
    }

    /// Returns the formatted target rules and sample rules of each job.
    pub fn rules_by_job(&self) -> impl Iterator<Item = [&str; 2]> {
        let mut start = 0;
        self.ends.iter().map(move |ends| {
            ends.map(|end| {
                let lines = self.text.get(start..end).unwrap_or_default();
                start = end;
                lines
            })
        })
    }
}
