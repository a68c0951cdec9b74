//! The tokens of the language of Grafana Alloy.

use std::ops::Range;

/// A token of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name, or a part of one between dots.
    Word(&'t str),
    Number,
    /// The bytes of a text, between its quotes.
    Text(Range<usize>),
    /// An operator, a bracket or a comma.
    Mark(&'t str),
    Comment,
    /// The end of a line.
    Line,
    /// The end of the text.
    End,
}

/// The tokens of a text, one after another.
pub(super) struct Tokens<'t> {
    pub(super) text: &'t str,
    /// The offset behind the last token.
    pub(super) at: usize,
    /// The next token, where it was looked at.
    ahead: Option<(Token<'t>, Range<usize>)>,
}

impl<'t> Tokens<'t> {
    /// From the start of a text.
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            ahead: None,
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next token with its place; `None` if the text has something else there.
    pub(super) fn next(&mut self) -> Option<(Token<'t>, Range<usize>)> {
        if let Some((token, bytes)) = self.ahead.take() {
            self.at = bytes.end;
            return Some((token, bytes));
        }
        let blanks = self.rest().bytes();
        self.at += blanks.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let (start, rest) = (self.at, self.rest());
        let token = match rest.chars().next() {
            None => Token::End,
            Some('\n') => self.take(1, Token::Line),
            Some('"') => {
                let length = quoted_length(rest)?;
                self.take(length, Token::Text(start + 1..start + length - 1))
            }
            Some('`') => {
                let length = rest.get(1..)?.find('`')? + 2;
                self.take(length, Token::Text(start + 1..start + length - 1))
            }
            Some('/') if rest.starts_with("//") => self.take(rest.find('\n').unwrap_or(rest.len()), Token::Comment),
            Some('/') if rest.starts_with("/*") => self.take(rest.find("*/")? + 2, Token::Comment),
            Some(c) if c == '_' || c.is_alphabetic() => {
                let word = leading(rest, |c| c == '_' || c.is_alphanumeric());
                self.take(word.len(), Token::Word(word))
            }
            Some(c) if c.is_ascii_digit() => {
                let number = leading(rest, |c| c == '.' || c.is_ascii_alphanumeric());
                self.take(number.len(), Token::Number)
            }
            Some(_) => {
                let mark = rest.get(..mark_length(rest.as_bytes())?)?;
                self.take(mark.len(), Token::Mark(mark))
            }
        };
        Some((token, start..self.at))
    }

    fn take(&mut self, length: usize, token: Token<'t>) -> Token<'t> {
        self.at += length;
        token
    }

    /// The token behind that, which is not taken.
    pub(super) fn peek(&mut self) -> Option<&Token<'t>> {
        if self.ahead.is_none() {
            let at = self.at;
            self.ahead = self.next();
            self.at = at;
        }
        self.ahead.as_ref().map(|(token, _)| token)
    }
}

fn leading(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let is_plain = |byte: &u8| byte.is_ascii() && belongs(char::from(*byte));
    let plain = text.bytes().take_while(is_plain).count();
    match text.as_bytes().get(plain) {
        Some(byte) if !byte.is_ascii() => text.split(|c| !belongs(c)).next().unwrap_or_default(),
        _ => text.get(..plain).unwrap_or_default(),
    }
}

/// Length of the mark that a text begins with.
fn mark_length(text: &[u8]) -> Option<usize> {
    match text {
        [b'=' | b'!' | b'<' | b'>', b'=', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => Some(2),
        [
            b'=' | b'<' | b'>' | b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b',' | b'.',
            ..,
        ] => Some(1),
        [b'(' | b')' | b'[' | b']' | b'{' | b'}', ..] => Some(1),
        _ => None,
    }
}

/// Length of a text in double quotes, including them.
fn quoted_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return None,
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}
