//! Symlinks that make Argo CD reject a repository.

use crate::gitops::artifact::link_target;
use crate::gitops::path::parent;
use crate::gitops::tree::{EntryKind, RepositoryTree};

/// Returns the first symlink, in path order, whose target is absolute or leaves the repository at any step
/// (`CheckOutOfBoundsSymlinks`).
pub fn first_escaping_link(tree: &RepositoryTree) -> Option<&str> {
    let leaves = |path: &str, kind: &EntryKind| match kind {
        EntryKind::Link { target } => link_target(path, target).is_none(),
        _ => false,
    };
    let mut links: Vec<_> = tree.entries().filter(|(path, kind)| leaves(path, kind)).map(|(path, _)| path).collect();
    links.sort_by_key(|path| (parent(path).is_empty(), path.split('/').collect::<Vec<_>>()));
    links.first().copied()
}
