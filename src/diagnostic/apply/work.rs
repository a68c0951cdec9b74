//! Limit on the work spent trying fixes.

use crate::source::Sources;

/// Maximum number of rounds. Each round parses and checks the whole input, because a fix can reveal more findings.
const MAX_ROUNDS: usize = 40;

/// Number of remaining rounds.
#[derive(Debug)]
pub(super) struct WorkLimit(usize);

impl WorkLimit {
    /// Returns the work allowed for applying fixes.
    pub(super) fn to_fix(sources: &Sources) -> Self {
        Self::new(sources, 256 << 10)
    }

    /// Returns the work allowed for trying the fixes in a report. Trying them must not take more than twice as long as
    /// the report itself.
    pub(super) fn to_try(sources: &Sources) -> Self {
        Self::new(sources, 64 << 10)
    }

    /// Allows two rounds, or more if they read at most `bytes` in total.
    fn new(sources: &Sources, bytes: usize) -> Self {
        let size: usize = sources.iter().map(|(_, source)| source.text.len()).sum();
        Self((bytes / size.max(1)).clamp(2, MAX_ROUNDS))
    }

    /// Consumes one round. Returns whether one was left.
    pub(super) fn try_spend(&mut self) -> bool {
        let has_budget = self.0 > 0;
        self.0 -= usize::from(has_budget);
        has_budget
    }

    pub(super) fn remaining_rounds(&self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;

    #[test]
    fn large_inputs_allow_only_two_rounds() {
        let rounds = |size: usize| {
            let sources = TestInput::new("#".repeat(size)).sources;
            [WorkLimit::to_try(&sources), WorkLimit::to_fix(&sources)].map(|mut work| {
                let remaining = work.remaining_rounds();
                assert_eq!((0..100).filter(|_| work.try_spend()).count(), remaining);
                remaining
            })
        };
        let expected = [(0, [40, 40]), (4 << 10, [16, 40]), (30 << 10, [2, 8]), (1 << 20, [2, 2])];
        for (size, expected) in expected {
            assert_eq!(rounds(size), expected, "{size}");
        }
    }
}
