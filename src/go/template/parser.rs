//! Template grammar (`text/template/parse/parse.go`).

use std::collections::HashSet;

use super::lexer::{Item, Lexer, Token};
use super::problem::{Problem, Result, truncated};
use crate::go::literal::{is_character, is_number, unquote};

/// Maximum nesting depth of blocks and parentheses to parse. Deeper templates are accepted.
const MAX_DEPTH: usize = 64;

/// End of a list of text and actions.
enum Next {
    End,
    /// Offset of the `else`, and the `if` or `with` that follows in the same action.
    Else(usize, Option<&'static str>),
}

/// Construct that a pipeline belongs to, which determines the token that ends it.
#[derive(Clone, Copy)]
struct Pipeline {
    context: &'static str,
    in_parentheses: bool,
}

pub struct Parser<'t> {
    lexer: Lexer<'t>,
    /// Tokens that were read ahead, the next one last.
    ahead: Vec<Item<'t>>,
    variables: Vec<&'t str>,
    loops: usize,
    depth: usize,
    /// Names of non-empty definitions.
    definitions: HashSet<Vec<u8>>,
    /// Whether the template can call a function.
    is_function: fn(&str) -> bool,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str, is_function: fn(&str) -> bool) -> Self {
        Self {
            lexer: Lexer::new(text),
            ahead: Vec::new(),
            variables: vec!["$"],
            loops: 0,
            depth: 0,
            definitions: HashSet::new(),
            is_function,
        }
    }

    /// Parses an entire template (`Tree.parse`).
    pub fn template(mut self) -> Result<()> {
        loop {
            let (token, start) = self.next_token()?;
            match token {
                Token::End => return Ok(()),
                Token::LeftDelimiter if self.peek_word()?.0 == Token::Keyword("define") => {
                    self.next_word()?;
                    self.definition(start)?;
                }
                _ => {
                    self.ahead.push((token, start));
                    match self.text_or_action()? {
                        None => {}
                        Some(Next::End) => {
                            return Err(Problem::new(
                                start,
                                "has an `{{ end }}` that closes nothing",
                                "remove it",
                            ));
                        }
                        Some(Next::Else(at, _)) => return Err(Problem::lone_else(at)),
                    }
                }
            }
        }
    }

    fn next_token(&mut self) -> Result<Item<'t>> {
        match self.ahead.pop() {
            Some(item) => Ok(item),
            None => self.lexer.next(),
        }
    }

    fn peek(&mut self) -> Result<Item<'t>> {
        let item = self.next_token()?;
        self.ahead.push(item);
        Ok(item)
    }

    /// Returns the next token that is not space (`nextNonSpace`).
    fn next_word(&mut self) -> Result<Item<'t>> {
        loop {
            let item = self.next_token()?;
            if item.0 != Token::Space {
                return Ok(item);
            }
        }
    }

    fn peek_word(&mut self) -> Result<Item<'t>> {
        let item = self.next_word()?;
        self.ahead.push(item);
        Ok(item)
    }

    /// Consumes the end of an action.
    fn end_of_action(&mut self) -> Result<()> {
        match self.next_word()? {
            (Token::RightDelimiter, _) => Ok(()),
            (found, at) => Err(unexpected(found, at)),
        }
    }

    /// Parses a construct that adds a nesting level.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(Problem::too_deep());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Parses a list with separate variables and loops.
    fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let variables = std::mem::replace(&mut self.variables, vec!["$"]);
        let loops = std::mem::take(&mut self.loops);
        let read = self.nested(read)?;
        (self.variables, self.loops) = (variables, loops);
        Ok(read)
    }

    /// Parses `{{ define "name" }} … {{ end }}`, after the keyword (`parseDefinition`).
    fn definition(&mut self, start: usize) -> Result<()> {
        let name = self.template_name()?;
        self.end_of_action()?;
        self.body(name, "define", start)
    }

    /// Parses the content of a definition, which must be the only non-empty one with its name.
    fn body(&mut self, name: Vec<u8>, keyword: &'static str, start: usize) -> Result<()> {
        let (next, is_empty) = self.scoped(|parser| parser.list(keyword, start))?;
        if let Next::Else(at, _) = next {
            return Err(Problem::lone_else(at));
        }
        if !is_empty && !self.definitions.insert(name) {
            return Err(Problem::new(
                start,
                "defines a template twice",
                "give each definition a separate name",
            ));
        }
        Ok(())
    }

    /// Parses text and actions up to `{{ end }}` or `{{ else }}`, and returns whether they are all blank (`itemList`,
    /// `IsEmptyTree`).
    fn list(&mut self, keyword: &str, start: usize) -> Result<(Next, bool)> {
        let mut is_empty = true;
        loop {
            let (token, at) = self.next_word()?;
            if token == Token::End {
                let what = format!("has `{{{{ {keyword} }}}}` without `{{{{ end }}}}`");
                return Err(Problem::new(start, what, "close the block with `{{ end }}`"));
            }
            self.ahead.push((token, at));
            if let Some(next) = self.text_or_action()? {
                return Ok((next, is_empty));
            }
            is_empty &= matches!(token, Token::Text(text) if text.trim().is_empty());
        }
    }

    fn text_or_action(&mut self) -> Result<Option<Next>> {
        match self.next_word()? {
            (Token::Text(_), _) => Ok(None),
            (Token::LeftDelimiter, start) => self.action(start),
            (found, at) => Err(unexpected(found, at)),
        }
    }

    /// Parses an action after its `{{` (`action`).
    fn action(&mut self, start: usize) -> Result<Option<Next>> {
        let (token, at) = self.next_word()?;
        let Token::Keyword(keyword) = token else {
            self.ahead.push((token, at));
            self.pipeline(Pipeline::new("command"))?;
            return Ok(None);
        };
        match keyword {
            "end" => {
                self.end_of_action()?;
                return Ok(Some(Next::End));
            }
            "else" => {
                if let (Token::Keyword(keyword @ ("if" | "with")), _) = self.peek_word()? {
                    return Ok(Some(Next::Else(start, Some(keyword))));
                }
                self.end_of_action()?;
                return Ok(Some(Next::Else(start, None)));
            }
            "if" | "with" | "range" => self.nested(|parser| parser.control(keyword, start))?,
            "break" | "continue" => {
                self.end_of_action()?;
                if self.loops == 0 {
                    let what = format!("has a `{{{{ {keyword} }}}}` outside `{{{{ range }}}}`");
                    return Err(Problem::new(start, what, "remove it"));
                }
            }
            "block" => {
                let name = self.template_name()?;
                self.pipeline(Pipeline::new("block"))?;
                self.body(name, "block", start)?;
            }
            "template" => {
                self.template_name()?;
                if self.peek_word()?.0 == Token::RightDelimiter {
                    self.next_word()?;
                } else {
                    self.pipeline(Pipeline::new("template"))?;
                }
            }
            _ => return Err(unexpected(token, at)),
        }
        Ok(None)
    }

    fn template_name(&mut self) -> Result<Vec<u8>> {
        match self.next_word()? {
            (Token::Raw(text), _) => Ok(text.as_bytes().to_vec()),
            (Token::Quoted(text), at) => unquote(text).ok_or_else(|| Problem::escape(at)),
            (found, at) => Err(unexpected(found, at)),
        }
    }

    /// Parses a conditional block or loop, after its keyword (`parseControl`).
    fn control(&mut self, keyword: &'static str, start: usize) -> Result<()> {
        let known = self.variables.len();
        self.pipeline(Pipeline::new(keyword))?;
        let is_loop = usize::from(keyword == "range");
        self.loops += is_loop;
        let (next, _) = self.list(keyword, start)?;
        self.loops -= is_loop;
        match next {
            Next::End => {}
            Next::Else(at, Some(following)) if following == keyword => {
                self.next_word()?;
                self.nested(|parser| parser.control(keyword, at))?;
            }
            Next::Else(..) => {
                if let (Next::Else(at, _), _) = self.list(keyword, start)? {
                    let what = "has a second `{{ else }}` in a block";
                    return Err(Problem::new(at, what, "remove it, or close the block with `{{ end }}`"));
                }
            }
        }
        self.variables.truncate(known);
        Ok(())
    }

    /// Parses declarations, and commands separated by `|` (`pipeline`).
    fn pipeline(&mut self, of: Pipeline) -> Result<()> {
        self.declarations(of)?;
        let mut commands = 0;
        loop {
            let (token, at) = self.next_word()?;
            match token {
                Token::RightDelimiter if !of.in_parentheses => break,
                Token::RightParenthesis if of.in_parentheses => break,
                _ if is_operand(token) => {
                    if commands > 0 && is_constant(token) {
                        let what = "passes a value on to a constant";
                        return Err(Problem::new(at, what, "put a function behind `|`"));
                    }
                    self.ahead.push((token, at));
                    self.command()?;
                    commands += 1;
                }
                _ => return Err(unexpected(token, at)),
            }
        }
        if commands == 0 {
            return Err(of.missing(self.lexer.position()));
        }
        Ok(())
    }

    fn declarations(&mut self, of: Pipeline) -> Result<()> {
        for nth in 1.. {
            let (token, at) = self.peek_word()?;
            let Token::Variable(name) = token else { return Ok(()) };
            self.next_word()?;
            let behind = self.peek()?;
            match self.peek_word()?.0 {
                Token::Assign | Token::Declare => {
                    self.next_word()?;
                    self.variables.push(name);
                    return Ok(());
                }
                Token::Sign(",") => {
                    self.next_word()?;
                    self.variables.push(name);
                    let is_next = matches!(
                        self.peek_word()?.0,
                        Token::Variable(_) | Token::RightDelimiter | Token::RightParenthesis
                    );
                    if of.context != "range" || nth > 1 || !is_next {
                        let what = "declares too many variables";
                        return Err(Problem::new(at, what, "declare one, or two in `range`"));
                    }
                }
                _ => {
                    if behind.0 == Token::Space {
                        self.ahead.push(behind);
                    }
                    self.ahead.push((token, at));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Parses a function or value and its arguments (`command`).
    fn command(&mut self) -> Result<()> {
        loop {
            self.peek_word()?;
            self.operand()?;
            match self.next_token()? {
                (Token::Space, _) => {}
                (Token::Pipe, _) => return Ok(()),
                item @ (Token::RightDelimiter | Token::RightParenthesis, _) => {
                    self.ahead.push(item);
                    return Ok(());
                }
                (found, at) => return Err(unexpected(found, at)),
            }
        }
    }

    /// Parses a value and its fields (`operand`), or nothing before `|` or the end.
    fn operand(&mut self) -> Result<()> {
        let (token, at) = self.next_word()?;
        if !is_operand(token) {
            self.ahead.push((token, at));
            return Ok(());
        }
        self.term(token, at)?;
        if self.peek()?.0 == Token::Field {
            if is_constant(token) {
                let what = "has a field of a constant";
                return Err(Problem::new(at, what, "put a space before the field, or remove it"));
            }
            while self.peek()?.0 == Token::Field {
                self.next_token()?;
            }
        }
        Ok(())
    }

    fn term(&mut self, token: Token<'t>, at: usize) -> Result<()> {
        match token {
            Token::Identifier(name) if !(self.is_function)(name) => Err(Problem::function(name, at)),
            Token::Variable(name) if !self.variables.contains(&name) => Err(Problem::variable(name, at)),
            Token::Character(text) if !is_character(text) => Err(Problem::escape(at)),
            Token::Quoted(text) if unquote(text).is_none() => Err(Problem::escape(at)),
            Token::Number(text) if !is_number(text.strip_suffix('i').unwrap_or(text)) => Err(Problem::number(at, text)),
            Token::LeftParenthesis => {
                let inside = Pipeline {
                    context: "parentheses",
                    in_parentheses: true,
                };
                self.nested(|parser| parser.pipeline(inside))
            }
            _ => Ok(()),
        }
    }
}

impl Pipeline {
    fn new(context: &'static str) -> Self {
        Self {
            context,
            in_parentheses: false,
        }
    }

    /// Problem of a pipeline without a value (`checkPipeline`).
    fn missing(self, at: usize) -> Problem {
        let what = match self.context {
            "command" => "has an action without a value".to_owned(),
            "parentheses" => "has parentheses without a value".to_owned(),
            keyword => format!("has `{{{{ {keyword} }}}}` without a value"),
        };
        Problem::new(at.saturating_sub(1), what, "write a value, such as `.Value`")
    }
}

/// Whether a command can start with a token.
fn is_operand(token: Token<'_>) -> bool {
    let is_value = matches!(
        token,
        Token::Field | Token::Identifier(_) | Token::Variable(_) | Token::LeftParenthesis
    );
    is_value || is_constant(token)
}

fn is_constant(token: Token<'_>) -> bool {
    let is_text = matches!(token, Token::Character(_) | Token::Quoted(_) | Token::Raw(_));
    is_text
        || matches!(
            token,
            Token::Bool | Token::Dot | Token::Nil | Token::Number(_) | Token::Complex
        )
}

/// Problem of an unexpected token.
fn unexpected(found: Token<'_>, at: usize) -> Problem {
    let shown = match found {
        Token::End | Token::Text(_) | Token::Sign("}" | "{") => return Problem::open_action(at),
        Token::Keyword(word) => word,
        Token::Sign(sign) => sign,
        Token::Identifier(word) | Token::Number(word) | Token::Variable(word) => &truncated(word),
        Token::Pipe => "|",
        Token::Assign => "=",
        Token::Declare => ":=",
        Token::LeftParenthesis => "(",
        Token::RightParenthesis => ")",
        Token::RightDelimiter => "}}",
        Token::LeftDelimiter => "{{",
        Token::Dot | Token::Field => ".",
        _ => "\"",
    };
    let what = format!("has a misplaced `{shown}`");
    Problem::new(
        at,
        what,
        "see https://pkg.go.dev/text/template for the syntax of templates",
    )
}
