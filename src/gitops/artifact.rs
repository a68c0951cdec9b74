//! Artifacts: the files that Flux or Argo CD gives to a build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use super::path::{join, parent, resolve};
use super::source_ignore::SourceIgnore;
use super::tree::{EntryKind, RepositoryTree};

/// Maximum number of symlinks to follow in a path.
const MAX_LINKS: usize = 40;

/// Files of an artifact, by path. Only Argo CD's artifacts contain symlinks, and only symlinks that stay in the
/// repository.
#[derive(Clone, Debug, Default)]
pub struct Artifact {
    /// Repository path of each file.
    files: BTreeMap<String, String>,
    directories: BTreeSet<String>,
    /// Target of each symlink, by the symlink's path in the artifact.
    links: BTreeMap<String, String>,
}

/// Kind of entry at a path in an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    File,
    Directory,
}

impl Artifact {
    /// Returns the artifact that Flux's source-controller archives from a directory: the regular files that no pattern
    /// excludes.
    pub fn from_source(tree: &RepositoryTree, root: &str, ignore: &SourceIgnore) -> Self {
        let mut artifact = Self::default();
        for (path, kind) in tree.entries_below(root) {
            let is_file = matches!(kind, EntryKind::File { .. });
            if let Some(relative_path) =
                super::path::strip_directory(path, root).filter(|_| is_file && !ignore.ignores(path, false))
            {
                artifact.add(relative_path.to_owned(), path.to_owned());
            }
        }
        artifact
    }

    /// Returns the artifact that Argo CD checks out: all files, and the symlinks that stay in the repository.
    pub fn from_checkout(tree: &RepositoryTree) -> Self {
        let mut artifact = Self::default();
        for (path, kind) in tree.entries() {
            match kind {
                EntryKind::Directory => drop(artifact.directories.insert(path.to_owned())),
                EntryKind::File { .. } => artifact.add(path.to_owned(), path.to_owned()),
                EntryKind::Link { target } => {
                    if let Some(target) = link_target(path, target) {
                        artifact.links.insert(path.to_owned(), target);
                    }
                }
            }
        }
        artifact
    }

    /// Adds a file, replacing any file at the same path.
    pub fn add(&mut self, path: String, file: String) {
        let mut directory = parent(&path);
        while !directory.is_empty() && self.directories.insert(directory.to_owned()) {
            directory = parent(directory);
        }
        self.files.insert(path, file);
    }

    /// Returns the repository path of a file.
    pub fn file(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Returns the kind of a path, without following symlinks.
    pub fn get(&self, path: &str) -> Option<PathKind> {
        match path.is_empty() || self.directories.contains(path) {
            true => Some(PathKind::Directory),
            false => self.files.get(path).map(|_| PathKind::File),
        }
    }

    /// Returns the path of a file or directory with all symlinks resolved, and the symlinks that were followed. Returns
    /// `None` if the path does not exist.
    pub fn follow(&self, path: &str) -> Option<(String, Vec<String>)> {
        let mut links = Vec::new();
        let mut remaining_parts: Vec<String> =
            path.split('/').rev().filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let mut current_path = String::new();
        while let Some(part) = remaining_parts.pop() {
            current_path = join(&current_path, &part);
            if let Some(target) = self.links.get(&current_path) {
                links.push(current_path);
                if links.len() > MAX_LINKS {
                    return None;
                }
                remaining_parts.extend(target.split('/').rev().filter(|part| !part.is_empty()).map(str::to_owned));
                current_path = String::new();
            }
        }
        self.get(&current_path).map(|_| (current_path, links))
    }

    /// Returns a symlink's target, or `None` if the path is not a symlink.
    pub fn link_path(&self, path: &str) -> Option<&str> {
        self.links.get(path).map(String::as_str)
    }

    /// Returns the files below a directory in Go's walk order, each with its repository path.
    pub fn files_below(&self, directory: &str) -> Vec<(&str, &str)> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let files = self.files.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
        let mut files: Vec<_> = files.map(|(path, file)| (path.as_str(), file.as_str())).collect();
        files.sort_by(|(a, _), (b, _)| a.split('/').cmp(b.split('/')));
        files
    }

    pub fn links_below(&self, directory: &str) -> impl Iterator<Item = (&str, &str)> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let links = self.links.iter().filter(move |(path, _)| path.starts_with(&prefix));
        links.map(|(path, target)| (path.as_str(), target.as_str()))
    }
}

/// Returns a symlink's target as a path in the repository, or `None` if the target is absolute or outside the
/// repository.
pub fn link_target(link: &str, target: &Path) -> Option<String> {
    let is_relative = target.components().all(|part| !matches!(part, Component::RootDir | Component::Prefix(_)));
    resolve(parent(link), target.to_str().filter(|_| is_relative)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_links_outside_the_repository() {
        for (link, target, expected) in
            [("a/l", "../b/c", Some("b/c")), ("a/l", "../../b", None), ("l", "/etc", None), ("a/b/l", ".", Some("a/b"))]
        {
            assert_eq!(link_target(link, Path::new(target)).as_deref(), expected, "{link} {target}");
        }
        let mut artifact = Artifact::default();
        artifact.add("b/c/x".to_owned(), "b/c/x".to_owned());
        artifact.links.insert("a".to_owned(), "b/d".to_owned());
        artifact.links.insert("b/d".to_owned(), "b/c".to_owned());
        artifact.links.insert("loop".to_owned(), "loop".to_owned());
        let (path, links) = artifact.follow("a/x").unwrap();
        assert_eq!((path.as_str(), links.len(), artifact.get("b/c")), ("b/c/x", 2, Some(PathKind::Directory)));
        assert!(artifact.follow("loop/x").is_none() && artifact.follow("nope").is_none());
    }
}
