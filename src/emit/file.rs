//! Files that are written as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::environment::EnvironmentError;
use crate::input::check_output;
use crate::source::{BYTE_ORDER_MARK, Source};

/// What a file that is not complete has behind its name. It is hidden, so that no tool takes it for a manifest.
pub(super) const UNFINISHED: &str = ".agentctl-new";

/// Writes a text that holds no secret to a file, whose folder is made where it is missing.
///
/// # Errors
///
/// The file or folder that cannot be written.
pub fn write_file(path: &Path, text: &str) -> Result<(), EnvironmentError> {
    if let Some(folder) = path.parent() {
        let made = check_output(folder).and_then(|()| fs::create_dir_all(folder));
        made.map_err(EnvironmentError::write(folder))?;
    }
    let mut staged = Staged::default();
    staged.add(path, text, false).map_err(EnvironmentError::write(path))?;
    staged.commit()
}

/// Writes texts under their names into `directory`, which is made where it is missing; every file gets mode 0600. Unless
/// `overwrite` is set, none is written where one of them already exists.
///
/// # Errors
///
/// The first file or folder that already exists, or cannot be written.
pub fn write_private<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f str)> + Clone,
    directory: &Path,
    overwrite: bool,
) -> Result<(), EnvironmentError> {
    check_output(directory).map_err(EnvironmentError::write(directory))?;
    let there = files.clone().into_iter().map(|(name, _)| directory.join(name));
    if let Some(path) = there.into_iter().find(|path| !overwrite && path.exists()) {
        return Err(EnvironmentError::write(&path)(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(directory).map_err(EnvironmentError::write(directory))?;
    let mut staged = Staged::default();
    for (name, text) in files {
        let path = directory.join(name);
        staged.add(&path, text, true).map_err(EnvironmentError::write(&path))?;
    }
    staged.commit()
}

/// Whether a source is a file that may get another text: one that was read as a whole, and that no link out of the repository or the
/// working directory leads to.
pub fn is_rewritable(source: &Source) -> bool {
    source.whole && source.path.is_some() && check_output(Path::new(&source.name)).is_ok()
}

/// Puts new texts into the places of the files that sources were read from. All of them are written and brought to the disk before the
/// first one takes its place. A file keeps its permissions and its byte order mark.
///
/// # Errors
///
/// A file that cannot be written, or has changed since it was read.
pub fn rewrite<'s>(files: impl IntoIterator<Item = (&'s Source, &'s Source)>) -> Result<(), EnvironmentError> {
    let mut staged = Staged::default();
    for (before, after) in files {
        if let Some(path) = before.path.as_ref().filter(|_| is_rewritable(before)) {
            let written = is_as_read(path, before).and_then(|()| {
                let new = staged.add(path, &bytes(after), true)?;
                let file = File::options().write(true).open(new)?;
                file.set_permissions(fs::metadata(path)?.permissions())?;
                file.sync_all()
            });
            written.map_err(EnvironmentError::write(path))?;
        }
    }
    staged.commit()
}

fn bytes(source: &Source) -> String {
    let mark = if source.has_mark { BYTE_ORDER_MARK } else { "" };
    format!("{mark}{}", source.text)
}

/// Whether a file is what was read: nobody changed it since, nor put a link in its place.
fn is_as_read(path: &Path, source: &Source) -> io::Result<()> {
    let is_same = fs::symlink_metadata(path)?.is_file() && fs::read(path)? == bytes(source).as_bytes();
    match is_same {
        true => Ok(()),
        false => Err(io::Error::other("it has changed since it was read")),
    }
}

/// New files beside the places that they take.
#[derive(Default)]
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Staged {
    /// Writes a file that waits for its place; a secret gets mode 0600.
    fn add(&mut self, path: &Path, text: &str, secret: bool) -> io::Result<PathBuf> {
        let mut new = path.to_owned();
        new.as_mut_os_string().push(UNFINISHED);
        clean(&new)?;
        self.0.push((new.clone(), path.to_owned()));
        write_new(&new, text, secret)?;
        Ok(new)
    }

    /// Puts the files into their places, in order.
    fn commit(mut self) -> Result<(), EnvironmentError> {
        self.0.reverse();
        while let Some((new, path)) = self.0.last() {
            fs::rename(new, path).map_err(EnvironmentError::write(path))?;
            self.0.pop();
        }
        Ok(())
    }
}

impl Drop for Staged {
    /// Removes what did not come to its place: after a failure, the old file is intact.
    fn drop(&mut self) {
        for (new, _) in &self.0 {
            let _ = fs::remove_file(new);
        }
    }
}

/// Removes what a killed run left; a link is removed, not followed.
pub(super) fn clean(path: &Path) -> io::Result<()> {
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

pub(super) fn write_new(path: &Path, text: &str, secret: bool) -> io::Result<()> {
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
