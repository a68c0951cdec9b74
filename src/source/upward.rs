//! The file of settings, which is looked for upward from the input.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Input, Reach, Reading, Source, Tree, load_file};
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
/// A file that is there and cannot be read, is a link out of the repository around it, or is not UTF-8.
pub fn load_settings(inputs: &[Input]) -> Result<Option<SettingsFile>, EnvironmentError> {
    let Some(file) = find(inputs.first()) else {
        return Ok(None);
    };
    let file = shown(&file);
    let directory = file.parent().map(Path::to_owned).unwrap_or_default();
    let tree = Tree::around(&directory).map_err(|error| EnvironmentError::Read {
        path: directory.clone(),
        error,
    })?;
    let reading = Reading {
        reach: Reach::Within(tree),
        ..Reading::default()
    };
    let mut source = load_file(&file, &reading)?;
    source.whole = false;
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

/// The path from the working directory where both have a directory in common that is not the root.
fn shown(file: &Path) -> PathBuf {
    let here = env::current_dir().and_then(fs::canonicalize);
    let relative = here.ok().and_then(|here| relative(&here, file));
    relative.unwrap_or_else(|| file.to_owned())
}

/// The way from one directory to a file.
fn relative(from: &Path, to: &Path) -> Option<PathBuf> {
    let common = from
        .ancestors()
        .find(|ancestor| ancestor.parent().is_some() && to.starts_with(ancestor))?;
    let up = from.strip_prefix(common).ok()?.components().map(|_| "..");
    Some(up.collect::<PathBuf>().join(to.strip_prefix(common).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_here() {
        for (from, to, expected) in [
            ("/p/a", "/p/a/x", Some("x")),
            ("/p/a", "/p/a/b/x", Some("b/x")),
            ("/p/a/b", "/p/x", Some("../../x")),
            ("/p/a", "/p/b/x", Some("../b/x")),
            ("/p", "/q/x", None),
        ] {
            assert_eq!(
                relative(Path::new(from), Path::new(to)),
                expected.map(PathBuf::from),
                "{from} {to}"
            );
        }
    }
}
