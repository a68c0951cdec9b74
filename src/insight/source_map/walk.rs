//! A walk over a configuration: its parts in the order of its text, each with the field that it comes from.

use std::ops::Range;
use std::rc::Rc;

use super::field::{Field, Fields};
use super::gaps::Gaps;
use super::map::{Passage, count};
use super::traced::Traced;
use crate::source::Sources;
use crate::target::agent::Source;
use crate::yaml::Step;

/// Passes on the parts of a configuration.
pub(super) struct Walk<'w, 'd> {
    pub(super) fields: Fields<'w, 'd>,
    pub(super) sources: &'d Sources,
    pub(super) pass: &'w mut dyn FnMut(Passage<'_, 'd>),
}

/// What is known of a part around others.
#[derive(Default)]
pub(super) struct Known<'d> {
    /// How many steps lead to it.
    pub(super) depth: usize,
    pub(super) field: Option<Rc<Field<'d>>>,
    /// Of a list: what the last item was made from.
    pub(super) last_made: Option<Rc<Field<'d>>>,
}

impl<'d> Walk<'_, 'd> {
    /// The field of a part, and whether it is worth a comment: that of its origin, or else what `refine` makes of the field around it.
    pub(super) fn field(
        &mut self,
        origin: Option<Source<'_>>,
        around: Option<&mut Known<'d>>,
        is_item: bool,
        refine: impl FnOnce(&Rc<Field<'d>>) -> Option<Rc<Field<'d>>>,
    ) -> (Option<Rc<Field<'d>>>, bool) {
        let made = origin.and_then(|origin| self.fields.of(&origin));
        match (&made, around) {
            (None, around) => (around.and_then(|around| refine(around.field.as_ref()?)), false),
            (Some(_), Some(list)) if is_item => {
                let is_news = list.last_made != made;
                list.last_made.clone_from(&made);
                (made, is_news)
            }
            (Some(_), around) => {
                let is_news = around.is_none_or(|around| around.field != made);
                (made, is_news)
            }
        }
    }

    /// Passes on a part at these bytes, and the way to it from `base`.
    pub(super) fn part(
        &mut self,
        lines: &mut Lines<'_>,
        bytes: &Range<usize>,
        (field, is_news): (&Field<'d>, bool),
        (base, path): (&str, &[Step<'_>]),
    ) {
        let indent = lines.advance(bytes.start);
        (self.pass)(Passage::Part(&Traced {
            line: lines.line(bytes.start),
            end_line: &|| lines.line(bytes.end),
            indent,
            is_news,
            field,
            base,
            path,
            sources: self.sources,
        }));
    }
}

/// A text among others.
pub(super) struct Lines<'w> {
    pub(super) text: &'w str,
    /// A place in it, and the number of its line, counted from the first one of all texts.
    at: (usize, u32),
    /// The places in it that are filled with others.
    pub(super) gaps: Option<&'w Gaps>,
}

impl<'w> Lines<'w> {
    /// A text with so many lines above it.
    pub(super) fn new(text: &'w str, above: u32, gaps: Option<&'w Gaps>) -> Self {
        let at = (0, above + 1);
        Self { text, at, gaps }
    }

    /// Goes on to a place. Returns how many characters stand in front of it on its line.
    fn advance(&mut self, to: usize) -> usize {
        let (from, line) = self.at;
        self.at = (to, line + self.breaks(from, to));
        let before = self.text.get(..to).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or(before).chars().count()
    }

    fn breaks(&self, from: usize, to: usize) -> u32 {
        self.text.get(from..to).map_or(0, count)
    }

    /// The line of a place that is not in front of the one that was advanced to.
    pub(super) fn line(&self, at: usize) -> u32 {
        let filled = self.gaps.map_or(0, |gaps| gaps.lines_before(at));
        let (from, line) = self.at;
        line + filled + self.breaks(from, at)
    }
}
