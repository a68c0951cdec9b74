//! Files that are written in full before they take their places.

use std::fs::{self, DirBuilder};
use std::path::{Path, PathBuf};

use super::super::file::{UNFINISHED, clean, failed, write_new};
use super::place::Place;
use crate::environment::EnvironmentError;

/// A folder of files that wait for their places. One that a killed run left behind is cleaned up first.
pub(super) struct Staging {
    folder: PathBuf,
    waiting: Vec<(PathBuf, String)>,
    count: usize,
}

impl Staging {
    /// A new folder below `root`.
    pub(super) fn new(root: &Path) -> Result<Self, EnvironmentError> {
        let folder = root.join(UNFINISHED);
        let made = clean(&folder).and_then(|()| private_folder().create(&folder));
        match made {
            Ok(()) => Ok(Self {
                folder,
                waiting: Vec::new(),
                count: 0,
            }),
            Err(error) => Err(failed(&folder, error)),
        }
    }

    /// Writes a file that is to become `name`.
    pub(super) fn add(&mut self, name: &str, text: &str, secret: bool) -> Result<(), EnvironmentError> {
        let path = self.folder.join(self.count.to_string());
        self.count += 1;
        write_new(&path, text, secret).map_err(|error| failed(&path, error))?;
        self.waiting.push((path, name.to_owned()));
        Ok(())
    }

    /// Puts the files into their places.
    pub(super) fn commit(&mut self, place: &Place<'_>) -> Result<(), EnvironmentError> {
        for (waiting, name) in self.waiting.drain(..) {
            let path = place.path(&name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
            }
            // Again: the folder may have become a link since.
            place.check(&name)?;
            fs::rename(waiting, &path).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }

    /// Removes the folder.
    pub(super) fn close(self) -> Result<(), EnvironmentError> {
        fs::remove_dir(&self.folder).map_err(|error| failed(&self.folder, error))
    }
}

impl Drop for Staging {
    /// After a failure: what is left here anyway is cleaned up by the next run.
    fn drop(&mut self) {
        let _ = clean(&self.folder);
    }
}

fn private_folder() -> DirBuilder {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
}
