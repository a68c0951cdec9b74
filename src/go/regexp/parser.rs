//! Parses expressions from left to right, validating them as in Go and translating them for the `regex` crate.

use std::ops::Range;

use super::item::{Branch, Item};
use super::output::{RustExpression, shorthand};
use super::verdict::{AcceptingReleases, Error, problem};

#[derive(Default)]
pub(super) struct OpenGroup {
    pub start: usize,
    /// Start of the group in the output.
    pub written: usize,
    /// Whether the group captures, which makes it a separate node.
    pub is_capturing: bool,
    /// Branches before the last `|`, combined into one item.
    pub earlier_alternatives: Option<Item>,
    /// Branch after the last `|`.
    pub branch: Branch,
}

impl OpenGroup {
    /// Returns all branches combined into one item.
    fn finish(self) -> Item {
        let branch = self.branch.finish();
        match self.earlier_alternatives {
            Some(earlier) => Item::alternation(Some(earlier), branch),
            None => branch,
        }
    }
}

/// A parser that reads an expression from left to right.
#[derive(Default)]
pub(super) struct Parser<'t> {
    pub text: &'t str,
    /// Index of the next byte.
    pub at: usize,
    /// Innermost open group or, at the top level, the expression itself.
    pub group: OpenGroup,
    /// Groups that enclose the innermost group.
    pub outer_groups: Vec<OpenGroup>,
    /// Go releases that accept the part of the expression read so far.
    pub accepted: AcceptingReleases,
    /// Translation of the part of the expression read so far.
    pub out: RustExpression,
    /// Whether a search has already found no `:]` in the rest of the expression, so that it need not be repeated.
    pub lacks_posix_end: bool,
    /// Start of a `\Q` that extends to the end of the expression.
    open_quote: Option<usize>,
    /// Start of the repetition operator that ends just before the next byte.
    pub repetition: Option<usize>,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, ..Self::default() }
    }

    /// Parses the entire expression, as in Go's `parse`.
    pub fn parse(mut self) -> Result<(AcceptingReleases, RustExpression), Error> {
        while let Some(byte) = self.peek() {
            let repetition = self.repetition.take();
            self.parse_token(byte, repetition)?;
        }
        if !self.outer_groups.is_empty() {
            let (start, problem) = match self.open_quote {
                Some(quote) => (quote, problem::UNCLOSED_QUOTE),
                None => (self.group.start, problem::UNCLOSED_GROUP),
            };
            return Err(self.error_at(start..self.text.len(), problem));
        }
        let whole = std::mem::take(&mut self.group).finish();
        self.out.size = whole.size;
        self.push(whole)?;
        Ok((self.accepted, self.out))
    }

    fn parse_token(&mut self, byte: u8, repetition: Option<usize>) -> Result<(), Error> {
        match byte {
            b'(' => self.parse_open(),
            b')' => {
                let start = self.at;
                self.at += 1;
                self.close_group(start)
            }
            b'|' => {
                self.at += 1;
                self.alternate();
                Ok(())
            }
            b'^' | b'$' | b'.' => {
                self.at += 1;
                self.write_leaf(char::from(byte).encode_utf8(&mut [0; 4]))
            }
            b'[' => self.parse_class(),
            b'*' | b'+' | b'?' => self.parse_repeat_operator(repetition),
            b'{' => self.parse_counted_repeat(repetition),
            b'\\' => self.parse_backslash(),
            _ => {
                let next = self.next_char();
                self.write_literal(next.map_or(0, u32::from))
            }
        }
    }

    fn parse_backslash(&mut self) -> Result<(), Error> {
        let escaped = self.byte_after(1);
        if let Some(meaning) = escaped.and_then(shorthand) {
            self.at += 2;
            return self.write_leaf(meaning);
        }
        match escaped {
            Some(b'Q') => self.parse_quoted(),
            Some(b'p' | b'P') => {
                let start = self.out.text.len();
                self.parse_unicode_class()?;
                self.push_leaf(start)
            }
            _ => {
                let value = self.parse_escape()?;
                self.write_literal(value)
            }
        }
    }

    /// Writes an item that matches one character or a position.
    fn write_leaf(&mut self, written: &str) -> Result<(), Error> {
        let start = self.out.text.len();
        self.out.text.push_str(written);
        self.push_leaf(start)
    }

    /// Turns the output since `start` into an item that matches a single character or a position.
    pub(super) fn push_leaf(&mut self, start: usize) -> Result<(), Error> {
        self.out.mark_item(start);
        let item = Item::leaf(self.out.text.get(start..).unwrap_or_default());
        self.push(item)
    }

    fn write_literal(&mut self, value: u32) -> Result<(), Error> {
        let start = self.out.text.len();
        self.out.write_character(value);
        self.out.mark_item(start);
        self.push(Item::LITERAL)
    }

    /// Parses `\Q…\E`, which contains literals. Without `\E`, the literals extend to the end.
    fn parse_quoted(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.at += 2;
        let rest = self.remaining_text();
        let (literal, length) = match rest.find("\\E") {
            Some(end) => (rest.get(..end).unwrap_or_default(), end + 2),
            None => {
                self.open_quote = Some(start);
                (rest, rest.len())
            }
        };
        self.at += length;
        for character in literal.chars() {
            self.write_literal(u32::from(character))?;
        }
        Ok(())
    }

    /// Appends an item to the current branch.
    pub fn push(&mut self, item: Item) -> Result<(), Error> {
        if item.is_too_deep() {
            return Err(self.error_at(0..self.text.len(), problem::TOO_DEEP));
        }
        self.group.branch.push(item);
        Ok(())
    }

    fn alternate(&mut self) {
        let branch = std::mem::take(&mut self.group.branch).finish();
        let earlier = self.group.earlier_alternatives.take();
        self.group.earlier_alternatives = Some(Item::alternation(earlier, branch));
        self.out.open("|");
    }

    /// Opens a group that starts at `start`.
    pub fn open_group(&mut self, start: usize, is_capturing: bool, opening: &str) {
        let group = OpenGroup { start, written: self.out.text.len(), is_capturing, ..OpenGroup::default() };
        self.outer_groups.push(std::mem::replace(&mut self.group, group));
        self.out.open(opening);
    }

    fn close_group(&mut self, offset: usize) -> Result<(), Error> {
        let Some(outer_group) = self.outer_groups.pop() else {
            return Err(self.error_at(offset..offset + 1, problem::UNOPENED_GROUP));
        };
        let group = std::mem::replace(&mut self.group, outer_group);
        self.out.text.push(')');
        self.out.mark_item(group.written);
        let is_capturing = group.is_capturing;
        let item = group.finish();
        self.push(if is_capturing { item.wrap() } else { item })
    }

    pub fn remaining_text(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn peek(&self) -> Option<u8> {
        self.byte_after(0)
    }

    pub fn byte_after(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + offset).copied()
    }

    pub fn next_char(&mut self) -> Option<char> {
        let next = self.remaining_text().chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Returns an error for the range from `start` to the current position.
    pub fn error(&self, start: usize, problem: &'static str) -> Error {
        let end = if self.at > start { self.at } else { self.text.len() };
        self.error_at(start..end, problem)
    }

    pub fn error_at(&self, at: Range<usize>, problem: &'static str) -> Error {
        Error { at, problem }
    }
}

/// Parsing of groups and flags.
impl Parser<'_> {
    /// Parses `(`, a named group, a group with flags, or just flags.
    fn parse_open(&mut self) -> Result<(), Error> {
        let start = self.at;
        if self.byte_after(1) != Some(b'?') {
            self.at += 1;
            self.out.names.push(None);
            self.open_group(start, true, "(");
            return Ok(());
        }
        let rest = self.remaining_text();
        if rest.len() > 4 && rest.starts_with("(?P<") {
            return self.parse_named_group(start, 4);
        }
        if rest.len() > 3 && rest.starts_with("(?<") {
            // Before Go 1.22, this was an unknown flag regardless of the name.
            self.accepted = self.accepted.max(AcceptingReleases::NamedGroup);
            return self.parse_named_group(start, 3);
        }
        self.parse_flags(start)
    }

    fn parse_named_group(&mut self, start: usize, prefix: usize) -> Result<(), Error> {
        let rest = self.remaining_text();
        let Some(end) = rest.find('>') else {
            return Err(self.error(start, problem::INVALID_GROUP_NAME));
        };
        self.at += end + 1;
        let name = rest.get(prefix..end).unwrap_or_default();
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(self.error(start, problem::INVALID_GROUP_NAME));
        }
        self.out.names.push(Some(name.to_owned()));
        self.open_group(start, true, "(");
        Ok(())
    }

    /// Port of Go's `parsePerlFlags`: `(?i-s)`, `(?i:…`, `(?:…`. A flag that is both set and cleared is cleared.
    fn parse_flags(&mut self, start: usize) -> Result<(), Error> {
        self.at += 2;
        let (mut set_flags, mut cleared_flags) = (String::new(), String::new());
        let mut is_negated = false;
        while let Some(next) = self.next_char() {
            match next {
                'i' | 'm' | 's' | 'U' => {
                    let flags = if is_negated { &mut cleared_flags } else { &mut set_flags };
                    if !flags.contains(next) {
                        flags.push(next);
                    }
                }
                '-' if !is_negated => is_negated = true,
                ':' | ')' if !is_negated || !cleared_flags.is_empty() => {
                    set_flags.retain(|flag| !cleared_flags.contains(flag));
                    let dash = if is_negated { "-" } else { "" };
                    if next == ':' {
                        self.open_group(start, false, &format!("(?{set_flags}{dash}{cleared_flags}:"));
                    } else if !set_flags.is_empty() || is_negated {
                        self.out.text.push_str(&format!("(?{set_flags}{dash}{cleared_flags})"));
                    }
                    return Ok(());
                }
                _ => break,
            }
        }
        Err(self.error(start, problem::UNKNOWN_GROUP))
    }
}

/// Maximum repeat count.
const MAX_REPEAT: u32 = 1000;

/// A repeat count: `{2}`, `{2,}` or `{2,5}`.
struct RepeatCount {
    min: u32,
    max: Option<u32>,
    length: usize,
}

impl Parser<'_> {
    /// Parses `*`, `+` or `?`.
    pub(super) fn parse_repeat_operator(&mut self, repetition: Option<usize>) -> Result<(), Error> {
        let start = self.at;
        self.at += 1;
        let item = self.take_repeated_item(start, repetition)?;
        self.push(item.wrap())?;
        self.out.repeat(self.text.get(start..self.at).unwrap_or_default());
        self.repetition = Some(start);
        Ok(())
    }

    /// Parses a count in braces, or a brace that is a literal.
    pub(super) fn parse_counted_repeat(&mut self, repetition: Option<usize>) -> Result<(), Error> {
        let Some(count) = RepeatCount::read(self.remaining_text()) else {
            self.at += 1;
            return self.write_literal(u32::from('{'));
        };
        let start = self.at;
        self.at += count.length;
        if count.min > MAX_REPEAT || count.max.is_some_and(|max| max > MAX_REPEAT || max < count.min) {
            return Err(self.error(start, problem::REPEAT_TOO_LARGE));
        }
        let item = self.take_repeated_item(start, repetition)?;
        let repeated_item = item.repeat(count.min, count.max);
        self.push(repeated_item.ok_or_else(|| self.error(start, problem::REPEAT_TOO_LARGE))?)?;
        self.out.repeat(self.text.get(start..self.at).unwrap_or_default());
        self.repetition = Some(start);
        Ok(())
    }

    /// Consumes the `?` of a lazy repetition, if any, and returns the item that the repetition applies to.
    fn take_repeated_item(&mut self, start: usize, repetition: Option<usize>) -> Result<Item, Error> {
        if self.peek() == Some(b'?') {
            self.at += 1;
        }
        if let Some(first) = repetition {
            return Err(self.error(first, problem::REPEATED_REPETITION));
        }
        let item = self.group.branch.pop();
        item.ok_or_else(|| self.error(start, problem::NOTHING_TO_REPEAT))
    }
}

impl RepeatCount {
    /// Port of Go's `parseRepeat`. Returns `None` for text that is not a count. A number that is too large for Go is
    /// replaced with a number that exceeds every limit.
    fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('{')?;
        let (min, rest) = parse_integer(rest)?;
        let (max, rest) = match rest.strip_prefix(',') {
            None => (Some(min), rest),
            Some(rest) if rest.starts_with('}') => (None, rest),
            Some(rest) => parse_integer(rest).map(|(max, rest)| (Some(max), rest))?,
        };
        let rest = rest.strip_prefix('}')?;
        Some(Self { min, max, length: text.len() - rest.len() })
    }
}

/// Parses digits without a leading zero (`parseInt`).
fn parse_integer(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}
