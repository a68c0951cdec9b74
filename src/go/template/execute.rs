//! Execution of templates (`text/template/exec.go`).

use super::failure::Failure;
use super::function::{Call, Function, Outcome};
use super::node::{Branch, Number, Operand, Pipeline, TemplateNode};
use super::value::{MapKind, TemplateValue};
use crate::budget::Budget;

/// Result of reading a missing map key (`Template.Option`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingKey {
    #[default]
    Invalid,
    Zero,
    Error,
}

impl MissingKey {
    /// Parses a template option, or returns `None` if Go does not know it.
    pub fn parse(option: &str) -> Option<Self> {
        match option {
            "missingkey=default" | "missingkey=invalid" => Some(Self::Invalid),
            "missingkey=zero" => Some(Self::Zero),
            "missingkey=error" => Some(Self::Error),
            _ => None,
        }
    }
}

/// Environment for the execution of a template.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    pub data: &'c TemplateValue,
    pub functions: &'c dyn Fn(&str) -> Option<Function>,
    pub missing_key: MissingKey,
    /// Number of remaining steps: each node, operand and result byte counts as one step.
    pub steps: &'c Budget,
}

/// Effect of a node on the enclosing loop.
#[derive(PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
}

pub struct Executor<'c> {
    context: Context<'c>,
    variables: Vec<(String, TemplateValue)>,
    output: String,
}

impl<'c> Executor<'c> {
    pub fn new(context: Context<'c>) -> Self {
        let variables = vec![("$".to_owned(), context.data.clone())];
        Self { context, variables, output: String::new() }
    }

    /// Returns the output of a template.
    ///
    /// # Errors
    ///
    /// Returns the first error, as Go does.
    pub fn run(mut self, nodes: &[TemplateNode]) -> Result<String, Failure> {
        let data = self.context.data.clone();
        self.execute_list(&data, nodes)?;
        Ok(self.output)
    }

    fn spend(&self, steps: usize) -> Result<(), Failure> {
        self.context.steps.spend(steps as u64).map_err(|_| Failure::Limit)
    }

    fn execute_list(&mut self, dot: &TemplateValue, nodes: &[TemplateNode]) -> Result<Flow, Failure> {
        for node in nodes {
            let flow = self.execute_node(dot, node)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn execute_node(&mut self, dot: &TemplateValue, node: &TemplateNode) -> Result<Flow, Failure> {
        self.spend(1)?;
        match node {
            TemplateNode::Text(text) => {
                self.spend(text.len())?;
                self.output.push_str(text);
            }
            TemplateNode::Action(pipeline) => {
                let value = self.evaluate_pipeline(dot, pipeline)?;
                if pipeline.variables.is_empty() {
                    self.print(&value)?;
                }
            }
            TemplateNode::If(branch) => return self.execute_condition(dot, branch, false),
            TemplateNode::With(branch) => return self.execute_condition(dot, branch, true),
            TemplateNode::Range(branch) => return self.execute_range(dot, branch),
            TemplateNode::Break => return Ok(Flow::Break),
            TemplateNode::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    /// Appends a value to the output (`printValue`).
    fn print(&mut self, value: &TemplateValue) -> Result<(), Failure> {
        if *value == TemplateValue::Missing {
            self.output.push_str("<no value>");
            return self.spend(10);
        }
        let size = value.size(self.context.steps.remaining()).ok_or(Failure::Limit)?;
        self.context.steps.spend(size).map_err(|_| Failure::Limit)?;
        value.format(&mut self.output);
        Ok(())
    }

    /// Executes `if` or `with` (`walkIfOrWith`).
    fn execute_condition(&mut self, dot: &TemplateValue, branch: &Branch, is_with: bool) -> Result<Flow, Failure> {
        let mark = self.variables.len();
        let value = self.evaluate_pipeline(dot, &branch.pipeline)?;
        let flow = match value.is_true() {
            true => self.execute_list(if is_with { &value } else { dot }, &branch.body),
            false => self.execute_list(dot, &branch.otherwise),
        };
        self.variables.truncate(mark);
        flow
    }

    /// Executes `range` (`walkRange`).
    fn execute_range(&mut self, dot: &TemplateValue, branch: &Branch) -> Result<Flow, Failure> {
        let mark = self.variables.len();
        let value = self.evaluate_pipeline(dot, &branch.pipeline)?;
        let flow = self.iterate(dot, branch, &value);
        self.variables.truncate(mark);
        flow
    }

    fn iterate(&mut self, dot: &TemplateValue, branch: &Branch, value: &TemplateValue) -> Result<Flow, Failure> {
        let count = match value {
            TemplateValue::Missing => 0,
            TemplateValue::Int(count) | TemplateValue::Int64(count) => {
                if branch.pipeline.variables.len() > 1 {
                    let problem = format!("can't use {count} to iterate over more than one variable");
                    return Err(Failure::Error(problem));
                }
                for index in 0..*count {
                    let item = match value {
                        TemplateValue::Int(_) => TemplateValue::Int(index),
                        _ => TemplateValue::Int64(index),
                    };
                    if self.execute_iteration(branch, &TemplateValue::Missing, &item)? == Flow::Break {
                        return Ok(Flow::Next);
                    }
                }
                *count
            }
            TemplateValue::List(..) => {
                let items = value.as_list().unwrap_or_default();
                for (index, item) in (0..).zip(items) {
                    if self.execute_iteration(branch, &TemplateValue::Int(index), item)? == Flow::Break {
                        return Ok(Flow::Next);
                    }
                }
                items.len() as i64
            }
            TemplateValue::Map(..) => {
                let entries = value.as_map().into_iter().flatten();
                let mut count = 0;
                for (key, item) in entries {
                    count += 1;
                    if self.execute_iteration(branch, &TemplateValue::text(key.as_str()), item)? == Flow::Break {
                        return Ok(Flow::Next);
                    }
                }
                count
            }
            other => {
                let mut text = String::new();
                other.format(&mut text);
                return Err(Failure::error(format!("range can't iterate over {text}")));
            }
        };
        match count > 0 {
            true => Ok(Flow::Next),
            false => self.execute_list(dot, &branch.otherwise),
        }
    }

    fn execute_iteration(
        &mut self,
        branch: &Branch,
        index: &TemplateValue,
        item: &TemplateValue,
    ) -> Result<Flow, Failure> {
        self.spend(1)?;
        let mark = self.variables.len();
        let names = &branch.pipeline.variables;
        let values = if names.len() > 1 { vec![index, item] } else { vec![item] };
        for (nth, (name, value)) in names.iter().zip(values).enumerate() {
            if branch.pipeline.is_assignment {
                self.assign(name, value.clone())?;
            } else {
                // The pipeline has already pushed its variables.
                let at = mark - names.len() + nth;
                if let Some(variable) = self.variables.get_mut(at) {
                    variable.1 = value.clone();
                }
            }
        }
        let flow = self.execute_list(item, &branch.body);
        self.variables.truncate(mark);
        flow
    }

    fn assign(&mut self, name: &str, value: TemplateValue) -> Result<(), Failure> {
        let variable = self.variables.iter_mut().rev().find(|(candidate, _)| candidate == name);
        let undefined = || Failure::error(format!("undefined variable: {name}"));
        variable.ok_or_else(undefined)?.1 = value;
        Ok(())
    }

    /// Returns the value of a pipeline (`evalPipeline`).
    fn evaluate_pipeline(&mut self, dot: &TemplateValue, pipeline: &Pipeline) -> Outcome {
        let mut value = None;
        for command in &pipeline.commands {
            let result = self.evaluate_command(dot, command, value)?;
            // A nil interface contains no value.
            value = Some(if result == TemplateValue::Nil { TemplateValue::Missing } else { result });
        }
        let value = value.unwrap_or(TemplateValue::Missing);
        for name in &pipeline.variables {
            if pipeline.is_assignment {
                self.assign(name, value.clone())?;
            } else {
                self.variables.push((name.clone(), value.clone()));
            }
        }
        Ok(value)
    }

    /// Returns the value of a command, whose last argument is the result of the previous command (`evalCommand`).
    fn evaluate_command(&mut self, dot: &TemplateValue, operands: &[Operand], last: Option<TemplateValue>) -> Outcome {
        self.spend(1)?;
        let Some((first, arguments)) = operands.split_first() else {
            return Ok(TemplateValue::Missing);
        };
        if let Operand::Function(name) = first {
            return self.call(dot, name, arguments, last);
        }
        if !arguments.is_empty() || last.is_some() {
            return Err(Failure::error("can't give argument to non-function"));
        }
        match first {
            Operand::Nil => Err(Failure::error("nil is not a command")),
            operand => self.evaluate_operand(dot, operand),
        }
    }

    /// Returns the value of an operand without converting it to the type of a parameter.
    fn evaluate_operand(&mut self, dot: &TemplateValue, operand: &Operand) -> Outcome {
        self.spend(1)?;
        match operand {
            Operand::Dot => Ok(dot.clone()),
            Operand::Nil => Ok(TemplateValue::Nil),
            Operand::Bool(value) => Ok(TemplateValue::Bool(*value)),
            Operand::Number(number) => number.untyped_value(),
            Operand::String(text) => Ok(TemplateValue::text(text.as_str())),
            Operand::Function(name) => self.call(dot, name, &[], None),
            Operand::Fields(fields) => self.evaluate_fields(dot.clone(), fields),
            Operand::Variable(name, fields) => {
                let variable = self.variables.iter().rev().find(|(candidate, _)| candidate == name);
                let undefined = || Failure::error(format!("undefined variable: {name}"));
                self.evaluate_fields(variable.ok_or_else(undefined)?.1.clone(), fields)
            }
            Operand::Chain(first, fields) => {
                let receiver = self.evaluate_operand(dot, first)?;
                self.evaluate_fields(receiver, fields)
            }
            Operand::Pipeline(pipeline) => self.evaluate_pipeline(dot, pipeline),
        }
    }

    fn evaluate_fields(&self, receiver: TemplateValue, fields: &[String]) -> Outcome {
        fields.iter().try_fold(receiver, |receiver, field| self.evaluate_field(&receiver, field))
    }

    /// Returns a field of a value (`evalField`).
    fn evaluate_field(&self, receiver: &TemplateValue, field: &str) -> Outcome {
        let missing_key = self.context.missing_key;
        match receiver {
            TemplateValue::Missing if missing_key == MissingKey::Error => {
                Err(Failure::error(format!("nil data; no entry for key {field:?}")))
            }
            TemplateValue::Missing => Ok(TemplateValue::Missing),
            TemplateValue::Nil => Err(Failure::error(format!("nil pointer evaluating interface {{}}.{field}"))),
            TemplateValue::Map(kind, _) => {
                let member = receiver.as_map().and_then(|map| map.get(field));
                match (member, missing_key) {
                    (Some(member), _) => Ok(member.clone()),
                    (None, MissingKey::Invalid) => Ok(TemplateValue::Missing),
                    (None, MissingKey::Zero) => Ok(kind.zero()),
                    (None, MissingKey::Error) => Err(Failure::error(format!("map has no entry for key {field:?}"))),
                }
            }
            other => {
                let problem = format!("can't evaluate field {field} in type {}", other.type_name());
                Err(Failure::Error(problem))
            }
        }
    }

    /// Calls a function (`evalCall`).
    fn call(&mut self, dot: &TemplateValue, name: &str, operands: &[Operand], last: Option<TemplateValue>) -> Outcome {
        let unsupported = || Failure::Unsupported(format!("uses the function `{name}`"));
        let function = (self.context.functions)(name).ok_or_else(unsupported)?;
        let count = operands.len() + usize::from(last.is_some());
        let (arity, is_variadic) = (function.arity(), function.is_variadic());
        if count < arity || (count > arity && !is_variadic) {
            let expected_count = if is_variadic { format!("at least {arity}") } else { arity.to_string() };
            return Err(Failure::error(format!("wrong number of args for {name}: want {expected_count} got {count}")));
        }
        if matches!(name, "and" | "or") {
            return self.short_circuit(dot, name == "or", operands, last);
        }
        let mut arguments = Vec::with_capacity(count);
        for (index, operand) in operands.iter().enumerate() {
            arguments.push(self.evaluate_argument(dot, function.parameter(index), operand)?);
        }
        if let Some(last) = last {
            arguments.push(convert_argument(last, function.parameter(count - 1))?);
        }
        let outcome = (function.run)(&mut Call { arguments, steps: self.context.steps });
        outcome.map_err(|failure| match failure {
            Failure::Error(message) => Failure::Error(format!("error calling {name}: {message}")),
            other => other,
        })
    }

    /// Evaluates `and` or `or`, which skip the arguments after the first decisive one.
    fn short_circuit(
        &mut self,
        dot: &TemplateValue,
        is_or: bool,
        operands: &[Operand],
        last: Option<TemplateValue>,
    ) -> Outcome {
        let mut value = TemplateValue::Missing;
        for operand in operands {
            value = self.evaluate_argument(dot, 'a', operand)?;
            if value.is_true() == is_or {
                return Ok(value);
            }
        }
        Ok(last.unwrap_or(value))
    }

    /// Evaluates an argument for a parameter (`evalArg`).
    fn evaluate_argument(&mut self, dot: &TemplateValue, parameter: char, operand: &Operand) -> Outcome {
        let expected = parameter_type(parameter);
        match (parameter, operand) {
            (_, Operand::Nil) => match parameter {
                'a' => Ok(TemplateValue::Nil),
                'm' => TemplateValue::map(MapKind::Any, Default::default()),
                _ => Err(Failure::error(format!("cannot assign nil to {expected}"))),
            },
            ('a', _) => convert_argument(self.evaluate_operand(dot, operand)?, parameter),
            ('i', Operand::Number(Number { integer: Some(integer), .. })) => Ok(TemplateValue::Int(*integer)),
            ('f', Operand::Number(number)) => Ok(TemplateValue::Float(number.float)),
            ('s', Operand::String(_)) | ('b', Operand::Bool(_)) => self.evaluate_operand(dot, operand),
            (_, Operand::Number(_) | Operand::String(_) | Operand::Bool(_)) => {
                Err(Failure::error(format!("expected {}", expected.replace("float64", "float"))))
            }
            _ => convert_argument(self.evaluate_operand(dot, operand)?, parameter),
        }
    }
}

impl Number {
    /// Returns the value of a constant in the type that Go uses if no type is required (`idealConstant`).
    fn untyped_value(&self) -> Outcome {
        match self.integer {
            _ if self.is_written_as_float => Ok(TemplateValue::Float(self.float)),
            Some(integer) => Ok(TemplateValue::Int(integer)),
            None => Err(Failure::error(format!("{} overflows int", self.float))),
        }
    }
}

impl MapKind {
    /// Returns the zero value of the map's value type.
    fn zero(self) -> TemplateValue {
        match self {
            Self::Any => TemplateValue::Nil,
            Self::Strings => TemplateValue::text(""),
        }
    }
}

fn parameter_type(parameter: char) -> &'static str {
    match parameter {
        's' => "string",
        'i' => "int",
        'f' => "float64",
        'b' => "bool",
        'm' => "map[string]interface {}",
        _ => "interface {}",
    }
}

/// Checks that a value can be passed to a parameter (`validateType`).
fn convert_argument(value: TemplateValue, parameter: char) -> Outcome {
    let expected = parameter_type(parameter);
    match (&value, parameter) {
        (_, 'a')
        | (TemplateValue::Text(_), 's')
        | (TemplateValue::Int(_), 'i')
        | (TemplateValue::Float(_), 'f')
        | (TemplateValue::Bool(_), 'b')
        | (TemplateValue::Map(MapKind::Any, _), 'm') => Ok(value),
        (TemplateValue::Missing, 'm') => TemplateValue::map(MapKind::Any, Default::default()),
        (TemplateValue::Missing, _) => Err(Failure::error(format!("invalid value; expected {expected}"))),
        (other, _) => {
            let actual_type = if *other == TemplateValue::Nil { "interface {}" } else { other.type_name() };
            Err(Failure::error(format!("wrong type for value; expected {expected}; got {actual_type}")))
        }
    }
}
