use super::parser::Parser;
use super::{Error, Problem};

impl Parser<'_> {
    /// An escape that stands for one character, which is returned (`parseEscape`).
    pub(super) fn escape(&mut self) -> Result<u32, Error> {
        let start = self.at;
        self.at += 1;
        let Some(escaped) = self.next_char() else {
            self.take_end(start, Problem::TrailingBackslash)?;
            return Ok(u32::from(')'));
        };
        let value = match escaped {
            '0'..='7' => self.octal(escaped),
            'x' => self.hexadecimal(),
            'a' => Some(7),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            'v' => Some(11),
            _ => (escaped.is_ascii() && !escaped.is_ascii_alphanumeric()).then_some(u32::from(escaped)),
        };
        value.ok_or_else(|| self.error(start, Problem::UnknownEscape))
    }

    /// Up to three octal digits. One alone, other than 0, would be a back-reference, which RE2 has not.
    fn octal(&mut self, first: char) -> Option<u32> {
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

    /// Two hexadecimal digits, or any number of them in braces.
    fn hexadecimal(&mut self) -> Option<u32> {
        let first = self.next_char()?;
        if first == '{' {
            return self.braced_hexadecimal();
        }
        let second = self.next_char()?;
        Some(first.to_digit(16)? * 16 + second.to_digit(16)?)
    }

    fn braced_hexadecimal(&mut self) -> Option<u32> {
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
