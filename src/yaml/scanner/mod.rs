//! Division of a document into tokens, as in the scanner of go-yaml v2 (`scannerc.go`).
//!
//! A token is known to start a key only when the colon after it is found. Until then, the token waits in a queue, so
//! that the start of the key can still be inserted before it.

mod block_scalar;
mod cursor;
mod plain;
mod properties;
mod quoted;
mod token;

use std::collections::VecDeque;

use super::syntax_error::{Mistake, SyntaxError};
use cursor::Cursor;
pub(super) use token::{Token, TokenKind};

/// Maximum number of characters between the start of a key and its colon.
const KEY_LENGTH: usize = 1024;

/// Start of a possible key.
#[derive(Clone, Copy, Debug, Default)]
struct SimpleKey {
    is_possible: bool,
    /// Whether only a key is allowed at this position.
    is_required: bool,
    /// Number of the token at which the key starts.
    token: usize,
    at: usize,
    line: usize,
    column: usize,
}

/// Scanner that splits a document into tokens.
#[derive(Debug)]
pub(super) struct Scanner<'s> {
    cursor: Cursor<'s>,
    tokens: VecDeque<Token<'s>>,
    /// Number of tokens taken from the queue so far.
    taken: usize,
    /// Possible keys: one outside all brackets, and one for each pair of open brackets.
    keys: Vec<SimpleKey>,
    may_start_key: bool,
    /// Number of brackets around the next token, or `None` if the token is not a possible start of a key.
    next_key: Option<usize>,
    /// Column of the innermost block collection.
    indent: Option<usize>,
    indents: Vec<Option<usize>>,
    /// Opening quote of a string that spans several lines, and the start of a line in it that looks like a key.
    swallowed_key: Option<(usize, usize)>,
}

type ScanResult<T> = Result<T, SyntaxError>;

impl<'s> Scanner<'s> {
    /// Creates a scanner for the document that extends from the offset `start` to the end of `text`. `is_file`
    /// specifies whether Kubernetes reads the document from a file, line by line.
    pub(super) fn new(text: &'s str, start: usize, is_file: bool) -> Self {
        Self {
            cursor: Cursor::new(text, start, is_file),
            tokens: VecDeque::new(),
            taken: 0,
            keys: vec![SimpleKey::default()],
            may_start_key: true,
            next_key: None,
            indent: None,
            indents: Vec::new(),
            swallowed_key: None,
        }
    }

    /// Returns the next token without taking it.
    pub(super) fn peek(&mut self) -> ScanResult<&Token<'s>> {
        while self.needs_tokens()? {
            self.fetch()?;
        }
        match self.tokens.front() {
            Some(token) => Ok(token),
            None => Err(SyntaxError::new(Mistake::ExpectedValue, self.position())),
        }
    }

    /// Takes the token that was returned by [`Scanner::peek`].
    pub(super) fn take(&mut self) -> Option<Token<'s>> {
        self.taken += 1;
        self.tokens.pop_front()
    }

    /// Returns the offset of the opening quote of the first string that may lack its closing quote, and the offset of
    /// the key that the string appears to contain.
    pub(super) fn swallowed_key(&self) -> Option<(usize, usize)> {
        self.swallowed_key
    }

    /// Returns the current offset.
    fn position(&self) -> usize {
        self.cursor.offset(self.cursor.at)
    }

    fn error<T>(&self, mistake: Mistake) -> ScanResult<T> {
        Err(SyntaxError::new(mistake, self.position()))
    }

    fn is_in_brackets(&self) -> bool {
        self.keys.len() > 1
    }

    fn needs_tokens(&mut self) -> ScanResult<bool> {
        match self.tokens.front() {
            None => Ok(true),
            Some(Token { key: None, .. }) => Ok(false),
            Some(Token { key: Some(level), .. }) => self.is_valid_key(*level),
        }
    }

    /// Whether the possible key at a bracket level may still turn out to be a key. Keys must be on a single line and
    /// must not be too long.
    fn is_valid_key(&mut self, level: usize) -> ScanResult<bool> {
        let Some(key) = self.keys.get_mut(level).filter(|key| key.is_possible) else {
            return Ok(false);
        };
        let length = self.cursor.at - key.at;
        let is_long = length > KEY_LENGTH
            && (length > 4 * KEY_LENGTH || self.cursor.slice(key.at, self.cursor.at).chars().count() > KEY_LENGTH);
        if key.line == self.cursor.line && !is_long {
            return Ok(true);
        }
        key.is_possible = false;
        let key = *key;
        if key.is_required { Err(SyntaxError::new(Mistake::MissingColon, key.at)) } else { Ok(false) }
    }

    /// Records that the next token may be the start of a key.
    fn save_key(&mut self) -> ScanResult<()> {
        if !self.may_start_key {
            return Ok(());
        }
        let column = self.cursor.column();
        let new_key = SimpleKey {
            is_possible: true,
            is_required: !self.is_in_brackets() && self.indent == Some(column),
            token: self.taken + self.tokens.len(),
            at: self.cursor.at,
            line: self.cursor.line,
            column,
        };
        self.remove_key()?;
        self.next_key = Some(self.keys.len() - 1);
        if let Some(key) = self.keys.last_mut() {
            *key = new_key;
        }
        Ok(())
    }

    /// Discards the innermost possible key, because its colon was not found. Fails if a key is required.
    fn remove_key(&mut self) -> ScanResult<()> {
        let Some(key) = self.keys.last_mut().filter(|key| key.is_possible) else {
            return Ok(());
        };
        if key.is_required {
            return Err(SyntaxError::new(Mistake::MissingColon, key.at));
        }
        key.is_possible = false;
        let token = key.token;
        self.release_token(token);
        Ok(())
    }

    /// Marks a token as no longer waiting for a colon.
    fn release_token(&mut self, token: usize) {
        let index = token.checked_sub(self.taken);
        if let Some(token) = index.and_then(|index| self.tokens.get_mut(index)) {
            token.key = None;
        }
    }

    fn push(&mut self, kind: TokenKind<'s>, start: usize, end: usize) {
        let (start, end) = (self.cursor.offset(start), self.cursor.offset(end));
        let key = self.next_key.take();
        self.tokens.push_back(Token { kind, start, end, key });
    }

    /// Adds a token for an indicator that is `length` bytes long.
    fn push_indicator(&mut self, kind: TokenKind<'s>, length: usize) {
        let start = self.cursor.at;
        self.cursor.at += length;
        self.push(kind, start, start + length);
    }

    /// Inserts an empty token before the token with this number, or at the end of the queue if that token has already
    /// been taken.
    fn insert(&mut self, kind: TokenKind<'s>, number: usize, offset: usize) {
        let index = number.checked_sub(self.taken).filter(|index| *index <= self.tokens.len());
        let index = index.unwrap_or(self.tokens.len());
        self.tokens.insert(index, Token { kind, start: offset, end: offset, key: None });
    }

    /// Starts a block collection in `column`, unless the innermost collection is indented at least as much.
    fn roll_indent(&mut self, column: usize, kind: TokenKind<'s>, number: usize, offset: usize) {
        if !self.is_in_brackets() && self.indent.is_none_or(|indent| indent < column) {
            self.indents.push(self.indent);
            self.indent = Some(column);
            self.insert(kind, number, offset);
        }
    }

    /// Starts a block collection at the current position.
    fn roll_indent_here(&mut self, kind: TokenKind<'s>) {
        let column = self.cursor.column();
        self.roll_indent(column, kind, self.taken + self.tokens.len(), self.cursor.at);
    }

    /// Ends the block collections that are indented by more than `column`.
    fn unroll_indent(&mut self, column: Option<usize>) {
        while !self.is_in_brackets() && self.indent > column {
            let at = self.position();
            self.tokens.push_back(Token { kind: TokenKind::BlockEnd, start: at, end: at, key: None });
            self.indent = self.indents.pop().flatten();
        }
    }

    fn fetch(&mut self) -> ScanResult<()> {
        self.skip_to_token();
        if !self.is_in_brackets() && self.indent.is_some() {
            let column = self.cursor.column();
            self.unroll_indent(Some(column));
        }
        if self.cursor.is_at_end() {
            return self.fetch_stream_end();
        }
        let (current, next) = (self.cursor.current_byte(), self.cursor.at + 1);
        if self.cursor.is_at_line_start() {
            if current == b'%' {
                return self.fetch_directive();
            }
            if self.cursor.is_at_marker(b'-') {
                return self.fetch_marker(TokenKind::DocumentStart);
            }
            if self.cursor.is_at_marker(b'.') {
                return self.fetch_marker(TokenKind::DocumentEnd);
            }
        }
        let is_followed_by_blank = self.cursor.is_blank_or_end(next);
        let in_brackets = self.is_in_brackets();
        match current {
            b'[' => self.fetch_opening_bracket(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_opening_bracket(TokenKind::FlowMappingStart),
            b']' => self.fetch_closing_bracket(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_closing_bracket(TokenKind::FlowMappingEnd),
            b',' => self.fetch_comma(),
            b'-' if is_followed_by_blank => self.fetch_item(),
            b'?' if is_followed_by_blank || in_brackets => self.fetch_question_mark(),
            b':' if is_followed_by_blank || in_brackets => self.fetch_colon(),
            b'*' => self.fetch_anchor(TokenKind::Alias),
            b'&' => self.fetch_anchor(TokenKind::Anchor),
            b'!' => self.fetch_tag(),
            b'|' | b'>' if !in_brackets => self.fetch_block_scalar(),
            b'\'' | b'"' => self.fetch_quoted(),
            b'|' | b'>' | b'%' | b'@' | b'`' => self.unexpected_character_error(),
            b'\t' => self.error(Mistake::Tab),
            _ => self.fetch_plain(),
        }
    }

    fn unexpected_character_error(&self) -> ScanResult<()> {
        self.error(Mistake::UnexpectedCharacter(self.cursor.character().unwrap_or_default()))
    }

    /// Skips blanks, comments and line breaks.
    fn skip_to_token(&mut self) {
        loop {
            match self.is_in_brackets() || !self.may_start_key {
                true => self.cursor.skip_blanks(),
                false => self.cursor.skip_spaces(),
            }
            if self.cursor.current_byte() == b'#' {
                self.cursor.skip_line();
            }
            if !self.cursor.skip_break() {
                return;
            }
            self.may_start_key |= !self.is_in_brackets();
        }
    }

    fn fetch_stream_end(&mut self) -> ScanResult<()> {
        self.unroll_indent(None);
        self.remove_key()?;
        self.may_start_key = false;
        self.push(TokenKind::StreamEnd, self.cursor.at, self.cursor.at);
        // The end of the text also ends the line, so that an open bracket on the line can no longer be part of a key.
        self.cursor.line += 1;
        Ok(())
    }

    fn fetch_marker(&mut self, kind: TokenKind<'s>) -> ScanResult<()> {
        self.unroll_indent(None);
        self.remove_key()?;
        self.may_start_key = false;
        self.push_indicator(kind, 3);
        Ok(())
    }

    fn fetch_opening_bracket(&mut self, kind: TokenKind<'s>) -> ScanResult<()> {
        self.save_key()?;
        let token = self.taken + self.tokens.len();
        self.keys.push(SimpleKey { token, ..SimpleKey::default() });
        self.may_start_key = true;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn fetch_closing_bracket(&mut self, kind: TokenKind<'s>) -> ScanResult<()> {
        self.remove_key()?;
        if self.is_in_brackets()
            && let Some(inner) = self.keys.pop()
        {
            self.release_token(inner.token);
        }
        self.may_start_key = false;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn fetch_comma(&mut self) -> ScanResult<()> {
        self.remove_key()?;
        self.may_start_key = true;
        self.push_indicator(TokenKind::FlowEntry, 1);
        Ok(())
    }

    fn fetch_item(&mut self) -> ScanResult<()> {
        if !self.is_in_brackets() {
            if !self.may_start_key {
                return self.error(Mistake::MisplacedItem);
            }
            self.roll_indent_here(TokenKind::BlockSequenceStart);
        }
        self.remove_key()?;
        self.may_start_key = true;
        self.push_indicator(TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_question_mark(&mut self) -> ScanResult<()> {
        if !self.is_in_brackets() {
            if !self.may_start_key {
                return self.error(Mistake::MisplacedQuestionMark);
            }
            self.roll_indent_here(TokenKind::BlockMappingStart);
        }
        self.remove_key()?;
        self.may_start_key = !self.is_in_brackets();
        self.push_indicator(TokenKind::Key, 1);
        Ok(())
    }

    fn fetch_colon(&mut self) -> ScanResult<()> {
        let level = self.keys.len() - 1;
        if self.is_valid_key(level)?
            && let Some(key) = self.keys.get_mut(level)
        {
            key.is_possible = false;
            let key = *key;
            self.release_token(key.token);
            self.insert(TokenKind::Key, key.token, key.at);
            self.roll_indent(key.column, TokenKind::BlockMappingStart, key.token, key.at);
            self.may_start_key = false;
        } else if self.is_in_brackets() {
            self.may_start_key = false;
        } else {
            if !self.may_start_key {
                return self.error(Mistake::MisplacedColon);
            }
            self.roll_indent_here(TokenKind::BlockMappingStart);
        }
        self.push_indicator(TokenKind::Value, 1);
        Ok(())
    }
}
