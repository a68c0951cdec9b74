//! Representation of secrets in output.

/// Representation of secrets in a configuration. Lines without secrets are the same in every representation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretRepresentation {
    #[default]
    Values,
    /// Secrets written as `***`, with the same number of lines.
    Masked,
    /// Secrets written as `***` with their key, whether or not the input contains the Secret.
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
