//! Files that are written in full before they take their places.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::super::temporary::{create_folder, create_new};
use super::leftover::{remove_files, remove_leftovers};
use super::place::Place;
use crate::environment::EnvironmentError;

/// Brings a file or a folder from the memory of the system to the disk.
pub(super) type Flush<'f> = &'f (dyn Fn(&Path) -> io::Result<()> + Sync);

/// `fsync`. Some systems flush only files that are open for writing, and none opens a folder that way.
pub(super) fn flush(path: &Path) -> io::Result<()> {
    let is_file = path.is_file();
    File::options().read(!is_file).write(is_file).open(path)?.sync_all()
}

/// A folder of files that wait for their places.
pub(super) struct Staging<'f> {
    folder: PathBuf,
    waiting: Vec<(PathBuf, String)>,
    count: usize,
    /// What brings files and folders to the disk before the run ends, where that is asked for.
    flush: Option<Flush<'f>>,
    /// The folders in which something changed.
    changed: BTreeSet<PathBuf>,
}

impl<'f> Staging<'f> {
    /// Creates the folder in `root`. If no other run can be at work there, the folders of killed runs are removed.
    pub(super) fn new(root: &Path, is_locked: bool, flush: Option<Flush<'f>>) -> Result<Self, EnvironmentError> {
        let folder = create_folder(root).map_err(EnvironmentError::write(root))?;
        if is_locked {
            remove_leftovers(root, &folder);
        }
        Ok(Self {
            folder,
            waiting: Vec::new(),
            count: 0,
            flush,
            changed: BTreeSet::from([root.to_owned()]),
        })
    }

    /// Writes a file that is to become `name`.
    pub(super) fn add(&mut self, name: &str, text: &str, secret: bool) -> Result<(), EnvironmentError> {
        let path = self.folder.join(self.count.to_string());
        self.count += 1;
        let written = create_new(&path, secret).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(EnvironmentError::write(&path))?;
        self.waiting.push((path, name.to_owned()));
        Ok(())
    }

    /// Puts the files into their places. After a loss of power, each is there as a whole, old or new.
    pub(super) fn commit(&mut self, place: &Place<'_>) -> Result<(), EnvironmentError> {
        if let Some(flush) = self.flush {
            // At the same time, so that the disk does it in few steps.
            self.waiting.par_iter().try_for_each(|(path, _)| {
                match flush(path) {
                    // The umask can take away what was needed to write it.
                    Err(error) if error.kind() != ErrorKind::PermissionDenied => {
                        Err(EnvironmentError::write(path)(error))
                    }
                    _ => Ok(()),
                }
            })?;
        }
        for (waiting, name) in std::mem::take(&mut self.waiting) {
            let path = place.path(&name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(EnvironmentError::write(folder))?;
            }
            // Again: the folder may have become a link since.
            place.check(&name)?;
            fs::rename(waiting, &path).map_err(EnvironmentError::write(&path))?;
            self.change(&path);
        }
        Ok(())
    }

    /// A file or folder came or went.
    pub(super) fn change(&mut self, path: &Path) {
        let folder = path.parent().map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
        self.changed.extend(folder.map(Path::to_owned));
    }

    /// Removes the folder.
    pub(super) fn close(self) -> Result<(), EnvironmentError> {
        fs::remove_dir(&self.folder).map_err(EnvironmentError::write(&self.folder))?;
        if let Some(flush) = self.flush.filter(|_| cfg!(unix)) {
            for folder in &self.changed {
                // One that was removed is gone; some file systems cannot do it.
                let _ = flush(folder);
            }
        }
        Ok(())
    }
}

impl Drop for Staging<'_> {
    /// Removes what is left after a failure.
    fn drop(&mut self) {
        let _ = remove_files(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_not_flushed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        assert_eq!(flush(&file).unwrap_err().kind(), ErrorKind::NotFound);
        fs::write(&file, "x").unwrap();
        flush(&file).unwrap();
        if cfg!(unix) {
            flush(folder.path()).unwrap();
        }
    }
}
