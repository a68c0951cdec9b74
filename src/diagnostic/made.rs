//! Counter for created findings, used to test limits.

#[cfg(debug_assertions)]
use std::cell::Cell;

#[cfg(debug_assertions)]
thread_local! {
    static MADE: Cell<usize> = const { Cell::new(0) };
}

/// Counts a created finding, or a created violation that becomes a finding.
pub fn count() {
    #[cfg(debug_assertions)]
    MADE.set(MADE.get() + 1);
}

/// Returns the number of findings created by this thread, or 0 without debug assertions.
pub fn created_count() -> usize {
    #[cfg(debug_assertions)]
    return MADE.get();
    #[cfg(not(debug_assertions))]
    0
}
