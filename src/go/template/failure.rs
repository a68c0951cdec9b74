//! Reasons why a template has no result.

use std::fmt;

/// Reason why a template has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Go reports this error.
    Error(String),
    /// The template uses an unsupported feature.
    Unsupported(String),
    /// The template takes too many steps, or creates a value that is too large or too deeply nested.
    Limit,
}

impl Failure {
    pub fn error(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(message) | Self::Unsupported(message) => f.write_str(message),
            Self::Limit => f.write_str("takes too many steps"),
        }
    }
}
