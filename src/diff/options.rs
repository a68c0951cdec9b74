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
    /// Number of lines to show around differences; `None` for whole objects.
    pub context: Option<usize>,
    /// Number of differing scrape jobs of a configuration, or components of Alloy, to show; `None` shows all.
    pub jobs: Option<usize>,
}

/// Number of differing scrape jobs of a configuration to show by default: nobody reads more.
pub const MAX_JOBS: usize = 100;
