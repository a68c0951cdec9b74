//! Parts of a repository that are not read.

use std::fmt;

/// Something that a cluster receives but that is not read, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skipped {
    /// The object as `KIND/NAMESPACE/NAME`, perhaps with one of its sources.
    pub object: String,
    /// Reason, in lowercase and without a period. It never contains a secret value.
    pub reason: String,
}

impl Skipped {
    pub fn new(object: impl fmt::Display, reason: impl Into<String>) -> Self {
        Self { object: object.to_string(), reason: reason.into() }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.reason)
    }
}
