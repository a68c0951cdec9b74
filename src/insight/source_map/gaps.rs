use super::map::count;
use crate::target::agent::{Configuration, Gap};

/// The places for jobs in an outline, each with the number of lines of all jobs up to its end.
pub(super) struct Gaps(Vec<(Gap, u32)>);

impl Gaps {
    pub(super) fn new(configuration: &Configuration<'_, '_>, gaps: Vec<Gap>) -> Self {
        let mut lines = 0;
        let gaps = gaps.into_iter().map(|gap| {
            configuration.each_text(gap.instance, &mut |text| lines += count(text));
            (gap, lines)
        });
        Self(gaps.collect())
    }

    /// The place for the jobs of a list, by the number of its node.
    pub(super) fn of_list(&self, node: usize) -> Option<&Gap> {
        let number = self.0.binary_search_by_key(&node, |(gap, _)| gap.list).ok()?;
        self.0.get(number).map(|(gap, _)| gap)
    }

    /// Number of lines of the jobs in front of a byte of the outline.
    pub(super) fn lines_before(&self, at: usize) -> u32 {
        let places = self.0.partition_point(|(gap, _)| gap.bytes.end <= at);
        let last = places.checked_sub(1).and_then(|last| self.0.get(last));
        last.map_or(0, |(_, lines)| *lines)
    }
}
