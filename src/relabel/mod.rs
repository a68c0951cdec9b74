//! Relabelling as Prometheus 2.48 does it (`model/relabel`): labels and rules → the labels that are left, or the rule that
//! drops them.
//!
//! Targets and samples alike are sets of labels. A [`Rule`] is compiled once by [`Rules`], which shares expressions; [`relabel`]
//! applies rules, and [`Rule::apply`] a single one.

mod labels;
mod rule;

pub use labels::{Base, Labels};
pub use rule::{Action, Config, Refusal, Rule, Rules, Version, hashmod};

/// What rules make of labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<'l> {
    /// The labels that are left.
    Kept(Labels<'l>),
    /// The rule with this index drops them.
    Dropped(usize),
}

/// Applies rules in their order (`relabel.Process`).
pub fn relabel<'l>(rules: &[Rule<'_>], mut labels: Labels<'l>) -> Outcome<'l> {
    for (index, rule) in rules.iter().enumerate() {
        if !rule.apply(&mut labels) {
            return Outcome::Dropped(index);
        }
    }
    Outcome::Kept(labels)
}

#[cfg(test)]
mod tests;
