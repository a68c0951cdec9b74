//! Scanning of anchors, aliases, tags and directives.

use std::borrow::Cow;

use super::cursor::is_word;
use super::{ScanResult, Scanner, TokenKind};
use crate::yaml::syntax_error::{Mistake, SyntaxError};

impl<'s> Scanner<'s> {
    pub(super) fn fetch_anchor(&mut self, kind: fn(&'s str) -> TokenKind<'s>) -> ScanResult<()> {
        self.save_key()?;
        self.may_start_key = false;
        let start = self.cursor.at;
        self.cursor.at += 1;
        let name = self.word();
        let next = self.cursor.current_byte();
        let is_end = self.cursor.is_blank_or_end(self.cursor.at)
            || matches!(next, b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !is_end {
            let mistake = if name.is_empty() { Mistake::MissingName } else { Mistake::AnchorName };
            return Err(SyntaxError::new(mistake, start));
        }
        self.push(kind(name), start, self.cursor.at);
        Ok(())
    }

    pub(super) fn fetch_tag(&mut self) -> ScanResult<()> {
        self.save_key()?;
        self.may_start_key = false;
        let start = self.cursor.at;
        let (handle, suffix) = if self.cursor.byte(start + 1) == b'<' {
            self.cursor.at += 2;
            let suffix = self.tag_uri("")?;
            if self.cursor.current_byte() != b'>' {
                return self.error(Mistake::Tag);
            }
            self.cursor.at += 1;
            ("", suffix)
        } else {
            let handle = self.tag_handle();
            match handle.strip_prefix('!') {
                Some(name) if name.ends_with('!') => (handle, self.tag_uri("")?),
                name => match self.tag_uri_after(name.unwrap_or_default())? {
                    suffix if suffix.is_empty() => ("", Cow::Borrowed("!")),
                    suffix => ("!", suffix),
                },
            }
        };
        if !self.cursor.is_blank_or_end(self.cursor.at) {
            return self.error(Mistake::Tag);
        }
        self.push(TokenKind::Tag { handle, suffix }, start, self.cursor.at);
        Ok(())
    }

    pub(super) fn fetch_directive(&mut self) -> ScanResult<()> {
        self.unroll_indent(None);
        self.remove_key()?;
        self.may_start_key = false;
        let start = self.cursor.at;
        self.cursor.at += 1;
        let name = self.word();
        let mistake = SyntaxError::new(Mistake::Directive, start);
        if !self.cursor.is_blank_or_end(self.cursor.at) {
            return Err(mistake);
        }
        self.cursor.skip_blanks();
        let kind = match name {
            "YAML" => {
                let major = self.version_number().ok_or(mistake)?;
                if self.cursor.current_byte() != b'.' {
                    return Err(mistake);
                }
                self.cursor.at += 1;
                TokenKind::VersionDirective(major, self.version_number().ok_or(mistake)?)
            }
            "TAG" => {
                let handle = self.tag_handle();
                if !handle.ends_with('!') || !self.cursor.is_at_blank() {
                    return Err(mistake);
                }
                self.cursor.skip_blanks();
                let prefix = self.tag_uri("")?;
                if !self.cursor.is_blank_or_end(self.cursor.at) {
                    return Err(mistake);
                }
                TokenKind::TagDirective { handle, prefix }
            }
            _ => return Err(mistake),
        };
        let end = self.cursor.at;
        self.cursor.skip_blanks();
        if self.cursor.current_byte() == b'#' {
            self.cursor.skip_line();
        }
        if !self.cursor.skip_break() && !self.cursor.is_at_end() {
            return Err(mistake);
        }
        self.push(kind, start, end);
        Ok(())
    }

    fn version_number(&mut self) -> Option<u8> {
        let start = self.cursor.at;
        while self.cursor.current_byte().is_ascii_digit() {
            self.cursor.at += 1;
        }
        let digits = self.cursor.slice(start, self.cursor.at);
        digits.parse().ok().filter(|_| digits.len() <= 2)
    }

    fn word(&mut self) -> &'s str {
        let start = self.cursor.at;
        while is_word(self.cursor.current_byte()) {
            self.cursor.at += 1;
        }
        self.cursor.slice(start, self.cursor.at)
    }

    /// Reads `!`, optionally followed by a word and another `!`.
    fn tag_handle(&mut self) -> &'s str {
        let start = self.cursor.at;
        if self.cursor.current_byte() == b'!' {
            self.cursor.at += 1;
            self.word();
            self.cursor.at += usize::from(self.cursor.current_byte() == b'!');
        }
        self.cursor.slice(start, self.cursor.at)
    }

    /// Reads the rest of a tag after `head`. The head and the rest must not both be empty.
    fn tag_uri(&mut self, head: &'s str) -> ScanResult<Cow<'s, str>> {
        let uri = self.tag_uri_after(head)?;
        if uri.is_empty() { self.error(Mistake::Tag) } else { Ok(uri) }
    }

    fn tag_uri_after(&mut self, head: &'s str) -> ScanResult<Cow<'s, str>> {
        let start = self.cursor.at;
        let is_uri = |byte: u8| is_word(byte) || b";/?:@&=+$,.!~*'()[]%".contains(&byte);
        while is_uri(self.cursor.current_byte()) {
            self.cursor.at += 1;
        }
        // The head directly precedes the rest in the source.
        let uri = self.cursor.slice(start - head.len(), self.cursor.at);
        if !uri.contains('%') {
            return Ok(Cow::Borrowed(uri));
        }
        unescape(uri).map(Cow::Owned).ok_or(SyntaxError::new(Mistake::Tag, start))
    }
}

/// Decodes the `%` escapes in a tag, or returns `None` if any of them is invalid.
fn unescape(uri: &str) -> Option<String> {
    let mut parts = uri.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}
