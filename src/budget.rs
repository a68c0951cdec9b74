//! Counter for work and output that are limited in total.

use std::sync::atomic::{AtomicU64, Ordering};

/// Remaining part of a limit, in units that its owner defines. Threads may share it.
#[derive(Debug)]
pub struct Budget(AtomicU64);

/// Error for an amount that exceeds what is left of a budget.
#[derive(Debug, PartialEq, Eq)]
pub struct Exhausted;

impl Budget {
    /// Creates a budget with the full limit.
    pub const fn new(limit: u64) -> Self {
        Self(AtomicU64::new(limit))
    }

    /// Returns what is left.
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.left() == 0
    }

    /// Subtracts `amount`.
    ///
    /// # Errors
    ///
    /// Fails, and subtracts nothing, if less is left. Whether this happens to threads that share a budget depends only
    /// on the total, not on their order.
    pub fn spend(&self, amount: u64) -> Result<(), Exhausted> {
        let rest = |left: u64| left.checked_sub(amount);
        let spent = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        spent.map(drop).map_err(|_| Exhausted)
    }

    /// Subtracts `amount`, or all that is left.
    pub fn drain(&self, amount: u64) {
        if self.spend(amount).is_err() {
            self.0.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spends_all_or_nothing() {
        let budget = Budget::new(5);
        assert_eq!((budget.spend(3), budget.left()), (Ok(()), 2));
        assert_eq!((budget.spend(3), budget.left()), (Err(Exhausted), 2));
        assert_eq!((budget.spend(2), budget.is_empty()), (Ok(()), true));
        assert_eq!((budget.spend(0), budget.spend(1)), (Ok(()), Err(Exhausted)));
    }

    #[test]
    fn drains_at_most_what_is_left() {
        let budget = Budget::new(5);
        budget.drain(4);
        assert_eq!(budget.left(), 1);
        budget.drain(u64::MAX);
        assert!(budget.is_empty());
    }
}
