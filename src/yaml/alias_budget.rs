//! Budget for the values that aliases add to an input. A single line of aliases can repeat a megabyte thousands of
//! times, and every stage reads each copy.

use super::limits::{ExceededLimit, Limits};
use crate::budget::Budget;
use crate::printable::ByteSize;

/// Size in bytes that is counted for each key, value, list and mapping in addition to its text.
const NODE_SIZE: u64 = 16;

/// Returns the size of a key or value with this text.
pub(super) fn text_size(text: &str) -> u64 {
    NODE_SIZE + text.len() as u64
}

/// Size of a list or mapping without its contents.
pub(super) const COLLECTION: u64 = NODE_SIZE;

/// Size of the values that aliases may still add to an input. Files that are read in parallel share a budget.
#[derive(Debug)]
pub struct AliasBudget {
    limit: ByteSize,
    rest: Budget,
}

impl AliasBudget {
    /// Returns a budget for an input of `bytes` bytes, shared by all its files.
    pub fn new(limits: &Limits, bytes: u64) -> Self {
        let limit = limits.alias_size(bytes);
        Self { limit, rest: Budget::new(limit.0) }
    }

    /// Returns a smaller budget for the value of a field or Secret key, because many agents may read such a value.
    pub(super) fn from_value(text: &str) -> Self {
        let limit = ByteSize(Limits::default_alias_size(text.len() as u64).max(64 << 10));
        Self { limit, rest: Budget::new(limit.0) }
    }

    /// Charges the size of a value that an alias adds. After an alias has exceeded the budget, all other aliases also
    /// exceed it.
    pub(super) fn spend(&self, size: u64) -> Result<(), ExceededLimit> {
        self.rest.spend(size).map_err(|_| {
            self.rest.drain(self.rest.remaining());
            ExceededLimit::AliasSize(self.limit)
        })
    }

    /// Whether an alias may have exceeded the budget.
    pub fn is_exhausted(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_alias_above_the_limit_exhausts_the_budget() {
        let limits = Limits { max_alias_size: Some(ByteSize(100)), ..Limits::default() };
        let budget = AliasBudget::new(&limits, 1 << 40);
        assert_eq!(budget.spend(60), Ok(()));
        assert!(!budget.is_exhausted());
        assert_eq!(budget.spend(41), Err(ExceededLimit::AliasSize(ByteSize(100))));
        assert!(budget.is_exhausted());
        assert!(budget.spend(1).is_err(), "the rest is not used");
    }

    #[test]
    fn larger_inputs_have_larger_alias_budgets() {
        for (bytes, expected) in [(0, 16 << 20), (1 << 20, 16 << 20), ((3 << 20) + 1, 49 << 20), (1 << 40, 16 << 30)] {
            assert_eq!(Limits::default().alias_size(bytes), ByteSize(expected), "{bytes}");
        }
    }
}
