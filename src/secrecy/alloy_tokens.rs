//! The tokens of the language of Grafana Alloy.

use std::ops::Range;

/// A token of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name, or a part of one between dots.
    Word(&'t str),
    /// A number.
    Number,
    /// The bytes of a text, between its quotes.
    Text(Range<usize>),
    /// An operator, a bracket or a comma.
    Mark(&'t str),
    /// A comment.
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

/// Marks of two characters; all others have one.
const LONG_MARKS: [&str; 6] = ["==", "!=", "<=", ">=", "&&", "||"];
const MARKS: &str = "=<>!+-*/%^()[]{},.";

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
        let skipped = self.rest().trim_start_matches([' ', '\t', '\r']);
        self.at = self.text.len() - skipped.len();
        let (start, rest) = (self.at, skipped);
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
                let long = rest.get(..2).filter(|mark| LONG_MARKS.contains(mark));
                let mark = long.or_else(|| rest.get(..1).filter(|mark| MARKS.contains(*mark)))?;
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
    text.split(|c| !belongs(c)).next().unwrap_or_default()
}

/// Length of a text in double quotes, including them.
fn quoted_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}
