//! The file of settings, which is looked for upward from the input.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Input, Source, load_file};
use crate::environment::EnvironmentError;

/// The name of the file of settings; a walk passes over it.
pub const SETTINGS_FILE: &str = "agentctl.yaml";

/// The file of settings.
#[derive(Debug)]
pub struct SettingsFile {
    /// Its text, which is not compiled.
    pub source: Source,
    /// Where it stands: what paths in it start from; empty for the working directory.
    pub directory: PathBuf,
}

/// Reads the `agentctl.yaml` nearest to the first input: in its directory, or the next one above that has it. Without
/// inputs, and for standard input, that is the working directory.
///
/// # Errors
/// A file that is there and cannot be read, or is not UTF-8.
pub fn load_settings(inputs: &[Input]) -> Result<Option<SettingsFile>, EnvironmentError> {
    let Some(file) = find(inputs.first()) else {
        return Ok(None);
    };
    let file = shown(&file);
    let mut source = load_file(&file)?;
    source.whole = false;
    let directory = file.parent().map(Path::to_owned).unwrap_or_default();
    Ok(Some(SettingsFile { source, directory }))
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
