//! Relabeling as in Prometheus 2.48 (`model/relabel`): application of rules to labels, with a report of the rule that
//! drops them.
//!
//! Targets and samples are both sets of labels. [`RuleCompiler`] compiles each [`CompiledRule`] once and shares
//! expressions between rules. [`relabel`] applies several rules, and [`CompiledRule::apply`] a single one.

mod labels;
mod rule;

pub use labels::{Base, Labels};
pub use rule::{CompiledRule, Config, PrometheusVersion, RuleCompiler, RuleError, hashmod};

/// Applies rules in order (`relabel.Process`). Returns the index of the rule that drops the labels, if any.
pub fn relabel<'r, 'c: 'r>(
    rules: impl IntoIterator<Item = &'r CompiledRule<'c>>,
    labels: &mut Labels<'_>,
) -> Option<usize> {
    rules.into_iter().position(|rule| !rule.apply(labels))
}

#[cfg(test)]
mod tests;
