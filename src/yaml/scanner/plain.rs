//! Scanning of plain scalars.

use std::borrow::Cow;

use super::{ScanResult, Scanner, TokenKind};
use crate::yaml::event::ScalarStyle;
use crate::yaml::syntax_error::Mistake;

impl Scanner<'_> {
    pub(super) fn fetch_plain(&mut self) -> ScanResult<()> {
        self.save_key()?;
        self.may_start_key = false;
        let start = self.cursor.at;
        let min_column = self.indent.map_or(0, |indent| indent + 1);
        let mut folded = String::new();
        // Range of the text since the last line break.
        let (mut line, mut end) = (start, start);
        let mut breaks = 0;
        while !self.cursor.is_at_any_marker() && self.cursor.current_byte() != b'#' {
            let word = self.cursor.at;
            self.skip_word();
            if self.cursor.at > word {
                if breaks > 0 {
                    folded.push_str(self.cursor.slice(line, end));
                    push_folded(&mut folded, breaks);
                    (line, breaks) = (word, 0);
                }
                end = self.cursor.at;
            }
            if !self.cursor.is_at_blank() && !self.cursor.is_break(self.cursor.at) {
                break;
            }
            breaks = self.skip_white_space(breaks, min_column)?;
            if !self.is_in_brackets() && self.cursor.column() < min_column {
                break;
            }
        }
        self.may_start_key |= breaks > 0;
        let text = match folded.is_empty() {
            true => Cow::Borrowed(self.cursor.slice(start, end)),
            false => Cow::Owned(folded + self.cursor.slice(line, end)),
        };
        self.push(TokenKind::Scalar(text, ScalarStyle::Plain), start, end);
        Ok(())
    }

    /// Moves to the next blank, or to an indicator that ends the scalar.
    fn skip_word(&mut self) {
        let in_brackets = self.is_in_brackets();
        loop {
            match self.cursor.current_byte() {
                b' ' | b'\t' | b'\n' | b'\r' | 0 => return,
                b':' if self.cursor.is_blank_or_end(self.cursor.at + 1) => return,
                b',' | b'?' | b'[' | b']' | b'{' | b'}' if in_brackets => return,
                _ => self.cursor.at += 1,
            }
        }
    }

    /// Skips blanks and line breaks. Returns `breaks` plus the number of skipped line breaks.
    fn skip_white_space(&mut self, mut breaks: usize, min_column: usize) -> ScanResult<usize> {
        loop {
            if self.cursor.is_at_blank() {
                let is_tab = self.cursor.current_byte() == b'\t';
                if is_tab && breaks > 0 && self.cursor.column() < min_column {
                    return self.error(Mistake::Tab);
                }
                self.cursor.at += 1;
            } else if self.cursor.skip_break() {
                breaks += 1;
            } else {
                return Ok(breaks);
            }
        }
    }
}

/// Adds the folded form of the line breaks between two words: one line break becomes a space, and n line breaks become
/// n - 1 line feeds.
pub(super) fn push_folded(text: &mut String, breaks: usize) {
    match breaks {
        0 => {}
        1 => text.push(' '),
        _ => text.extend(std::iter::repeat_n('\n', breaks - 1)),
    }
}
