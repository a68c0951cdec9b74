//! Reasons why Flux rejects the substitution of variables.

use std::fmt;

/// Reason why variables in text cannot be substituted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// An expression that the library cannot parse, with the library's reason.
    Malformed { expression: String, reason: &'static str },
    /// A variable without a value, and without a default in its expression.
    Unset { name: String },
    /// A negative length, which makes the library crash.
    NegativeLength,
    /// A substring that starts or ends inside a character.
    CutCharacter,
    /// A value or result that exceeds the size limit.
    TooLarge,
}

impl Problem {
    /// Returns the start of the expression that causes the problem, if it is known.
    pub fn expression(&self) -> Option<String> {
        match self {
            Problem::Malformed { expression, .. } => Some(expression.clone()),
            Problem::Unset { name } => Some(format!("${{{name}}}")),
            Problem::NegativeLength | Problem::CutCharacter | Problem::TooLarge => None,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Malformed { expression, reason } => write!(f, "Flux cannot parse `{expression}`: {reason}"),
            Problem::Unset { name } => write!(f, "the variable `{name}` has no value"),
            Problem::NegativeLength => f.write_str("Flux crashes on a negative length"),
            Problem::CutCharacter => f.write_str("a value is cut inside a character"),
            Problem::TooLarge => f.write_str("the result is too large"),
        }
    }
}
