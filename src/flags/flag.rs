//! Flags that are set in a file or by another tool.

use crate::source::Span;
use crate::yaml::{Node, NodeValue};

/// A flag with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Name without dashes, as written.
    pub name: String,
    pub name_span: Span,
    /// Value, or `None` if it is empty and leaves the flag unchanged.
    pub value: Option<FlagValue>,
    pub value_span: Span,
}

/// Value of a flag, in one of the forms that YAML provides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagValue {
    /// Boolean, such as `prune: true`.
    Switch(bool),
    /// String or number, such as `namespace: monitoring` or `context: 5`.
    Text(String),
    /// List, for flags that accept comma-separated values.
    List(Vec<String>),
    /// Mapping, for flags that accept `KEY=VALUE,…`.
    Pairs(Vec<(String, String)>),
}

/// Reason a flag rejects a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Problem, as a phrase that follows the flag's name: ``cannot be `x`: …``.
    pub problem: String,
    /// Help on how to correct the value.
    pub help: Option<String>,
}

impl Rejection {
    /// Creates a rejection without help.
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None }
    }

    /// Returns the rejection with the help added.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        let help = Some(help.into());
        Self { help, ..self }
    }
}

impl Flag {
    /// Creates a flag from its name and the node that contains its value.
    ///
    /// # Errors
    ///
    /// Returns the node if no flag accepts its value.
    pub(super) fn new<'d>(name: &str, name_span: Span, value: Node<'d>) -> Result<Self, Node<'d>> {
        Ok(Self {
            name: name.to_owned(),
            name_span,
            value: self::value(value, name == LIMIT)?,
            value_span: value.span(),
        })
    }
}

/// Flag whose pairs may have numeric values.
const LIMIT: &str = "limit";

/// Returns a flag's value, or `None` if it is null.
fn value(node: Node<'_>, takes_numbers: bool) -> Result<Option<FlagValue>, Node<'_>> {
    Ok(Some(match node.value() {
        NodeValue::Null => return Ok(None),
        NodeValue::Bool(on) => FlagValue::Switch(on),
        NodeValue::Sequence => FlagValue::List(node.items().map(text).collect::<Result<_, _>>()?),
        NodeValue::Mapping => {
            // Values other than limits, such as labels, are strings in Kubernetes.
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

/// Returns a string or an integer as text. Other scalars must be quoted, because their text depends on how they are
/// written.
fn text(node: Node<'_>) -> Result<String, Node<'_>> {
    match node.value() {
        NodeValue::String(text) => Ok(text.to_owned()),
        NodeValue::Int(number) => Ok(number.to_string()),
        _ => Err(node),
    }
}
