//! Objects as deployed: the objects that a cluster receives from a GitOps repository through Flux or Argo CD.
//!
//! A repository is read once into a [`RepositoryTree`]. [`follow`] starts at an entry point and builds everything that
//! the entry leads to. This module does not use the network, keys, or programs other than kustomize, and paths in files
//! cannot point outside the repository.

mod argo;
mod artifact;
mod artifact_generator;
mod cause;
mod closure;
mod cluster;
mod cluster_sources;
mod copied;
mod diagnostics;
mod entry;
mod failure;
mod flux;
mod follow;
mod git_index;
mod gitignore;
mod glob;
mod kustomization;
mod kustomize_build;
mod kustomize_cause;
mod load;
mod location;
mod merge;
mod names;
mod object;
mod path;
mod remote;
mod retyped;
mod roots;
mod skipped;
mod sops;
mod source_ignore;
mod sources;
mod substitution;
mod tree;
mod unreached;

pub use artifact::Artifact;
pub use cause::Cause;
pub use cluster::{Cluster, MergedObject, Mistake, Root};
pub use cluster_sources::origin_files;
pub use entry::{Entries, entries};
pub use follow::{FollowOptions, follow};
pub use load::{DeployedInputs, deployed_roots, load_deployed, load_deployed_at_revision, outside_objects};
pub use location::{Location, locate};
pub use names::{NamedCluster, cluster_named, name_clusters, several_clusters};
pub use object::{Object, ObjectId, identity, items, namespace, read_objects, set_text, text, text_at};
pub use skipped::{Skipped, count_unread};
pub use sources::Remotes;
pub use substitution::has_placeholder;
pub use tree::{EntryKind, RepositoryTree, TreeLimits};
pub use unreached::UnreachedFiles;
