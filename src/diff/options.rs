//! Options for the comparison of objects.

use crate::api::OperatorVersion;

/// Options that determine the compared objects and the shown differences.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiffOptions {
    /// Whether to compare `ownerReferences`.
    pub owner_references: bool,
    /// Whether to show secret values.
    pub show_secrets: bool,
    /// Version of the operator whose output is compared.
    pub operator: OperatorVersion,
    /// Number of context lines around a difference, or `None` to show whole objects.
    pub context: Option<usize>,
    /// Number of differing scrape jobs (or Alloy components) to show per configuration, or `None` to show all of them.
    pub jobs: Option<usize>,
}

/// Default number of differing scrape jobs to show per configuration.
pub const MAX_JOBS: usize = 100;
