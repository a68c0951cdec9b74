//! Relabelling as Prometheus 2.48 does it (`model/relabel`): labels and rules → the labels that are left, or the rule that
//! drops them.
//!
//! Targets and samples alike are sets of labels. A [`Rule`] is compiled once by [`Rules`], which shares expressions; [`relabel`]
//! applies rules, and [`Rule::apply`] a single one.

mod labels;
mod rule;

pub use labels::{Base, Labels};
pub use rule::{Action, Config, Refusal, Rule, Rules, Version, hashmod};

/// Applies rules in their order (`relabel.Process`); the number of the one that drops the labels.
pub fn relabel<'r, 'c: 'r>(rules: impl IntoIterator<Item = &'r Rule<'c>>, labels: &mut Labels<'_>) -> Option<usize> {
    rules.into_iter().position(|rule| !rule.apply(labels))
}

#[cfg(test)]
mod tests;
