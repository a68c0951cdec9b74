//! Scanning of quoted scalars.

use std::borrow::Cow;

use memchr::memchr3;

use super::plain::push_folded;
use super::{ScanResult, Scanner, TokenKind};
use crate::yaml::event::ScalarStyle;
use crate::yaml::syntax_error::{Mistake, SyntaxError};

impl Scanner<'_> {
    pub(super) fn fetch_quoted(&mut self) -> ScanResult<()> {
        self.save_key()?;
        self.may_start_key = false;
        let start = self.cursor.at;
        let quote = self.cursor.current_byte();
        self.cursor.at += 1;
        let text = match self.end_of_simple(quote) {
            Some(end) => {
                let text = self.cursor.slice(start + 1, end);
                self.cursor.at = end;
                Cow::Borrowed(text)
            }
            None => Cow::Owned(self.quoted_text(quote, start)?),
        };
        self.cursor.at += 1;
        let style = if quote == b'"' { ScalarStyle::DoubleQuoted } else { ScalarStyle::SingleQuoted };
        self.push(TokenKind::Scalar(text, style), start, self.cursor.at);
        Ok(())
    }

    /// Returns the offset of the closing quote of a string without escapes and line breaks.
    fn end_of_simple(&self, quote: u8) -> Option<usize> {
        let start = self.cursor.at;
        let rest = self.cursor.slice(start, usize::MAX).as_bytes();
        let end = start + memchr3(quote, b'\n', if quote == b'"' { b'\\' } else { b'\r' }, rest)?;
        let is_end = self.cursor.byte(end) == quote && (quote == b'"' || self.cursor.byte(end + 1) != quote);
        let has_return = quote == b'"' && self.cursor.slice(start, end).contains('\r');
        (is_end && !has_return).then_some(end)
    }

    /// Reads the text up to the closing quote.
    fn quoted_text(&mut self, quote: u8, start: usize) -> ScanResult<String> {
        let mut text = String::new();
        loop {
            if self.cursor.is_at_any_marker() {
                return self.error(Mistake::MarkerInQuotes);
            }
            if self.cursor.is_at_end() {
                return Err(SyntaxError::new(Mistake::UnclosedQuote, start));
            }
            let is_continued = self.quoted_words(quote, &mut text)?;
            if self.cursor.current_byte() == quote {
                return Ok(text);
            }
            let blanks = self.cursor.at;
            // An escaped line break is not part of the text.
            let mut breaks = usize::from(is_continued);
            loop {
                self.cursor.skip_blanks();
                if !self.cursor.skip_break() {
                    break;
                }
                breaks += 1;
                self.note_swallowed_key(start);
            }
            match is_continued {
                true => text.extend(std::iter::repeat_n('\n', breaks - 1)),
                false if breaks > 0 => push_folded(&mut text, breaks),
                false => text.push_str(self.cursor.slice(blanks, self.cursor.at)),
            }
        }
    }

    /// Reads up to the next blank or quote. Returns whether it found an escaped line break instead.
    fn quoted_words(&mut self, quote: u8, text: &mut String) -> ScanResult<bool> {
        let mut start = self.cursor.at;
        loop {
            let at = self.cursor.at;
            match self.cursor.current_byte() {
                b' ' | b'\t' | b'\n' | b'\r' | 0 => break,
                b'\'' if quote == b'\'' && self.cursor.byte(at + 1) == b'\'' => {
                    text.push_str(self.cursor.slice(start, at + 1));
                    self.cursor.at += 2;
                    start = self.cursor.at;
                }
                byte if byte == quote => break,
                b'\\' if quote == b'"' => {
                    text.push_str(self.cursor.slice(start, at));
                    self.cursor.at += 1;
                    if self.cursor.skip_break() {
                        return Ok(true);
                    }
                    let character = self.escaped_character(at)?;
                    text.push(character);
                    start = self.cursor.at;
                }
                _ => self.cursor.at += 1,
            }
        }
        text.push_str(self.cursor.slice(start, self.cursor.at));
        Ok(false)
    }

    /// Reads an escape sequence after its backslash.
    fn escaped_character(&mut self, backslash: usize) -> ScanResult<char> {
        let digits = match self.cursor.current_byte() {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            byte => {
                let character = match byte {
                    b'0' => '\0',
                    b'a' => '\x07',
                    b'b' => '\x08',
                    b't' | b'\t' => '\t',
                    b'n' => '\n',
                    b'v' => '\x0b',
                    b'f' => '\x0c',
                    b'r' => '\r',
                    b'e' => '\x1b',
                    b' ' => ' ',
                    b'"' => '"',
                    b'\'' => '\'',
                    b'\\' => '\\',
                    b'N' => '\u{85}',
                    b'_' => '\u{a0}',
                    b'L' => '\u{2028}',
                    b'P' => '\u{2029}',
                    b'/' => return Err(SyntaxError::new(Mistake::EscapedSlash, backslash)),
                    _ => return Err(SyntaxError::new(Mistake::UnknownEscape, backslash)),
                };
                self.cursor.at += 1;
                return Ok(character);
            }
        };
        let start = self.cursor.at + 1;
        let number = self.cursor.slice(start, start + digits);
        if number.len() != digits || !number.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(SyntaxError::new(Mistake::ShortEscape, backslash));
        }
        self.cursor.at = start + digits;
        let character = u32::from_str_radix(number, 16).ok().and_then(char::from_u32);
        character.ok_or(SyntaxError::new(Mistake::InvalidCodePoint, backslash))
    }

    /// Records the line that starts at the current position if it looks like the next key or item, because the closing
    /// quote is then probably missing.
    fn note_swallowed_key(&mut self, quote: usize) {
        if self.swallowed_key.is_some() || self.is_in_brackets() {
            return;
        }
        let rest = self.cursor.slice(self.cursor.at, usize::MAX);
        let line = rest.lines().next().unwrap_or_default();
        let content = line.trim_start_matches(' ');
        let column = line.len() - content.len();
        let is_inner = self.indent.is_none_or(|indent| column > indent);
        let is_word = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        let after_key = content.trim_start_matches(is_word);
        let is_key = after_key.len() < content.len() && (after_key == ":" || after_key.starts_with(": "));
        if !is_inner && (is_key || content.starts_with("- ")) {
            self.swallowed_key = Some((quote, self.cursor.at + column));
        }
    }
}
