use super::parser::Parser;
use super::tree::Item;
use super::{Error, Problem, posix};

impl Parser<'_> {
    /// A character class in brackets (`parseClass`).
    pub(super) fn class(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some(b'^') {
            self.at += 1;
        }
        // A `]` in front is a character.
        let mut is_first = true;
        while is_first || self.peek() != Some(b']') {
            is_first = false;
            if !self.named_part()? {
                self.range(start)?;
            }
        }
        self.at += 1;
        self.push(Item::leaf())
    }

    /// A part that has a name: `[:alpha:]`, `\pL`, `\d`.
    fn named_part(&mut self) -> Result<bool, Error> {
        match (self.peek(), self.byte_after(1)) {
            (Some(b'['), Some(b':')) if self.byte_after(2).is_some() => self.posix_class(),
            (Some(b'\\'), Some(b'p' | b'P')) => self.unicode_class().map(|()| true),
            (Some(b'\\'), Some(b'd' | b'D' | b's' | b'S' | b'w' | b'W')) => {
                self.at += 2;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn posix_class(&mut self) -> Result<bool, Error> {
        let start = self.at;
        let name = self.rest().get(2..).unwrap_or_default();
        let end = if self.no_posix_end { None } else { name.find(":]") };
        let Some(end) = end else {
            self.no_posix_end = true;
            return Ok(false);
        };
        self.at += end + 4;
        if posix::is_class(name.get(..end).unwrap_or_default()) {
            Ok(true)
        } else {
            Err(self.error(start, Problem::UnknownPosixClass))
        }
    }

    /// A character, or two with `-` between them.
    fn range(&mut self, class: usize) -> Result<(), Error> {
        let start = self.at;
        let low = self.class_char(class)?;
        if self.peek() != Some(b'-') || matches!(self.byte_after(1), None | Some(b']')) {
            return Ok(());
        }
        self.at += 1;
        let high = self.class_char(class)?;
        if high < low {
            return Err(self.error(start, Problem::ReversedRange));
        }
        Ok(())
    }

    fn class_char(&mut self, class: usize) -> Result<u32, Error> {
        if self.peek() == Some(b'\\') {
            return self.escape();
        }
        match self.next_char() {
            Some(next) => Ok(u32::from(next)),
            None => Err(self.error_at(class..self.text.len(), Problem::UnclosedClass)),
        }
    }
}
