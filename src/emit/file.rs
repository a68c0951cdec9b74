//! Files that are written as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::environment::EnvironmentError;
use crate::input::check_output;

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
    replace(path, text, false).map_err(EnvironmentError::write(path))
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
    for (name, text) in files {
        let path = directory.join(name);
        replace(&path, text, true).map_err(EnvironmentError::write(&path))?;
    }
    Ok(())
}

/// Writes a file beside its place, then puts it there; a secret gets mode 0600.
fn replace(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let mut temporary = path.to_owned();
    temporary.as_mut_os_string().push(UNFINISHED);
    clean(&temporary)?;
    let written = write_new(&temporary, text, secret).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The old file is intact.
        let _ = fs::remove_file(&temporary);
    }
    written
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
