//! Numbers for tests that look random and are the same in each run.

/// A generator of numbers (xorshift).
pub struct Random(u64);

impl Random {
    /// The generator that starts from `seed`, which is not 0.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below another.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    /// One of some items.
    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
