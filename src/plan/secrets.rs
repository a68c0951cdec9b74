//! How secrets appear in what is written of a plan.

/// How secrets appear in a configuration. Apart from that it has the same lines, whatever the values are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Secrets {
    #[default]
    Values,
    /// As `***`, in as many lines.
    Masked,
    /// As `***` with the key of the Secret, whether the input has it or not.
    Named,
    /// As a placeholder for each key of a Secret.
    Placeholders,
}

impl Secrets {
    /// Whether no secret is to be seen.
    pub fn are_hidden(self) -> bool {
        matches!(self, Secrets::Masked | Secrets::Named)
    }
}
