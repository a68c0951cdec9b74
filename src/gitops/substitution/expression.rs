//! The grammar of substitutions (`envsubst/parse` in fluxcd/pkg).

/// Maximum depth of nested defaults.
const MAX_DEPTH: usize = 100;

/// Part of a string with expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text without escapes, with its offset in the input.
    Text { at: usize, text: String },
    /// An expression with its start and end offsets, including the `$`.
    Expression { start: usize, end: usize, expression: Expression },
}

/// `${name}`, possibly with an operator and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) name: String,
    pub(super) operator: String,
    pub(super) arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Text(String),
    Expression(Expression),
}

/// Reason why an expression cannot be parsed, in the library's words, and the expression's offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParseFailure {
    pub(super) at: usize,
    pub(super) reason: &'static str,
}

const BAD_SUBSTITUTION: &str = "bad substitution";
const NO_BRACE: &str = "missing closing brace";
const NO_NAME: &str = "unable to parse variable name";
const NO_ARGUMENT: &str = "unable to parse substitution within function";
const NO_DEFAULT: &str = "unable to parse default function";
const TOO_DEEP: &str = "expressions are nested too deeply";

/// Parses text up to the first mistake.
pub(super) fn parse(text: &str) -> Result<Vec<Part>, ParseFailure> {
    let mut scanner = Scanner { text, at: 0 };
    let mut parts = Vec::new();
    while scanner.at < text.len() {
        let start = scanner.at;
        if scanner.skip("${") {
            let expression = scanner.expression(0).map_err(|reason| ParseFailure { at: start, reason })?;
            parts.push(Part::Expression { start, end: scanner.at, expression });
            continue;
        }
        scanner.text(&mut parts);
    }
    Ok(parts)
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn remaining_text(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.remaining_text().chars().next()
    }

    fn skip(&mut self, text: &str) -> bool {
        let is_next = self.remaining_text().starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Reads characters while `accepts` returns true for the character and its position, which starts at 1.
    fn take_while(&mut self, accepts: impl Fn(char, usize) -> bool) -> String {
        let rest = self.remaining_text();
        let mut length = rest.char_indices().enumerate().filter(|(i, (_, c))| !accepts(*c, i + 1));
        let end = length.next().map_or(rest.len(), |(_, (at, _))| at);
        let taken_text = rest.get(..end).unwrap_or_default().to_owned();
        self.at += end;
        taken_text
    }

    /// Reads text up to the next expression. `$$` is an escape for `$`.
    fn text(&mut self, parts: &mut Vec<Part>) {
        let (mut start, mut text) = (self.at, String::new());
        loop {
            let rest = self.remaining_text();
            let end = rest.find('$').unwrap_or(rest.len());
            text.push_str(rest.get(..end).unwrap_or_default());
            self.at += end;
            let rest = self.remaining_text();
            if rest.is_empty() || rest.starts_with("${") {
                break;
            }
            if rest.starts_with("$$") {
                // The first dollar sign is dropped, and the second one is not examined again.
                if !text.is_empty() {
                    parts.push(Part::Text { at: start, text: std::mem::take(&mut text) });
                }
                start = self.at + 1;
                self.at += 2;
            } else {
                self.at += 1;
            }
            text.push('$');
        }
        if !text.is_empty() {
            parts.push(Part::Text { at: start, text });
        }
    }

    fn close(&mut self) -> Result<(), &'static str> {
        if self.skip("}") { Ok(()) } else { Err(BAD_SUBSTITUTION) }
    }

    /// Reads an expression after `${`.
    fn expression(&mut self, depth: usize) -> Result<Expression, &'static str> {
        if depth > MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        if self.skip("#") {
            let name = self.take_while(is_of_name);
            if name.is_empty() {
                return Err(BAD_SUBSTITUTION);
            }
            self.close()?;
            return Ok(Expression { name, operator: "#".to_owned(), arguments: Vec::new() });
        }
        let name = self.take_while(is_of_name);
        if name.is_empty() {
            return Err(NO_NAME);
        }
        let (operator, arguments) = match self.peek() {
            Some(':') => match self.remaining_text().chars().nth(1) {
                Some('=' | '-' | '?' | '+') => self.default(depth)?,
                // The library rejects a multibyte character here, because it steps back by the character's width.
                Some(next) if !next.is_ascii() => return Err(BAD_SUBSTITUTION),
                None => return Err(BAD_SUBSTITUTION),
                Some(_) => self.substring(depth)?,
            },
            Some('=') => self.default(depth)?,
            Some(',' | '^') => {
                let operator = self.take_while(|c, number| matches!(c, ',' | '^') && number < 3);
                self.close()?;
                (operator, Vec::new())
            }
            Some('/') => self.replacement(depth)?,
            Some(sign @ ('#' | '%')) => {
                let operator = self.take_while(|c, number| c == sign && number < 3);
                let argument = self.argument(depth, |c| c != '}', false)?;
                self.close()?;
                (operator, vec![argument])
            }
            Some('}') => {
                self.close()?;
                (String::new(), Vec::new())
            }
            _ => return Err(NO_BRACE),
        };
        Ok(Expression { name, operator, arguments })
    }

    fn argument(
        &mut self,
        depth: usize,
        accepts: impl Fn(char) -> bool,
        has_escapes: bool,
    ) -> Result<Argument, &'static str> {
        if self.skip("${") {
            return self.expression(depth + 1).map(Argument::Expression);
        }
        let mut text = String::new();
        while let Some(next_char) = self.peek() {
            if self.remaining_text().starts_with("${") {
                break;
            }
            let is_escape = ["$$", "\\/", "\\\\"].iter().any(|escape| self.remaining_text().starts_with(escape));
            if has_escapes && is_escape {
                self.at += 1;
                text.extend(self.peek());
                self.at += 1;
                continue;
            }
            if !accepts(next_char) {
                break;
            }
            text.push(next_char);
            self.at += next_char.len_utf8();
        }
        if text.is_empty() { Err(NO_ARGUMENT) } else { Ok(Argument::Text(text)) }
    }

    fn default(&mut self, depth: usize) -> Result<(String, Vec<Argument>), &'static str> {
        let operator = match self.skip("=") {
            true => "=".to_owned(),
            false => self.take_while(|c, number| match number {
                1 => c == ':',
                2 => matches!(c, '=' | '-' | '?' | '+'),
                _ => false,
            }),
        };
        if operator.is_empty() {
            return Err(NO_DEFAULT);
        }
        let mut arguments = Vec::new();
        while self.peek() != Some('}') {
            arguments.push(self.argument(depth, |c| c != '}', false)?);
        }
        self.close()?;
        Ok((operator, arguments))
    }

    fn substring(&mut self, depth: usize) -> Result<(String, Vec<Argument>), &'static str> {
        self.skip(":");
        let mut arguments = vec![self.argument(depth, |c| c != ':' && c != '}', false)?];
        if !self.skip("}") {
            if self.take_while(|c, _| c == ':').is_empty() {
                return Err(BAD_SUBSTITUTION);
            }
            arguments.push(self.argument(depth, |c| c != '}', false)?);
            self.close()?;
        }
        Ok((":".to_owned(), arguments))
    }

    fn replacement(&mut self, depth: usize) -> Result<(String, Vec<Argument>), &'static str> {
        let operator = self.take_while(|c, number| match number {
            1 => c == '/',
            2 => matches!(c, '/' | '#' | '%'),
            _ => false,
        });
        let mut arguments = vec![self.argument(depth, |c| c != '/', true)?];
        if self.take_while(|c, _| c == '/').is_empty() {
            return Err(BAD_SUBSTITUTION);
        }
        if self.peek() != Some('}') {
            arguments.push(self.argument(depth, |c| c != '}', true)?);
        }
        self.close()?;
        Ok((operator, arguments))
    }
}

fn is_of_name(c: char, _: usize) -> bool {
    c == '_' || c.is_alphanumeric()
}
