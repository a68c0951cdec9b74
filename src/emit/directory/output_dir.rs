//! Output directory, guarded against symlinks that point outside it.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::EnvironmentError;
use crate::input::check_output;

/// A directory that already exists or will be created.
pub(super) struct OutputDir<'d> {
    /// Path as specified by the user, for use in messages.
    given_path: &'d Path,
    root: PathBuf,
}

impl<'d> OutputDir<'d> {
    /// Checks the directory.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is a file, or if the path is or contains a symlink that points elsewhere.
    pub(super) fn open(given_path: &'d Path) -> Result<Self, EnvironmentError> {
        // Removes a trailing `/`, which would make the system follow a symlink.
        let root: PathBuf = given_path.components().collect();
        let dir = Self { given_path, root };
        match metadata(&dir.root).map_err(|error| dir.write_error("", error))? {
            Some(metadata) if metadata.is_symlink() => dir.check_link()?,
            Some(metadata) if !metadata.is_dir() => {
                return Err(dir.write_error("", io::ErrorKind::NotADirectory.into()));
            }
            _ => {}
        }
        dir.check_path()?;
        Ok(dir)
    }

    /// Checks that no symlink in the path points outside the repository or working directory.
    pub(super) fn check_path(&self) -> Result<(), EnvironmentError> {
        check_output(&self.root).map_err(|error| self.write_error("", error))
    }

    fn check_link(&self) -> Result<(), EnvironmentError> {
        let parent = self.root.parent().filter(|parent| !parent.as_os_str().is_empty());
        let target = self.root.canonicalize().map_err(|error| self.write_error("", error))?;
        let parent = parent.unwrap_or(Path::new(".")).canonicalize();
        let parent = parent.map_err(|error| self.write_error("", error))?;
        if !target.starts_with(&parent) || target == parent {
            return Err(self.rejected_path("", "it is a link to a different location; pass that location"));
        }
        if !target.is_dir() {
            return Err(self.write_error("", io::ErrorKind::NotADirectory.into()));
        }
        Ok(())
    }

    /// Returns the directory path.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path to a file in the directory.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Checks that a file can be written: its parent is missing or a real directory, and the path itself is not a
    /// directory.
    pub(super) fn check(&self, name: &str) -> Result<(), EnvironmentError> {
        if let Some((directory, _)) = name.split_once('/') {
            match self.metadata(directory)? {
                Some(metadata) if metadata.is_symlink() => {
                    return Err(self.rejected_path(directory, "it is a link, and links are not followed"));
                }
                Some(metadata) if !metadata.is_dir() => {
                    return Err(self.write_error(directory, io::ErrorKind::NotADirectory.into()));
                }
                _ => {}
            }
        }
        match self.metadata(name)? {
            Some(metadata) if metadata.is_dir() => Err(self.write_error(name, io::ErrorKind::IsADirectory.into())),
            _ => Ok(()),
        }
    }

    /// Checks that the path is a file or does not exist.
    pub(super) fn check_file(&self, name: &str) -> Result<(), EnvironmentError> {
        match self.metadata(name)? {
            Some(metadata) if !metadata.is_file() => Err(self.rejected_path(name, "it is not a file")),
            _ => Ok(()),
        }
    }

    /// Whether anything exists at the path, even a broken symlink.
    pub(super) fn exists(&self, name: &str) -> bool {
        !matches!(self.metadata(name), Ok(None))
    }

    /// Returns the contents of a file, or `None` if it is missing or is not a regular file, such as a symlink.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, EnvironmentError> {
        match self.metadata(name)? {
            Some(metadata) if metadata.is_file() => {
                let path = self.path(name);
                fs::read(&path).map(Some).map_err(EnvironmentError::read(&path))
            }
            _ => Ok(None),
        }
    }

    /// Whether a file has the expected contents and mode. Returns `false` if it cannot be read.
    pub(super) fn is_up_to_date(&self, name: &str, text: &[u8], secret: bool) -> Result<bool, EnvironmentError> {
        let Some(metadata) = self.metadata(name)?.filter(Metadata::is_file) else {
            return Ok(false);
        };
        let has_same_size = metadata.len() == text.len() as u64;
        let is_private = !secret || is_private(&metadata);
        Ok(has_same_size && is_private && fs::read(self.path(name)).is_ok_and(|old| old == text))
    }

    /// Removes a file or symlink, and also its parent directory if that becomes empty. Returns whether the file
    /// existed.
    pub(super) fn remove(&self, name: &str) -> Result<bool, EnvironmentError> {
        self.check(name)?;
        let path = self.path(name);
        let existed = match fs::remove_file(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(self.write_error(name, error)),
        };
        if let Some(directory) = path.parent() {
            // If the directory is not empty, the removal fails, as intended.
            let _ = fs::remove_dir(directory);
        }
        Ok(existed)
    }

    /// Locks the directory until the returned file is dropped. Returns `None` on systems that do not support such
    /// locks. On these systems, runs must not overlap.
    pub(super) fn lock(&self) -> Result<Option<File>, EnvironmentError> {
        if !cfg!(unix) {
            return Ok(None);
        }
        let directory = File::open(&self.root).map_err(|error| self.write_error("", error))?;
        Ok(directory.lock().is_ok().then_some(directory))
    }

    /// Error for a path that cannot be written, with the operating system's reason.
    pub(super) fn write_error(&self, name: &str, error: io::Error) -> EnvironmentError {
        let path = if name.is_empty() { self.given_path.to_owned() } else { self.path(name) };
        EnvironmentError::Write { path, error }
    }

    /// Error for a path that must not be written, with agentctl's reason.
    pub(super) fn rejected_path(&self, name: &str, problem: &str) -> EnvironmentError {
        self.write_error(name, io::Error::new(io::ErrorKind::InvalidInput, problem.to_owned()))
    }

    fn metadata(&self, name: &str) -> Result<Option<Metadata>, EnvironmentError> {
        metadata(&self.path(name)).map_err(|error| self.write_error(name, error))
    }
}

/// Returns the metadata of a path without following symlinks, or `None` if it does not exist.
fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(existing) => Ok(Some(existing)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_private(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o7777 == 0o600
}

#[cfg(not(unix))]
fn is_private(_: &Metadata) -> bool {
    true
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// Creates a directory `d` that contains a file, a secret, a directory and symlinks. Creates another directory and
    /// a file next to it.
    fn create_scratch() -> tempfile::TempDir {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        for directory in ["d/folder/deep", "beside"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        for (file, mode) in [("d/file", 0o644), ("d/secret", 0o600), ("d/folder/one", 0o640), ("beside/file", 0o600)] {
            fs::write(root.join(file), "text").unwrap();
            fs::set_permissions(root.join(file), PermissionsExt::from_mode(mode)).unwrap();
        }
        for (target, link) in [
            ("folder", "d/link"),
            ("file", "d/link-to-file"),
            ("../beside", "d/link-out"),
            ("nothing", "d/link-to-nothing"),
            (".", "d/link-to-itself"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        scratch
    }

    fn problem<T>(result: Result<T, EnvironmentError>) -> Option<String> {
        match result.err()? {
            EnvironmentError::Write { error, .. } => Some(match error.kind() {
                io::ErrorKind::InvalidInput => error.to_string(),
                kind => kind.to_string(),
            }),
            other => Some(format!("{other:?}")),
        }
    }

    #[test]
    fn rejects_files_and_external_links_as_output_directory() {
        let scratch = create_scratch();
        let other_location = Some("it is a link to a different location; pass that location");
        for (path, expected) in [
            ("d", None),
            ("d/", None),
            ("d/folder", None),
            ("d/new/deep", None),
            ("d/link", None),
            ("d/link/", None),
            ("d/file", Some("not a directory")),
            ("d/link-to-file", Some("not a directory")),
            ("d/link-to-nothing", Some("entity not found")),
            ("d/link-out", other_location),
            ("d/link-to-itself", other_location),
        ] {
            let path = scratch.path().join(path);
            assert_eq!(problem(OutputDir::open(&path)).as_deref(), expected, "{}", path.display());
        }
        for path in [".", "..", "./src", "/"] {
            assert_eq!(problem(OutputDir::open(Path::new(path))), None, "{path}");
        }
    }

    #[test]
    fn detects_paths_that_are_not_regular_files() {
        let scratch = create_scratch();
        let directory = scratch.path().join("d");
        let dir = OutputDir::open(&directory).unwrap();
        let link = Some("it is a link, and links are not followed");
        let not_a_file = Some("it is not a file");
        // Results of `check`, `check_file` and `exists`, and whether the file has any contents.
        for (name, check, check_file, exists, content) in [
            ("file", None, None, true, true),
            ("new", None, None, false, false),
            ("folder", Some("is a directory"), not_a_file, true, false),
            ("link-to-file", None, not_a_file, true, false),
            ("link-to-nothing", None, not_a_file, true, false),
            ("folder/one", None, None, true, true),
            ("folder/new", None, None, false, false),
            ("folder/deep", Some("is a directory"), not_a_file, true, false),
            ("new/new", None, None, false, false),
            ("link/one", link, None, true, true),
            ("link-to-nothing/one", link, None, false, false),
            ("file/one", Some("not a directory"), Some("not a directory"), true, false),
        ] {
            assert_eq!(problem(dir.check(name)).as_deref(), check, "{name}");
            assert_eq!(problem(dir.check_file(name)).as_deref(), check_file, "{name}");
            assert_eq!(dir.exists(name), exists, "{name}");
            let contents = dir.read(name).unwrap_or_default();
            assert_eq!(contents.as_deref(), content.then_some(&b"text"[..]), "{name}");
        }
    }

    #[test]
    fn compares_contents_and_mode_of_secrets() {
        let scratch = create_scratch();
        let directory = scratch.path().join("d");
        let dir = OutputDir::open(&directory).unwrap();
        for (name, text, is_current_if_public, is_current_if_secret) in [
            ("file", "text", true, false),
            ("secret", "text", true, true),
            ("folder/one", "text", true, false),
            ("secret", "texts", false, false),
            ("secret", "tex", false, false),
            ("secret", "next", false, false),
            ("new", "", false, false),
            ("folder", "", false, false),
            ("link-to-file", "text", false, false),
        ] {
            for (is_secret, expected) in [(false, is_current_if_public), (true, is_current_if_secret)] {
                let is_up_to_date = dir.is_up_to_date(name, text.as_bytes(), is_secret).unwrap();
                assert_eq!(is_up_to_date, expected, "{name} {text} {is_secret}");
            }
        }
    }

    #[test]
    fn removes_files_and_empty_directories() {
        let scratch = create_scratch();
        let directory = scratch.path().join("d");
        let dir = OutputDir::open(&directory).unwrap();
        fs::write(directory.join("folder/two"), "").unwrap();
        fs::remove_dir(directory.join("folder/deep")).unwrap();
        for (name, removed, is_directory_kept) in [
            ("folder/one", Some(true), true),
            ("folder/one", Some(false), true),
            ("link/two", None, true),
            ("link-to-file", Some(true), true),
            ("link-out", Some(true), true),
            ("folder/two", Some(true), false),
            ("folder/two", Some(false), false),
        ] {
            assert_eq!(dir.remove(name).ok(), removed, "{name}");
            assert_eq!(directory.join("folder").exists(), is_directory_kept, "{name}");
        }
        assert!(directory.join("file").exists() && scratch.path().join("beside/file").exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn reports_files_that_cannot_be_removed() {
        let dir = OutputDir::open(Path::new("/proc/self")).unwrap();
        assert!(dir.remove("status").is_err());
    }
}
