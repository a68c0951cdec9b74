//! The numbers of lines of a text with places for jobs, whose lines are known once they are walked over.

use memchr::memchr_iter;

use crate::output::agent::Gap;

/// A text among others.
pub(super) struct Lines<'w> {
    pub(super) text: &'w str,
    /// The number of its first line, counted from the first one of all texts.
    first: u32,
    /// Where its lines end.
    breaks: Vec<usize>,
    /// The places in it for jobs.
    gaps: Vec<Gap>,
    /// Of the first of them, the number of lines of all jobs up to the end of each.
    filled: Vec<u32>,
    /// The ends of parts that have jobs in them whose lines were not known.
    open: Vec<usize>,
}

impl<'w> Lines<'w> {
    /// A text with so many lines above it.
    pub(super) fn new(text: &'w str, above: u32, gaps: Vec<Gap>) -> Self {
        Self {
            text,
            first: above + 1,
            breaks: memchr_iter(b'\n', text.as_bytes()).collect(),
            gaps,
            filled: Vec::new(),
            open: Vec::new(),
        }
    }

    /// How many lines end in front of a place.
    fn before(&self, at: usize) -> usize {
        self.breaks.partition_point(|end| *end < at)
    }

    /// How many characters stand in front of a place on its line.
    pub(super) fn indent(&self, at: usize) -> usize {
        let line_before = self.before(at).checked_sub(1).and_then(|last| self.breaks.get(last));
        let start = line_before.map_or(0, |end| end + 1);
        self.text.get(start..at).map_or(0, |before| before.chars().count())
    }

    /// The line of a place.
    pub(super) fn line(&self, at: usize) -> u32 {
        let gaps = self
            .gaps
            .partition_point(|gap| gap.bytes.end <= at)
            .min(self.filled.len());
        let filled = gaps.checked_sub(1).and_then(|last| self.filled.get(last));
        self.first + filled.copied().unwrap_or_default() + u32::try_from(self.before(at)).unwrap_or(u32::MAX)
    }

    /// Whether the line of the end of a part is not known yet; then it is one of [`Lines::ends`].
    pub(super) fn has_open_end(&mut self, at: usize) -> bool {
        let is_open = self.next_gap().is_some_and(|gap| gap.bytes.start < at);
        self.open.extend(is_open.then_some(at));
        is_open
    }

    /// The first place that is not filled.
    pub(super) fn next_gap(&self) -> Option<&Gap> {
        self.gaps.get(self.filled.len())
    }

    /// Fills the first place that is not, with so many lines.
    pub(super) fn fill(&mut self, lines: u32) {
        self.filled
            .push(self.filled.last().copied().unwrap_or_default() + lines);
    }

    /// The last lines of the parts of which they were not known, in their order.
    pub(super) fn ends(&self) -> impl Iterator<Item = u32> {
        self.open.iter().map(|at| self.line(*at))
    }
}
