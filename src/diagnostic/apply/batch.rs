//! Batches of fixes that are tried together.

use std::collections::{BTreeMap, HashMap};

use super::candidate::FixCandidate;
use crate::diagnostic::{Edit, apply_edits};
use crate::source::{SourceId, Sources};

/// Fixes that can be applied together.
#[derive(Default)]
pub(super) struct FixBatch<'c> {
    edits: DisjointEdits<'c>,
    pub(super) fixed: Vec<&'c FixCandidate>,
}

impl<'c> FixBatch<'c> {
    /// Adds a fix, unless it overlaps with one that is already in the batch.
    pub(super) fn add(&mut self, candidate: &'c FixCandidate) {
        if self.edits.add(&candidate.edits) {
            self.fixed.push(candidate);
        }
    }

    /// Returns the changed sources with their new text.
    pub(super) fn texts(&self, sources: &Sources) -> HashMap<SourceId, String> {
        self.edits.texts(sources)
    }
}

/// Edits of the fixes accepted so far. A fix is rejected if any of its edits overlaps with them.
#[derive(Default)]
pub struct DisjointEdits<'e> {
    /// Edits by start position, at most one per position.
    edits: BTreeMap<(SourceId, u32), &'e Edit>,
}

impl<'e> DisjointEdits<'e> {
    /// Adds all edits of a fix, unless one of them overlaps with an earlier edit. Returns whether they were added.
    pub fn add(&mut self, edits: &'e [Edit]) -> bool {
        let is_free = edits.iter().all(|edit| self.is_free(edit));
        if is_free {
            self.edits.extend(edits.iter().map(|edit| ((edit.span.source, edit.span.start), edit)));
        }
        is_free
    }

    fn is_free(&self, edit: &Edit) -> bool {
        let (source, start, end) = (edit.span.source, edit.span.start, edit.span.end);
        let mut before = self.edits.range(..(source, start)).rev();
        let is_clear = before.next().is_none_or(|(&(other, _), before)| other != source || before.span.end <= start);
        is_clear && self.edits.range((source, start)..(source, end.max(start + 1))).next().is_none()
    }

    /// Returns the changed sources with their new text.
    pub fn texts(&self, sources: &Sources) -> HashMap<SourceId, String> {
        let mut by_source: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
        for edit in self.edits.values() {
            by_source.entry(edit.span.source).or_default().push(edit);
        }
        let texts = by_source.into_iter().filter_map(|(id, edits)| {
            let text = &sources.get(id)?.text;
            let new = apply_edits(text, edits)?;
            (new != *text).then_some((id, new))
        });
        texts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Span};

    #[test]
    fn batches_fixes_that_do_not_overlap() {
        let mut sources = Sources::default();
        let [id, other] = ["a", "b"].map(|name| sources.add(Source::new(name, "", true)));
        let edit = |source, start, end| Edit::replace(Span::new(source, start, end), "");
        for (span, expected) in [
            ((id, 0, 9), true),
            ((id, 0, 10), true),
            ((id, 0, 11), false),
            ((id, 10, 10), false),
            ((id, 10, 20), false),
            ((id, 12, 13), false),
            ((id, 19, 25), false),
            ((id, 20, 20), true),
            ((id, 20, 30), true),
            ((id, 20, 31), false),
            ((id, 30, 30), false),
            ((id, 31, 32), true),
            ((other, 12, 13), true),
        ] {
            let (source, start, end) = span;
            let edits = [edit(id, 10, 20), edit(id, 30, 30), edit(source, start, end)];
            let mut round = DisjointEdits::default();
            assert!(round.add(&edits[..2]));
            assert_eq!(round.add(&edits[2..]), expected, "{start} {end}");
            assert_eq!(round.edits.len(), 2 + usize::from(expected));
        }
    }
}
