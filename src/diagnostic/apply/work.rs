//! The work that trying fixes may take.

use crate::source::Sources;

/// Maximum number of rounds, each of which reads and checks all of the input: what is mended can show more that can be.
const ROUNDS: usize = 40;

/// The rounds that are left.
#[derive(Debug)]
pub(super) struct Work(usize);

impl Work {
    /// The work that applying fixes may take.
    pub(super) fn to_fix(sources: &Sources) -> Self {
        Self::new(sources, 256 << 10)
    }

    /// The work that trying the fixes of a report may take. That the report itself takes a third of it is a promise.
    pub(super) fn to_try(sources: &Sources) -> Self {
        Self::new(sources, 64 << 10)
    }

    /// Two rounds, and more as long as they read so many bytes.
    fn new(sources: &Sources, bytes: usize) -> Self {
        let size: usize = sources.iter().map(|(_, source)| source.text.len()).sum();
        Self((bytes / size.max(1)).clamp(2, ROUNDS))
    }

    /// Takes one round; false if there is none left.
    pub(super) fn take(&mut self) -> bool {
        let has_any = self.0 > 0;
        self.0 -= usize::from(has_any);
        has_any
    }

    /// Number of rounds that are left.
    pub(super) fn left(&self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn large_inputs_have_two_rounds() {
        let rounds = |size: usize| {
            let mut sources = Sources::default();
            sources.add(Source::new("x.yaml", "#".repeat(size), true));
            [Work::to_try(&sources), Work::to_fix(&sources)].map(|mut work| {
                let left = work.left();
                assert_eq!((0..100).filter(|_| work.take()).count(), left);
                left
            })
        };
        let expected = [
            (0, [40, 40]),
            (4 << 10, [16, 40]),
            (30 << 10, [2, 8]),
            (1 << 20, [2, 2]),
        ];
        for (size, expected) in expected {
            assert_eq!(rounds(size), expected, "{size}");
        }
    }
}
