//! What generators read.

use crate::gitops::object::Object;
use crate::gitops::tree::RepositoryTree;

/// Files and objects that the generators of an ApplicationSet read.
#[derive(Clone, Copy)]
pub struct Surroundings<'s> {
    pub tree: &'s RepositoryTree,
    /// Whether an address is that of this repository.
    pub is_own: &'s dyn Fn(&str) -> bool,
    /// Secrets that describe clusters.
    pub clusters: &'s [&'s Object],
}
