//! The directory on the disk: no link is followed out of it.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::environment::EnvironmentError;
use crate::input::check_output;

/// A directory that exists, or will.
pub(super) struct Place<'d> {
    /// As it was given, for messages.
    given: &'d Path,
    root: PathBuf,
}

impl<'d> Place<'d> {
    /// Looks at the directory.
    ///
    /// # Errors
    ///
    /// It is a file, or a link that leads out of its directory; or such a link is on the way to it.
    pub(super) fn open(given: &'d Path) -> Result<Self, EnvironmentError> {
        // Without a `/` at the end, with which the system follows a link.
        let root: PathBuf = given.components().collect();
        let place = Self { given, root };
        match metadata(&place.root).map_err(|error| place.failed("", error))? {
            Some(found) if found.is_symlink() => place.check_link()?,
            Some(found) if !found.is_dir() => return Err(place.failed("", io::ErrorKind::NotADirectory.into())),
            _ => {}
        }
        place.check_way()?;
        Ok(place)
    }

    /// Whether no link on the way to it leads out of the repository or the working directory.
    pub(super) fn check_way(&self) -> Result<(), EnvironmentError> {
        check_output(&self.root).map_err(|error| self.failed("", error))
    }

    fn check_link(&self) -> Result<(), EnvironmentError> {
        let parent = self.root.parent().filter(|parent| !parent.as_os_str().is_empty());
        let target = self.root.canonicalize().map_err(|error| self.failed("", error))?;
        let parent = parent.unwrap_or(Path::new(".")).canonicalize();
        let parent = parent.map_err(|error| self.failed("", error))?;
        if !target.starts_with(&parent) || target == parent {
            return Err(self.refused("", "it is a link to another place; name the directory itself"));
        }
        if !target.is_dir() {
            return Err(self.failed("", io::ErrorKind::NotADirectory.into()));
        }
        Ok(())
    }

    /// The directory itself.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a file in it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Whether a file can be put there, as far as can be seen: its folder is none or a real one, and it is not a folder.
    pub(super) fn check(&self, name: &str) -> Result<(), EnvironmentError> {
        if let Some((folder, _)) = name.split_once('/') {
            match self.metadata(folder)? {
                Some(found) if found.is_symlink() => {
                    return Err(self.refused(folder, "it is a link, and links are not followed"));
                }
                Some(found) if !found.is_dir() => return Err(self.failed(folder, io::ErrorKind::NotADirectory.into())),
                _ => {}
            }
        }
        match self.metadata(name)? {
            Some(found) if found.is_dir() => Err(self.failed(name, io::ErrorKind::IsADirectory.into())),
            _ => Ok(()),
        }
    }

    /// Whether there is no such thing, or a file.
    pub(super) fn check_file(&self, name: &str) -> Result<(), EnvironmentError> {
        match self.metadata(name)? {
            Some(found) if !found.is_file() => Err(self.refused(name, "it is not a file")),
            _ => Ok(()),
        }
    }

    /// Whether something has this name, be it a link.
    pub(super) fn exists(&self, name: &str) -> bool {
        !matches!(self.metadata(name), Ok(None))
    }

    /// What is in a file; `None` if there is none, or something that is not a file, such as a link.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, EnvironmentError> {
        match self.metadata(name)? {
            Some(found) if found.is_file() => {
                let path = self.path(name);
                fs::read(&path).map(Some).map_err(EnvironmentError::read(&path))
            }
            _ => Ok(None),
        }
    }

    /// Whether a file is as it should be; one that cannot be read is not.
    pub(super) fn holds(&self, name: &str, text: &[u8], secret: bool) -> Result<bool, EnvironmentError> {
        let Some(found) = self.metadata(name)?.filter(Metadata::is_file) else {
            return Ok(false);
        };
        let as_large = found.len() == text.len() as u64;
        let is_private = !secret || is_private(&found);
        Ok(as_large && is_private && fs::read(self.path(name)).is_ok_and(|old| old == text))
    }

    /// Removes a file or a link, and the folder where nothing is left in it. Says whether it was there.
    pub(super) fn remove(&self, name: &str) -> Result<bool, EnvironmentError> {
        self.check(name)?;
        let path = self.path(name);
        let was_there = match fs::remove_file(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(self.failed(name, error)),
        };
        if let Some(folder) = path.parent() {
            // Fails where something is left, which is what is wanted.
            let _ = fs::remove_dir(folder);
        }
        Ok(was_there)
    }

    /// Keeps other runs out until the file is dropped. Where the system has no such locks, runs have to take turns by
    /// themselves.
    pub(super) fn lock(&self) -> Result<Option<File>, EnvironmentError> {
        if !cfg!(unix) {
            return Ok(None);
        }
        let directory = File::open(&self.root).map_err(|error| self.failed("", error))?;
        Ok(directory.lock().is_ok().then_some(directory))
    }

    /// That something cannot be written, with the system's reason.
    pub(super) fn failed(&self, name: &str, error: io::Error) -> EnvironmentError {
        let path = if name.is_empty() {
            self.given.to_owned()
        } else {
            self.path(name)
        };
        EnvironmentError::Write { path, error }
    }

    /// That something must not be written, with agentctl's reason.
    pub(super) fn refused(&self, name: &str, problem: &str) -> EnvironmentError {
        self.failed(name, io::Error::new(io::ErrorKind::InvalidInput, problem.to_owned()))
    }

    fn metadata(&self, name: &str) -> Result<Option<Metadata>, EnvironmentError> {
        metadata(&self.path(name)).map_err(|error| self.failed(name, error))
    }
}

/// What is at a path; a link is not followed.
fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_private(found: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o7777 == 0o600
}

#[cfg(not(unix))]
fn is_private(_: &Metadata) -> bool {
    true
}
