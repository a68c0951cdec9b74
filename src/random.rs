//! Reproducible pseudorandom numbers for tests.

/// A pseudorandom number generator (xorshift).
pub struct Random(u64);

impl Random {
    /// Creates a generator from a non-zero `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number less than `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
