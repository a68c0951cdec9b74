//! A flag in `agentctl.yaml`.

use crate::source::Span;
use crate::yaml::{Node, NodeValue};

/// A flag with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name, without dashes.
    pub name: String,
    /// The place of the name.
    pub name_span: Span,
    /// What it is given; `None` where there is nothing, which leaves the flag as it is.
    pub value: Option<FlagValue>,
    /// The place of the value.
    pub value_span: Span,
}

/// What a flag is given, in the forms that YAML has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagValue {
    /// `prune: true`
    Switch(bool),
    /// `namespace: monitoring`, `max-shards: 5`
    Text(String),
    /// A list, for flags that take several values with commas.
    List(Vec<String>),
    /// A mapping, for flags that take `KEY=VALUE,…`.
    Pairs(Vec<(String, String)>),
}

/// The value of a flag, none where it is null; or the node that no flag takes.
pub(super) fn value(node: Node<'_>) -> Result<Option<FlagValue>, Node<'_>> {
    Ok(Some(match node.value() {
        NodeValue::Null => return Ok(None),
        NodeValue::Bool(on) => FlagValue::Switch(on),
        NodeValue::Sequence => FlagValue::List(node.items().map(text).collect::<Result<_, _>>()?),
        NodeValue::Mapping => {
            let pairs = node
                .entries()
                .map(|entry| Ok((entry.key.to_owned(), text(entry.value)?)));
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
