//! Search for the settings file, starting at the first input and continuing upward.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::confined_path::ConfinedPath;
use super::containment::{ContainingTree, LoadRestrictor, containing_repository};
use super::find::{Input, SETTINGS_FILE};
use super::load::{ReadLimits, load_file};
use super::manifest_files::may_be_manifest;
use crate::diagnostic::EnvironmentError;
use crate::source::Source;

/// Similar file names. Files with these names are not read.
const SIMILAR_NAMES: [&str; 2] = ["agentctl.yml", ".agentctl.yaml"];

/// Result of a search for settings.
#[derive(Debug, Default)]
pub struct FoundSettings {
    /// Settings file to use.
    pub file: Option<SettingsFile>,
    /// Files in the searched directories with names that suggest settings.
    pub misnamed: Vec<PathBuf>,
}

#[derive(Debug)]
pub struct SettingsFile {
    /// Text of the file, which is not compiled.
    pub source: Source,
    /// Directory that contains the file, or an empty path for the working directory. Paths in the file are relative to
    /// this directory.
    pub directory: PathBuf,
}

/// Reads the settings file at `named` or, if `named` is `None`, the `agentctl.yaml` nearest to the first input.
///
/// The search starts in the input's directory and ends at the root of the repository. Without inputs, and for standard
/// input, it starts in the working directory. An `agentctl.yaml` for which `is_manifest` returns true is skipped.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is not UTF-8, or is a symlink that points outside its repository.
pub fn load_settings(
    named: Option<&Path>,
    inputs: &[Input],
    is_manifest: impl Fn(&Source) -> bool,
) -> Result<FoundSettings, EnvironmentError> {
    let mut search = FoundSettings::default();
    if let Some(file) = named {
        search.file = Some(read(file, &ReadLimits::default())?);
        return Ok(search);
    }
    for directory in directories(inputs.first()) {
        let misnamed = SIMILAR_NAMES.map(|name| directory.join(name));
        let misnamed =
            misnamed.iter().filter(|file| file.is_file() && !may_be_manifest(&ConfinedPath::anywhere((*file).clone())));
        search.misnamed.extend(misnamed.map(|file| relative_path(file)));
        let file = directory.join(SETTINGS_FILE);
        if file.is_file() {
            let reading = ReadLimits {
                reach: LoadRestrictor::Within(
                    ContainingTree::containing(&directory).map_err(EnvironmentError::read(&directory))?,
                ),
                ..ReadLimits::default()
            };
            let settings = read(&relative_path(&file), &reading)?;
            if !is_manifest(&settings.source) {
                search.file = Some(settings);
                break;
            }
        }
    }
    Ok(search)
}

fn read(file: &Path, reading: &ReadLimits) -> Result<SettingsFile, EnvironmentError> {
    let mut source = load_file(file, reading).map_err(|error| match error {
        EnvironmentError::Read { path, error } => EnvironmentError::Read {
            path,
            error: io::Error::new(error.kind(), format!("{error} (this is the settings file)")),
        },
        error => error,
    })?;
    source.is_complete = false;
    let directory = file.parent().map(Path::to_owned).unwrap_or_default();
    Ok(SettingsFile { source, directory })
}

/// Returns the directories to search, nearest first. Without a repository, the search ends at the root of the file
/// system.
fn directories(input: Option<&Input>) -> Vec<PathBuf> {
    let working_directory = Path::new(".");
    let start = match input {
        Some(Input::Path(path) | Input::Kustomization(path)) => path,
        Some(Input::Stdin) | None => working_directory,
    };
    // Paths that do not exist in the file system, such as a pipe created by the shell, are treated as being in the
    // working directory.
    let Ok(start) = fs::canonicalize(start).or_else(|_| fs::canonicalize(working_directory)) else {
        return Vec::new();
    };
    let root = containing_repository(&start);
    let is_inside = |directory: &&Path| root.is_none_or(|root| directory.starts_with(root));
    start.ancestors().take_while(is_inside).map(Path::to_owned).collect()
}

/// Returns a path relative to the working directory if both have a common ancestor other than the root.
fn relative_path(file: &Path) -> PathBuf {
    let working_directory = env::current_dir().and_then(fs::canonicalize);
    let relative = working_directory.ok().and_then(|working_directory| relative_to(&working_directory, file));
    relative.unwrap_or_else(|| file.to_owned())
}

/// Returns the relative path from a directory to a file.
fn relative_to(from: &Path, to: &Path) -> Option<PathBuf> {
    let common = from.ancestors().find(|ancestor| ancestor.parent().is_some() && to.starts_with(ancestor))?;
    let up = from.strip_prefix(common).ok()?.components().map(|_| "..");
    Some(up.collect::<PathBuf>().join(to.strip_prefix(common).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_relative_paths() {
        for (from, to, expected) in [
            ("/p/a", "/p/a/x", Some("x")),
            ("/p/a", "/p/a/b/x", Some("b/x")),
            ("/p/a/b", "/p/x", Some("../../x")),
            ("/p/a", "/p/b/x", Some("../b/x")),
            ("/p", "/q/x", None),
        ] {
            assert_eq!(relative_to(Path::new(from), Path::new(to)), expected.map(PathBuf::from), "{from} {to}");
        }
    }

    #[test]
    fn finds_the_nearest_settings() {
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        fs::create_dir_all(root.join("r/.git")).unwrap();
        for (path, text) in [
            ("agentctl.yaml", "above"),
            ("r/a/agentctl.yaml", "of a"),
            ("r/a/b/agentctl.yml", "misnamed"),
            ("r/a/b/.agentctl.yaml", "apiVersion: v1\nkind: X\n"),
            ("r/a/b/x.yaml", ""),
            ("r/c/x.yaml", ""),
            ("r/c/.agentctl.yaml", "hidden"),
            ("r/d/agentctl.yaml", "manifest"),
            ("r/e/agentctl.yaml", "settings"),
        ] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
        let below = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        for (input, text, misnamed) in [
            ("r/a/b/x.yaml", Some("of a"), &["agentctl.yml"][..]),
            ("r/a/b", Some("of a"), &["agentctl.yml"]),
            ("r/a", Some("of a"), &[]),
            ("r/c/x.yaml", None, &[".agentctl.yaml"]),
            ("r", None, &[]),
            // A manifest with this name does not contain settings.
            ("r/d", None, &[]),
            ("r/e", Some("settings"), &[]),
        ] {
            let inputs = [Input::Path(root.join(input))];
            let actual = load_settings(None, &inputs, |source| source.text == "manifest").unwrap();
            let file = actual.file.as_ref();
            assert_eq!(file.map(|file| file.source.text.as_str()), text, "{input}");
            assert!(file.is_none_or(|file| !file.source.is_complete), "{input}");
            let names: Vec<_> = actual.misnamed.iter().map(|path| below(path)).collect();
            assert_eq!(names, misnamed, "{input}");
        }
        let named = load_settings(Some(&root.join("r/a/agentctl.yaml")), &[], |_| true).unwrap();
        let named = named.file.unwrap();
        assert_eq!((named.source.text.as_str(), named.directory), ("of a", root.join("r/a")));
        fs::write(root.join("r/e/agentctl.yaml"), b"\xff").unwrap();
        let error = load_settings(None, &[Input::Path(root.join("r/e"))], |_| false).unwrap_err();
        assert!(error.to_string().ends_with("it is not UTF-8 (this is the settings file)"), "{error}");
        let kustomization = [Input::Kustomization(root.join("r/a/b"))];
        assert!(load_settings(None, &kustomization, |_| false).unwrap().file.is_some());
    }
}
