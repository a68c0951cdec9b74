//! Locks on directories, so that only one run replaces files at a time.

use std::fs::File;
use std::path::Path;

/// Maximum number of directories to lock, because a process can open only a limited number of files.
#[cfg(unix)]
const MAX_LOCKS: usize = 256;

/// Locks directories until the returned files are dropped. Directories that the system cannot lock are skipped.
#[cfg(unix)]
pub(super) fn lock_directories<'p>(directories: impl Iterator<Item = &'p Path>) -> Vec<File> {
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    // Locking in device and inode order avoids deadlocks and locks a directory with two names only once.
    let numbered_directories = directories.filter_map(|folder| {
        let metadata = fs::metadata(folder).ok()?;
        Some(((metadata.dev(), metadata.ino()), folder))
    });
    let directories_by_inode: BTreeMap<_, _> = numbered_directories.collect();
    let opened_directories = directories_by_inode.into_values().take(MAX_LOCKS).filter_map(|folder| {
        let opened_directory = File::open(folder).ok()?;
        opened_directory.lock().is_ok().then_some(opened_directory)
    });
    opened_directories.collect()
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
        let (directory, same_directory) = (scratch.path().to_owned(), scratch.path().join("."));
        let locks = lock_directories([directory.as_path(), &same_directory, Path::new("/nowhere")].into_iter());
        assert_eq!(locks.len(), 1);
        let second_handle = File::open(&directory).unwrap();
        assert!(second_handle.try_lock().is_err());
        drop(locks);
        second_handle.try_lock().unwrap();
    }
}
