//! Repetitions.

use super::item::Item;
use super::parser::Parser;
use super::verdict::{Error, Problem};

/// The most times that something is repeated.
const MAX_REPEAT: u32 = 1000;

/// `{2}`, `{2,}` or `{2,5}`.
struct Count {
    min: u32,
    max: Option<u32>,
    length: usize,
}

impl Parser<'_> {
    /// `*`, `+` or `?`.
    pub(super) fn repeat_operator(&mut self, repetition: Option<usize>) -> Result<(), Error> {
        let start = self.at;
        self.at += 1;
        let item = self.repeated_item(start, repetition)?;
        self.push(item.wrapped())?;
        self.repetition = Some(start);
        Ok(())
    }

    /// A count in braces, or a brace that is a character.
    pub(super) fn counted_repeat(&mut self, repetition: Option<usize>) -> Result<(), Error> {
        let Some(count) = Count::read(self.rest()) else {
            self.at += 1;
            return self.push(Item::literal());
        };
        let start = self.at;
        self.at += count.length;
        if count.min > MAX_REPEAT || count.max.is_some_and(|max| max > MAX_REPEAT || max < count.min) {
            return Err(self.error(start, Problem::RepeatTooLarge));
        }
        let item = self.repeated_item(start, repetition)?;
        let repeated = item.repeated(count.min, count.max);
        self.push(repeated.ok_or_else(|| self.error(start, Problem::RepeatTooLarge))?)?;
        self.repetition = Some(start);
        Ok(())
    }

    /// What a repetition applies to, once it and the `?` that makes it reluctant are read.
    fn repeated_item(&mut self, start: usize, repetition: Option<usize>) -> Result<Item, Error> {
        if self.peek() == Some(b'?') {
            self.at += 1;
        }
        if let Some(first) = repetition {
            return Err(self.error(first, Problem::RepeatedRepetition));
        }
        let item = self.group.branch.pop();
        item.ok_or_else(|| self.error(start, Problem::NothingToRepeat))
    }
}

impl Count {
    /// Go's `parseRepeat`: what is not of its form is not a count. A number too large for Go is one above every limit.
    fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('{')?;
        let (min, rest) = integer(rest)?;
        let (max, rest) = match rest.strip_prefix(',') {
            None => (Some(min), rest),
            Some(rest) if rest.starts_with('}') => (None, rest),
            Some(rest) => integer(rest).map(|(max, rest)| (Some(max), rest))?,
        };
        let rest = rest.strip_prefix('}')?;
        Some(Self {
            min,
            max,
            length: text.len() - rest.len(),
        })
    }
}

/// Digits without a zero in front (`parseInt`).
fn integer(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}
