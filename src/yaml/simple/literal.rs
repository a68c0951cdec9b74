//! Block scalars that start with `|`.

use std::borrow::Cow;

use granit_parser::ScalarStyle;

use super::Unknown;
use super::stream::Reader;

/// Which line breaks at the end belong to the text.
#[derive(Clone, Copy)]
enum Chomping {
    One,
    None,
    All,
}

/// What comes behind a line of text.
enum Next {
    /// So many line breaks, and then another line.
    Line(usize),
    /// So many line breaks, and then something else.
    End(usize),
}

impl Reader<'_> {
    /// The literal scalar here, in a collection whose parts start in this column. Its first line must not be blank, since
    /// it gives the indentation; the last line break is left to be read.
    pub fn literal(&mut self, column: usize) -> Result<(), Unknown> {
        let start = self.cursor.at;
        let chomping = self.chomping();
        if !self.cursor.is_at_rest() {
            return Err(Unknown);
        }
        self.cursor.skip_line();
        self.cursor.next_line();
        self.cursor.skip_spaces();
        let indentation = self.cursor.column();
        if indentation <= column || self.cursor.here() == b'\n' {
            return Err(Unknown);
        }
        let (text, end) = self.literal_text(indentation, chomping)?;
        self.scalar(Cow::Owned(text), ScalarStyle::Literal, start, end)
    }

    /// Reads the header, as far as the simple style has it.
    fn chomping(&mut self) -> Chomping {
        let (chomping, length) = match self.cursor.byte(self.cursor.at + 1) {
            b'-' => (Chomping::None, 2),
            b'+' => (Chomping::All, 2),
            _ => (Chomping::One, 1),
        };
        self.cursor.at += length;
        chomping
    }

    /// The text from the first line on, and where it ends: behind what is no white space.
    fn literal_text(&mut self, indentation: usize, chomping: Chomping) -> Result<(String, usize), Unknown> {
        let mut text = String::new();
        let mut end = self.cursor.at;
        loop {
            let start = self.cursor.at;
            self.cursor.skip_line();
            let line = self.cursor.slice(start, self.cursor.at)?;
            text.push_str(line);
            if !line.trim_end().is_empty() {
                end = start + line.trim_end().len();
            }
            match self.next_literal_line(indentation)? {
                Next::Line(breaks) => text.extend(std::iter::repeat_n('\n', breaks)),
                Next::End(breaks) => {
                    let breaks = match chomping {
                        Chomping::One => 1,
                        Chomping::None => 0,
                        Chomping::All => breaks,
                    };
                    text.extend(std::iter::repeat_n('\n', breaks));
                    return Ok((text, end));
                }
            }
        }
    }

    /// Goes from the end of a line to the text of the next one, or to the last line break in front of something else.
    fn next_literal_line(&mut self, indentation: usize) -> Result<Next, Unknown> {
        let mut breaks = 1;
        loop {
            if self.cursor.is_at_end() {
                return Err(Unknown);
            }
            let mut next = self.cursor;
            next.next_line();
            next.skip_spaces();
            match next.here() {
                // Spaces beyond the indentation are text.
                b'\n' if next.column() > indentation => return Err(Unknown),
                b'\n' if !next.is_at_end() => breaks += 1,
                b'\n' if next.column() > 0 => return Err(Unknown),
                _ if next.column() < indentation => return Ok(Next::End(breaks)),
                _ => {
                    next.go_to_column(indentation);
                    self.cursor = next;
                    return Ok(Next::Line(breaks));
                }
            }
            self.cursor = next;
        }
    }
}
