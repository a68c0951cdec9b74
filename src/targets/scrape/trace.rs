//! Effects of a job's rules on one target, rule by rule.

use super::job::Job;
use crate::targets::relabel::Labels;

/// Effect of a rule on a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleStep {
    /// Index of the rule.
    pub rule: usize,
    /// Whether the rule keeps the target.
    pub keeps: bool,
    pub changes: Vec<LabelChange>,
}

/// Label changed by a rule, with its values before and after. A value is `None` if the label does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelChange {
    pub label: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Applies a job's rules to a target one by one, up to the rule that drops the target.
pub fn trace(job: &Job<'_>, discovered: &Labels<'_>) -> Vec<RuleStep> {
    let mut labels = discovered.clone();
    let mut steps = Vec::new();
    for (number, rule) in job.rules.iter().enumerate() {
        let before = labels.clone();
        let keeps = rule.rule.apply(&mut labels);
        steps.push(RuleStep { rule: number, keeps, changes: changes(&before, &labels) });
        if !keeps {
            break;
        }
    }
    steps
}

/// Returns the labels that differ between two sets, sorted by name.
pub fn changes(before: &Labels<'_>, after: &Labels<'_>) -> Vec<LabelChange> {
    let existing =
        |labels: &Labels<'_>, name: &str| Some(labels.get(name).to_owned()).filter(|value| !value.is_empty());
    let names = before.iter().chain(after.iter()).map(|(name, _)| name);
    let mut names: Vec<_> = names.filter(|name| before.get(name) != after.get(name)).collect();
    names.sort_unstable();
    names.dedup();
    let change = |name: &str| LabelChange {
        label: name.to_owned(),
        before: existing(before, name),
        after: existing(after, name),
    };
    names.into_iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_changed_labels() {
        let labels = |labels: &[(&'static str, &'static str)]| Labels::from_iter(labels.iter().copied());
        let change = |label: &str, before: Option<&str>, after: Option<&str>| LabelChange {
            label: label.to_owned(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        let before = labels(&[("b", "1"), ("gone", "2"), ("same", "3")]);
        let after = labels(&[("a", "4"), ("b", "5"), ("same", "3")]);
        let expected =
            [change("a", None, Some("4")), change("b", Some("1"), Some("5")), change("gone", Some("2"), None)];
        assert_eq!(changes(&before, &after), expected);
        assert_eq!(changes(&before, &before), []);
    }
}
