//! Options of a comparison.

use crate::api::OperatorVersion;

/// Options that determine what a comparison compares and shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiffOptions {
    /// Whether `ownerReferences` are compared.
    pub owner_references: bool,
    /// Whether secret values are shown.
    pub show_secrets: bool,
    /// Operator version whose output is compared.
    pub operator: OperatorVersion,
    /// Number of context lines around a difference, or `None` for whole objects.
    pub context: Option<usize>,
    /// Number of differing scrape jobs (or Alloy components) to show for each configuration, or `None` for all.
    pub jobs: Option<usize>,
}

/// Default number of differing scrape jobs to show for each configuration.
pub const MAX_JOBS: usize = 100;
