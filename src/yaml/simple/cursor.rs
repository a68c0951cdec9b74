//! A place in the text, and the lines from there on.

/// Something beyond the simple style.
pub struct Unknown;

/// Where the reader is.
#[derive(Clone, Copy)]
pub struct Cursor<'s> {
    text: &'s str,
    /// The byte it is at.
    pub at: usize,
    /// Where the line starts.
    line: usize,
}

impl<'s> Cursor<'s> {
    /// At the start of the text.
    pub fn new(text: &'s str) -> Self {
        Self { text, at: 0, line: 0 }
    }

    /// The byte at a place; a line break behind the end.
    pub fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b'\n')
    }

    /// The byte it is at.
    pub fn here(&self) -> u8 {
        self.byte(self.at)
    }

    /// The text from one place to another.
    pub fn slice(&self, start: usize, end: usize) -> Result<&'s str, Unknown> {
        self.text.get(start..end).ok_or(Unknown)
    }

    /// Whether the whole text was read.
    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Distance from the start of the line.
    pub fn column(&self) -> usize {
        self.at - self.line
    }

    /// Whether there is a space or a line break at a place.
    pub fn is_blank(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\n')
    }

    /// Goes back to a column of this line.
    pub fn go_to_column(&mut self, column: usize) {
        self.at = self.line + column;
    }

    /// Goes over the spaces here.
    pub fn skip_spaces(&mut self) {
        while self.here() == b' ' {
            self.at += 1;
        }
    }

    /// Whether nothing but a comment is left on the line, behind the spaces here.
    pub fn is_at_rest(&mut self) -> bool {
        self.skip_spaces();
        match self.here() {
            b'\n' => true,
            b'#' => self.column() == 0 || self.byte(self.at - 1) == b' ',
            _ => false,
        }
    }

    /// Whether it is at the three dashes in front of a document.
    pub fn is_at_marker(&self) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.column() == 0 && rest.starts_with(b"---") && self.is_blank(self.at + 3)
    }

    /// Goes to the line break.
    pub fn skip_line(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// Goes from a line break to the start of the next line.
    pub fn next_line(&mut self) {
        self.at = (self.at + 1).min(self.text.len());
        self.line = self.at;
    }

    /// Goes to the first content from here on, past blank lines and comments; or to the end of the text.
    pub fn skip_to_content(&mut self) {
        while self.is_at_rest() && !self.is_at_end() {
            self.skip_line();
            self.next_line();
        }
    }
}
