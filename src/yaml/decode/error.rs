//! Why a node does not decode.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::source::Span;
use crate::yaml::node::Node;

/// Why a node does not decode. The message never shows a string of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What was found and what was expected.
    pub message: String,
    /// The node that does not fit; for a missing field the mapping that lacks it.
    pub span: Option<Span>,
    /// Where it stands below the decoded node: `spec.metrics.shards`; empty for that node itself.
    pub path: String,
}

impl DecodeError {
    /// With the place of this node, unless a place further inside is known.
    pub(super) fn at(mut self, node: Node<'_>) -> Self {
        self.span.get_or_insert(node.span());
        self
    }

    pub(super) fn under(mut self, step: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{step}{dot}{}", self.path);
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            message: message.to_string(),
            span: None,
            path: String::new(),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("found {}, expected {expected}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            Unexpected::Signed(value) => Self::custom(format_args!("found {value}, expected {expected}")),
            Unexpected::Unsigned(value) => Self::custom(format_args!("found {value}, expected {expected}")),
            _ => Self::custom(format_args!("found another {}, expected {expected}", kind(found))),
        }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let expected: Vec<_> = expected.iter().map(|name| format!("`{name}`")).collect();
        Self::custom(format_args!(
            "found `{variant}`, expected one of {}",
            expected.join(", ")
        ))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("the field `{field}` is missing"))
    }
}

/// The kind of a value, without the value.
fn kind(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "integer",
        Unexpected::Float(_) => "number",
        Unexpected::Str(_) | Unexpected::Char(_) => "string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "array",
        Unexpected::Map => "object",
        _ => "value",
    }
}
