//! New files beside the places that they take. All are written before the first one takes its place.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::attributes;
use super::folder_lock;
use crate::emit::temporary::create_file;
use crate::environment::EnvironmentError;
use crate::source::{BYTE_ORDER_MARK, Source};

/// The file that a new one replaces.
#[derive(Clone, Copy)]
pub(super) enum Target<'s> {
    /// Any file or none. A file keeps its owner, group and mode.
    Any,
    /// Any file or none. The new one is private, whatever the old one was.
    AnyPrivate,
    /// None. The new file is private.
    Missing,
    /// A file that is as it was read, and keeps its owner, group and mode.
    Read(&'s Source),
}

impl Target<'_> {
    fn keeps_attributes(self) -> bool {
        matches!(self, Target::Any | Target::Read(_))
    }

    /// Reports a file that may not be replaced.
    fn check(self, path: &Path) -> io::Result<()> {
        match self {
            Target::Any | Target::AnyPrivate => Ok(()),
            Target::Missing if fs::symlink_metadata(path).is_err() => Ok(()),
            Target::Missing => Err(io::ErrorKind::AlreadyExists.into()),
            Target::Read(source) if is_as_read(path, source)? => Ok(()),
            Target::Read(_) => Err(io::Error::other("it has changed since it was read; run agentctl again")),
        }
    }
}

/// Files that wait for their places; those that do not get there are removed.
#[derive(Default)]
pub(super) struct Staged<'s>(Vec<Waiting<'s>>);

struct Waiting<'s> {
    path: PathBuf,
    new: TempPath,
    target: Target<'s>,
}

impl<'s> Staged<'s> {
    /// Writes the text that is to replace a file.
    ///
    /// # Errors
    ///
    /// The text cannot be written, or the file may not be replaced.
    pub(super) fn add(&mut self, path: &Path, text: &[&str], target: Target<'s>) -> Result<(), EnvironmentError> {
        let written = target.check(path).and_then(|()| write(path, text, target));
        let new = written.map_err(EnvironmentError::write(path))?;
        let path = path.to_owned();
        self.0.push(Waiting { path, new, target });
        Ok(())
    }

    /// Puts the files into their places, in order.
    ///
    /// # Errors
    ///
    /// The first file that cannot be replaced; or, before anything is replaced, one that somebody has changed meanwhile.
    pub(super) fn commit(self) -> Result<(), EnvironmentError> {
        // Until the end, other runs wait: what is checked here is what is replaced below.
        let _locks = folder_lock::lock(self.0.iter().map(|waiting| folder(&waiting.path)));
        for Waiting { path, target, .. } in &self.0 {
            target.check(path).map_err(EnvironmentError::write(path))?;
        }
        for Waiting { path, new, target } in self.0 {
            let replaced = match target {
                Target::Missing => new.persist_noclobber(&path),
                _ => new.persist(&path),
            };
            replaced.map_err(|failed| EnvironmentError::write(&path)(failed.error))?;
        }
        Ok(())
    }
}

/// Writes a file beside `path`. The text comes in pieces.
fn write(path: &Path, text: &[&str], target: Target<'_>) -> io::Result<TempPath> {
    let old = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
    // Nobody else reads it before it has the rights of the old one.
    let is_private = old.is_some() || !matches!(target, Target::Any);
    let (mut file, new) = create_file(folder(path), is_private)?;
    text.iter().try_for_each(|piece| file.write_all(piece.as_bytes()))?;
    if let Some(old) = old.filter(|_| target.keeps_attributes()) {
        attributes::keep(&file, &old)?;
    }
    if let Target::Read(_) = target {
        file.sync_all()?;
    }
    Ok(new)
}

fn folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// The pieces of a file with the text of a source.
pub(super) fn pieces(source: &Source) -> [&str; 2] {
    [if source.has_mark { BYTE_ORDER_MARK } else { "" }, &source.text]
}

/// Whether a file is what was read: nobody changed it since, nor put anything else in its place.
fn is_as_read(path: &Path, source: &Source) -> io::Result<bool> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(false);
    }
    let expected = pieces(source);
    let length: usize = expected.iter().map(|piece| piece.len()).sum();
    let mut found = Vec::with_capacity(length + 1);
    // A file that grew without end is not read to its end.
    open(path)?.take(length as u64 + 1).read_to_end(&mut found)?;
    Ok(found == expected.concat().as_bytes())
}

/// Opens a file; a link is not followed, and a pipe that took its place is not waited for.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}
