use std::cell::RefCell;

use super::map::count;
use crate::target::agent::{Configuration, Gap};

/// The places for jobs in an outline. Their lines are counted when somebody asks: who walks over the jobs knows them already.
pub(super) struct Gaps<'c> {
    configuration: &'c Configuration<'c, 'c>,
    gaps: Vec<Gap>,
    /// Of the first gaps, the number of lines of all jobs up to the end of each.
    lines: RefCell<Vec<u32>>,
}

impl<'c> Gaps<'c> {
    pub(super) fn new(configuration: &'c Configuration<'c, 'c>, gaps: Vec<Gap>) -> Self {
        Self {
            configuration,
            gaps,
            lines: RefCell::default(),
        }
    }

    /// The place for the jobs of a list, by the number of its node.
    pub(super) fn of_list(&self, node: usize) -> Option<&Gap> {
        let number = self.gaps.binary_search_by_key(&node, |gap| gap.list).ok()?;
        self.gaps.get(number)
    }

    /// Takes note that the jobs of a place have so many lines.
    pub(super) fn note(&self, gap: &Gap, lines: u32) {
        let before = self.lines_before(gap.bytes.start);
        let mut known = self.lines.borrow_mut();
        if self.gaps.get(known.len()).is_some_and(|next| next.list == gap.list) {
            known.push(before + lines);
        }
    }

    /// Number of lines of the jobs in front of a byte of the outline.
    pub(super) fn lines_before(&self, at: usize) -> u32 {
        let places = self.gaps.partition_point(|gap| gap.bytes.end <= at);
        let mut known = self.lines.borrow_mut();
        for gap in self.gaps.get(known.len()..places).unwrap_or_default() {
            let mut lines = known.last().copied().unwrap_or_default();
            self.configuration
                .each_text(gap.instance, &mut |text| lines += count(text));
            known.push(lines);
        }
        places
            .checked_sub(1)
            .and_then(|last| known.get(last))
            .copied()
            .unwrap_or_default()
    }
}
