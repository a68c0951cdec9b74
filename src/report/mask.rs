//! Lines of sources with a mask in the place of what is not to be shown.

use std::ops::Range;

use crate::printable::printable;

/// What is shown of a secret.
const MASK: &str = "***";

/// The part of a line that is shown.
pub(super) struct Masked {
    text: String,
    /// Bytes of the line, and where they are in the text; a secret goes to its mask.
    pieces: Vec<(Range<usize>, usize)>,
}

impl Masked {
    /// A line in which so much is secret, and of which these bytes are to be shown.
    pub(super) fn new(secrets: &[Range<usize>], line: &str, shown: Range<usize>) -> Self {
        let mut masked = Self {
            text: String::new(),
            pieces: Vec::new(),
        };
        let mut at = shown.start;
        let first = secrets.partition_point(|secret| secret.end <= shown.start);
        let secrets = secrets.iter().skip(first);
        for secret in secrets.take_while(|secret| secret.start < shown.end) {
            let secret = secret.start.max(at)..secret.end.min(shown.end);
            if secret.start < secret.end {
                masked.push(
                    at..secret.start,
                    &printable(line.get(at..secret.start).unwrap_or_default()),
                );
                at = secret.end;
                masked.push(secret, MASK);
            }
        }
        masked.push(at..shown.end, &printable(line.get(at..shown.end).unwrap_or_default()));
        masked
    }

    fn push(&mut self, bytes: Range<usize>, text: &str) {
        self.pieces.push((bytes, self.text.len()));
        self.text.push_str(text);
    }

    /// What is shown.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where bytes of the line are in the text.
    pub(super) fn locate(&self, line: &str, bytes: Range<usize>) -> Range<usize> {
        let start = self.offset(line, bytes.start, false);
        start..self.offset(line, bytes.end, true).max(start)
    }

    fn offset(&self, line: &str, byte: usize, is_end: bool) -> usize {
        let at = self.pieces.iter().rposition(|(bytes, _)| bytes.start <= byte);
        let Some((bytes, start)) = at.and_then(|at| self.pieces.get(at)) else {
            return 0;
        };
        let end = at
            .and_then(|at| self.pieces.get(at + 1))
            .map_or(self.text.len(), |(_, next)| *next);
        let piece = self.text.get(*start..end).unwrap_or_default();
        if byte >= bytes.end || (piece == MASK && is_end && byte > bytes.start) {
            return end;
        }
        if piece == MASK {
            return *start;
        }
        (start + line.get(bytes.start..byte).map_or(0, |text| printable(text).len())).min(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_again() {
        let line = "é: {password: hunter2, b: c}";
        let secret = line.find("hunter2").unwrap();
        let hidden: Vec<_> = std::iter::once(secret..secret + 7).collect();
        let masked = Masked::new(&hidden, line, 0..line.len());
        assert_eq!(masked.text(), "é: {password: ***, b: c}");
        let found = |text: &str| {
            let start = line.find(text).unwrap();
            masked.text()[masked.locate(line, start..start + text.len())].to_owned()
        };
        assert_eq!(found("hunter2"), "***");
        assert_eq!(found("nter"), "***");
        assert_eq!(found("password"), "password");
        assert_eq!(found("b: c"), "b: c");
        assert_eq!(found("password: hunter2, b"), "password: ***, b");
    }
}
