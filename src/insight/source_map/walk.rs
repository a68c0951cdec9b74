//! A walk over a configuration: its parts in the order of its text, each with the field that it comes from.

use std::ops::Range;
use std::rc::Rc;

use memchr::memchr_iter;

use super::field::Field;
use super::gaps::Gaps;
use super::map::Passage;
use super::traced::Traced;
use crate::insight::catalogue::Catalogue;
use crate::plan::ConfigKind;
use crate::source::Sources;
use crate::target::agent::Source;
use crate::yaml::Step;

/// Passes on the parts of a configuration.
pub(super) struct Walk<'w, 'd> {
    pub(super) catalogue: &'w Catalogue<'w, 'd>,
    pub(super) sources: &'d Sources,
    pub(super) part: ConfigKind,
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
        let made = origin
            .and_then(|origin| Field::of(&origin, self.catalogue))
            .map(Rc::new);
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
        lines: &Lines<'_>,
        bytes: &Range<usize>,
        (field, is_news): (&Field<'d>, bool),
        (base, path): (&str, &[Step<'_>]),
    ) {
        (self.pass)(Passage::Part(&Traced {
            line: lines.line(bytes.start),
            end_line: Some(&|| lines.line(bytes.end)),
            indent: lines.indent(bytes.start),
            is_news,
            field,
            base,
            path,
            sources: self.sources,
            part: self.part,
        }));
    }
}

/// A text among others.
pub(super) struct Lines<'w> {
    pub(super) text: &'w str,
    /// The number of its first line, counted from the first one of all texts.
    first: u32,
    /// Where its lines end.
    breaks: Vec<usize>,
    /// The places in it that are filled with others.
    pub(super) gaps: Option<&'w Gaps<'w>>,
}

impl<'w> Lines<'w> {
    /// A text with so many lines above it.
    pub(super) fn new(text: &'w str, above: u32, gaps: Option<&'w Gaps<'w>>) -> Self {
        Self {
            text,
            first: above + 1,
            breaks: memchr_iter(b'\n', text.as_bytes()).collect(),
            gaps,
        }
    }

    /// How many lines end in front of a place.
    fn before(&self, at: usize) -> usize {
        self.breaks.partition_point(|end| *end < at)
    }

    /// How many characters stand in front of a place on its line.
    fn indent(&self, at: usize) -> usize {
        let line_before = self.before(at).checked_sub(1).and_then(|last| self.breaks.get(last));
        let start = line_before.map_or(0, |end| end + 1);
        self.text.get(start..at).map_or(0, |before| before.chars().count())
    }

    /// The line of a place.
    pub(super) fn line(&self, at: usize) -> u32 {
        let filled = self.gaps.map_or(0, |gaps| gaps.lines_before(at));
        self.first + filled + u32::try_from(self.before(at)).unwrap_or(u32::MAX)
    }
}
