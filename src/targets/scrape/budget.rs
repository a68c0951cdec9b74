//! Limit on the targets of all jobs together: their number, and the work of applying rules to their labels.

use std::cell::Cell;

use crate::targets::discovery::{Role, Watch, width};
use crate::targets::observed::{Object, Objects};
use crate::targets::relabel::{Labels, Rule, relabel};

/// Budget for the remaining jobs.
pub(super) struct Budget {
    /// Maximum cost of all jobs together.
    pub(super) most: usize,
    left: Cell<usize>,
    /// Number of bytes, in excess of the usual number, that rules may still read and write.
    room: Cell<usize>,
    /// Largest number of labels that an object adds to a target.
    widest: usize,
    /// Largest number of labels that a node adds to a target.
    widest_node: usize,
}

/// Minimum number of bytes, for a small input.
const LEAST_ROOM: usize = 64 << 20;

/// Number of labels and rules up to which a target counts once; with more, it counts several times.
const USUAL: usize = 32;

impl Budget {
    /// Creates the budget for `objects`. A large export may take longer than a small input.
    pub(super) fn of(objects: &Objects<'_>) -> Self {
        let most = (objects.bytes / 10).clamp(50_000, 5_000_000);
        let widest = |roles: &[Role]| {
            let widths = roles.iter().flat_map(|role| {
                let of_role = objects.of(role.kind()).iter();
                of_role.map(|object| width(*role, object))
            });
            widths.max().unwrap_or_default()
        };
        Self {
            most,
            left: Cell::new(most),
            room: Cell::new(objects.bytes.saturating_mul(4).max(LEAST_ROOM)),
            widest: widest(&[Role::Pod, Role::Service, Role::Endpoints, Role::EndpointSlice]),
            widest_node: widest(&[Role::Node]),
        }
    }

    /// Charges the cost of a job. Returns `false` if the budget is too small.
    pub(super) fn spend(&self, effort: impl FnOnce() -> usize) -> bool {
        let left = self.left.get();
        if left == 0 {
            return false;
        }
        let rest = left.checked_sub(effort());
        // Computing the cost takes time as well, so the search ends after a thousand jobs that exceed the budget.
        self.left
            .set(rest.unwrap_or_else(|| left.saturating_sub(self.most / 1_000)));
        rest.is_some()
    }

    /// Returns the cost of one target with this many labels and rules.
    pub(super) fn weight(labels: usize, rules: usize) -> usize {
        1 + (labels + rules) / USUAL
    }

    /// Returns the approximate number of labels of the targets that a watch finds in an object.
    pub(super) fn labels(&self, watch: &Watch, object: &Object<'_>) -> usize {
        let own = match watch.role {
            // These targets also have the labels of a Service and a pod.
            Role::Endpoints | Role::EndpointSlice => self.widest,
            role => width(role, object),
        };
        let node = if watch.attach_node { self.widest_node } else { 0 };
        own + node + watch.selectors.width()
    }

    /// Applies rules in order within the budget. Returns the index of the rule that drops the labels, if any.
    pub(super) fn relabel<'r, 'c: 'r>(
        &self,
        rules: impl IntoIterator<Item = &'r Rule<'c>>,
        labels: &mut Labels<'_>,
    ) -> Option<usize> {
        if self.room.get() == 0 {
            labels.exhaust();
        }
        let before = labels.spent();
        let dropped = relabel(rules, labels);
        self.take_room(labels.spent() - before);
        dropped
    }

    /// Whether a rule drops labels, without copying them; `false` if the budget is exhausted.
    pub(super) fn drops(&self, rule: &Rule<'_>, labels: &Labels<'_>) -> bool {
        if !rule.is_filter() || labels.is_exhausted() || self.room.get() == 0 {
            return false;
        }
        self.take_room(rule.excess_cost(labels));
        !rule.keeps(labels)
    }

    /// Charges a copy of labels for which rules spent `bytes`.
    pub(super) fn take_room(&self, bytes: usize) {
        self.room.set(self.room.get().saturating_sub(bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::relabel::{Config, Rules};

    #[test]
    fn effort_and_room_are_taken_from_what_is_left() {
        let budget = Budget::of(&Objects::default());
        assert!(!budget.spend(|| 50_001), "too much");
        // A thousandth of the budget is spent.
        assert!(!budget.spend(|| 49_951) && budget.spend(|| 49_900));
        assert!(!budget.spend(|| 0), "nothing is left");
        let config = Config {
            source_labels: vec!["a".into()],
            target_label: "b".into(),
            ..Config::default()
        };
        let rule = Rules::default().rule(config).unwrap();
        let value = "x".repeat(1_000);
        let mut labels = Labels::from_iter([("a", value.as_str())]);
        for times in 1..4 {
            assert_eq!(budget.relabel([&rule], &mut labels), None);
            // The rule reads the value and a separator, and may write both and two more bytes; 160 bytes are usual.
            let spent = times * (1_001 + (2 + 1_001) + 1 - 160);
            assert_eq!((labels.spent(), budget.room.get()), (spent, LEAST_ROOM - spent));
        }
        budget.take_room(usize::MAX);
        assert_eq!(budget.relabel([&rule], &mut labels), None);
        assert!(labels.is_exhausted());
    }
}
