//! Syntax tree for the subset of Alloy's configuration language that agentctl writes.

use std::borrow::Cow;

use crate::yaml::{SecretSource, Value};

/// Body of a block: its statements in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body<'d>(pub Vec<Statement<'d>>);

/// Statement in a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement<'d> {
    /// Attribute, `name = value`.
    Attribute(&'static str, Expression<'d>),
    /// Block nested in another block.
    Block(Block<'d>),
    /// Blocks with this name, given as lines and separated by blank lines.
    Lines(&'static str, &'d str),
}

/// Block, `name "label" { … }`. A block that is not nested is a component.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'d> {
    /// Name of the block, with dots between its parts.
    pub name: &'static str,
    /// Label, which is an identifier. Empty if the block has no label.
    pub label: Cow<'d, str>,
    /// Statements of the block.
    pub body: Body<'d>,
}

/// Expression: the value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression<'d> {
    Null,
    /// Boolean: `true` or `false`.
    Bool(bool),
    /// Number. Integers are written without a decimal point.
    Number(f64),
    String(Cow<'d, str>),
    /// Secret, written as the expression that reads the secret.
    Secret(SecretSource<'d>),
    /// `[a, b]`.
    List(Vec<Expression<'d>>),
    /// Object, `{ key = value }`, with the entries in output order.
    Object(Vec<(Cow<'d, str>, Expression<'d>)>),
    /// Export of a component, `name.label.export`.
    Export(&'static str, Cow<'d, str>, &'static str),
    /// Constant of the standard library, such as `constants.hostname`.
    Name(&'static str),
    /// Function call, `function(arguments)`.
    Call(&'static str, Vec<Expression<'d>>),
    /// Value at nested keys, `value[key][key]`.
    Index(Box<Expression<'d>>, Vec<Expression<'d>>),
    /// Concatenation or sum, `left + right + …`.
    Sum(Vec<Expression<'d>>),
}

impl Statement<'_> {
    /// Returns the name of the attribute or block.
    pub fn name(&self) -> &'static str {
        match self {
            Statement::Attribute(name, _) | Statement::Lines(name, _) => name,
            Statement::Block(block) => block.name,
        }
    }
}

impl<'d> Body<'d> {
    /// Creates a body without statements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Expression<'d>> {
        self.0.iter().find_map(|statement| match statement {
            Statement::Attribute(own, value) if *own == name => Some(value),
            _ => None,
        })
    }

    /// Returns the value of an attribute that is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.text()
    }

    /// Calls `pass` for the value of each attribute, at any depth. Lines are skipped, because they are rules, and the
    /// values of rules never change.
    pub fn for_each_value(&mut self, pass: &mut impl FnMut(&mut Expression<'d>)) {
        for statement in &mut self.0 {
            match statement {
                Statement::Attribute(_, value) => pass(value),
                Statement::Block(block) => block.body.for_each_value(pass),
                Statement::Lines(..) => {}
            }
        }
    }

    /// Calls `pass` for the value of each attribute, preceded by the parts of the value.
    pub fn for_each_part(&mut self, pass: &mut impl FnMut(&mut Expression<'d>)) {
        self.for_each_value(&mut |value| value.for_each_part(pass));
    }

    /// Calls `pass` for the kind and label of each component whose exports are used.
    pub fn for_each_export(&mut self, pass: &mut impl FnMut(&str, &mut Cow<'d, str>)) {
        self.for_each_part(&mut |part| {
            if let Expression::Export(kind, label, _) = part {
                pass(kind, label);
            }
        });
    }

    /// Removes and returns the body of the block with this name.
    pub fn take_block(&mut self, name: &str) -> Option<Self> {
        let index = self.0.iter().position(|statement| statement.name() == name)?;
        match self.0.remove(index) {
            Statement::Block(block) => Some(block.body),
            Statement::Attribute(..) | Statement::Lines(..) => None,
        }
    }

    pub fn blocks(&self) -> impl Iterator<Item = &Body<'d>> + Clone {
        self.0.iter().filter_map(|statement| match statement {
            Statement::Block(block) => Some(&block.body),
            _ => None,
        })
    }

    /// Appends an attribute to the body.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl Into<Expression<'d>>) -> Self {
        self.with_option(name, Some(value))
    }

    /// Appends an attribute if its value is not `None`.
    #[must_use]
    pub fn with_option(self, name: &'static str, value: Option<impl Into<Expression<'d>>>) -> Self {
        self.with_statements(value.map(|value| Statement::Attribute(name, value.into())))
    }

    /// Appends a string attribute unless it is empty.
    #[must_use]
    pub fn with_text(self, name: &'static str, text: &'d str) -> Self {
        self.with_option(name, (!text.is_empty()).then_some(text))
    }

    /// Appends a nested block to the body.
    #[must_use]
    pub fn with_block(self, name: &'static str, body: Body<'d>) -> Self {
        self.with_blocks(name, [body])
    }

    /// Appends several blocks with the same name.
    #[must_use]
    pub fn with_blocks(self, name: &'static str, bodies: impl IntoIterator<Item = Body<'d>>) -> Self {
        let blocks = bodies.into_iter().map(|body| Block::new(name, "", body));
        self.with_statements(blocks.map(Statement::Block))
    }

    /// Appends all given statements.
    #[must_use]
    pub fn with_statements(mut self, statements: impl IntoIterator<Item = Statement<'d>>) -> Self {
        self.0.extend(statements);
        self
    }

    /// Appends blocks with this name that are already formatted as lines.
    #[must_use]
    pub fn with_lines(self, name: &'static str, lines: &'d str) -> Self {
        self.with_statements((!lines.is_empty()).then_some(Statement::Lines(name, lines)))
    }
}

impl<'d> Block<'d> {
    pub fn new(name: &'static str, label: impl Into<Cow<'d, str>>, body: Body<'d>) -> Self {
        Self { name, label: label.into(), body }
    }
}

impl<'d> Expression<'d> {
    /// Returns the string, or `None` if the expression is not a string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Expression::String(text) => Some(text),
            _ => None,
        }
    }

    /// Calls `pass` for the parts of this expression, and then for the expression itself.
    pub fn for_each_part(&mut self, pass: &mut impl FnMut(&mut Self)) {
        match self {
            Expression::List(items) | Expression::Call(_, items) | Expression::Sum(items) => {
                items.iter_mut().for_each(|item| item.for_each_part(pass));
            }
            Expression::Object(entries) => entries.iter_mut().for_each(|(_, value)| value.for_each_part(pass)),
            Expression::Index(value, _) => value.for_each_part(pass),
            _ => {}
        }
        pass(self);
    }

    /// Creates a list of strings.
    pub fn texts<T: Into<Cow<'d, str>>>(texts: impl IntoIterator<Item = T>) -> Self {
        Expression::List(texts.into_iter().map(|text| Expression::String(text.into())).collect())
    }

    /// Creates an object with string values.
    pub fn map<K: Into<Cow<'d, str>>, T: Into<Cow<'d, str>>>(entries: impl IntoIterator<Item = (K, T)>) -> Self {
        let entries = entries.into_iter();
        Expression::Object(entries.map(|(key, text)| (key.into(), Expression::String(text.into()))).collect())
    }
}

/// Converts a value to an expression.
pub fn expression<'v>(value: &Value<'v>) -> Expression<'v> {
    match value {
        Value::Null => Expression::Null,
        Value::Bool(value) => Expression::Bool(*value),
        Value::Int(number) => Expression::Number(*number as f64),
        Value::Float(number) => Expression::Number(*number),
        Value::String(text) => Expression::String(text.clone()),
        Value::Secret(secret) => match secret.source {
            SecretSource::Field => expression(&secret.value),
            source => Expression::Secret(source),
        },
        Value::Sequence(items) => items.iter().map(expression).collect(),
        Value::Mapping(entries) => {
            let entries = entries.iter().map(|(key, value)| (key.to_owned().into(), expression(value)));
            Expression::Object(entries.collect())
        }
    }
}

impl<'d, T: Into<Value<'d>>> From<T> for Expression<'d> {
    fn from(value: T) -> Self {
        match value.into() {
            Value::String(text) => Expression::String(text),
            value => expression(&value),
        }
    }
}
