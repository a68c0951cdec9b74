//! Staging of files. All of them are written completely before any of them is moved into place.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::super::temporary::{create_directory, create_new, write_text};
use super::leftover::{remove_files, remove_leftovers};
use super::output_dir::OutputDir;
use crate::diagnostic::EnvironmentError;

/// Function that syncs a file or directory to disk.
pub(super) type Flush<'f> = &'f (dyn Fn(&Path) -> io::Result<()> + Sync);

/// Syncs a file or directory with `fsync`. Some systems can sync only files that were opened for writing, but
/// directories cannot be opened that way.
pub(super) fn flush(path: &Path) -> io::Result<()> {
    let is_file = path.is_file();
    File::options().read(!is_file).write(is_file).open(path)?.sync_all()
}

/// Directory that contains files to be moved into place.
pub(super) struct StagingDirectory<'f> {
    directory: PathBuf,
    waiting_files: Vec<(PathBuf, String)>,
    count: usize,
    /// Function that syncs files and directories to disk, if requested.
    flush: Option<Flush<'f>>,
    /// Directories whose entries have changed.
    changed_directories: BTreeSet<PathBuf>,
}

impl<'f> StagingDirectory<'f> {
    /// Creates the staging directory in `root`. If `root` is locked, no other run is active, so the directories left by
    /// killed runs are removed.
    pub(super) fn new(root: &Path, is_locked: bool, flush: Option<Flush<'f>>) -> Result<Self, EnvironmentError> {
        let directory = create_directory(root).map_err(EnvironmentError::write(root))?;
        if is_locked {
            remove_leftovers(root, &directory);
        }
        Ok(Self {
            directory,
            waiting_files: Vec::new(),
            count: 0,
            flush,
            changed_directories: BTreeSet::from([root.to_owned()]),
        })
    }

    /// Writes a file that will become `name`.
    pub(super) fn add(&mut self, name: &str, text: &str, secret: bool) -> Result<(), EnvironmentError> {
        let path = self.directory.join(self.count.to_string());
        self.count += 1;
        let result = create_new(&path, secret).and_then(|mut file| write_text(&mut file, &[text]));
        result.map_err(EnvironmentError::write(&path))?;
        self.waiting_files.push((path, name.to_owned()));
        Ok(())
    }

    /// Moves the files into place. After a power failure, each file has either its old or its new contents.
    pub(super) fn commit(&mut self, dir: &OutputDir<'_>) -> Result<(), EnvironmentError> {
        if let Some(flush) = self.flush {
            // Syncing in parallel allows the disk to combine writes.
            self.waiting_files.par_iter().try_for_each(|(path, _)| {
                match flush(path) {
                    // A restrictive umask can make the file unreadable.
                    Err(error) if error.kind() != ErrorKind::PermissionDenied => {
                        Err(EnvironmentError::write(path)(error))
                    }
                    _ => Ok(()),
                }
            })?;
        }
        for (waiting, name) in std::mem::take(&mut self.waiting_files) {
            let path = dir.path(&name);
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory).map_err(EnvironmentError::write(directory))?;
            }
            // The path is checked again, because the directory may have become a symlink.
            dir.check(&name)?;
            fs::rename(waiting, &path).map_err(EnvironmentError::write(&path))?;
            self.mark_changed(&path);
        }
        Ok(())
    }

    /// Records that a file or directory was added or removed.
    pub(super) fn mark_changed(&mut self, path: &Path) {
        let directory = path.parent().map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        self.changed_directories.extend(directory.map(Path::to_owned));
    }

    /// Removes the staging directory and syncs the changed directories.
    pub(super) fn close(self) -> Result<(), EnvironmentError> {
        fs::remove_dir(&self.directory).map_err(EnvironmentError::write(&self.directory))?;
        if let Some(flush) = self.flush.filter(|_| cfg!(unix)) {
            for directory in &self.changed_directories {
                // Syncing fails for a directory that has been removed, and on file systems that cannot sync
                // directories.
                let _ = flush(directory);
            }
        }
        Ok(())
    }
}

impl Drop for StagingDirectory<'_> {
    /// Removes the remaining files after an error.
    fn drop(&mut self) {
        let _ = remove_files(&self.directory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flush_fails_for_missing_files() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a");
        assert_eq!(flush(&file).unwrap_err().kind(), ErrorKind::NotFound);
        fs::write(&file, "x").unwrap();
        flush(&file).unwrap();
        if cfg!(unix) {
            flush(directory.path()).unwrap();
        }
    }
    #[test]
    fn commit_ignores_permission_errors_when_syncing() {
        let directory = tempfile::tempdir().unwrap();
        let dir = OutputDir::open(directory.path()).unwrap();
        let commit = |kind: ErrorKind| {
            let flush = move |_: &Path| Err(kind.into());
            let mut staging = StagingDirectory::new(directory.path(), false, Some(&flush)).unwrap();
            staging.add("a.yaml", "x", false).unwrap();
            staging.commit(&dir).is_ok()
        };
        assert!(commit(ErrorKind::PermissionDenied));
        assert_eq!(fs::read_to_string(directory.path().join("a.yaml")).unwrap(), "x");
        assert!(!commit(ErrorKind::StorageFull));
    }
}
