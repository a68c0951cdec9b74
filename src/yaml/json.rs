//! Reader for consecutive JSON values, like Go's `encoding/json`.

use std::borrow::Cow;

use super::event::{ScalarStyle, StructureStyle};
use super::limits::ExceededLimit;
use super::syntax_error::{Mistake, SyntaxError};
use super::tree::{NodeShape, TreeBuilder};
use crate::source::{SourceId, Span};

/// Maximum number of bytes before the first brace of JSON (`GuessJSONStream` with kubectl's buffer).
const MAX_LEADING_BYTES: usize = 4096;

/// Whether Kubernetes tries to read an input as JSON.
pub(super) fn may_be_json(text: &str) -> bool {
    let rest = text.trim_start();
    rest.starts_with('{') && text.len() - rest.len() < MAX_LEADING_BYTES
}

/// Returns the offset at which Kubernetes continues to read as YAML, if the input after `offset` is not JSON. White
/// space up to the end of the line is skipped (`consumeWhitespace`). Returns `None` if the rest of the input is too
/// short for Kubernetes to try.
pub(super) fn start_of_yaml(text: &str, offset: usize) -> Option<usize> {
    /// Number of bytes that Kubernetes reads at a time.
    const READ_SIZE: usize = 4;
    let rest = text.get(offset..)?;
    let leading_space = rest.get(..rest.len() - rest.trim_start().len())?;
    let end = leading_space.find('\n');
    let is_enough = rest.len() - end.unwrap_or(leading_space.len()) >= READ_SIZE;
    is_enough.then(|| offset + end.map_or(leading_space.len(), |end| end + 1))
}

/// Reason why a JSON value cannot be read.
pub(super) enum JsonError {
    Syntax(SyntaxError),
    Limit(ExceededLimit, usize),
}

/// Reader for JSON values. Each value becomes a tree.
pub(super) struct JsonReader<'s> {
    source: SourceId,
    text: &'s str,
    pub(super) at: usize,
}

type ReadResult<T> = Result<T, JsonError>;

impl<'s> JsonReader<'s> {
    pub(super) fn new(source: SourceId, text: &'s str) -> Self {
        Self { source, text, at: 0 }
    }

    /// Skips white space. Returns whether any input remains.
    pub(super) fn has_more(&mut self) -> bool {
        self.skip_space();
        self.at < self.text.len()
    }

    /// Reads a value into the tree.
    pub(super) fn read_value(&mut self, tree: &mut TreeBuilder<'s, '_>) -> ReadResult<()> {
        // Closing brackets of the open lists and mappings.
        let mut open_brackets: Vec<u8> = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            match self.current_byte() {
                opening @ (b'{' | b'[') => {
                    let (shape, closing) = match opening {
                        b'{' => (NodeShape::Mapping, b'}'),
                        _ => (NodeShape::Sequence, b']'),
                    };
                    self.at += 1;
                    let span = self.span(start, self.at);
                    tree.open(shape, StructureStyle::Flow, 0, span)
                        .map_err(|exceeded| JsonError::Limit(exceeded, start))?;
                    open_brackets.push(closing);
                    self.skip_space();
                    if self.current_byte() != closing {
                        self.read_key(tree, closing)?;
                        continue;
                    }
                }
                b'"' => self.read_string(tree)?,
                b'-' | b'0'..=b'9' => self.read_number(tree)?,
                _ => self.read_literal(tree)?,
            }
            // The value is complete. The enclosing lists and mappings may end with it.
            loop {
                if tree.is_full() {
                    return Err(JsonError::Limit(ExceededLimit::Nodes, start));
                }
                let Some(closing) = open_brackets.last().copied() else {
                    return Ok(());
                };
                self.skip_space();
                let offset = self.at;
                match self.current_byte() {
                    b',' => {
                        self.at += 1;
                        self.skip_space();
                        self.read_key(tree, closing)?;
                        break;
                    }
                    byte if byte == closing => {
                        self.at += 1;
                        open_brackets.pop();
                        let span = self.span(offset, self.at);
                        tree.close(span);
                    }
                    _ => return self.unexpected_character_error(),
                }
            }
        }
    }

    /// Reads a key and its colon if the innermost open bracket belongs to a mapping.
    fn read_key(&mut self, tree: &mut TreeBuilder<'s, '_>, closing: u8) -> ReadResult<()> {
        if closing == b']' {
            return Ok(());
        }
        if self.current_byte() != b'"' {
            return self.unexpected_character_error();
        }
        self.read_string(tree)?;
        self.skip_space();
        if self.current_byte() != b':' {
            return self.unexpected_character_error();
        }
        self.at += 1;
        Ok(())
    }

    fn read_string(&mut self, tree: &mut TreeBuilder<'s, '_>) -> ReadResult<()> {
        let start = self.at;
        self.at += 1;
        let text = self.read_string_text()?;
        let span = self.span(start, self.at);
        tree.add_scalar(text, ScalarStyle::DoubleQuoted, 0, None, span);
        Ok(())
    }

    /// Reads up to the closing quote.
    fn read_string_text(&mut self) -> ReadResult<Cow<'s, str>> {
        let mut text = String::new();
        let mut start = self.at;
        loop {
            match self.current_byte() {
                b'"' => break,
                b'\\' => {
                    text.push_str(self.slice(start));
                    let escape_start = self.at;
                    let character = self.read_escape();
                    text.push(
                        character.ok_or(JsonError::Syntax(SyntaxError::new(Mistake::UnknownEscape, escape_start)))?,
                    );
                    start = self.at;
                }
                0..b' ' => return self.unexpected_character_error(),
                _ => self.at += 1,
            }
        }
        let rest = self.slice(start);
        self.at += 1;
        Ok(if text.is_empty() { Cow::Borrowed(rest) } else { Cow::Owned(text + rest) })
    }

    /// Reads an escape sequence.
    fn read_escape(&mut self) -> Option<char> {
        let escaped_byte = self.text.as_bytes().get(self.at + 1)?;
        let character = match escaped_byte {
            b'"' | b'\\' | b'/' => char::from(*escaped_byte),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.read_code_unit()?;
                if let Some(character) = char::from_u32(first) {
                    return Some(character);
                }
                // A surrogate without its pair becomes a replacement character.
                let after_first = self.at;
                let second = self.read_code_unit().filter(|_| (0xd800..0xdc00).contains(&first));
                let second = second.filter(|second| (0xdc00..0xe000).contains(second));
                let pair =
                    second.and_then(|second| char::from_u32(0x10000 + ((first - 0xd800) << 10) + second - 0xdc00));
                if pair.is_none() {
                    self.at = after_first;
                }
                return Some(pair.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => return None,
        };
        self.at += 2;
        Some(character)
    }

    /// Reads `\u` and four digits.
    fn read_code_unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..)?.strip_prefix("\\u")?.get(..4)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let unit = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
        self.at += 6;
        Some(unit)
    }

    fn read_number(&mut self, tree: &mut TreeBuilder<'s, '_>) -> ReadResult<()> {
        let start = self.at;
        self.at += usize::from(self.current_byte() == b'-');
        if self.current_byte() == b'0' {
            self.at += 1;
        } else {
            self.skip_digits()?;
        }
        if self.current_byte() == b'.' {
            self.at += 1;
            self.skip_digits()?;
        }
        if matches!(self.current_byte(), b'e' | b'E') {
            self.at += 1;
            self.at += usize::from(matches!(self.current_byte(), b'+' | b'-'));
            self.skip_digits()?;
        }
        let span = self.span(start, self.at);
        tree.add_json_number(self.slice(start), span);
        Ok(())
    }

    /// Skips one or more digits.
    fn skip_digits(&mut self) -> ReadResult<()> {
        if !self.current_byte().is_ascii_digit() {
            return self.unexpected_character_error();
        }
        while self.current_byte().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }

    fn read_literal(&mut self, tree: &mut TreeBuilder<'s, '_>) -> ReadResult<()> {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let Some(literal) = ["true", "false", "null"].into_iter().find(|literal| rest.starts_with(literal)) else {
            return self.unexpected_character_error();
        };
        self.at += literal.len();
        let span = self.span(start, self.at);
        tree.add_scalar(Cow::Borrowed(literal), ScalarStyle::Plain, 0, None, span);
        Ok(())
    }

    fn unexpected_character_error<T>(&self) -> ReadResult<T> {
        Err(JsonError::Syntax(SyntaxError::new(Mistake::ExpectedJson, self.at)))
    }

    fn current_byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    fn skip_space(&mut self) {
        while matches!(self.current_byte(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn slice(&self, start: usize) -> &'s str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }
}
