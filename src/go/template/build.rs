//! Builds the nodes of a template that [`super::check_with`] accepts.

use super::lexer::{LexedToken, Lexer, TemplateToken};
use super::node::{Branch, Number, Operand, Pipeline, TemplateNode};
use super::problem::{Result, TemplateProblem};
use crate::go::literal::{parse_integer, unquote};
use crate::go::text::from_bytes;

/// Maximum nesting depth of blocks and parentheses.
const MAX_DEPTH: usize = 64;

/// Delimiter that ends a list of nodes.
enum ListEnd {
    Text,
    End,
    /// `else`, with any keyword that follows in the same action.
    Else(Option<&'static str>),
}

pub struct Builder<'t> {
    lexer: Lexer<'t>,
    /// Tokens that were read ahead. The next token is the last element.
    ahead: Vec<LexedToken<'t>>,
    depth: usize,
}

impl<'t> Builder<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { lexer: Lexer::new(text), ahead: Vec::new(), depth: 0 }
    }

    /// Builds an entire template (`Tree.parse`).
    ///
    /// # Errors
    ///
    /// Returns an error for unsupported templates: those with nested definitions, complex numbers or too many nesting
    /// levels.
    pub fn build_template(mut self) -> Result<Vec<TemplateNode>> {
        Ok(self.build_list()?.0)
    }

    fn next(&mut self) -> Result<LexedToken<'t>> {
        match self.ahead.pop() {
            Some(token) => Ok(token),
            None => self.lexer.next(),
        }
    }

    fn peek(&mut self) -> Result<LexedToken<'t>> {
        let token = self.next()?;
        self.ahead.push(token);
        Ok(token)
    }

    fn next_word(&mut self) -> Result<LexedToken<'t>> {
        loop {
            let token = self.next()?;
            if token.0 != TemplateToken::Space {
                return Ok(token);
            }
        }
    }

    fn peek_word(&mut self) -> Result<LexedToken<'t>> {
        let token = self.next_word()?;
        self.ahead.push(token);
        Ok(token)
    }

    fn with_nesting<T>(&mut self, build: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(TemplateProblem::unsupported(0, "is nested too deeply"));
        }
        self.depth += 1;
        let built = build(self);
        self.depth -= 1;
        built
    }

    /// Builds text and actions up to `{{ end }}`, `{{ else }}` or the end (`itemList`).
    fn build_list(&mut self) -> Result<(Vec<TemplateNode>, ListEnd)> {
        let mut nodes = Vec::new();
        loop {
            let (token, at) = self.next_word()?;
            match token {
                TemplateToken::End => return Ok((nodes, ListEnd::Text)),
                TemplateToken::Text(text) => nodes.push(TemplateNode::Text(text.to_owned())),
                TemplateToken::LeftDelimiter => {
                    if let Some(end) = self.build_action(&mut nodes)? {
                        return Ok((nodes, end));
                    }
                }
                _ => return Err(TemplateProblem::open_action(at)),
            }
        }
    }

    /// Builds an action after its `{{` (`action`).
    fn build_action(&mut self, nodes: &mut Vec<TemplateNode>) -> Result<Option<ListEnd>> {
        let (token, at) = self.next_word()?;
        let TemplateToken::Keyword(keyword) = token else {
            self.ahead.push((token, at));
            nodes.push(TemplateNode::Action(self.build_pipeline()?));
            return Ok(None);
        };
        match keyword {
            "end" => {
                self.next_word()?;
                return Ok(Some(ListEnd::End));
            }
            "else" => {
                let (next, _) = self.next_word()?;
                let keyword = match next {
                    TemplateToken::Keyword(keyword) => Some(keyword),
                    _ => None,
                };
                return Ok(Some(ListEnd::Else(keyword)));
            }
            "break" | "continue" => {
                self.next_word()?;
                nodes.push(if keyword == "break" { TemplateNode::Break } else { TemplateNode::Continue });
            }
            "if" | "with" | "range" => {
                let node = self.with_nesting(|builder| builder.build_control(keyword))?;
                nodes.push(node);
            }
            _ => return Err(TemplateProblem::unsupported(at, format!("uses `{keyword}`"))),
        }
        Ok(None)
    }

    /// Builds a block after its keyword (`parseControl`).
    fn build_control(&mut self, keyword: &'static str) -> Result<TemplateNode> {
        let pipeline = self.build_pipeline()?;
        let (body, end) = self.build_list()?;
        let otherwise = match end {
            ListEnd::Else(Some(following)) => vec![self.with_nesting(|builder| builder.build_control(following))?],
            ListEnd::Else(None) => self.build_list()?.0,
            ListEnd::End | ListEnd::Text => Vec::new(),
        };
        let branch = Branch { pipeline, body, otherwise };
        Ok(match keyword {
            "with" => TemplateNode::With(branch),
            "range" => TemplateNode::Range(branch),
            _ => TemplateNode::If(branch),
        })
    }

    /// Builds a pipeline and consumes the delimiter that ends it (`pipeline`).
    fn build_pipeline(&mut self) -> Result<Pipeline> {
        let mut pipeline = Pipeline::default();
        self.build_declarations(&mut pipeline)?;
        loop {
            match self.next_word()? {
                (TemplateToken::RightDelimiter | TemplateToken::RightParenthesis, _) => return Ok(pipeline),
                token => {
                    self.ahead.push(token);
                    let command = self.build_command()?;
                    pipeline.commands.push(command);
                }
            }
        }
    }

    fn build_declarations(&mut self, pipeline: &mut Pipeline) -> Result<()> {
        while let (TemplateToken::Variable(name), at) = self.peek_word()? {
            self.next_word()?;
            let next = self.peek()?;
            match self.peek_word()?.0 {
                found @ (TemplateToken::Assign | TemplateToken::Declare) => {
                    self.next_word()?;
                    pipeline.variables.push(name.to_owned());
                    pipeline.is_assignment = found == TemplateToken::Assign;
                    return Ok(());
                }
                TemplateToken::Sign(",") => {
                    self.next_word()?;
                    pipeline.variables.push(name.to_owned());
                }
                _ => {
                    if next.0 == TemplateToken::Space {
                        self.ahead.push(next);
                    }
                    self.ahead.push((TemplateToken::Variable(name), at));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Builds an operand and its arguments (`command`).
    fn build_command(&mut self) -> Result<Vec<Operand>> {
        let mut operands = Vec::new();
        loop {
            self.peek_word()?;
            operands.extend(self.build_operand()?);
            match self.next()? {
                (TemplateToken::Space, _) => {}
                (TemplateToken::Pipe, _) => break,
                token @ (TemplateToken::RightDelimiter | TemplateToken::RightParenthesis, _) => {
                    self.ahead.push(token);
                    break;
                }
                (_, at) => return Err(TemplateProblem::open_action(at)),
            }
        }
        Ok(operands)
    }

    /// Builds a value and its fields (`operand`), or returns `None` if the command has ended.
    fn build_operand(&mut self) -> Result<Option<Operand>> {
        let token = self.next_word()?;
        let Some(term) = self.term(token)? else {
            return Ok(None);
        };
        let mut fields = Vec::new();
        while let (TemplateToken::Field(field), _) = self.peek()? {
            self.next()?;
            fields.push(field.trim_start_matches('.').to_owned());
        }
        if fields.is_empty() {
            return Ok(Some(term));
        }
        Ok(Some(match term {
            Operand::Fields(mut first) => {
                first.append(&mut fields);
                Operand::Fields(first)
            }
            Operand::Variable(name, _) => Operand::Variable(name, fields),
            term => Operand::Chain(Box::new(term), fields),
        }))
    }

    fn term(&mut self, (token, at): LexedToken<'t>) -> Result<Option<Operand>> {
        Ok(Some(match token {
            TemplateToken::Dot => Operand::Dot,
            TemplateToken::Nil => Operand::Nil,
            TemplateToken::Bool(value) => Operand::Bool(value),
            TemplateToken::Field(field) => Operand::Fields(vec![field.trim_start_matches('.').to_owned()]),
            TemplateToken::Identifier(name) => Operand::Function(name.to_owned()),
            TemplateToken::Variable(name) => Operand::Variable(name.to_owned(), Vec::new()),
            TemplateToken::Raw(text) => Operand::String(text.to_owned()),
            TemplateToken::Quoted(text) => {
                let bytes = unquote(text).ok_or_else(|| TemplateProblem::escape(at))?;
                Operand::String(from_bytes(&bytes).into_owned())
            }
            TemplateToken::Number(text) => Operand::Number(number(text, at)?),
            TemplateToken::LeftParenthesis => {
                Operand::Pipeline(Box::new(self.with_nesting(|builder| builder.build_pipeline())?))
            }
            TemplateToken::Character(_) | TemplateToken::Complex => {
                return Err(TemplateProblem::unsupported(at, "contains a character or complex number"));
            }
            _ => {
                self.ahead.push((token, at));
                return Ok(None);
            }
        }))
    }
}

/// Parses a number (`newNumber`).
fn number(text: &str, offset: usize) -> Result<Number> {
    let float = || text.replace('_', "").parse::<f64>().ok();
    let unsupported = || TemplateProblem::unsupported(offset, format!("contains the number `{text}`"));
    let is_hexadecimal = text.trim_start_matches(['+', '-']).to_ascii_lowercase().starts_with("0x");
    if let Some(integer) = parse_integer(text) {
        return Ok(Number { integer: Some(integer), float: integer as f64, is_written_as_float: false });
    }
    let float = float().filter(|_| !is_hexadecimal).ok_or_else(unsupported)?;
    let integer = (float as i64) as f64 == float;
    let is_written_as_float = text.contains(['.', 'e', 'E', 'p', 'P']);
    Ok(Number { integer: integer.then_some(float as i64), float, is_written_as_float })
}
