//! Template grammar (`text/template/parse/parse.go`).

use std::collections::HashSet;

use super::lexer::{LexedToken, Lexer, TemplateToken};
use super::problem::{Result, TemplateProblem, truncate_name};
use crate::go::literal::{is_character, is_number, unquote};

/// Maximum nesting depth of blocks and parentheses to parse. More deeply nested templates are accepted.
const MAX_DEPTH: usize = 64;

/// End of a list of text and actions.
enum ListEnd {
    End,
    /// Offset of the `else`, with any `if` or `with` that follows in the same action.
    Else(usize, Option<&'static str>),
}

/// Construct that contains a pipeline. It determines the token that ends the pipeline.
#[derive(Clone, Copy)]
struct PipelineContext {
    context: &'static str,
    in_parentheses: bool,
}

pub struct Parser<'t> {
    lexer: Lexer<'t>,
    /// Tokens that were read ahead. The next token is the last element.
    ahead: Vec<LexedToken<'t>>,
    variables: Vec<&'t str>,
    loops: usize,
    depth: usize,
    /// Names of non-empty definitions.
    definitions: HashSet<Vec<u8>>,
    /// Whether the template can call the function.
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
    pub fn parse_template(mut self) -> Result<()> {
        loop {
            let (token, start) = self.next_token()?;
            match token {
                TemplateToken::End => return Ok(()),
                TemplateToken::LeftDelimiter if self.peek_word()?.0 == TemplateToken::Keyword("define") => {
                    self.next_word()?;
                    self.parse_definition(start)?;
                }
                _ => {
                    self.ahead.push((token, start));
                    match self.text_or_action()? {
                        None => {}
                        Some(ListEnd::End) => {
                            return Err(TemplateProblem::new(
                                start,
                                "has an `{{ end }}` that closes no block",
                                "remove it",
                            ));
                        }
                        Some(ListEnd::Else(at, _)) => return Err(TemplateProblem::lone_else(at)),
                    }
                }
            }
        }
    }

    fn next_token(&mut self) -> Result<LexedToken<'t>> {
        match self.ahead.pop() {
            Some(item) => Ok(item),
            None => self.lexer.next(),
        }
    }

    fn peek(&mut self) -> Result<LexedToken<'t>> {
        let item = self.next_token()?;
        self.ahead.push(item);
        Ok(item)
    }

    /// Returns the next token other than space (`nextNonSpace`).
    fn next_word(&mut self) -> Result<LexedToken<'t>> {
        loop {
            let item = self.next_token()?;
            if item.0 != TemplateToken::Space {
                return Ok(item);
            }
        }
    }

    fn peek_word(&mut self) -> Result<LexedToken<'t>> {
        let item = self.next_word()?;
        self.ahead.push(item);
        Ok(item)
    }

    /// Consumes the end of an action.
    fn expect_end_of_action(&mut self) -> Result<()> {
        match self.next_word()? {
            (TemplateToken::RightDelimiter, _) => Ok(()),
            (found, at) => Err(unexpected_token_error(found, at)),
        }
    }

    /// Parses a construct that adds a nesting level.
    fn with_nesting<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(TemplateProblem::too_deep());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Parses a list with its own scope for variables and loops.
    fn with_scope<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let variables = std::mem::replace(&mut self.variables, vec!["$"]);
        let loops = std::mem::take(&mut self.loops);
        let read = self.with_nesting(read)?;
        (self.variables, self.loops) = (variables, loops);
        Ok(read)
    }

    /// Parses `{{ define "name" }} … {{ end }}`, after the keyword (`parseDefinition`).
    fn parse_definition(&mut self, start: usize) -> Result<()> {
        let name = self.template_name()?;
        self.expect_end_of_action()?;
        self.parse_body(name, "define", start)
    }

    /// Parses the content of a definition. No other definition with the same name may have content.
    fn parse_body(&mut self, name: Vec<u8>, keyword: &'static str, start: usize) -> Result<()> {
        let (next, is_empty) = self.with_scope(|parser| parser.parse_list(keyword, start))?;
        if let ListEnd::Else(at, _) = next {
            return Err(TemplateProblem::lone_else(at));
        }
        if !is_empty && !self.definitions.insert(name) {
            return Err(TemplateProblem::new(
                start,
                "defines a template twice",
                "give each definition a different name",
            ));
        }
        Ok(())
    }

    /// Parses text and actions up to `{{ end }}` or `{{ else }}`, and returns whether they are all blank (`itemList`,
    /// `IsEmptyTree`).
    fn parse_list(&mut self, keyword: &str, start: usize) -> Result<(ListEnd, bool)> {
        let mut is_empty = true;
        loop {
            let (token, at) = self.next_word()?;
            if token == TemplateToken::End {
                let predicate = format!("has `{{{{ {keyword} }}}}` without `{{{{ end }}}}`");
                return Err(TemplateProblem::new(start, predicate, "close the block with `{{ end }}`"));
            }
            self.ahead.push((token, at));
            if let Some(next) = self.text_or_action()? {
                return Ok((next, is_empty));
            }
            is_empty &= matches!(token, TemplateToken::Text(text) if text.trim().is_empty());
        }
    }

    fn text_or_action(&mut self) -> Result<Option<ListEnd>> {
        match self.next_word()? {
            (TemplateToken::Text(_), _) => Ok(None),
            (TemplateToken::LeftDelimiter, start) => self.parse_action(start),
            (found, at) => Err(unexpected_token_error(found, at)),
        }
    }

    /// Parses an action after its `{{` (`action`).
    fn parse_action(&mut self, start: usize) -> Result<Option<ListEnd>> {
        let (token, at) = self.next_word()?;
        let TemplateToken::Keyword(keyword) = token else {
            self.ahead.push((token, at));
            self.parse_pipeline(PipelineContext::new("command"))?;
            return Ok(None);
        };
        match keyword {
            "end" => {
                self.expect_end_of_action()?;
                return Ok(Some(ListEnd::End));
            }
            "else" => {
                if let (TemplateToken::Keyword(keyword @ ("if" | "with")), _) = self.peek_word()? {
                    return Ok(Some(ListEnd::Else(start, Some(keyword))));
                }
                self.expect_end_of_action()?;
                return Ok(Some(ListEnd::Else(start, None)));
            }
            "if" | "with" | "range" => self.with_nesting(|parser| parser.parse_control(keyword, start))?,
            "break" | "continue" => {
                self.expect_end_of_action()?;
                if self.loops == 0 {
                    let predicate = format!("has a `{{{{ {keyword} }}}}` outside `{{{{ range }}}}`");
                    return Err(TemplateProblem::new(start, predicate, "remove it"));
                }
            }
            "block" => {
                let name = self.template_name()?;
                self.parse_pipeline(PipelineContext::new("block"))?;
                self.parse_body(name, "block", start)?;
            }
            "template" => {
                self.template_name()?;
                if self.peek_word()?.0 == TemplateToken::RightDelimiter {
                    self.next_word()?;
                } else {
                    self.parse_pipeline(PipelineContext::new("template"))?;
                }
            }
            _ => return Err(unexpected_token_error(token, at)),
        }
        Ok(None)
    }

    fn template_name(&mut self) -> Result<Vec<u8>> {
        match self.next_word()? {
            (TemplateToken::Raw(text), _) => Ok(text.as_bytes().to_vec()),
            (TemplateToken::Quoted(text), at) => unquote(text).ok_or_else(|| TemplateProblem::escape(at)),
            (found, at) => Err(unexpected_token_error(found, at)),
        }
    }

    /// Parses a conditional block or loop, after its keyword (`parseControl`).
    fn parse_control(&mut self, keyword: &'static str, start: usize) -> Result<()> {
        let known = self.variables.len();
        self.parse_pipeline(PipelineContext::new(keyword))?;
        let is_loop = usize::from(keyword == "range");
        self.loops += is_loop;
        let (next, _) = self.parse_list(keyword, start)?;
        self.loops -= is_loop;
        match next {
            ListEnd::End => {}
            ListEnd::Else(at, Some(following)) if following == keyword => {
                self.next_word()?;
                self.with_nesting(|parser| parser.parse_control(keyword, at))?;
            }
            ListEnd::Else(..) => {
                if let (ListEnd::Else(at, _), _) = self.parse_list(keyword, start)? {
                    let predicate = "has a second `{{ else }}` in a block";
                    return Err(TemplateProblem::new(at, predicate, "remove it, or close the block with `{{ end }}`"));
                }
            }
        }
        self.variables.truncate(known);
        Ok(())
    }

    /// Parses declarations, and commands separated by `|` (`pipeline`).
    fn parse_pipeline(&mut self, context: PipelineContext) -> Result<()> {
        self.parse_declarations(context)?;
        let mut commands = 0;
        loop {
            let (token, at) = self.next_word()?;
            match token {
                TemplateToken::RightDelimiter if !context.in_parentheses => break,
                TemplateToken::RightParenthesis if context.in_parentheses => break,
                _ if is_operand(token) => {
                    if commands > 0 && is_constant(token) {
                        let predicate = "passes a value to a constant";
                        return Err(TemplateProblem::new(at, predicate, "put a function after `|`"));
                    }
                    self.ahead.push((token, at));
                    self.parse_command()?;
                    commands += 1;
                }
                _ => return Err(unexpected_token_error(token, at)),
            }
        }
        if commands == 0 {
            return Err(context.missing_value(self.lexer.position()));
        }
        Ok(())
    }

    fn parse_declarations(&mut self, context: PipelineContext) -> Result<()> {
        for nth in 1.. {
            let (token, at) = self.peek_word()?;
            let TemplateToken::Variable(name) = token else {
                return Ok(());
            };
            self.next_word()?;
            let next = self.peek()?;
            match self.peek_word()?.0 {
                TemplateToken::Assign | TemplateToken::Declare => {
                    self.next_word()?;
                    self.variables.push(name);
                    return Ok(());
                }
                TemplateToken::Sign(",") => {
                    self.next_word()?;
                    self.variables.push(name);
                    let is_next = matches!(
                        self.peek_word()?.0,
                        TemplateToken::Variable(_) | TemplateToken::RightDelimiter | TemplateToken::RightParenthesis
                    );
                    if context.context != "range" || nth > 1 || !is_next {
                        let what = "declares too many variables";
                        return Err(TemplateProblem::new(at, what, "declare one, or two in `range`"));
                    }
                }
                _ => {
                    if next.0 == TemplateToken::Space {
                        self.ahead.push(next);
                    }
                    self.ahead.push((token, at));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Parses a function or value and its arguments (`command`).
    fn parse_command(&mut self) -> Result<()> {
        loop {
            self.peek_word()?;
            self.parse_operand()?;
            match self.next_token()? {
                (TemplateToken::Space, _) => {}
                (TemplateToken::Pipe, _) => return Ok(()),
                item @ (TemplateToken::RightDelimiter | TemplateToken::RightParenthesis, _) => {
                    self.ahead.push(item);
                    return Ok(());
                }
                (found, at) => return Err(unexpected_token_error(found, at)),
            }
        }
    }

    /// Parses a value and its fields (`operand`), or parses nothing if the next token is `|` or ends the pipeline.
    fn parse_operand(&mut self) -> Result<()> {
        let (token, at) = self.next_word()?;
        if !is_operand(token) {
            self.ahead.push((token, at));
            return Ok(());
        }
        self.parse_term(token, at)?;
        if matches!(self.peek()?.0, TemplateToken::Field(_)) {
            if is_constant(token) {
                let predicate = "accesses a field of a constant";
                return Err(TemplateProblem::new(at, predicate, "put a space before the field, or remove it"));
            }
            while matches!(self.peek()?.0, TemplateToken::Field(_)) {
                self.next_token()?;
            }
        }
        Ok(())
    }

    fn parse_term(&mut self, token: TemplateToken<'t>, offset: usize) -> Result<()> {
        match token {
            TemplateToken::Identifier(name) if !(self.is_function)(name) => {
                Err(TemplateProblem::function(name, offset))
            }
            TemplateToken::Variable(name) if !self.variables.contains(&name) => {
                Err(TemplateProblem::variable(name, offset))
            }
            TemplateToken::Character(text) if !is_character(text) => Err(TemplateProblem::escape(offset)),
            TemplateToken::Quoted(text) if unquote(text).is_none() => Err(TemplateProblem::escape(offset)),
            TemplateToken::Number(text) if !is_number(text.strip_suffix('i').unwrap_or(text)) => {
                Err(TemplateProblem::number(offset, text))
            }
            TemplateToken::LeftParenthesis => {
                let context = PipelineContext { context: "parentheses", in_parentheses: true };
                self.with_nesting(|parser| parser.parse_pipeline(context))
            }
            _ => Ok(()),
        }
    }
}

impl PipelineContext {
    fn new(context: &'static str) -> Self {
        Self { context, in_parentheses: false }
    }

    /// Returns the problem with a pipeline that has no value.
    fn missing_value(self, offset: usize) -> TemplateProblem {
        let predicate = match self.context {
            "command" => "has an action without a value".to_owned(),
            "parentheses" => "has parentheses without a value".to_owned(),
            keyword => format!("has `{{{{ {keyword} }}}}` without a value"),
        };
        TemplateProblem::new(offset.saturating_sub(1), predicate, "write a value, such as `.Value`")
    }
}

/// Whether a command can start with a token.
fn is_operand(token: TemplateToken<'_>) -> bool {
    let is_value = matches!(
        token,
        TemplateToken::Field(_)
            | TemplateToken::Identifier(_)
            | TemplateToken::Variable(_)
            | TemplateToken::LeftParenthesis
    );
    is_value || is_constant(token)
}

fn is_constant(token: TemplateToken<'_>) -> bool {
    let is_text = matches!(token, TemplateToken::Character(_) | TemplateToken::Quoted(_) | TemplateToken::Raw(_));
    is_text
        || matches!(
            token,
            TemplateToken::Bool(_)
                | TemplateToken::Dot
                | TemplateToken::Nil
                | TemplateToken::Number(_)
                | TemplateToken::Complex
        )
}

fn unexpected_token_error(token: TemplateToken<'_>, offset: usize) -> TemplateProblem {
    let token_text = match token {
        TemplateToken::End | TemplateToken::Text(_) | TemplateToken::Sign("}" | "{") => {
            return TemplateProblem::open_action(offset);
        }
        TemplateToken::Keyword(word) => word,
        TemplateToken::Sign(sign) => sign,
        TemplateToken::Identifier(word) | TemplateToken::Number(word) | TemplateToken::Variable(word) => {
            &truncate_name(word)
        }
        TemplateToken::Pipe => "|",
        TemplateToken::Assign => "=",
        TemplateToken::Declare => ":=",
        TemplateToken::LeftParenthesis => "(",
        TemplateToken::RightParenthesis => ")",
        TemplateToken::RightDelimiter => "}}",
        TemplateToken::LeftDelimiter => "{{",
        TemplateToken::Dot | TemplateToken::Field(_) => ".",
        _ => "\"",
    };
    let predicate = format!("has a misplaced `{token_text}`");
    TemplateProblem::new(offset, predicate, "see https://pkg.go.dev/text/template for the template syntax")
}
