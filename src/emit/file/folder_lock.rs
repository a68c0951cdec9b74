//! Locks on directories, so that only one run replaces files at a time.

use std::fs::File;
use std::path::Path;

/// Maximum number of directories to lock, because a process can open only a limited number of files.
#[cfg(unix)]
const MAX_LOCKS: usize = 256;

/// Locks directories until the returned files are dropped. Directories that the system cannot lock are skipped.
#[cfg(unix)]
pub(super) fn lock<'p>(folders: impl Iterator<Item = &'p Path>) -> Vec<File> {
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    // Locking in device and inode order avoids deadlocks and locks a directory with two names only once.
    let numbered = folders.filter_map(|folder| {
        let metadata = fs::metadata(folder).ok()?;
        Some(((metadata.dev(), metadata.ino()), folder))
    });
    let numbered: BTreeMap<_, _> = numbered.collect();
    let opened = numbered.into_values().take(MAX_LOCKS).filter_map(|folder| {
        let folder = File::open(folder).ok()?;
        folder.lock().is_ok().then_some(folder)
    });
    opened.collect()
}

/// Locks nothing, because directories can be opened only on Unix.
#[cfg(not(unix))]
pub(super) fn lock<'p>(_: impl Iterator<Item = &'p Path>) -> Vec<File> {
    Vec::new()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_each_directory_once_under_any_name() {
        let scratch = tempfile::tempdir().unwrap();
        let (folder, again) = (scratch.path().to_owned(), scratch.path().join("."));
        let locks = lock([folder.as_path(), &again, Path::new("/nowhere")].into_iter());
        assert_eq!(locks.len(), 1);
        let other = File::open(&folder).unwrap();
        assert!(other.try_lock().is_err());
        drop(locks);
        other.try_lock().unwrap();
    }
}
