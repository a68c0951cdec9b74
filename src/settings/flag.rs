//! A flag that is set in a file or by another tool.

use crate::source::Span;
use crate::yaml::{Node, NodeValue};

/// A flag with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name there, without dashes.
    pub name: String,
    /// The place of the name.
    pub name_span: Span,
    /// Its value; `None` where there is nothing, which leaves the flag as it is.
    pub value: Option<FlagValue>,
    /// The place of the value.
    pub value_span: Span,
}

/// The value of a flag, in the forms that YAML has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagValue {
    /// `prune: true`
    Switch(bool),
    /// `namespace: monitoring`, `context: 5`
    Text(String),
    /// A list, for flags that take several values with commas.
    List(Vec<String>),
    /// A mapping, for flags that take `KEY=VALUE,…`.
    Pairs(Vec<(String, String)>),
}

/// Why a flag cannot have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, to be said behind the name of the flag: ``cannot be `x`: …``.
    pub problem: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Refusal {
    /// A refusal with nothing to advise.
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            help: None,
        }
    }

    /// The same with what to do.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        let help = Some(help.into());
        Self { help, ..self }
    }
}

impl Flag {
    /// The flag of this name with the value of an entry.
    ///
    /// # Errors
    ///
    /// The node that no flag takes.
    pub(super) fn new<'d>(name: &str, name_span: Span, value: Node<'d>) -> Result<Self, Node<'d>> {
        Ok(Self {
            name: name.to_owned(),
            name_span,
            value: self::value(value, name == LIMIT)?,
            value_span: value.span(),
        })
    }
}

/// The flag whose pairs are numbers.
const LIMIT: &str = "limit";

/// The value of a flag; none where it is null.
fn value(node: Node<'_>, takes_numbers: bool) -> Result<Option<FlagValue>, Node<'_>> {
    Ok(Some(match node.value() {
        NodeValue::Null => return Ok(None),
        NodeValue::Bool(on) => FlagValue::Switch(on),
        NodeValue::Sequence => FlagValue::List(node.items().map(text).collect::<Result<_, _>>()?),
        NodeValue::Mapping => {
            // Labels and the like, which are strings in Kubernetes.
            let pairs = node.entries().map(|entry| {
                let value = match takes_numbers {
                    true => text(entry.value)?,
                    false => entry.value.as_str().ok_or(entry.value)?.to_owned(),
                };
                Ok((entry.key.to_owned(), value))
            });
            FlagValue::Pairs(pairs.collect::<Result<_, _>>()?)
        }
        NodeValue::Int(_) | NodeValue::Float(_) | NodeValue::String(_) => FlagValue::Text(text(node)?),
    }))
}

/// A text, or a whole number as one. Other scalars depend on how they were written, and have to be quoted.
fn text(node: Node<'_>) -> Result<String, Node<'_>> {
    match node.value() {
        NodeValue::String(text) => Ok(text.to_owned()),
        NodeValue::Int(number) => Ok(number.to_string()),
        _ => Err(node),
    }
}
