//! Where a path may lead: input is not trusted, so nothing outside of what was named is read or written.

use std::fs;
use std::path::Path;

/// What a checkout keeps its repository in.
const GIT: &str = ".git";

/// The root of the repository around a directory, which is given without links. git puts no `.git` into a checkout but its own,
/// so nobody can widen it by a commit.
pub(super) fn repository_around(directory: &Path) -> Option<&Path> {
    let mut ancestors = directory.ancestors();
    ancestors.find(|ancestor| fs::symlink_metadata(ancestor.join(GIT)).is_ok())
}
