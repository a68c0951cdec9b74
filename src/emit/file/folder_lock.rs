//! Locks of folders, so that runs that replace files there take turns.

use std::fs::File;
use std::path::Path;

/// Number of folders that are locked at most: a process may have few files open.
#[cfg(unix)]
const MAX_LOCKS: usize = 256;

/// Locks folders until the files are dropped. A folder that the system cannot lock is left out.
#[cfg(unix)]
pub(super) fn lock<'p>(folders: impl Iterator<Item = &'p Path>) -> Vec<File> {
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    // In the order of the system's numbers: all runs have the same one, so that none waits for another in a circle; and no folder is
    // locked twice under two names.
    let numbered = folders.filter_map(|folder| {
        let found = fs::metadata(folder).ok()?;
        Some(((found.dev(), found.ino()), folder))
    });
    let numbered: BTreeMap<_, _> = numbered.collect();
    let opened = numbered.into_values().take(MAX_LOCKS).filter_map(|folder| {
        let folder = File::open(folder).ok()?;
        folder.lock().is_ok().then_some(folder)
    });
    opened.collect()
}

/// Only Unix opens folders.
#[cfg(not(unix))]
pub(super) fn lock<'p>(_: impl Iterator<Item = &'p Path>) -> Vec<File> {
    Vec::new()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_whatever_its_name() {
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
