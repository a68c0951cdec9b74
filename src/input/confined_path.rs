//! Paths that have been checked and are opened without following symlinks.
//!
//! All symlinks are resolved before the check. Any symlink in the path is therefore an error, so that renaming
//! directories while agentctl is reading has no effect. On Linux, the kernel enforces this. On other systems, files are
//! opened directory by directory.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::printable::ByteSize;

/// A path that may be read, along with restrictions on opening it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConfinedPath {
    path: PathBuf,
    /// Directory below which no symlinks are followed, or `None` if the user specified the whole path.
    root: Option<PathBuf>,
    /// Whether the path must be a regular file.
    pub(super) is_regular: bool,
}

impl ConfinedPath {
    /// Returns `path` confined to `root`. Both paths must be canonical.
    pub(super) fn new(root: &Path, path: PathBuf) -> Self {
        Self { root: (root.has_root() && path.starts_with(root)).then(|| root.to_owned()), path, is_regular: true }
    }

    /// Permits pipes in addition to regular files.
    pub(super) fn allow_pipes(self) -> Self {
        Self { is_regular: false, ..self }
    }

    /// Returns an unconfined path.
    pub(super) fn anywhere(path: PathBuf) -> Self {
        Self { path, root: None, is_regular: false }
    }

    /// Whether symlinks in the path are rejected.
    pub(super) fn is_bounded(&self) -> bool {
        self.root.is_some()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened, is not of the required type, or has a symlink in its path.
    pub(super) fn open(&self) -> io::Result<File> {
        let relative_path = self.root.as_deref().and_then(|root| Some((root, self.path.strip_prefix(root).ok()?)));
        let file = match relative_path {
            Some((root, relative_path)) => open_below(root, relative_path, self.is_regular)?,
            None => File::open(&self.path)?,
        };
        if self.is_regular && !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        Ok(file)
    }
}

/// Reads a regular file below a directory without following symlinks.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is larger than `limit` or has a symlink in its path.
pub fn read_below(root: &Path, path: &Path, limit: ByteSize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = ConfinedPath::new(root, root.join(path)).open()?;
    file.take(limit.0.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit.0 {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, format!("it is larger than {limit}"))),
        false => Ok(bytes),
    }
}

#[cfg(unix)]
fn open_below(root: &Path, below: &Path, is_regular: bool) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open, openat};
    use rustix::io::Errno;
    let directory_flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    // Prevents blocking on a pipe that may have replaced the file.
    let nonblocking_flags = if is_regular { OFlags::NONBLOCK } else { OFlags::empty() };
    let file = OFlags::RDONLY | OFlags::NOCTTY | OFlags::CLOEXEC | OFlags::NOFOLLOW | nonblocking_flags;
    let link_error = |errno: Errno| match errno {
        Errno::LOOP | Errno::NOTDIR => io::Error::other("it changed while it was read"),
        errno => errno.into(),
    };
    let mut directory = open(root, directory_flags, Mode::empty())?;
    if let Some(file_at_once) = open_at_once(&directory, below, file) {
        return Ok(file_at_once.map_err(link_error)?.into());
    }
    let mut parts = below.iter().peekable();
    while let Some(part) = parts.next() {
        let flags = match parts.peek() {
            Some(_) => directory_flags | OFlags::NOFOLLOW,
            None => file,
        };
        directory = openat(&directory, part, flags, Mode::empty()).map_err(link_error)?;
    }
    Ok(directory.into())
}

/// Opens a file in a single system call, so that opening many files in deeply nested directories takes linear time.
/// Returns `None` if the system cannot do this, or if the path is too long.
#[cfg(target_os = "linux")]
fn open_at_once(
    root: &rustix::fd::OwnedFd,
    below: &Path,
    flags: rustix::fs::OFlags,
) -> Option<rustix::io::Result<rustix::fd::OwnedFd>> {
    use rustix::fs::{Mode, ResolveFlags, openat2};
    use rustix::io::Errno;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    match openat2(root, below, flags, Mode::empty(), resolve) {
        // Older systems lack this system call, and some containers forbid it.
        Err(Errno::NOSYS | Errno::PERM | Errno::INVAL | Errno::AGAIN | Errno::NAMETOOLONG) => None,
        opened => Some(opened),
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn open_at_once(
    _: &rustix::fd::OwnedFd,
    _: &Path,
    _: rustix::fs::OFlags,
) -> Option<rustix::io::Result<rustix::fd::OwnedFd>> {
    None
}

/// Opens a file by path, because the system cannot open it directory by directory. A symlink that was created after the
/// check is followed.
#[cfg(not(unix))]
fn open_below(root: &Path, below: &Path, _: bool) -> io::Result<File> {
    File::open(root.join(below))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn does_not_follow_links_created_after_the_check() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        for (file, text) in [("in/a/x", "inside"), ("out/a/x", "outside")] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        let confined_path = ConfinedPath::new(&root.join("in"), root.join("in/a/x"));
        let mut text = String::new();
        confined_path.open().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "inside");
        for link in ["in/a", "in/a/x"] {
            fs::rename(root.join(link), root.join("old")).unwrap();
            symlink(root.join(link.replace("in/", "out/")), root.join(link)).unwrap();
            assert_eq!(confined_path.open().unwrap_err().to_string(), "it changed while it was read", "{link}");
            fs::remove_file(root.join(link)).unwrap();
            fs::rename(root.join("old"), root.join(link)).unwrap();
        }
        fs::remove_file(root.join("in/a/x")).unwrap();
        fs::create_dir(root.join("in/a/x")).unwrap();
        assert_eq!(confined_path.open().unwrap_err().to_string(), "it is not a regular file");
    }

    #[test]
    fn roots_confine_paths() {
        for (root, path, expected) in [
            ("/in", "/in/a", true),
            ("/in", "/in", true),
            ("/in", "/out/a", false),
            ("/in", "/inner", false),
            ("", "/a", false),
            ("in", "in/a", false),
        ] {
            let confined_path = ConfinedPath::new(Path::new(root), PathBuf::from(path));
            assert_eq!((confined_path.is_bounded(), confined_path.is_regular), (expected, true), "{root} {path}");
            let confined_path = confined_path.allow_pipes();
            assert_eq!(
                (confined_path.is_bounded(), confined_path.is_regular, confined_path.path()),
                (expected, false, Path::new(path))
            );
        }
        let unconfined_path = ConfinedPath::anywhere("a".into());
        assert_eq!((unconfined_path.is_bounded(), unconfined_path.is_regular), (false, false));
        // A device is not opened if a regular file is required.
        let null_device = PathBuf::from("/dev/null");
        assert!(ConfinedPath::anywhere(null_device.clone()).open().is_ok());
        assert!(ConfinedPath::new(Path::new("/dev"), null_device.clone()).allow_pipes().open().is_ok());
        assert!(ConfinedPath::new(Path::new("/dev"), null_device.clone()).open().is_err());
        assert!(ConfinedPath::new(Path::new(""), null_device).open().is_err());
    }
}
