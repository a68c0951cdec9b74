//! Files that only their owner may read.

use std::fs;
use std::io;
use std::path::Path;

use super::directory::replace;
use crate::environment::EnvironmentError;
use crate::input::check_output;

/// Writes texts under their names into `directory`, which is made where it is missing; every file gets mode 0600. Unless
/// `overwrite` is set, none is written where one of them is there already.
///
/// # Errors
///
/// The first file or folder that is there already, or cannot be written.
pub fn write_private<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f str)> + Clone,
    directory: &Path,
    overwrite: bool,
) -> Result<(), EnvironmentError> {
    let failed = |path: &Path, error| EnvironmentError::Write {
        path: path.to_owned(),
        error,
    };
    check_output(directory).map_err(|error| failed(directory, error))?;
    let there = files.clone().into_iter().map(|(name, _)| directory.join(name));
    if let Some(path) = there.into_iter().find(|path| !overwrite && path.exists()) {
        return Err(failed(&path, io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    for (name, text) in files {
        let path = directory.join(name);
        replace(&path, text, true).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}
