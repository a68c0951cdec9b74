//! Lists whose items are made while they are written.

use super::block::{Place, Writer};
use super::layout::Observer;
use crate::yaml::Value;

/// Text is passed on once there is so much of it.
const PIECE: usize = 1 << 16;

/// Passes the items of the list of a number on, one by one.
pub type Items<'o> = dyn Fn(usize, &mut dyn FnMut(&Value<'_>)) + 'o;

/// Where items come from and where text goes to.
pub(super) struct Turn<'o> {
    /// Passes on the items of the list of a number.
    pub(super) items: &'o Items<'o>,
    /// Takes whole lines.
    pub(super) piece: &'o mut dyn FnMut(&str),
}

impl<'v, O: Observer<'v>> Writer<'_, 'v, O> {
    /// Writes the list of a number, unless it is empty. Its items are not observed: they do not last.
    pub(super) fn later(&mut self, number: usize, place: Place, indent: usize) -> bool {
        let Some(turn) = self.turn.take() else { return false };
        let indent = self.sequence_indent(place, indent);
        let mut written = 0;
        (turn.items)(number, &mut |item| {
            let mut unobserved = ();
            let mut writer = Writer::new(self.out, self.style, &mut unobserved);
            writer.line_start = self.line_start;
            writer.item(written, item, place, indent);
            self.line_start = writer.line_start;
            written += 1;
            self.pass_on(turn.piece);
        });
        self.turn = Some(turn);
        written > 0
    }

    /// Passes on the lines that are finished, where there are many.
    fn pass_on(&mut self, piece: &mut dyn FnMut(&str)) {
        if self.line_start < PIECE {
            return;
        }
        piece(self.out.get(..self.line_start).unwrap_or_default());
        self.out.drain(..self.line_start);
        self.line_start = 0;
    }
}
