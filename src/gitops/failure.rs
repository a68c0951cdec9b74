//! Reasons why a directory is not built.

use super::cause::Cause;
use super::object::ObjectId;
use super::skipped::{Reason, SkipKind};
use crate::diagnostic::{Code, EnvironmentError};

/// Reason why a directory is not built.
#[derive(Debug)]
pub enum Failure {
    /// Error that Flux or Argo CD would report.
    Mistake {
        code: Code,
        reason: String,
        field: String,
        cause: Option<Cause>,
    },
    /// Reason why a build is skipped, such as a source that is not in the repository.
    Skipped(Reason),
    Environment(EnvironmentError),
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Failure::build_mistake(reason)
    }
}

impl From<EnvironmentError> for Failure {
    fn from(error: EnvironmentError) -> Self {
        Failure::Environment(error)
    }
}

impl Failure {
    pub fn mistake(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(Code::GitopsBuild, field, reason)
    }

    pub fn new(code: Code, field: impl Into<String>, reason: impl Into<String>) -> Self {
        Failure::Mistake { code, reason: reason.into(), field: field.into(), cause: None }
    }

    /// Sets the location of the cause of a mistake, if it is known.
    pub fn with_cause(self, cause: Option<Cause>) -> Self {
        match self {
            Self::Mistake { code, reason, field, cause: known_cause } => {
                Self::Mistake { code, reason, field, cause: cause.or(known_cause) }
            }
            failure => failure,
        }
    }

    /// Replaces the object in a field cause with the owner of the build.
    pub fn with_owner(self, id: &ObjectId) -> Self {
        match self {
            Self::Mistake { code, reason, field, cause: Some(Cause::Field { keys, part, .. }) } => {
                let cause = Some(Cause::Field { object: id.to_string(), keys, part });
                Self::Mistake { code, reason, field, cause }
            }
            failure => failure,
        }
    }

    pub fn skipped(kind: SkipKind, reason: impl Into<String>) -> Self {
        Failure::Skipped(Reason::new(kind, reason))
    }

    pub fn build_mistake(reason: impl Into<String>) -> Self {
        Self::mistake("spec.path", reason)
    }

    pub fn path_mistake(reason: impl Into<String>) -> Self {
        Self::new(Code::GitopsPath, "spec.path", reason)
    }

    pub fn variable_mistake(field: &str, reason: impl Into<String>) -> Self {
        Self::new(Code::GitopsVariable, field, reason)
    }
}
