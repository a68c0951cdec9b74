//! Paths → the files to read, each once, in the order in which they are compiled.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::upward::SETTINGS_FILE;
use super::{Input, diagnostics};
use crate::diagnostic::Diagnostic;
use crate::environment::EnvironmentError;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) input: Input,
    /// Named on the command line, not found by walking a directory.
    pub(super) named: bool,
}

/// Every file that the inputs mean: named ones where they are named, those of a directory sorted by the bytes of their
/// path. A file that is reached twice is read once, and counts as named where one of the ways names it.
pub(super) fn find(inputs: &[Input]) -> Result<(Vec<Candidate>, Vec<Diagnostic>), EnvironmentError> {
    let mut candidates = Vec::new();
    let mut diagnostics = Vec::new();
    let mut reachable_twice = inputs.len() > 1;
    for input in inputs {
        match input {
            passed_over if is_passed_over(passed_over, inputs) => {}
            Input::Path(path) if is_directory(path)? => {
                let walk = walk(path)?;
                reachable_twice |= walk.has_links;
                if walk.files.is_empty() {
                    diagnostics.push(diagnostics::no_input(path));
                }
                candidates.extend(walk.files.into_iter().map(|path| Candidate {
                    input: Input::Path(path),
                    named: false,
                }));
            }
            named => candidates.push(Candidate {
                input: named.clone(),
                named: true,
            }),
        }
    }
    if reachable_twice {
        candidates = once_each(candidates);
    }
    Ok((candidates, diagnostics))
}

fn is_directory(path: &Path) -> Result<bool, EnvironmentError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(error) => Err(EnvironmentError::Read {
            path: path.to_owned(),
            error,
        }),
    }
}

/// Keeps the first of the candidates that are the same file.
fn once_each(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::with_capacity(candidates.len());
    let mut places: HashMap<PathBuf, usize> = HashMap::with_capacity(candidates.len());
    for candidate in candidates {
        let place = *places.entry(identity(&candidate.input)).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(first) => first.named |= candidate.named,
            None => kept.push(candidate),
        }
    }
    kept
}

/// The path without links. What has none (a pipe that the shell made) is told apart by its name.
fn identity(input: &Input) -> PathBuf {
    match input {
        Input::Path(path) => fs::canonicalize(path).unwrap_or_else(|_| path.clone()),
        Input::Stdin => PathBuf::from("-"),
    }
}

/// What a directory holds.
struct Walk {
    files: Vec<PathBuf>,
    /// Some file may be reached in two ways.
    has_links: bool,
}

fn walk(root: &Path) -> Result<Walk, EnvironmentError> {
    let mut files = Vec::new();
    let mut has_links = false;
    let entries = WalkDir::new(root).follow_links(true).sort_by_file_name();
    for entry in entries.into_iter().filter_entry(|entry| !is_hidden_directory(entry)) {
        match entry {
            Ok(entry) => {
                has_links |= entry.path_is_symlink();
                if entry.file_type().is_file() && is_manifest(entry.path()) {
                    files.push(shown(root, entry.into_path()));
                }
            }
            Err(error) => tolerate(root, error)?,
        }
    }
    files.sort_unstable_by(|a, b| bytes(a).cmp(bytes(b)));
    Ok(Walk { files, has_links })
}

/// Directories like `.git`. The one that was named is walked whatever it is called.
pub(super) fn is_hidden_directory(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_type().is_dir() && is_hidden(entry.file_name())
}

/// Whether a directory of this name is passed over.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether an input is `agentctl.yaml` beside others: a pattern of the shell names it, too.
pub(super) fn is_passed_over(input: &Input, inputs: &[Input]) -> bool {
    inputs.len() > 1 && matches!(input, Input::Path(path) if is_settings(path))
}

fn is_settings(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == SETTINGS_FILE)
}

/// Whether a file found by walking is read.
pub(super) fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.as_encoded_bytes());
    let is_kustomization = path.file_name().is_some_and(|name| name == "Kustomization");
    !is_settings(path) && (is_kustomization || matches!(extension, Some(b"yaml" | b"yml" | b"json")))
}

/// Files of `.` are shown without the dot.
fn shown(root: &Path, path: PathBuf) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(rest) if root == Path::new(".") => rest.to_owned(),
        _ => path,
    }
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// A link to a directory that holds it, and a link to nowhere that would not be read anyway, are passed over.
fn tolerate(root: &Path, error: walkdir::Error) -> Result<(), EnvironmentError> {
    let path = error.path().unwrap_or(root).to_owned();
    let dangling = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
    if error.loop_ancestor().is_some() || (dangling && !is_manifest(&path)) {
        return Ok(());
    }
    let error = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
    Err(EnvironmentError::Read { path, error })
}
