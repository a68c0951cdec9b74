//! Keys, and scalars that stand on one line.

use std::borrow::Cow;

use granit_parser::ScalarStyle;

use super::Unknown;
use super::stream::Reader;

/// The library takes no longer keys.
const KEY_BYTES: usize = 1000;

impl Reader<'_> {
    /// Whether a key and its colon stand here.
    pub fn is_at_key(&self) -> bool {
        self.key_end().is_ok()
    }

    /// Reads the key here, up to its colon.
    pub fn key(&mut self) -> Result<(), Unknown> {
        let end = self.key_end()?;
        match self.cursor.here() {
            b'"' | b'\'' => self.quoted(),
            _ => self.plain_to(end),
        }
    }

    /// Where the key here ends, which a colon and a blank must follow.
    fn key_end(&self) -> Result<usize, Unknown> {
        let start = self.cursor.at;
        let end = match self.cursor.here() {
            b'"' | b'\'' => self.quoted_end()?,
            first if starts_key(first) => self.end_of(is_in_key),
            _ => return Err(Unknown),
        };
        let has_colon = self.cursor.byte(end) == b':' && self.cursor.is_blank(end + 1);
        (has_colon && end - start <= KEY_BYTES).then_some(end).ok_or(Unknown)
    }

    /// Reads the quoted scalar here.
    pub fn quoted(&mut self) -> Result<(), Unknown> {
        let (start, end) = (self.cursor.at, self.quoted_end()?);
        let style = match self.cursor.here() {
            b'"' => ScalarStyle::DoubleQuoted,
            _ => ScalarStyle::SingleQuoted,
        };
        let text = self.cursor.slice(start + 1, end - 1)?;
        self.cursor.at = end;
        self.scalar(Cow::Borrowed(text), style, start, end)
    }

    /// Where the quoted scalar here ends; one with an escape or a line break is not known.
    fn quoted_end(&self) -> Result<usize, Unknown> {
        let quote = self.cursor.here();
        let mut end = self.cursor.at + 1;
        loop {
            match self.cursor.byte(end) {
                b'\n' => return Err(Unknown),
                b'\\' if quote == b'"' => return Err(Unknown),
                byte if byte == quote => break,
                _ => end += 1,
            }
        }
        let is_doubled = quote == b'\'' && self.cursor.byte(end + 1) == quote;
        if is_doubled { Err(Unknown) } else { Ok(end + 1) }
    }

    /// Reads the plain scalar here, which ends with the line or in front of a comment.
    pub fn plain(&mut self) -> Result<(), Unknown> {
        let start = self.cursor.at;
        if !starts_plain(self.cursor.here(), self.cursor.byte(start + 1)) {
            return Err(Unknown);
        }
        let mut end = start;
        let mut at = start;
        loop {
            match self.cursor.byte(at) {
                b'\n' => break,
                b' ' if self.cursor.byte(at + 1) == b'#' => break,
                b':' if self.cursor.is_blank(at + 1) => return Err(Unknown),
                b' ' => {}
                _ => end = at + 1,
            }
            at += 1;
        }
        self.plain_to(end)
    }

    /// Reads what stands up to this place as a plain scalar.
    pub fn plain_to(&mut self, end: usize) -> Result<(), Unknown> {
        let start = self.cursor.at;
        let text = self.cursor.slice(start, end)?;
        self.cursor.at = end;
        self.scalar(Cow::Borrowed(text), ScalarStyle::Plain, start, end)
    }

    /// Where the bytes from here on end that are of a kind.
    pub fn end_of(&self, is_of_kind: fn(u8) -> bool) -> usize {
        let mut end = self.cursor.at;
        while is_of_kind(self.cursor.byte(end)) {
            end += 1;
        }
        end
    }
}

/// Names of fields and labels, and keys of ConfigMaps.
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
