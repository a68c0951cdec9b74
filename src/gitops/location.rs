//! The repository that contains an entry point.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::diagnostic::EnvironmentError;

/// An entry point in its repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Canonical path of the repository's root.
    pub root: PathBuf,
    /// Path of the entry point in the repository. Empty if the entry point is the root.
    pub entry: String,
}

/// Returns the repository that contains a path: the nearest directory that contains `.git`, or else the working
/// directory if it contains the path, or else the path itself (for a file, its directory).
///
/// # Errors
///
/// Returns an error if the path does not exist.
pub fn locate(path: &Path) -> Result<Location, EnvironmentError> {
    let read_error = EnvironmentError::read(path);
    let real_path = fs::canonicalize(path).map_err(read_error)?;
    let directory = if real_path.is_dir() { real_path.as_path() } else { real_path.parent().unwrap_or(&real_path) };
    let current_directory =
        env::current_dir().and_then(fs::canonicalize).ok().filter(|path| directory.starts_with(path));
    let repository = directory.ancestors().find(|directory| directory.join(".git").exists());
    let root = repository.map(Path::to_owned).or(current_directory).unwrap_or_else(|| directory.to_owned());
    let entry = real_path.strip_prefix(&root).ok().and_then(Path::to_str);
    let entry = entry.ok_or_else(|| EnvironmentError::invalid_content(path, "its name is not UTF-8"))?;
    Ok(Location { entry: entry.replace('\\', "/"), root })
}
