//! Parsed templates (`text/template/parse/node.go`).

/// Part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplateNode {
    Text(String),
    /// An action that prints its value, unless it declares a variable.
    Action(Pipeline),
    If(Branch),
    With(Branch),
    Range(Branch),
    Break,
    Continue,
}

/// Parts of an `if`, `with` or `range` block.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    pub pipeline: Pipeline,
    pub body: Vec<TemplateNode>,
    pub otherwise: Vec<TemplateNode>,
}

/// Commands, each of which receives the result of the previous command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pipeline {
    /// Variables that receive the result.
    pub variables: Vec<String>,
    /// Whether the result is assigned to existing variables instead of new ones.
    pub is_assignment: bool,
    /// Commands of the pipeline. Each command is an operand followed by its arguments.
    pub commands: Vec<Vec<Operand>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Dot,
    Nil,
    Bool(bool),
    Number(Number),
    String(String),
    Function(String),
    /// Fields of the current value.
    Fields(Vec<String>),
    /// A variable and its fields.
    Variable(String, Vec<String>),
    /// A pipeline in parentheses, or a function without arguments, and the fields of its result.
    Chain(Box<Operand>, Vec<String>),
    Pipeline(Box<Pipeline>),
}

/// A numeric constant, whose type depends on its context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Value as an integer, or `None` if it has a fraction or is too large.
    pub integer: Option<i64>,
    pub float: f64,
    /// Whether the number is written with a fraction or an exponent.
    pub is_written_as_float: bool,
}
