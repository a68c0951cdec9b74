//! Errors from decoding nodes.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use crate::diagnostic::{FieldPath, Step};
use crate::source::Span;
use crate::yaml::document::NodeId;
use crate::yaml::node::Node;

/// Reason why a node cannot be decoded. The message never contains a string from the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Description of the actual and the expected value.
    pub message: String,
    /// Span of the node that cannot be decoded or, for a missing field, of the mapping that lacks it.
    pub span: Option<Span>,
    pub node: Option<NodeId>,
    /// Path from the decoded node to the node at `span`.
    pub path: FieldPath<'static>,
}

impl DecodeError {
    /// Sets the location to this node unless a more specific location is known.
    pub(super) fn at(mut self, node: Node<'_>) -> Self {
        self.span.get_or_insert(node.span());
        self.node.get_or_insert(node.id());
        self
    }

    pub(super) fn prepend_step(mut self, step: Step<'_>) -> Self {
        self.path.push_front(step);
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_root() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.path, self.message) }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None, node: None, path: FieldPath::new() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let (expected_type, _) = expectation(expected);
        Self::custom(format_args!("found {}, expected {expected_type}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let (expected_type, bounds) = expectation(expected);
        match found {
            Unexpected::Signed(value) => Self::custom(format_args!("found {value}, expected {expected_type}{bounds}")),
            Unexpected::Unsigned(value) => {
                Self::custom(format_args!("found {value}, expected {expected_type}{bounds}"))
            }
            _ => Self::invalid_type(found, expected),
        }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("the field `{field}` is missing"))
    }
}

/// Returns the type of a value, such as `a string`, without the value itself.
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

/// Describes the value that a Rust type expects in YAML terms, because serde and derived code use Rust terms. If the
/// value is an integer, also returns its range.
fn expectation(expected: &dyn Expected) -> (String, String) {
    let integer = |min: &dyn fmt::Display, max: &dyn fmt::Display| {
        let bounds = format!(" between {min} and {max}");
        ("a whole number".to_owned(), bounds)
    };
    let text = expected.to_string();
    let expected_type = match text.as_str() {
        "i8" => return integer(&i8::MIN, &i8::MAX),
        "i16" => return integer(&i16::MIN, &i16::MAX),
        "i32" => return integer(&i32::MIN, &i32::MAX),
        "i64" | "isize" => return integer(&i64::MIN, &i64::MAX),
        "u8" => return integer(&0, &u8::MAX),
        "u16" => return integer(&0, &u16::MAX),
        "u32" => return integer(&0, &u32::MAX),
        "u64" | "usize" => return integer(&0, &u64::MAX),
        "f32" | "f64" => "a number",
        "a borrowed string" | "string or map" => "a string",
        "a sequence" => "a list",
        "a map" => "a mapping",
        // A derived type or a Kubernetes type, which is identified by its name.
        text if text.starts_with("struct ") || text.starts_with(|c: char| c.is_ascii_uppercase()) => "a mapping",
        text => text,
    };
    (expected_type.to_owned(), String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_messages_use_yaml_terms() {
        for (rust, expected, bounds) in [
            ("i8", "a whole number", " between -128 and 127"),
            ("i16", "a whole number", " between -32768 and 32767"),
            ("i32", "a whole number", " between -2147483648 and 2147483647"),
            ("i64", "a whole number", " between -9223372036854775808 and 9223372036854775807"),
            ("isize", "a whole number", " between -9223372036854775808 and 9223372036854775807"),
            ("u8", "a whole number", " between 0 and 255"),
            ("u16", "a whole number", " between 0 and 65535"),
            ("u32", "a whole number", " between 0 and 4294967295"),
            ("u64", "a whole number", " between 0 and 18446744073709551615"),
            ("usize", "a whole number", " between 0 and 18446744073709551615"),
            ("f32", "a number", ""),
            ("f64", "a number", ""),
            ("a borrowed string", "a string", ""),
            ("string or map", "a string", ""),
            ("a sequence", "a list", ""),
            ("a map", "a mapping", ""),
            ("struct Probe", "a mapping", ""),
            ("Probe", "a mapping", ""),
            ("a boolean", "a boolean", ""),
        ] {
            let found = expectation(&rust);
            assert_eq!((found.0.as_str(), found.1.as_str()), (expected, bounds), "{rust}");
        }
    }

    #[test]
    fn messages_show_types_and_numbers_but_not_strings() {
        for (found, expected) in [
            (Unexpected::Bool(true), "found a boolean, expected a list"),
            (Unexpected::Unsigned(5), "found an integer, expected a list"),
            (Unexpected::Signed(-5), "found an integer, expected a list"),
            (Unexpected::Float(1.5), "found a number, expected a list"),
            (Unexpected::Str("s3cret"), "found a string, expected a list"),
            (Unexpected::Char('s'), "found a string, expected a list"),
            (Unexpected::Unit, "found null, expected a list"),
            (Unexpected::Option, "found null, expected a list"),
            (Unexpected::Seq, "found a list, expected a list"),
            (Unexpected::Map, "found a mapping, expected a list"),
            (Unexpected::Enum, "found another value, expected a list"),
        ] {
            let error: DecodeError = de::Error::invalid_type(found, &"a sequence");
            assert_eq!(error.to_string(), expected);
        }
        for (found, expected) in [
            (Unexpected::Unsigned(300), "found 300, expected a whole number between 0 and 255"),
            (Unexpected::Signed(-5), "found -5, expected a whole number between 0 and 255"),
            (Unexpected::Str("s3cret"), "found a string, expected a whole number"),
        ] {
            let error: DecodeError = de::Error::invalid_value(found, &"u8");
            assert_eq!(error.to_string(), expected);
        }
    }
}
