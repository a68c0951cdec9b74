//! Search for the files to read, which are returned once each, in compilation order.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::confined_path::ConfinedPath;
use super::containment::{ContainingTree, Escape, LoadRestrictor};
use super::entered::EnteredDirectories;
use super::manifest_files::{display_path, is_manifest, may_be_manifest};
use super::resolved_links::ResolvedLinks;
use super::skipped::{SkippedFiles, contains_manifest};
use super::{diagnostics, own_output};
use crate::diagnostic::{Diagnostic, EnvironmentError};

/// Name of the settings file.
pub const SETTINGS_FILE: &str = "agentctl.yaml";

/// Name of the source that is read from standard input.
pub const STDIN_NAME: &str = "<stdin>";

/// Input specified on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, or a directory to walk.
    Path(PathBuf),
    /// Standard input, specified as `-`.
    Stdin,
    /// The output of kustomize for a directory. It can be requested only on the command line, because kustomize is
    /// executed.
    Kustomization(PathBuf),
}

impl From<OsString> for Input {
    fn from(argument: OsString) -> Self {
        if argument == "-" { Input::Stdin } else { Input::Path(argument.into()) }
    }
}

impl Input {
    /// Returns the path of the file or directory, or `None` for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::Path(path) | Input::Kustomization(path) => Some(path),
            Input::Stdin => None,
        }
    }

    /// Returns the name to use in messages.
    pub fn name(&self) -> String {
        match self {
            Input::Path(path) => path.display().to_string(),
            Input::Stdin => STDIN_NAME.to_owned(),
            Input::Kustomization(path) => format!("<kustomize {}>", path.display()),
        }
    }
}

/// File to read, or kustomization to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) input: Input,
    /// Whether the file was passed on the command line rather than found in a directory.
    pub(super) named: bool,
    /// File to read, or the kustomization's directory.
    pub(super) target: Option<ConfinedPath>,
}

impl Candidate {
    /// Returns the path of the file to read, if any.
    pub(super) fn path(&self) -> Option<&Path> {
        let is_file = matches!(self.input, Input::Path(_));
        self.target.as_ref().map(ConfinedPath::path).filter(|_| is_file)
    }
}

/// Files found in all inputs.
pub(super) struct FoundInputs {
    pub(super) candidates: Vec<Candidate>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Names of all skipped files and directories, including hidden directories.
    pub(super) skipped: Vec<String>,
}

/// Returns the files in all inputs: the inputs in command-line order, and the files in a directory sorted by the bytes
/// of their paths. A file that is reached more than once is read only once, and is considered explicitly named if it is
/// itself an input. Symlinks that `reach` rejects and skipped files that look like manifests are reported.
pub(super) fn find(inputs: &[Input], reach: &LoadRestrictor) -> Result<FoundInputs, EnvironmentError> {
    let mut search = InputSearch {
        reach,
        candidates: Vec::new(),
        diagnostics: Vec::new(),
        skipped: SkippedFiles::default(),
        hidden: Vec::new(),
        reachable_twice: inputs.len() > 1,
    };
    for input in inputs.iter().filter(|input| !is_skipped(input, inputs)) {
        search.input(input)?;
    }
    let candidates = match search.reachable_twice {
        true => keep_first_of_each(search.candidates),
        false => search.candidates,
    };
    search.diagnostics.extend(search.skipped.findings());
    let skipped = search.skipped.names().chain(search.hidden).collect();
    Ok(FoundInputs { candidates, diagnostics: search.diagnostics, skipped })
}

struct InputSearch<'r> {
    reach: &'r LoadRestrictor,
    candidates: Vec<Candidate>,
    diagnostics: Vec<Diagnostic>,
    skipped: SkippedFiles,
    /// Names of hidden directories that contain manifests.
    hidden: Vec<String>,
    /// Whether a file may be reachable through more than one path.
    reachable_twice: bool,
}

impl InputSearch<'_> {
    fn input(&mut self, input: &Input) -> Result<(), EnvironmentError> {
        let target = match input {
            Input::Path(path) => {
                let read_error = EnvironmentError::read(path);
                let is_directory = fs::metadata(path).map_err(read_error)?.is_dir();
                let Some(target) = self.report_outside(self.reach.name(path)).map_err(read_error)? else {
                    return Ok(());
                };
                if is_directory {
                    return self.walk(path, &target);
                }
                Some(target)
            }
            Input::Kustomization(path) if path.is_dir() => match self.kustomization(path)? {
                None => return Ok(()),
                target => target.map(ConfinedPath::anywhere),
            },
            Input::Stdin | Input::Kustomization(_) => None,
        };
        self.candidates.push(Candidate { input: input.clone(), named: true, target });
        Ok(())
    }

    /// Returns a successful result. If the error is an [`Escape`], adds a finding and returns `None`.
    fn report_outside<T>(&mut self, result: io::Result<T>) -> io::Result<Option<T>> {
        let escape = match result {
            Ok(result) => return Ok(Some(result)),
            Err(error) => error.downcast::<Escape>()?,
        };
        self.diagnostics.push(diagnostics::outside_link(&escape));
        Ok(None)
    }

    /// Finds the files in a directory. `root` is the path as specified, and `real` is the same path after confinement.
    fn walk(&mut self, root: &Path, real: &ConfinedPath) -> Result<(), EnvironmentError> {
        let filter = WalkFilter::new(root, real, self.reach).map_err(EnvironmentError::read(root))?;
        let (findings, mut files, mut has_links) = (self.diagnostics.len(), Vec::new(), false);
        let mut entered = EnteredDirectories::default();
        let entries = WalkDir::new(root).follow_links(true).sort_by_file_name();
        let entries = entries.into_iter().filter_entry(|entry| {
            if is_hidden_directory(entry) && !entry.path_is_symlink() && contains_manifest(entry.path()) {
                self.hidden.push(display_path(root, entry.path().to_owned()).display().to_string());
            }
            let is_admitted = self.report_outside(filter.admits(entry, &mut entered));
            // An entry that has just become inaccessible is skipped.
            is_admitted.ok().flatten().unwrap_or_default()
        });
        // The walk must be complete before its files are checked.
        let entries: Vec<_> = entries.collect();
        let listed_files = own_output::listed_output(entries.iter().flatten());
        let mut directories = RealDirectories::new(&filter);
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.handle_walk_error(root, error)?;
                    continue;
                }
            };
            has_links |= entry.path_is_symlink();
            if entry.file_type().is_dir() {
                // A directory that has just become inaccessible is skipped along with its contents.
                _ = self.report_outside(directories.enter(&entry));
            }
            if !self.skipped.skips_by_name(&entry, root) && entry.file_type().is_file() && is_manifest(entry.path()) {
                let target = self.report_outside(directories.file(&entry));
                let Some(target) = target.map_err(EnvironmentError::read(entry.path()))? else {
                    continue;
                };
                let path = display_path(root, entry.path().to_owned());
                if listed_files.contains(entry.path()) && own_output::is_output(&target) {
                    self.skipped.add_own_output(&path);
                } else if !is_settings(&target) {
                    files.push(Candidate { target: Some(target), input: Input::Path(path), named: false });
                }
            }
        }
        if files.is_empty() && self.diagnostics.len() == findings {
            self.diagnostics.push(diagnostics::no_input(root));
        }
        files.sort_unstable_by(|a, b| bytes(&a.input).cmp(bytes(&b.input)));
        self.candidates.extend(files);
        self.reachable_twice |= has_links;
        Ok(())
    }

    /// Ignores symlink cycles and broken symlinks. A broken symlink whose name looks like a manifest is recorded as
    /// skipped.
    fn handle_walk_error(&mut self, root: &Path, error: walkdir::Error) -> Result<(), EnvironmentError> {
        let path = error.path().unwrap_or(root).to_owned();
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        let is_cycle = error.loop_ancestor().is_some();
        let error = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
        let is_read = is_manifest(&path);
        if is_cycle || is_link && !is_read {
            return Ok(());
        }
        if is_link && error.kind() == io::ErrorKind::NotFound {
            self.skipped.add_broken_link(&display_path(root, path));
            return Ok(());
        }
        Err(EnvironmentError::read(&path)(error))
    }

    /// Returns the directory for kustomize to build, or `None` if the directory is or contains a symlink that must not
    /// be followed. The symlink is reported, as in a walk of a directory.
    fn kustomization(&mut self, path: &Path) -> Result<Option<PathBuf>, EnvironmentError> {
        let read_error = EnvironmentError::read(path);
        let Some(target) = self.report_outside(self.reach.name(path)).map_err(read_error)? else {
            return Ok(None);
        };
        let filter = WalkFilter::new(path, &target, self.reach).map_err(read_error)?;
        let mut is_contained = true;
        if *self.reach != LoadRestrictor::Anywhere {
            let entries = WalkDir::new(&filter.real).into_iter().flatten();
            for link in entries.filter(DirEntry::path_is_symlink) {
                // Broken symlinks are left for kustomize to report.
                is_contained &= !matches!(self.report_outside(filter.target(&link)), Ok(None));
            }
        }
        Ok(is_contained.then_some(filter.real))
    }
}

/// Keeps the first candidate for each file.
fn keep_first_of_each(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept_candidates: Vec<Candidate> = Vec::with_capacity(candidates.len());
    let mut indexes: HashMap<PathBuf, usize> = HashMap::with_capacity(candidates.len());
    for candidate in candidates {
        let index = *indexes.entry(identity(&candidate)).or_insert(kept_candidates.len());
        match kept_candidates.get_mut(index) {
            Some(first) => first.named |= candidate.named,
            None => kept_candidates.push(candidate),
        }
    }
    kept_candidates
}

/// Returns the canonical path. A path that does not exist in the file system, such as a pipe created by the shell, is
/// identified by its name.
fn identity(candidate: &Candidate) -> PathBuf {
    match (&candidate.target, &candidate.input) {
        (Some(target), _) if target.is_regular => target.path().to_owned(),
        (Some(target), _) => fs::canonicalize(target.path()).unwrap_or_else(|_| target.path().to_owned()),
        (None, Input::Path(path)) => path.clone(),
        (None, Input::Stdin) => PathBuf::from("-"),
        (None, input @ Input::Kustomization(_)) => PathBuf::from(input.name()),
    }
}

/// Filter for the entries in a directory walk.
pub(super) struct WalkFilter<'w> {
    root: &'w Path,
    /// Canonical path of the directory.
    real: PathBuf,
    reach: &'w LoadRestrictor,
    tree: ContainingTree,
    links: RefCell<ResolvedLinks>,
}

impl<'w> WalkFilter<'w> {
    /// Returns the filter for a directory. `root` is the path as specified, and `confined` is the same path after
    /// confinement.
    pub(super) fn new(root: &'w Path, confined: &ConfinedPath, reach: &'w LoadRestrictor) -> io::Result<Self> {
        // A confined path contained no symlinks when it was checked, so new symlinks must not be followed.
        let real_root = match confined.is_bounded() {
            true => confined.path().to_owned(),
            false => fs::canonicalize(confined.path())?,
        };
        let tree = reach.tree(&real_root);
        Ok(Self { root, real: real_root, reach, tree, links: RefCell::default() })
    }

    /// Whether an entry is to be read or entered. Each directory is entered only once.
    ///
    /// # Errors
    ///
    /// Returns an error if the entry is a broken symlink, or an [`Escape`] if it is a symlink that must not be
    /// followed.
    pub(super) fn admits(&self, entry: &DirEntry, entered: &mut EnteredDirectories) -> io::Result<bool> {
        if is_hidden_directory(entry) || entered.enters_again(entry) {
            return Ok(false);
        }
        let is_followed = entry.path_is_symlink() && entry.depth() > 0;
        if is_followed && (entry.file_type().is_dir() || is_manifest(entry.path())) {
            self.target(entry)?;
        }
        Ok(true)
    }

    /// Returns an entry's canonical path.
    fn target(&self, entry: &DirEntry) -> io::Result<PathBuf> {
        let displayed_path = display_path(self.root, entry.path().to_owned());
        let target = self.links.borrow_mut().resolve(entry.path())?;
        self.reach.admit(target, &self.tree, &displayed_path)
    }
}

/// Canonical paths of the directories that contain the current entry of a walk. Only symlinks have to be resolved: the
/// path of any other entry follows from the path of its directory.
struct RealDirectories<'w> {
    filter: &'w WalkFilter<'w>,
    /// Canonical path of the directory at each depth, or `None` if it is inaccessible.
    at_depth: Vec<Option<PathBuf>>,
}

impl<'w> RealDirectories<'w> {
    fn new(filter: &'w WalkFilter<'w>) -> Self {
        Self { filter, at_depth: Vec::new() }
    }

    /// Records the canonical path of a directory that the walk enters.
    fn enter(&mut self, entry: &DirEntry) -> io::Result<()> {
        self.at_depth.truncate(entry.depth());
        self.at_depth.push(None);
        let real_path = self.locate(entry)?;
        self.at_depth.pop();
        self.at_depth.push(Some(real_path));
        Ok(())
    }

    fn file(&self, entry: &DirEntry) -> io::Result<ConfinedPath> {
        Ok(ConfinedPath::new(self.filter.tree.root(), self.locate(entry)?))
    }

    fn locate(&self, entry: &DirEntry) -> io::Result<PathBuf> {
        let Some(parent_depth) = entry.depth().checked_sub(1) else {
            return Ok(self.filter.real.clone());
        };
        match self.at_depth.get(parent_depth) {
            Some(Some(directory)) if !entry.path_is_symlink() => Ok(directory.join(entry.file_name())),
            _ => self.filter.target(entry),
        }
    }
}

/// Whether an entry is a hidden directory such as `.git`. The root of the walk is never treated as hidden.
pub(super) fn is_hidden_directory(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_type().is_dir() && is_hidden(entry.file_name())
}

/// Whether a directory with this name is skipped.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether an input is an `agentctl.yaml` among other inputs. Such a file is skipped, because it may have been matched
/// by a shell pattern.
pub(super) fn is_skipped(input: &Input, inputs: &[Input]) -> bool {
    inputs.len() > 1
        && matches!(input, Input::Path(path) if has_name_of_settings(path) && !may_be_manifest(&ConfinedPath::anywhere(path.clone())))
}

/// Whether a file contains settings, judging by its name and contents. A file with `apiVersion` and `kind` is a
/// manifest regardless of its name, because skipping it would prune its objects. Other files that may be manifests are
/// also read, and documents that are not objects are skipped later.
fn is_settings(file: &ConfinedPath) -> bool {
    has_name_of_settings(file.path()) && !may_be_manifest(file)
}

fn has_name_of_settings(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == SETTINGS_FILE)
}

fn bytes(input: &Input) -> &[u8] {
    let path = input.path().unwrap_or(Path::new("-"));
    path.as_os_str().as_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::manifest_files::MAX_SETTINGS_BYTES;

    #[test]
    fn skips_settings_next_to_other_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            Input::Path(path)
        };
        let too_large = "#".repeat(usize::try_from(MAX_SETTINGS_BYTES).unwrap());
        let largest_read = "#".repeat(usize::try_from(MAX_SETTINGS_BYTES - 1).unwrap());
        for (directory, text, is_manifest) in [
            ("a", "severity: {}\n", false),
            ("b", "apiVersion: v1\n", false),
            ("c", "kind: X\n", false),
            ("d", "apiVersion: v1\nkind: X\n", true),
            ("e", "\"\\x6bind\": X\n", true),
            ("f", "a: !!binary aGk=\n", true),
            ("g", "a: !<x> b\n", true),
            ("h", too_large.as_str(), true),
            ("i", largest_read.as_str(), false),
        ] {
            let settings = write(&format!("{directory}/{SETTINGS_FILE}"), text);
            let other_input = write(&format!("{directory}/x.yaml"), text);
            assert!(!is_skipped(&settings, std::slice::from_ref(&settings)), "{directory}");
            let inputs = [settings, other_input];
            assert_eq!(is_skipped(&inputs[0], &inputs), !is_manifest, "{directory}");
            assert!(!is_skipped(&inputs[1], &inputs), "{directory}");
        }
        let missing_settings = [Input::Path(folder.path().join(SETTINGS_FILE)), Input::Stdin];
        assert!(missing_settings.iter().all(|input| !is_skipped(input, &missing_settings)));
    }
}
