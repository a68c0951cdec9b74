//! A named setting, and the forms its value has.

use crate::source::Span;
use crate::yaml::{Node, NodeValue};

/// One setting with its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What it is called there.
    pub name: String,
    /// The place of the name.
    pub name_span: Span,
    /// What it is set to.
    pub value: ParameterValue,
    /// The place of the value.
    pub value_span: Span,
}

/// What a parameter is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// A text, or a number or boolean as it is written in JSON.
    Text(String),
    /// Several texts.
    List(Vec<String>),
    /// Texts by name.
    Map(Vec<(String, String)>),
}

impl ParameterValue {
    /// The value of a node; `None` for one of another form. Inside lists and mappings, texts only.
    pub(super) fn of(node: Node<'_>) -> Option<Self> {
        match node.value() {
            NodeValue::String(text) => Some(Self::Text(text.to_owned())),
            NodeValue::Bool(value) => Some(Self::Text(value.to_string())),
            NodeValue::Int(value) => Some(Self::Text(value.to_string())),
            NodeValue::Sequence => {
                let items: Option<Vec<_>> = node.items().map(|item| item.as_str().map(str::to_owned)).collect();
                items.map(Self::List)
            }
            NodeValue::Mapping => {
                let entries = node
                    .entries()
                    .map(|entry| Some((entry.key.to_owned(), entry.value.as_str()?.to_owned())));
                let entries: Option<Vec<_>> = entries.collect();
                entries.map(Self::Map)
            }
            NodeValue::Null | NodeValue::Float(_) => None,
        }
    }
}
