//! Which of the sources a path means.

use std::fs;
use std::path::Path;

use super::{SourceId, Sources};
use crate::environment::EnvironmentError;

/// The sources that are this file, or stand below this directory, however both are written.
///
/// # Errors
///
/// A path that does not exist.
pub fn below(sources: &Sources, path: &Path) -> Result<Vec<SourceId>, EnvironmentError> {
    let wanted = fs::canonicalize(path).map_err(|error| EnvironmentError::Read {
        path: path.to_owned(),
        error,
    })?;
    let is_below = |name: &str| fs::canonicalize(name).is_ok_and(|path| path.starts_with(&wanted));
    let found = sources.iter().filter(|(_, source)| is_below(&source.name));
    Ok(found.map(|(id, _)| id).collect())
}
