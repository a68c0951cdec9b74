//! Reasons a template has no result.

use std::fmt;

/// Reason a template has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Go reports an error.
    Error(String),
    /// The template uses something that is not supported.
    Unsupported(String),
    /// The template takes too many steps, or makes a value that is too large or nested too deeply.
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
