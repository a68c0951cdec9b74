//! A file by itself.

use std::fs;
use std::path::Path;

use super::directory::replace;
use crate::environment::EnvironmentError;
use crate::input::check_output;

/// Writes a text that holds no secret to a file, whose folder is made where it is missing.
///
/// # Errors
///
/// The file or folder that cannot be written.
pub fn write_file(path: &Path, text: &str) -> Result<(), EnvironmentError> {
    let failed = |path: &Path, error| EnvironmentError::Write {
        path: path.to_owned(),
        error,
    };
    if let Some(folder) = path.parent() {
        check_output(folder).map_err(|error| failed(folder, error))?;
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    replace(path, text, false).map_err(|error| failed(path, error))
}
