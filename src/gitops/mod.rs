//! Objects as deployed: what a cluster receives from a GitOps repository, according to Flux and Argo CD.
//!
//! A repository is read once into a [`RepositoryTree`]. Nothing here uses the network, keys, or programs other than
//! kustomize, and no path in a file leads out of the repository.

pub mod argo;
mod object;
mod skipped;
mod tree;

pub use object::{Object, ObjectId, identity, items, namespace, read_objects, set_text, text, text_at};
pub use skipped::Skipped;
pub use tree::{EntryKind, RepositoryTree, TreeLimits};
