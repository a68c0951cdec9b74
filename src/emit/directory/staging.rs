//! Staging of files. All of them are written completely before any of them is moved into place.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::super::temporary::{create_folder, create_new, write_text};
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
    folder: PathBuf,
    waiting: Vec<(PathBuf, String)>,
    count: usize,
    /// Function that syncs files and directories to disk, if requested.
    flush: Option<Flush<'f>>,
    /// Directories whose entries have changed.
    changed: BTreeSet<PathBuf>,
}

impl<'f> StagingDirectory<'f> {
    /// Creates the staging directory in `root`. If `root` is locked, no other run is active, so the directories left by
    /// killed runs are removed.
    pub(super) fn new(root: &Path, is_locked: bool, flush: Option<Flush<'f>>) -> Result<Self, EnvironmentError> {
        let folder = create_folder(root).map_err(EnvironmentError::write(root))?;
        if is_locked {
            remove_leftovers(root, &folder);
        }
        Ok(Self { folder, waiting: Vec::new(), count: 0, flush, changed: BTreeSet::from([root.to_owned()]) })
    }

    /// Writes a file that will become `name`.
    pub(super) fn add(&mut self, name: &str, text: &str, secret: bool) -> Result<(), EnvironmentError> {
        let path = self.folder.join(self.count.to_string());
        self.count += 1;
        let written = create_new(&path, secret).and_then(|mut file| write_text(&mut file, &[text]));
        written.map_err(EnvironmentError::write(&path))?;
        self.waiting.push((path, name.to_owned()));
        Ok(())
    }

    /// Moves the files into place. After a power failure, each file has either its old or its new contents.
    pub(super) fn commit(&mut self, dir: &OutputDir<'_>) -> Result<(), EnvironmentError> {
        if let Some(flush) = self.flush {
            // Syncing in parallel allows the disk to combine writes.
            self.waiting.par_iter().try_for_each(|(path, _)| {
                match flush(path) {
                    // A restrictive umask can make the file unreadable.
                    Err(error) if error.kind() != ErrorKind::PermissionDenied => {
                        Err(EnvironmentError::write(path)(error))
                    }
                    _ => Ok(()),
                }
            })?;
        }
        for (waiting, name) in std::mem::take(&mut self.waiting) {
            let path = dir.path(&name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(EnvironmentError::write(folder))?;
            }
            // The path is checked again, because the directory may have become a symlink.
            dir.check(&name)?;
            fs::rename(waiting, &path).map_err(EnvironmentError::write(&path))?;
            self.change(&path);
        }
        Ok(())
    }

    /// Records that a file or directory was added or removed.
    pub(super) fn change(&mut self, path: &Path) {
        let folder = path.parent().map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        self.changed.extend(folder.map(Path::to_owned));
    }

    /// Removes the staging directory and syncs the changed directories.
    pub(super) fn close(self) -> Result<(), EnvironmentError> {
        fs::remove_dir(&self.folder).map_err(EnvironmentError::write(&self.folder))?;
        if let Some(flush) = self.flush.filter(|_| cfg!(unix)) {
            for folder in &self.changed {
                // Syncing fails for a directory that has been removed, and on file systems that cannot sync
                // directories.
                let _ = flush(folder);
            }
        }
        Ok(())
    }
}

impl Drop for StagingDirectory<'_> {
    /// Removes the remaining files after an error.
    fn drop(&mut self) {
        let _ = remove_files(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flush_fails_for_missing_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        assert_eq!(flush(&file).unwrap_err().kind(), ErrorKind::NotFound);
        fs::write(&file, "x").unwrap();
        flush(&file).unwrap();
        if cfg!(unix) {
            flush(folder.path()).unwrap();
        }
    }
    #[test]
    fn commit_ignores_permission_errors_when_syncing() {
        let folder = tempfile::tempdir().unwrap();
        let dir = OutputDir::open(folder.path()).unwrap();
        let commit = |kind: ErrorKind| {
            let flush = move |_: &Path| Err(kind.into());
            let mut staging = StagingDirectory::new(folder.path(), false, Some(&flush)).unwrap();
            staging.add("a.yaml", "x", false).unwrap();
            staging.commit(&dir).is_ok()
        };
        assert!(commit(ErrorKind::PermissionDenied));
        assert_eq!(fs::read_to_string(folder.path().join("a.yaml")).unwrap(), "x");
        assert!(!commit(ErrorKind::StorageFull));
    }
}
