//! Limits for the targets of all jobs combined: the number of targets, and the work of applying rules to their labels.

use crate::budget::Budget;
use crate::targets::discovery::{DiscoveryRole, DiscoveryWatch, width};
use crate::targets::observed::{ClusterObject, ObservedObjects};
use crate::targets::relabel::{CompiledRule, Labels, relabel};

/// Remaining work budget for all jobs.
pub(super) struct Work {
    /// Maximum total cost of all jobs.
    pub(super) max_cost: usize,
    /// Budget for the cost of the jobs.
    cost: Budget,
    /// Budget for the extra bytes that rules read and write.
    bytes: Budget,
    /// Largest number of labels that an object adds to a target.
    widest: usize,
    /// Largest number of labels that a node adds to a target.
    widest_node: usize,
}

/// Number of bytes that rules may read and write even for a small input.
const MIN_BYTES: u64 = 64 << 20;

/// Number of labels and rules at which a target starts to count more than once.
const USUAL_COUNT: usize = 32;

impl Work {
    /// Creates the limits for `objects`. The limits grow with the size of an export.
    pub(super) fn new(objects: &ObservedObjects<'_>) -> Self {
        let max_cost = (objects.bytes / 10).clamp(50_000, 5_000_000);
        let widest = |roles: &[DiscoveryRole]| {
            let widths = roles.iter().flat_map(|role| {
                let role_objects = objects.list(role.kind()).iter();
                role_objects.map(|object| width(*role, object))
            });
            widths.max().unwrap_or_default()
        };
        Self {
            max_cost,
            cost: Budget::new(max_cost as u64),
            bytes: Budget::new((objects.bytes as u64).saturating_mul(4).max(MIN_BYTES)),
            widest: widest(&[
                DiscoveryRole::Pod,
                DiscoveryRole::Service,
                DiscoveryRole::Endpoints,
                DiscoveryRole::EndpointSlice,
            ]),
            widest_node: widest(&[DiscoveryRole::Node]),
        }
    }

    /// Charges the cost of a job. Returns `false` if the cost exceeds the remaining budget.
    pub(super) fn spend(&self, cost: impl FnOnce() -> usize) -> bool {
        if self.cost.is_empty() {
            return false;
        }
        let fits = self.cost.spend(cost() as u64).is_ok();
        if !fits {
            // Computing the cost also takes time, so the search ends after a thousand jobs that exceed the limit.
            self.cost.drain(self.max_cost as u64 / 1_000);
        }
        fits
    }

    /// Returns the cost of a target with this many labels and rules.
    pub(super) fn weight(labels: usize, rules: usize) -> usize {
        1 + (labels + rules) / USUAL_COUNT
    }

    /// Returns the approximate number of labels of a target that a watch discovers from an object.
    pub(super) fn labels(&self, watch: &DiscoveryWatch, object: &ClusterObject<'_>) -> usize {
        let role_labels = match watch.role {
            // These targets also have the labels of a Service and a pod.
            DiscoveryRole::Endpoints | DiscoveryRole::EndpointSlice => self.widest,
            role => width(role, object),
        };
        let node = if watch.attach_node { self.widest_node } else { 0 };
        role_labels + node + watch.selectors.width()
    }

    /// Applies rules in order within the limit. Returns the index of the rule that drops the labels, if any.
    pub(super) fn relabel<'r, 'c: 'r>(
        &self,
        rules: impl IntoIterator<Item = &'r CompiledRule<'c>>,
        labels: &mut Labels<'_>,
    ) -> Option<usize> {
        if self.bytes.is_empty() {
            labels.exhaust();
        }
        let before = labels.spent_bytes();
        let dropped = relabel(rules, labels);
        self.take_bytes(labels.spent_bytes() - before);
        dropped
    }

    /// Whether any rule drops the labels. The labels are not copied. Returns `false` if the budget is used up.
    pub(super) fn drops(&self, rule: &CompiledRule<'_>, labels: &Labels<'_>) -> bool {
        if !rule.is_filter() || labels.is_exhausted() || self.bytes.is_empty() {
            return false;
        }
        self.take_bytes(rule.excess_cost(labels) as u64);
        !rule.keeps(labels)
    }

    /// Charges the extra bytes that rules have spent.
    pub(super) fn take_bytes(&self, bytes: u64) {
        if bytes > 0 {
            self.bytes.drain(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::relabel::{Config, RuleCompiler};

    #[test]
    fn jobs_and_rules_use_the_remaining_work_budget() {
        let work = Work::new(&ObservedObjects::default());
        assert!(!work.spend(|| 50_001), "too much");
        // Each rejected request costs one thousandth of the limit, which is 50 here.
        assert!(!work.spend(|| 49_951) && work.spend(|| 49_900));
        assert!(!work.spend(|| 0), "nothing is left");
        let config = Config { source_labels: vec!["a".into()], target_label: "b".into(), ..Config::default() };
        let rule = RuleCompiler::default().rule(config).unwrap();
        let value = "x".repeat(1_000);
        let mut labels = Labels::from_iter([("a", value.as_str())]);
        for times in 1..4 {
            assert_eq!(work.relabel([&rule], &mut labels), None);
            // The rule reads the value and a separator, and may write both and two additional bytes. 160 bytes are
            // usual.
            let spent = times * (1_001 + (2 + 1_001) + 1 - 160);
            assert_eq!((labels.spent_bytes(), work.bytes.remaining()), (spent, MIN_BYTES - spent));
        }
        work.take_bytes(u64::MAX);
        assert_eq!(work.relabel([&rule], &mut labels), None);
        assert!(labels.is_exhausted());
    }

    #[test]
    fn filters_use_the_remaining_work_budget() {
        let work = Work::new(&ObservedObjects::default());
        let config = Config { source_labels: vec!["a".into()], action: Some("drop".into()), ..Config::default() };
        let rule = RuleCompiler::default().rule(config).unwrap();
        let value = "x".repeat(1_000);
        let labels = Labels::from_iter([("a", value.as_str())]);
        assert!(work.drops(&rule, &labels));
        // The rule reads the value and a separator. 160 bytes are usual.
        assert_eq!(work.bytes.remaining(), MIN_BYTES - (1_001 - 160));
        work.take_bytes(u64::MAX);
        assert!(!work.drops(&rule, &labels));
    }
}
