//! New files that are written next to their targets before any target is replaced.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::attributes;
use super::folder_lock;
use crate::diagnostic::EnvironmentError;
use crate::emit::temporary::{create_file, write_text};
use crate::source::{BYTE_ORDER_MARK, Source};

/// Condition that a file must meet to be replaced, and attributes of the new file.
#[derive(Clone, Copy)]
pub(super) enum ReplaceCondition<'s> {
    /// No condition: any existing file is replaced, and a missing file is created. The owner, group and mode of an
    /// existing file are kept.
    Any,
    /// No condition, as for `Any`, but the new file is private even if the old file was not.
    AnyPrivate,
    /// No existing file. The new file is private.
    Missing,
    /// A file that has not changed since it was read. Its owner, group and mode are kept.
    Read(&'s Source),
}

impl ReplaceCondition<'_> {
    fn keeps_attributes(self) -> bool {
        matches!(self, ReplaceCondition::Any | ReplaceCondition::Read(_))
    }

    /// Returns an error if the file at the path must not be replaced.
    fn check(self, path: &Path) -> io::Result<()> {
        match self {
            ReplaceCondition::Any | ReplaceCondition::AnyPrivate => Ok(()),
            ReplaceCondition::Missing if fs::symlink_metadata(path).is_err() => Ok(()),
            ReplaceCondition::Missing => Err(io::ErrorKind::AlreadyExists.into()),
            ReplaceCondition::Read(source) if is_as_read(path, source)? => Ok(()),
            ReplaceCondition::Read(_) => Err(io::Error::other("it has changed since it was read; run agentctl again")),
        }
    }
}

/// Files to be moved into place. Files that have not been moved are removed on drop.
#[derive(Default)]
pub(super) struct StagedFiles<'s>(Vec<StagedFile<'s>>);

struct StagedFile<'s> {
    path: PathBuf,
    new_path: TempPath,
    target: ReplaceCondition<'s>,
}

impl<'s> StagedFiles<'s> {
    /// Writes a file's new contents.
    ///
    /// # Errors
    ///
    /// Returns an error if the contents cannot be written or the file must not be replaced.
    pub(super) fn add(
        &mut self,
        path: &Path,
        text: &[&str],
        target: ReplaceCondition<'s>,
    ) -> Result<(), EnvironmentError> {
        let result = target.check(path).and_then(|()| write(path, text, target));
        let new_path = result.map_err(EnvironmentError::write(path))?;
        let path = path.to_owned();
        self.0.push(StagedFile { path, new_path, target });
        Ok(())
    }

    /// Moves the files into place, in order.
    ///
    /// # Errors
    ///
    /// Returns an error for the first file that cannot be replaced. Also returns an error, before any file is replaced,
    /// if a file has changed in the meantime.
    pub(super) fn commit(self) -> Result<(), EnvironmentError> {
        // Other runs wait until all files have been replaced, so the replaced files are the files that were checked.
        let _locks = folder_lock::lock_directories(self.0.iter().map(|waiting| parent_directory(&waiting.path)));
        for StagedFile { path, target, .. } in &self.0 {
            target.check(path).map_err(EnvironmentError::write(path))?;
        }
        for StagedFile { path, new_path: new, target } in self.0 {
            let result = match target {
                ReplaceCondition::Missing => new.persist_noclobber(&path),
                _ => new.persist(&path),
            };
            result.map_err(|failed| EnvironmentError::write(&path)(failed.error))?;
        }
        Ok(())
    }
}

/// Writes a temporary file next to `path`. The text is given in pieces.
fn write(path: &Path, text: &[&str], target: ReplaceCondition<'_>) -> io::Result<TempPath> {
    let old_metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
    // The file must not be readable by others before it has the old file's attributes.
    let is_private = old_metadata.is_some() || !matches!(target, ReplaceCondition::Any);
    let (mut file, new_path) = create_file(parent_directory(path), is_private)?;
    write_text(&mut file, text)?;
    if let Some(old) = old_metadata.filter(|_| target.keeps_attributes()) {
        attributes::keep_attributes(&file, &old)?;
    }
    if let ReplaceCondition::Read(_) = target {
        file.sync_all()?;
    }
    Ok(new_path)
}

fn parent_directory(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Returns the source text with its byte order mark, in pieces.
pub(super) fn text_pieces(source: &Source) -> [&str; 2] {
    [if source.has_mark { BYTE_ORDER_MARK } else { "" }, &source.text]
}

/// Whether a file has not changed since it was read.
fn is_as_read(path: &Path, source: &Source) -> io::Result<bool> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(false);
    }
    let expected = text_pieces(source);
    let length: usize = expected.iter().map(|piece| piece.len()).sum();
    let mut content = Vec::with_capacity(length + 1);
    // A file that keeps growing is not read to the end.
    open_file(path)?.take(length as u64 + 1).read_to_end(&mut content)?;
    Ok(content == expected.concat().as_bytes())
}

/// Opens a file without following symlinks or waiting for a pipe that has replaced it.
#[cfg(unix)]
fn open_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}
