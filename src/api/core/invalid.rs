//! A value that a Go struct cannot hold.

use std::fmt;

/// What is wrong, and where: a path relative to the decoded value, written as the API server writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invalid {
    /// `[0].resources.limits[cpu]`; empty for the value itself.
    pub path: String,
    /// What was found against what was expected; never the value itself, which may be a secret.
    pub message: String,
}

impl Invalid {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            message: message.into(),
        }
    }

    /// The same, seen from the parent of this field.
    pub(super) fn under_field(mut self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{name}{dot}{}", self.path);
        self
    }

    /// The same, seen from the list (or map) that holds it under this index (or key).
    pub(super) fn under_index(mut self, index: impl fmt::Display) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("[{index}]{dot}{}", self.path);
        self
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Invalid {}
