use super::output::class_shorthand;
use super::parser::Parser;
use super::verdict::{Error, problem};

impl Parser<'_> {
    /// Parses a character class in brackets (`parseClass`).
    pub(super) fn parse_class(&mut self) -> Result<(), Error> {
        let (start, written) = (self.at, self.out.text.len());
        self.at += 1;
        self.out.text.push('[');
        if self.peek() == Some(b'^') {
            self.at += 1;
            self.out.text.push('^');
        }
        // A leading `]` is a literal character.
        let mut is_first = true;
        while is_first || self.peek() != Some(b']') {
            is_first = false;
            if !self.parse_named_part()? {
                self.parse_range(start)?;
            }
        }
        self.at += 1;
        self.out.text.push(']');
        self.push_leaf(written)
    }

    /// Parses a named part of a class, such as `[:alpha:]`, `\pL` or `\d`. Returns whether there is one.
    fn parse_named_part(&mut self) -> Result<bool, Error> {
        match (self.peek(), self.byte_after(1)) {
            (Some(b'['), Some(b':')) => self.parse_posix_class(),
            (Some(b'\\'), Some(b'p' | b'P')) => self.parse_unicode_class().map(|()| true),
            (Some(b'\\'), Some(escaped)) => {
                let meaning = class_shorthand(escaped);
                self.at += if meaning.is_some() { 2 } else { 0 };
                self.out.text.push_str(meaning.unwrap_or_default());
                Ok(meaning.is_some())
            }
            _ => Ok(false),
        }
    }

    fn parse_posix_class(&mut self) -> Result<bool, Error> {
        let start = self.at;
        let name = self.remaining_text().get(2..).unwrap_or_default();
        let end = if self.lacks_posix_end { None } else { name.find(":]") };
        let Some(end) = end else {
            self.lacks_posix_end = true;
            return Ok(false);
        };
        self.at += end + 4;
        self.out.text.push_str(self.text.get(start..self.at).unwrap_or_default());
        let name = name.get(..end).unwrap_or_default();
        match POSIX_CLASSES.contains(&name.strip_prefix('^').unwrap_or(name)) {
            true => Ok(true),
            false => Err(self.error(start, problem::UNKNOWN_POSIX_CLASS)),
        }
    }

    /// Parses a single character or a range of characters.
    fn parse_range(&mut self, class: usize) -> Result<(), Error> {
        let start = self.at;
        let low = self.parse_class_char(class)?;
        if self.peek() != Some(b'-') || matches!(self.byte_after(1), None | Some(b']')) {
            self.out.write_character(low);
            return Ok(());
        }
        self.at += 1;
        let high = self.parse_class_char(class)?;
        if high < low {
            return Err(self.error(start, problem::REVERSED_RANGE));
        }
        self.out.write_range(low, high);
        Ok(())
    }

    fn parse_class_char(&mut self, class: usize) -> Result<u32, Error> {
        if self.peek() == Some(b'\\') {
            return self.parse_escape();
        }
        match self.next_char() {
            Some(next) => Ok(u32::from(next)),
            None => Err(self.error_at(class..self.text.len(), problem::UNCLOSED_CLASS)),
        }
    }
}

/// Parsing of escape sequences.
impl Parser<'_> {
    /// Parses an escape sequence and returns the character that it represents (`parseEscape`).
    pub(super) fn parse_escape(&mut self) -> Result<u32, Error> {
        let start = self.at;
        self.at += 1;
        let Some(escaped) = self.next_char() else {
            return Err(self.error(start, problem::TRAILING_BACKSLASH));
        };
        let value = match escaped {
            '0'..='7' => self.parse_octal(escaped),
            'x' => self.parse_hexadecimal(),
            'a' => Some(7),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            'v' => Some(11),
            _ => (escaped.is_ascii() && !escaped.is_ascii_alphanumeric()).then_some(u32::from(escaped)),
        };
        value.ok_or_else(|| self.error(start, problem::UNKNOWN_ESCAPE))
    }

    /// Parses up to three octal digits. A single digit other than 0 would be a back-reference, which RE2 does not
    /// support.
    fn parse_octal(&mut self, first: char) -> Option<u32> {
        let mut value = first.to_digit(8)?;
        if first != '0' && !matches!(self.peek(), Some(b'0'..=b'7')) {
            return None;
        }
        for _ in 1..3 {
            let Some(digit @ b'0'..=b'7') = self.peek() else { break };
            self.at += 1;
            value = value * 8 + u32::from(digit - b'0');
        }
        Some(value)
    }

    /// Parses two hexadecimal digits, or any number of them in braces.
    fn parse_hexadecimal(&mut self) -> Option<u32> {
        let first = self.next_char()?;
        if first == '{' {
            return self.parse_braced_hexadecimal();
        }
        let second = self.next_char()?;
        Some(first.to_digit(16)? * 16 + second.to_digit(16)?)
    }

    fn parse_braced_hexadecimal(&mut self) -> Option<u32> {
        let mut value = None;
        loop {
            let next = self.next_char()?;
            if next == '}' {
                return value;
            }
            let sum = value.unwrap_or(0) * 16 + next.to_digit(16)?;
            value = Some(sum).filter(|sum| *sum <= u32::from(char::MAX));
            value?;
        }
    }
}

/// Names of the POSIX classes. A `^` before the name negates the class.
const POSIX_CLASSES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];
