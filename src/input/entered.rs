//! Directories that a walk has entered. Symlinks may lead to the same directory through any number of paths.

use std::collections::HashSet;

use walkdir::DirEntry;

/// Directories that a walk has entered, regardless of the paths through which it reached them.
#[derive(Debug, Default)]
pub(super) struct EnteredDirectories(HashSet<Identity>);

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

impl EnteredDirectories {
    /// Whether the entry is a directory that has already been entered. Otherwise, marks an accessible directory as
    /// entered.
    pub(super) fn enters_again(&mut self, entry: &DirEntry) -> bool {
        entry.file_type().is_dir() && identity(entry).is_some_and(|identity| !self.0.insert(identity))
    }
}

/// Returns the device and inode of a directory.
#[cfg(unix)]
fn identity(entry: &DirEntry) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = entry.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(entry: &DirEntry) -> Option<Identity> {
    entry.path().canonicalize().ok()
}
