//! Why a node does not decode.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::diagnostic::{FieldPath, Step};
use crate::source::Span;
use crate::yaml::node::{Node, NodeId};

/// Why a node does not decode. The message never shows a string of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What was found and what was expected.
    pub message: String,
    /// The node that does not fit; for a missing field the mapping that lacks it.
    pub span: Option<Span>,
    /// That node's number.
    pub node: Option<NodeId>,
    /// The way to it from the decoded node.
    pub path: FieldPath<'static>,
}

impl DecodeError {
    /// With the place of this node, unless a place further inside is known.
    pub(super) fn at(mut self, node: Node<'_>) -> Self {
        self.span.get_or_insert(node.span());
        self.node.get_or_insert(node.id());
        self
    }

    pub(super) fn under(mut self, step: Step<'_>) -> Self {
        self.path.push_front(step);
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_root() {
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
            node: None,
            path: FieldPath::new(),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = Expectation::of(expected);
        Self::custom(format_args!("found {}, expected {expected}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = Expectation::of(expected);
        let bounds = expected.bounds();
        match found {
            Unexpected::Signed(value) => Self::custom(format_args!("found {value}, expected {expected}{bounds}")),
            Unexpected::Unsigned(value) => Self::custom(format_args!("found {value}, expected {expected}{bounds}")),
            _ => Self::custom(format_args!("found {}, expected {expected}", another(found))),
        }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("the field `{field}` is missing"))
    }
}

/// The kind of a value, without the value.
fn kind(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "an integer",
        Unexpected::Float(_) => "a number",
        Unexpected::Str(_) | Unexpected::Char(_) => "a string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "a list",
        Unexpected::Map => "a mapping",
        _ => "another value",
    }
}

/// The same of a value of the right kind.
fn another(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "the other boolean",
        Unexpected::Float(_) => "another number",
        Unexpected::Str(_) | Unexpected::Char(_) => "another string",
        Unexpected::Seq => "a list of another length",
        Unexpected::Map => "another mapping",
        _ => "another value",
    }
}

/// What a type of Rust expects, in YAML's terms.
enum Expectation {
    /// A whole number within the bounds of its type.
    Integer { min: i64, max: u64 },
    /// What is no word of Rust.
    Other(String),
}

impl Expectation {
    /// Serde and its derived code say what they expect in Rust's terms.
    fn of(expected: &dyn Expected) -> Self {
        let signed = |min, max: i64| Expectation::Integer {
            min,
            max: max.unsigned_abs(),
        };
        let other = |text: &str| Expectation::Other(text.to_owned());
        match expected.to_string().as_str() {
            "i8" => signed(i8::MIN.into(), i8::MAX.into()),
            "i16" => signed(i16::MIN.into(), i16::MAX.into()),
            "i32" => signed(i32::MIN.into(), i32::MAX.into()),
            "i64" | "isize" => signed(i64::MIN, i64::MAX),
            "u8" => Expectation::Integer {
                min: 0,
                max: u8::MAX.into(),
            },
            "u16" => Expectation::Integer {
                min: 0,
                max: u16::MAX.into(),
            },
            "u32" => Expectation::Integer {
                min: 0,
                max: u32::MAX.into(),
            },
            "u64" | "usize" => Expectation::Integer { min: 0, max: u64::MAX },
            "f32" | "f64" => other("a number"),
            "a borrowed string" | "string or map" => other("a string"),
            "a sequence" => other("a list"),
            "a map" => other("a mapping"),
            text if text.starts_with("struct ") => other("a mapping"),
            // The types of Kubernetes name themselves.
            text if text.starts_with(|c: char| c.is_ascii_uppercase()) => other("a mapping"),
            text => other(text),
        }
    }

    fn bounds(&self) -> String {
        match self {
            Expectation::Integer { min, max } => format!(" from {min} to {max}"),
            Expectation::Other(_) => String::new(),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Integer { .. } => f.write_str("a whole number"),
            Expectation::Other(text) => f.write_str(text),
        }
    }
}
