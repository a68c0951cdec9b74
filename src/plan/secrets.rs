//! Representation of secrets in output.

/// Representation of secrets in a configuration. Lines without secrets are identical in all representations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretRepresentation {
    #[default]
    Values,
    /// Secrets written as `***`, with the same number of lines.
    Masked,
    /// Secrets written as `***` with their key, regardless of whether the input contains the Secret.
    Named,
    /// Secrets written as placeholders, one for each key of a Secret.
    Placeholders,
}

impl SecretRepresentation {
    /// Whether secrets are masked.
    pub fn are_hidden(self) -> bool {
        matches!(self, SecretRepresentation::Masked | SecretRepresentation::Named)
    }
}
