//! Keys, scalars on a single line, and literal block scalars.

use std::borrow::Cow;

use crate::yaml::event::ScalarStyle;

use super::Reader;
use super::cursor::NotSimple;

/// Maximum length of a key in bytes. It is less than the parser's limit, so characters need not be counted.
pub(super) const KEY_BYTES: usize = 1000;

impl Reader<'_, '_> {
    /// Whether the cursor is at a key that is followed by a colon.
    pub fn is_at_key(&self) -> bool {
        self.key_end().is_ok()
    }

    /// Reads the key at the cursor, up to its colon.
    pub fn read_key(&mut self) -> Result<(), NotSimple> {
        let end = self.key_end()?;
        match self.cursor.current_byte() {
            b'"' | b'\'' => self.read_quoted(),
            _ => self.read_plain_to(end),
        }
    }

    /// Returns the end of the key at the cursor, which must be followed by a colon and a blank.
    fn key_end(&self) -> Result<usize, NotSimple> {
        let start = self.cursor.at;
        let end = match self.cursor.current_byte() {
            b'"' | b'\'' => self.quoted_end()?,
            first if starts_key(first) => self.find_end(is_in_key),
            _ => return Err(NotSimple),
        };
        let has_colon = self.cursor.byte(end) == b':' && self.cursor.is_blank(end + 1);
        (has_colon && end - start <= KEY_BYTES).then_some(end).ok_or(NotSimple)
    }

    /// Reads the quoted scalar at the cursor.
    pub fn read_quoted(&mut self) -> Result<(), NotSimple> {
        let (start, end) = (self.cursor.at, self.quoted_end()?);
        let style = match self.cursor.current_byte() {
            b'"' => ScalarStyle::DoubleQuoted,
            _ => ScalarStyle::SingleQuoted,
        };
        let text = self.cursor.slice(start + 1, end - 1)?;
        self.cursor.at = end;
        self.push_scalar(Cow::Borrowed(text), style, start, end);
        Ok(())
    }

    /// Returns the end of the quoted scalar at the cursor. Escapes and line breaks are not supported.
    fn quoted_end(&self) -> Result<usize, NotSimple> {
        let quote = self.cursor.current_byte();
        let mut end = self.cursor.at + 1;
        loop {
            match self.cursor.byte(end) {
                b'\n' => return Err(NotSimple),
                b'\\' if quote == b'"' => return Err(NotSimple),
                byte if byte == quote => break,
                _ => end += 1,
            }
        }
        let is_doubled = quote == b'\'' && self.cursor.byte(end + 1) == quote;
        if is_doubled { Err(NotSimple) } else { Ok(end + 1) }
    }

    /// Reads the plain scalar at the cursor, which ends at the end of the line or before a comment.
    pub fn read_plain(&mut self) -> Result<(), NotSimple> {
        let start = self.cursor.at;
        if !starts_plain(self.cursor.current_byte(), self.cursor.byte(start + 1)) {
            return Err(NotSimple);
        }
        let mut end = start;
        let mut offset = start;
        loop {
            match self.cursor.byte(offset) {
                b'\n' => break,
                b' ' if self.cursor.byte(offset + 1) == b'#' => break,
                b':' if self.cursor.is_blank(offset + 1) => return Err(NotSimple),
                b' ' => {}
                _ => end = offset + 1,
            }
            offset += 1;
        }
        self.read_plain_to(end)
    }

    /// Reads the text up to `end` as a plain scalar.
    pub fn read_plain_to(&mut self, end: usize) -> Result<(), NotSimple> {
        let start = self.cursor.at;
        let text = self.cursor.slice(start, end)?;
        self.cursor.at = end;
        self.push_scalar(Cow::Borrowed(text), ScalarStyle::Plain, start, end);
        Ok(())
    }

    /// Returns the end of the run of bytes, starting at the cursor, for which `is_included` returns true.
    pub fn find_end(&self, is_included: fn(u8) -> bool) -> usize {
        let mut end = self.cursor.at;
        while is_included(self.cursor.byte(end)) {
            end += 1;
        }
        end
    }
}

/// Whether a key may start with a byte. Keys include field names, labels and ConfigMap keys.
fn starts_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'$')
}

fn is_in_key(byte: u8) -> bool {
    starts_key(byte) || matches!(byte, b'-' | b'.')
}

fn starts_plain(first: u8, second: u8) -> bool {
    match first {
        b'-' => !matches!(second, b' ' | b'\n'),
        b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"'
        | b'%' | b'@' | b'`' | b' ' | b'\n' => false,
        _ => true,
    }
}

/// Content that follows a line of a literal.
enum NextLine {
    /// Another line, after this number of line breaks.
    Line(usize),
    /// Any other content or the end of the text, after this number of line breaks.
    End(usize),
}

impl Reader<'_, '_> {
    /// Reads the literal block scalar at the cursor, in a collection whose parts start in `column`. The literal's first
    /// line must not be blank, because it determines the indentation. The last line break is not consumed.
    pub fn read_literal(&mut self, column: usize) -> Result<(), NotSimple> {
        let start = self.cursor.at;
        let chomping = self.cursor.byte(start + 1);
        self.cursor.at += if matches!(chomping, b'-' | b'+') { 2 } else { 1 };
        if !self.cursor.is_blank_or_comment() {
            return Err(NotSimple);
        }
        self.cursor.skip_line();
        self.cursor.next_line();
        self.cursor.skip_spaces();
        let indentation = self.cursor.column();
        if indentation <= column || self.cursor.current_byte() == b'\n' {
            return Err(NotSimple);
        }
        let (text, end) = self.read_literal_text(indentation, chomping)?;
        self.push_scalar(Cow::Owned(text), ScalarStyle::Literal, start, end);
        Ok(())
    }

    /// Reads the text, starting at its first line. Returns the text and the end of its content, excluding trailing
    /// white space.
    fn read_literal_text(&mut self, indentation: usize, chomping: u8) -> Result<(String, usize), NotSimple> {
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
            match self.move_to_literal_line(indentation)? {
                NextLine::Line(breaks) => text.extend(std::iter::repeat_n('\n', breaks)),
                NextLine::End(breaks) => {
                    let breaks = match chomping {
                        b'-' => 0,
                        b'+' => breaks,
                        _ => 1,
                    };
                    text.extend(std::iter::repeat_n('\n', breaks));
                    return Ok((text, end));
                }
            }
        }
    }

    /// Moves from the end of a line to the text of the next line, or to the last line break if the literal does not
    /// continue.
    fn move_to_literal_line(&mut self, indentation: usize) -> Result<NextLine, NotSimple> {
        let mut breaks = 1;
        loop {
            if self.cursor.is_at_end() {
                return Err(NotSimple);
            }
            let mut next_cursor = self.cursor;
            next_cursor.next_line();
            next_cursor.skip_spaces();
            match next_cursor.current_byte() {
                // Any spaces beyond the indentation are part of the text.
                b'\n' if next_cursor.column() > indentation => return Err(NotSimple),
                b'\n' if !next_cursor.is_at_end() => breaks += 1,
                b'\n' if next_cursor.column() > 0 => return Err(NotSimple),
                _ if next_cursor.column() < indentation => return Ok(NextLine::End(breaks)),
                _ => {
                    next_cursor.go_to_column(indentation);
                    self.cursor = next_cursor;
                    return Ok(NextLine::Line(breaks));
                }
            }
            self.cursor = next_cursor;
        }
    }
}
