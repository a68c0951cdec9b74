//! Budgets, which limit the total amount of work or output.

use std::sync::atomic::{AtomicU64, Ordering};

/// Remaining amount of a limit, in units chosen by the budget's owner. Threads can share a budget.
#[derive(Debug)]
pub struct Budget(AtomicU64);

/// A clone starts with the remaining amount and is spent separately.
impl Clone for Budget {
    fn clone(&self) -> Self {
        Self::new(self.remaining())
    }
}

/// Error for an amount that exceeds the remaining budget.
#[derive(Debug, PartialEq, Eq)]
pub struct BudgetExhausted;

impl Budget {
    /// Creates a budget with the full limit.
    pub const fn new(limit: u64) -> Self {
        Self(AtomicU64::new(limit))
    }

    /// Returns the remaining amount.
    pub fn remaining(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the budget is used up.
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// Subtracts `amount`.
    ///
    /// # Errors
    ///
    /// Fails without subtracting anything if less than `amount` is left. If threads share a budget, whether any of them
    /// fails depends only on the total amount they subtract, not on their order.
    pub fn spend(&self, amount: u64) -> Result<(), BudgetExhausted> {
        let subtract = |left: u64| left.checked_sub(amount);
        let spent = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract);
        spent.map(drop).map_err(|_| BudgetExhausted)
    }

    /// Subtracts `amount`, or the entire remainder if less is left.
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
        assert_eq!((budget.spend(3), budget.remaining()), (Ok(()), 2));
        assert_eq!((budget.spend(3), budget.remaining()), (Err(BudgetExhausted), 2));
        assert_eq!((budget.spend(2), budget.is_empty()), (Ok(()), true));
        assert_eq!((budget.spend(0), budget.spend(1)), (Ok(()), Err(BudgetExhausted)));
    }

    #[test]
    fn drains_at_most_the_remaining_budget() {
        let budget = Budget::new(5);
        budget.drain(4);
        assert_eq!(budget.remaining(), 1);
        budget.drain(u64::MAX);
        assert!(budget.is_empty());
    }

    #[test]
    fn copies_have_separate_budgets() {
        let budget = Budget::new(5);
        budget.drain(2);
        let copy = budget.clone();
        copy.drain(1);
        assert_eq!((budget.remaining(), copy.remaining()), (3, 2));
    }
}
