//! The file of settings, which is looked for upward from the input.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Input, Source, load_file};
use crate::environment::EnvironmentError;

/// The name of the file of settings; a walk passes over it.
pub(super) const SETTINGS_FILE: &str = "agentctl.yaml";

/// Reads the `agentctl.yaml` nearest to the first input: in its directory, or the next one above that has it. For
/// standard input that is the working directory. The source is not compiled.
///
/// # Errors
/// A file that is there and cannot be read, or is not UTF-8.
pub fn load_settings(inputs: &[Input]) -> Result<Option<Source>, EnvironmentError> {
    let Some(file) = find(inputs.first()) else {
        return Ok(None);
    };
    let mut source = load_file(&shown(&file))?;
    source.whole = false;
    Ok(Some(source))
}

fn find(input: Option<&Input>) -> Option<PathBuf> {
    let here = Path::new(".");
    let start = match input {
        Some(Input::Path(path)) => path,
        Some(Input::Stdin) | None => here,
    };
    // What has no place in the file system, such as a pipe that the shell made, is taken to be here.
    let start = fs::canonicalize(start).or_else(|_| fs::canonicalize(here)).ok()?;
    let mut files = start.ancestors().map(|directory| directory.join(SETTINGS_FILE));
    files.find(|file| file.is_file())
}

/// The path from the working directory where it is below that.
fn shown(file: &Path) -> PathBuf {
    let here = env::current_dir().and_then(fs::canonicalize);
    let relative = here
        .ok()
        .and_then(|here| file.strip_prefix(here).ok().map(Path::to_owned));
    relative.unwrap_or_else(|| file.to_owned())
}
