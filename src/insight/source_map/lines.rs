//! Line numbers in text that contains slots for jobs. The number of lines in a slot is not known until the traversal
//! reaches the slot.

use memchr::memchr_iter;

use crate::output::agent::JobsSlot;

/// Line index for one text in a sequence of texts.
pub(super) struct SequenceLines<'w> {
    pub(super) text: &'w str,
    /// Line number of the first line, counted from the start of the sequence.
    first: u32,
    /// Offsets of the line breaks.
    breaks: Vec<usize>,
    slots: Vec<JobsSlot>,
    /// Total number of job lines up to the end of each slot filled so far.
    filled: Vec<u32>,
    /// End offsets of the parts whose last line was unknown when they were visited.
    open: Vec<usize>,
}

impl<'w> SequenceLines<'w> {
    /// Creates the index for `text`, which starts `above` lines after the start of the sequence.
    pub(super) fn new(text: &'w str, above: u32, slots: Vec<JobsSlot>) -> Self {
        let line_breaks = memchr_iter(b'\n', text.as_bytes());
        let mut breaks = Vec::with_capacity(line_breaks.clone().count());
        breaks.extend(line_breaks);
        Self { text, first: above + 1, breaks, slots, filled: Vec::new(), open: Vec::new() }
    }

    /// Returns the number of line breaks in the text.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.breaks.len()).unwrap_or(u32::MAX)
    }

    /// Returns the number of lines that end before offset `at`.
    fn count_before(&self, at: usize) -> usize {
        self.breaks.partition_point(|end| *end < at)
    }

    /// Returns the number of characters that precede offset `at` on its line.
    pub(super) fn indent(&self, at: usize) -> usize {
        let line_before = self.count_before(at).checked_sub(1).and_then(|last| self.breaks.get(last));
        let start = line_before.map_or(0, |end| end + 1);
        self.text.get(start..at).map_or(0, |before| before.chars().count())
    }

    /// Returns the number of the line that contains offset `at`.
    pub(super) fn line(&self, at: usize) -> u32 {
        let slots = self.slots.partition_point(|slot| slot.bytes.end <= at).min(self.filled.len());
        let filled_lines = slots.checked_sub(1).and_then(|last| self.filled.get(last));
        self.first
            + filled_lines.copied().unwrap_or_default()
            + u32::try_from(self.count_before(at)).unwrap_or(u32::MAX)
    }

    /// Whether the last line of a part that ends at `at` is still unknown. If so, [`SequenceLines::ends`] will include
    /// it.
    pub(super) fn has_open_end(&mut self, at: usize) -> bool {
        let is_open = self.next_slot().is_some_and(|slot| slot.bytes.start < at);
        self.open.extend(is_open.then_some(at));
        is_open
    }

    /// Returns the first unfilled slot.
    pub(super) fn next_slot(&self) -> Option<&JobsSlot> {
        self.slots.get(self.filled.len())
    }

    /// Fills the next slot with the given number of lines.
    pub(super) fn fill(&mut self, lines: u32) {
        self.filled.push(self.filled.last().copied().unwrap_or_default() + lines);
    }

    /// Returns the last line of each part whose end was unknown, in order.
    pub(super) fn ends(&self) -> impl Iterator<Item = u32> {
        self.open.iter().map(|at| self.line(*at))
    }
}
