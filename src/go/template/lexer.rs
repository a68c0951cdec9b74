//! Template lexer (`text/template/parse/lex.go`).

use super::problem::{Result, TemplateProblem};
use crate::go::text::{is_digit, is_letter};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateToken<'t> {
    End,
    Text(&'t str),
    LeftDelimiter,
    RightDelimiter,
    Space,
    LeftParenthesis,
    RightParenthesis,
    Pipe,
    Assign,
    Declare,
    Dot,
    Nil,
    Bool(bool),
    /// A field with its dot.
    Field(&'t str),
    Number(&'t str),
    /// A number with an imaginary part.
    Complex,
    Character(&'t str),
    Quoted(&'t str),
    Raw(&'t str),
    Identifier(&'t str),
    Keyword(&'static str),
    Variable(&'t str),
    /// A character that forms no other token.
    Sign(&'t str),
}

const KEYWORDS: [&str; 10] = ["block", "break", "continue", "define", "else", "end", "if", "range", "template", "with"];

/// A token and its start offset.
pub type LexedToken<'t> = (TemplateToken<'t>, usize);

/// Lexer state between two tokens.
pub struct Lexer<'t> {
    text: &'t str,
    position: usize,
    /// Start of the action that contains `position`.
    action: Option<usize>,
    parentheses: usize,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, position: 0, action: None, parentheses: 0 }
    }

    /// Returns the offset of the next token.
    pub fn position(&self) -> usize {
        self.position
    }

    pub fn next(&mut self) -> Result<LexedToken<'t>> {
        match self.action {
            Some(start) => self.lex_in_action(start),
            None => self.lex_text(),
        }
    }

    fn remaining_text(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.remaining_text().chars().next()
    }

    /// Consumes a token of the given length.
    fn take(&mut self, length: usize) -> &'t str {
        let taken = self.remaining_text().get(..length).unwrap_or_default();
        self.position += taken.len();
        taken
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.remaining_text();
        self.take(rest.find(|c| !is_part(c)).unwrap_or(rest.len()))
    }

    /// Reads text up to the next action, or the start of an action (`lexText`, `lexLeftDelim`).
    fn lex_text(&mut self) -> Result<LexedToken<'t>> {
        loop {
            let start = self.position;
            let Some(before) = self.remaining_text().find("{{") else {
                let text = self.take(self.remaining_text().len());
                let token = if text.is_empty() { TemplateToken::End } else { TemplateToken::Text(text) };
                return Ok((token, start));
            };
            let mut text = self.take(before);
            if has_left_trim(self.remaining_text().get(2..).unwrap_or_default()) {
                text = text.trim_end_matches(is_space);
            }
            if !text.is_empty() {
                return Ok((TemplateToken::Text(text), start));
            }
            let start = self.position;
            self.take(2);
            if has_left_trim(self.remaining_text()) {
                self.take(2);
            }
            if !self.remaining_text().starts_with("/*") {
                (self.action, self.parentheses) = (Some(start), 0);
                return Ok((TemplateToken::LeftDelimiter, start));
            }
            self.skip_comment(start)?;
        }
    }

    /// Skips a comment (`lexComment`).
    fn skip_comment(&mut self, start: usize) -> Result<()> {
        const HELP: &str = "close the comment with `*/}}`";
        self.take(2);
        let Some(end) = self.remaining_text().find("*/") else {
            return Err(TemplateProblem::new(start, "has an unclosed comment", HELP));
        };
        self.take(end + 2);
        if self.lex_right_delimiter().is_none() {
            let predicate = "has a comment with text between `*/` and `}}`";
            return Err(TemplateProblem::new(start, predicate, HELP));
        }
        Ok(())
    }

    /// Skips `}}`, or ` -}}` with the space after it, and returns the start of the delimiter (`atRightDelim`).
    fn lex_right_delimiter(&mut self) -> Option<usize> {
        let start = self.position;
        let rest = self.remaining_text();
        if rest.starts_with("}}") {
            self.take(2);
            return Some(start);
        }
        if rest.starts_with(is_space) && rest.get(1..).is_some_and(|rest| rest.starts_with("-}}")) {
            self.take(4);
            self.take_while(is_space);
            return Some(start);
        }
        None
    }

    /// Reads a token inside an action (`lexInsideAction`).
    fn lex_in_action(&mut self, action: usize) -> Result<LexedToken<'t>> {
        let start = self.position;
        if let Some(end) = self.lex_right_delimiter() {
            if self.parentheses > 0 {
                let predicate = "has a `(` without `)`";
                return Err(TemplateProblem::new(action, predicate, "close the parenthesis with `)`"));
            }
            self.action = None;
            return Ok((TemplateToken::RightDelimiter, end));
        }
        let Some(first) = self.peek() else {
            return Err(TemplateProblem::open_action(action));
        };
        let token = match first {
            c if is_space(c) => self.lex_space(),
            '=' => self.take_single(TemplateToken::Assign),
            ':' => {
                self.take(1);
                if self.peek() != Some('=') {
                    return Err(TemplateProblem::new(start, "has a `:` without `=`", "write `:=`"));
                }
                self.take_single(TemplateToken::Declare)
            }
            '|' => self.take_single(TemplateToken::Pipe),
            '"' => TemplateToken::Quoted(self.read_quoted('"')?),
            '\'' => TemplateToken::Character(self.read_quoted('\'')?),
            '`' => {
                let Some(end) = self.remaining_text().get(1..).and_then(|rest| rest.find('`')) else {
                    return Err(TemplateProblem::open_string(start));
                };
                let text = self.take(end + 2);
                TemplateToken::Raw(text.trim_matches('`'))
            }
            '$' => self.lex_name(1, TemplateToken::Variable)?,
            '.' if !self
                .remaining_text()
                .get(1..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) =>
            {
                self.lex_name(1, |name| if name == "." { TemplateToken::Dot } else { TemplateToken::Field(name) })?
            }
            '-' if self.remaining_text().starts_with("-}") => return Err(TemplateProblem::open_action(action)),
            '.' | '+' | '-' | '0'..='9' => self.lex_number(start)?,
            c if is_word(c) => self.lex_name(0, word_token)?,
            '(' => {
                self.parentheses += 1;
                self.take_single(TemplateToken::LeftParenthesis)
            }
            ')' if self.parentheses == 0 => {
                return Err(TemplateProblem::new(start, "has a `)` without `(`", "remove it, or add `(`"));
            }
            ')' => {
                self.parentheses -= 1;
                self.take_single(TemplateToken::RightParenthesis)
            }
            ' '..='~' => TemplateToken::Sign(self.take(1)),
            c => {
                let predicate = format!("has the character `{c}` outside a string");
                return Err(TemplateProblem::new(start, predicate, "put text in double quotes"));
            }
        };
        Ok((token, start))
    }

    fn take_single(&mut self, token: TemplateToken<'t>) -> TemplateToken<'t> {
        self.take(1);
        token
    }

    /// Reads spaces, except the space that belongs to ` -}}` (`lexSpace`).
    fn lex_space(&mut self) -> TemplateToken<'t> {
        self.take_while(is_space);
        let is_marked = self.remaining_text().starts_with("-}}");
        self.position -= usize::from(is_marked);
        TemplateToken::Space
    }

    /// Reads a name that follows `prefix` bytes (`lexIdentifier`, `lexFieldOrVariable`).
    fn lex_name(&mut self, prefix: usize, token: impl Fn(&'t str) -> TemplateToken<'t>) -> Result<TemplateToken<'t>> {
        let start = self.position;
        self.take(prefix);
        self.take_while(is_word);
        let is_end = match self.peek() {
            None | Some('.' | ',' | '|' | ':' | ')' | '(') => true,
            Some(c) => is_space(c) || self.remaining_text().starts_with("}}"),
        };
        let name = self.text.get(start..self.position).unwrap_or_default();
        if let Some(next) = self.peek().filter(|_| !is_end) {
            if next == '}' {
                return Err(TemplateProblem::open_action(self.action.unwrap_or(start)));
            }
            let predicate = format!("has the character `{next}` directly after a name");
            let help = "write `index . \"a-b\"` for a key with characters other than letters, digits and `_`";
            return Err(TemplateProblem::new(start, predicate, help));
        }
        Ok(token(name))
    }

    /// Reads a character or string literal (`lexChar`, `lexQuote`).
    fn read_quoted(&mut self, quote: char) -> Result<&'t str> {
        let start = self.position;
        let mut characters = self.remaining_text().char_indices().skip(1);
        let unclosed_string = || TemplateProblem::open_string(start);
        let length = loop {
            match characters.next().ok_or_else(unclosed_string)? {
                (_, '\n') => return Err(unclosed_string()),
                (_, '\\') => drop(characters.next().filter(|(_, c)| *c != '\n').ok_or_else(unclosed_string)?),
                (at, c) if c == quote => break at + 1,
                _ => {}
            }
        };
        Ok(self.take(length))
    }

    /// Reads a number (`lexNumber`).
    fn lex_number(&mut self, start: usize) -> Result<TemplateToken<'t>> {
        let invalid = |lexer: &Self| {
            let text = lexer.text.get(start..lexer.position).unwrap_or_default();
            TemplateProblem::number(start, text)
        };
        if !self.lex_digits() {
            return Err(invalid(self));
        }
        if !matches!(self.peek(), Some('+' | '-')) {
            return Ok(TemplateToken::Number(self.text.get(start..self.position).unwrap_or_default()));
        }
        let is_complex =
            self.lex_digits() && self.text.get(start..self.position).is_some_and(|text| text.ends_with('i'));
        is_complex.then_some(TemplateToken::Complex).ok_or_else(|| invalid(self))
    }

    /// Reads the digits of a number. Returns `false` if a letter or digit follows (`scanNumber`).
    fn lex_digits(&mut self) -> bool {
        self.accept("+-");
        let mut digits = "0123456789_";
        if self.accept("0") {
            for (marks, base_digits) in [("xX", "0123456789abcdefABCDEF_"), ("oO", "01234567_"), ("bB", "01_")] {
                if self.accept(marks) {
                    digits = base_digits;
                    break;
                }
            }
        }
        self.take_while(|c| digits.contains(c));
        if self.accept(".") {
            self.take_while(|c| digits.contains(c));
        }
        let exponent = match digits.len() {
            11 => "eE",
            23 => "pP",
            _ => "",
        };
        if self.accept(exponent) {
            self.accept("+-");
            self.take_while(|c| "0123456789_".contains(c));
        }
        self.accept("i");
        !self.peek().is_some_and(is_word)
    }

    fn accept(&mut self, characters: &str) -> bool {
        let is_next = self.peek().is_some_and(|c| characters.contains(c));
        self.position += usize::from(is_next);
        is_next
    }
}

fn word_token(word: &str) -> TemplateToken<'_> {
    match KEYWORDS.into_iter().find(|keyword| *keyword == word) {
        Some(keyword) => TemplateToken::Keyword(keyword),
        None if word == "nil" => TemplateToken::Nil,
        None if matches!(word, "true" | "false") => TemplateToken::Bool(word == "true"),
        None => TemplateToken::Identifier(word),
    }
}

/// Whether the text after `{{` starts with a dash and a space, which trim the preceding text.
fn has_left_trim(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.starts_with(is_space))
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn is_word(c: char) -> bool {
    c == '_' || is_letter(c) || is_digit(c)
}
