use super::parser::Parser;
use super::{Accepted, Error, Problem};

impl Parser<'_> {
    /// `(`, a named group, a group with flags, or flags alone.
    pub(super) fn open(&mut self) -> Result<(), Error> {
        let start = self.at;
        if self.byte_after(1) != Some(b'?') {
            self.at += 1;
            self.enter(start, true);
            return Ok(());
        }
        let rest = self.rest();
        if rest.len() > 4 && rest.starts_with("(?P<") {
            return self.named(start, 4);
        }
        if rest.len() > 3 && rest.starts_with("(?<") {
            // Before Go 1.22 it was an unknown flag, whatever the name.
            self.accepted = self.accepted.and(Accepted::SinceGo122);
            return self.named(start, 3);
        }
        self.flags(start)
    }

    fn named(&mut self, start: usize, prefix: usize) -> Result<(), Error> {
        let rest = self.rest();
        let Some(end) = rest.find('>') else {
            return Err(self.error(start, Problem::InvalidGroupName));
        };
        self.at += end + 1;
        let name = rest.get(prefix..end).unwrap_or_default();
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(self.error(start, Problem::InvalidGroupName));
        }
        self.enter(start, true);
        Ok(())
    }

    /// Go's `parsePerlFlags`: `(?i-s)`, `(?i:…`, `(?:…`.
    fn flags(&mut self, start: usize) -> Result<(), Error> {
        self.at += 2;
        let mut is_negated = false;
        let mut has_flag = false;
        let mut ends_in_flags = true;
        while let Some(next) = self.next_char() {
            match next {
                'i' | 'm' | 's' | 'U' => has_flag = true,
                '-' if !is_negated => {
                    is_negated = true;
                    has_flag = false;
                }
                ':' | ')' if !is_negated || has_flag => {
                    if next == ':' {
                        self.enter(start, false);
                    }
                    return Ok(());
                }
                _ => {
                    ends_in_flags = false;
                    break;
                }
            }
        }
        if self.peek().is_none() && ends_in_flags && (!is_negated || has_flag) {
            return self.take_end(start, Problem::UnknownGroup);
        }
        Err(self.error(start, Problem::UnknownGroup))
    }
}
