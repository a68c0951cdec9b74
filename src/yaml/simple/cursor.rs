//! Position in the source, with line-based movement.

/// Error for syntax outside the simple style.
pub struct NotSimple;

/// Position of the reader.
#[derive(Clone, Copy)]
pub struct Cursor<'s> {
    text: &'s str,
    /// Offset of the current byte.
    pub at: usize,
    /// Offset of the start of the line.
    line: usize,
}

impl<'s> Cursor<'s> {
    /// Creates a cursor at the start of the source.
    pub fn new(text: &'s str) -> Self {
        Self { text, at: 0, line: 0 }
    }

    /// Returns the byte at an offset, or a line break if the offset is past the end.
    pub fn byte(&self, offset: usize) -> u8 {
        self.text.as_bytes().get(offset).copied().unwrap_or(b'\n')
    }

    pub fn current_byte(&self) -> u8 {
        self.byte(self.at)
    }

    /// Returns the text between two offsets.
    pub fn slice(&self, start: usize, end: usize) -> Result<&'s str, NotSimple> {
        self.text.get(start..end).ok_or(NotSimple)
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Returns the distance from the start of the line.
    pub fn column(&self) -> usize {
        self.at - self.line
    }

    /// Whether there is a space or a line break at an offset.
    pub fn is_blank(&self, offset: usize) -> bool {
        matches!(self.byte(offset), b' ' | b'\n')
    }

    /// Moves back to a column of the current line.
    pub fn go_to_column(&mut self, column: usize) {
        self.at = self.line + column;
    }

    pub fn skip_spaces(&mut self) {
        while self.current_byte() == b' ' {
            self.at += 1;
        }
    }

    /// Skips spaces. Returns whether the rest of the line contains at most a comment.
    pub fn is_blank_or_comment(&mut self) -> bool {
        self.skip_spaces();
        match self.current_byte() {
            b'\n' => true,
            b'#' => self.column() == 0 || self.byte(self.at - 1) == b' ',
            _ => false,
        }
    }

    /// Whether the cursor is at the `---` before a document.
    pub fn is_at_marker(&self) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.column() == 0 && rest.starts_with(b"---") && self.is_blank(self.at + 3)
    }

    /// Moves to the line break.
    pub fn skip_line(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// Moves from a line break to the start of the next line.
    pub fn next_line(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
        self.line = self.at;
    }

    /// Skips blank lines and comments, and moves to the next content or the end.
    pub fn skip_to_content(&mut self) {
        while self.is_blank_or_comment() && !self.is_at_end() {
            self.skip_line();
            self.next_line();
        }
    }
}
