//! Files in directories that look like manifests but are skipped, and hidden directories.

use std::fs;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::confined_path::ConfinedPath;
use super::manifest_files::{display_path, is_manifest, may_be_manifest};
use crate::diagnostic::listed::format_list;
use crate::diagnostic::{Code, Diagnostic};

/// Maximum number of skipped files to name in a message.
const MAX_SHOWN: usize = 3;

/// Maximum number of entries of a hidden directory to search for a manifest.
const MAX_HIDDEN: usize = 1_000;

/// Git's own directory, which a commit cannot contain.
const GIT: &str = ".git";

/// Files that look like manifests but are skipped, by reason.
#[derive(Debug, Default)]
pub(super) struct SkippedFiles {
    own_output: Vec<String>,
    /// Symlinks with a missing target.
    broken_links: Vec<String>,
    /// Pipes, sockets and devices.
    special: Vec<String>,
    /// Files with extensions such as `.YAML`.
    uppercase: Vec<String>,
}

impl SkippedFiles {
    /// Adds a file that agentctl rendered.
    pub(super) fn add_own_output(&mut self, path: &Path) {
        self.own_output.push(path.display().to_string());
    }

    /// Adds a symlink with a missing target.
    pub(super) fn add_broken_link(&mut self, path: &Path) {
        self.broken_links.push(path.display().to_string());
    }

    /// Checks whether an entry of the directory `root` looks like a manifest, but is not a file or has an extension
    /// that no tool reads. Adds such an entry and returns whether it was added.
    pub(super) fn skips_by_name(&mut self, entry: &DirEntry, root: &Path) -> bool {
        let kind = entry.file_type();
        let skipped = if is_manifest(entry.path()) && !kind.is_file() && !kind.is_dir() {
            &mut self.special
        } else if kind.is_file() && has_uppercase_ending(entry.path()) && is_likely_manifest(entry) {
            &mut self.uppercase
        } else {
            return false;
        };
        skipped.push(display_path(root, entry.path().to_owned()).display().to_string());
        true
    }

    /// Returns one finding for each reason.
    pub(super) fn findings(&self) -> Vec<Diagnostic> {
        let reasons = [
            (
                &self.own_output,
                "rendered by agentctl, according to `.agentctl-files`",
                "pass only the directories that contain your resources",
            ),
            (&self.broken_links, "the targets of these links do not exist", "fix or remove the links"),
            (&self.special, "pipes, sockets and devices are not read", "use a regular file"),
            (
                &self.uppercase,
                "kubectl, Flux and Argo CD read only files with lowercase extensions",
                "use a lowercase extension",
            ),
        ];
        let reasons = reasons.into_iter().filter(|(files, ..)| !files.is_empty());
        let findings = reasons.map(|(files, reason, help)| {
            let message = format!("skipped {}: {reason}", format_list(MAX_SHOWN, files.iter()));
            Diagnostic::new(Code::SkippedFile, message).help(help)
        });
        findings.collect()
    }

    /// Returns the names of all skipped files.
    pub(super) fn names(self) -> impl Iterator<Item = String> {
        self.own_output.into_iter().chain(self.broken_links).chain(self.special).chain(self.uppercase)
    }
}

/// Whether a name has an uppercase extension, such as `.YAML`.
fn has_uppercase_ending(path: &Path) -> bool {
    let is_ending = |ending: &str| ["yaml", "yml", "json"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    !is_manifest(path) && path.extension().and_then(|ending| ending.to_str()).is_some_and(is_ending)
}

/// Whether an entry is a regular file that may contain a manifest. Symlinks are not followed.
fn is_likely_manifest(entry: &DirEntry) -> bool {
    let path = entry.path();
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file && may_be_manifest(&ConfinedPath::new(path.parent().unwrap_or(path), path.to_owned()))
}

/// Whether a hidden directory contains manifests, or too many entries to search.
pub(super) fn contains_manifest(directory: &Path) -> bool {
    if directory.file_name().is_some_and(|name| name.eq_ignore_ascii_case(GIT)) {
        return false;
    }
    let entries = WalkDir::new(directory).into_iter().flatten();
    let mut entries = entries.enumerate();
    entries.any(|(count, entry)| count >= MAX_HIDDEN || is_manifest(entry.path()) && is_likely_manifest(&entry))
}
