//! Position in the text of a document.

use memchr::memchr2;

/// Position in a document's text, which is a prefix of the source.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'s> {
    text: &'s str,
    pub at: usize,
    /// Offset of the start of the line.
    pub line_start: usize,
    /// Number of lines before the current line.
    pub line: usize,
    /// Whether the text is followed by a line break that is not part of the source.
    adds_break: bool,
    /// Whether a line break may contain a second carriage return, as in a file that Kubernetes reads line by line.
    is_file: bool,
    is_ascii: bool,
    /// Offset in the current line with a known column, and that column.
    counted: (usize, usize),
}

impl<'s> Cursor<'s> {
    /// Creates a cursor at offset `start`. The text ends where the document ends.
    pub fn new(text: &'s str, start: usize, is_file: bool) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        Self {
            text,
            at: start,
            line_start: start,
            line: 0,
            adds_break: is_file && !rest.ends_with('\n'),
            is_file,
            is_ascii: rest.is_ascii(),
            counted: (start, 0),
        }
    }

    /// Returns the byte at an offset, or 0 after the end.
    #[inline]
    pub fn byte(&self, offset: usize) -> u8 {
        match self.text.as_bytes().get(offset) {
            Some(byte) => *byte,
            None if self.adds_break && offset == self.text.len() => b'\n',
            None => 0,
        }
    }

    #[inline]
    pub fn current_byte(&self) -> u8 {
        self.byte(self.at)
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len() + usize::from(self.adds_break)
    }

    pub fn is_at_line_start(&self) -> bool {
        self.at == self.line_start
    }

    /// Returns the source offset of a position. The position may be past the end.
    pub fn offset(&self, offset: usize) -> usize {
        offset.min(self.text.len())
    }

    pub fn slice(&self, start: usize, end: usize) -> &'s str {
        self.text.get(self.offset(start)..self.offset(end)).unwrap_or_default()
    }

    /// Returns the character at the current position.
    pub fn character(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// Returns the number of characters before the current position in the line.
    pub fn column(&mut self) -> usize {
        if self.is_ascii {
            return self.at - self.line_start;
        }
        let (counted_offset, column) =
            if self.counted.0 < self.line_start { (self.line_start, 0) } else { self.counted };
        let column = match self.text.get(counted_offset..self.offset(self.at)) {
            Some(text) => column + text.chars().count(),
            None => self.slice(self.line_start, self.at).chars().count(),
        };
        self.counted = (self.at, column);
        column
    }

    /// Whether there is a line break at an offset.
    #[inline]
    pub fn is_break(&self, offset: usize) -> bool {
        matches!(self.byte(offset), b'\n' | b'\r')
    }

    /// Whether there is a space, tab or line break at an offset, or the text ends there.
    #[inline]
    pub fn is_blank_or_end(&self, offset: usize) -> bool {
        matches!(self.byte(offset), b' ' | b'\t' | b'\n' | b'\r' | 0)
    }

    #[inline]
    pub fn is_at_blank(&self) -> bool {
        matches!(self.current_byte(), b' ' | b'\t')
    }

    /// Moves past a line break at the current position, if any. Returns whether there is one.
    pub fn skip_break(&mut self) -> bool {
        let length = match self.current_byte() {
            b'\n' => 1,
            b'\r' if self.byte(self.at + 1) == b'\n' => 2,
            // `LineReader` removes one carriage return, and go-yaml treats the remaining carriage return and the line
            // feed as a single line break.
            b'\r' if self.is_file && self.text.as_bytes().get(self.at + 1..self.at + 3) == Some(b"\r\n") => 3,
            b'\r' => 1,
            _ => return false,
        };
        self.at += length;
        self.line_start = self.at;
        self.line += 1;
        true
    }

    /// Moves to the end of the line.
    pub fn skip_line(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    pub fn skip_spaces(&mut self) {
        while self.current_byte() == b' ' {
            self.at += 1;
        }
    }

    pub fn skip_blanks(&mut self) {
        while self.is_at_blank() {
            self.at += 1;
        }
    }

    /// Whether the current position is at the start of a line and has a marker (`---` or `...`, depending on `byte`) that
    /// is followed by a blank.
    pub fn is_at_marker(&self, byte: u8) -> bool {
        let at = self.at;
        self.is_at_line_start() && (at..at + 3).all(|at| self.byte(at) == byte) && self.is_blank_or_end(at + 3)
    }

    /// Whether a `---` or `...` marker starts at the current position.
    pub fn is_at_any_marker(&self) -> bool {
        self.is_at_line_start() && (self.is_at_marker(b'-') || self.is_at_marker(b'.'))
    }
}

/// Whether a byte can be part of an anchor or a tag handle.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
