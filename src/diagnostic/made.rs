//! The number of findings that are made, for tests of what bounds them.

#[cfg(debug_assertions)]
use std::cell::Cell;

#[cfg(debug_assertions)]
thread_local! {
    static MADE: Cell<usize> = const { Cell::new(0) };
}

/// Counts a finding, or a broken rule that becomes one.
pub fn count() {
    #[cfg(debug_assertions)]
    MADE.set(MADE.get() + 1);
}

/// Number of findings that this thread has made; always 0 in a build without debug assertions.
pub fn made() -> usize {
    #[cfg(debug_assertions)]
    return MADE.get();
    #[cfg(not(debug_assertions))]
    0
}
