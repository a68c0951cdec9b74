//! Lists whose items are made while they are written.

use super::block::{Place, Writer};
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

impl Writer<'_, '_> {
    /// Writes the list of a number, unless it is empty.
    pub(super) fn later(&mut self, number: usize, place: Place, indent: usize) -> bool {
        let Some(turn) = self.turn.take() else { return false };
        let indent = self.sequence_indent(place, indent);
        let mut is_empty = true;
        (turn.items)(number, &mut |item| {
            let mut writer = Writer::new(self.out, self.style);
            writer.line_start = self.line_start;
            writer.item(item, is_empty && place != Place::Value, indent);
            self.line_start = writer.line_start;
            is_empty = false;
            self.pass_on(turn.piece);
        });
        self.turn = Some(turn);
        !is_empty
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
