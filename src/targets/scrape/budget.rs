//! How much the targets of all jobs may take together: their number, and what rules make of their labels.

use std::cell::Cell;

use crate::observed::{Object, Objects};
use crate::targets::discovery::{Role, Watch, width};
use crate::targets::relabel::{Labels, Rule, relabel};

/// What is left for the jobs to come.
pub(super) struct Budget {
    /// Maximum effort for all jobs together.
    pub(super) most: usize,
    left: Cell<usize>,
    /// Number of bytes that rules may read and write at all labels, beyond what is usual.
    room: Cell<usize>,
    /// The most labels that an object brings to a target.
    widest: usize,
    /// The same of nodes alone.
    widest_node: usize,
}

/// The room of a small input.
const LEAST_ROOM: usize = 64 << 20;

/// Number of labels and rules that a target has for the effort of one; one with more counts as several.
const USUAL: usize = 32;

impl Budget {
    /// A large export may take longer than a small input.
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

    /// Takes the effort for a job from what is left; false where that is too little.
    pub(super) fn spend(&self, effort: impl FnOnce() -> usize) -> bool {
        let left = self.left.get();
        if left == 0 {
            return false;
        }
        let rest = left.checked_sub(effort());
        // To know the effort was one, too: nothing more is asked of a thousand jobs for which too little is left.
        self.left
            .set(rest.unwrap_or_else(|| left.saturating_sub(self.most / 1_000)));
        rest.is_some()
    }

    /// The effort for one target with so many labels and rules.
    pub(super) fn weight(labels: usize, rules: usize) -> usize {
        1 + (labels + rules) / USUAL
    }

    /// About the number of labels of the targets that a watch finds in an object.
    pub(super) fn labels(&self, watch: &Watch, object: &Object<'_>) -> usize {
        let own = match watch.role {
            // Those of a Service and a pod, too.
            Role::Endpoints | Role::EndpointSlice => self.widest,
            role => width(role, object),
        };
        let node = if watch.attach_node { self.widest_node } else { 0 };
        own + node + watch.selectors.width()
    }

    /// Applies rules in their order as far as there is room; the number of the one that drops the labels.
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

    /// Whether a rule drops labels, without a copy of them for it; false if there is no room left.
    pub(super) fn drops(&self, rule: &Rule<'_>, labels: &Labels<'_>) -> bool {
        if !rule.is_filter() || labels.is_exhausted() || self.room.get() == 0 {
            return false;
        }
        self.take_room(rule.excess_cost(labels));
        !rule.keeps(labels)
    }

    /// Takes the room for a copy of labels on which rules spent so much.
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
        // A thousandth of all is gone.
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
            // It reads the value and a separator, and may write that and two more; 160 bytes are usual.
            let spent = times * (1_001 + (2 + 1_001) + 1 - 160);
            assert_eq!((labels.spent(), budget.room.get()), (spent, LEAST_ROOM - spent));
        }
        budget.take_room(usize::MAX);
        assert_eq!(budget.relabel([&rule], &mut labels), None);
        assert!(labels.is_exhausted());
    }
}
