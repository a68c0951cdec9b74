//! Files that are written in full before they take their places.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::place::Place;
use crate::environment::EnvironmentError;

/// Where files wait. It is hidden, so that no tool takes them for manifests.
const FOLDER: &str = ".agentctl-new";

/// A folder of files that wait for their places. One that a killed run left behind is cleaned up first.
pub(super) struct Staging {
    folder: PathBuf,
    waiting: Vec<(PathBuf, String)>,
    count: usize,
}

impl Staging {
    /// A new folder below `root`.
    pub(super) fn new(root: &Path) -> Result<Self, EnvironmentError> {
        let folder = root.join(FOLDER);
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

/// Writes a file beside its place, then puts it there; a secret gets mode 0600.
pub(in crate::emit) fn replace(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let mut temporary = path.to_owned();
    temporary.as_mut_os_string().push(FOLDER);
    clean(&temporary)?;
    let written = write_new(&temporary, text, secret).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The old file is intact.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Removes what a killed run left; a link is removed, not followed.
fn clean(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn write_new(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if secret { 0o600 } else { 0o666 });
    }
    let mut file = options.open(path)?;
    if secret {
        make_private(&file)?;
    }
    file.write_all(text.as_bytes())
}

/// The umask may have taken the owner's rights away too.
#[cfg(unix)]
fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_: &File) -> io::Result<()> {
    Ok(())
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

fn failed(path: &Path, error: io::Error) -> EnvironmentError {
    EnvironmentError::Write {
        path: path.to_owned(),
        error,
    }
}
