//! How two sides are compared.

use crate::operator::OperatorVersion;

/// What counts, and what is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether `ownerReferences` are compared.
    pub owner_references: bool,
    /// Whether secret values are shown.
    pub show_secrets: bool,
    /// The operator that is compiled for.
    pub operator: OperatorVersion,
    /// How many lines around differences are of interest; `None` where whole objects are.
    pub context: Option<usize>,
}
