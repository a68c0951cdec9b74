//! Files and objects that generators read.

use crate::gitops::object::Object;
use crate::gitops::tree::RepositoryTree;

/// Input of an ApplicationSet's generators.
#[derive(Clone, Copy)]
pub struct GeneratorContext<'s> {
    pub tree: &'s RepositoryTree,
    /// Whether an address refers to this repository.
    pub is_own: &'s dyn Fn(&str) -> bool,
    /// Secrets that describe clusters.
    pub clusters: &'s [&'s Object],
}
