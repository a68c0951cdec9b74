//! The files of a repository.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::git_index::tracked_paths;
use super::gitignore::{excludes, parse_patterns};
use crate::diagnostic::EnvironmentError;
use crate::input::{FollowLimits, read_below};
use crate::printable::ByteSize;

/// Maximum size of git's index.
const MAX_INDEX_SIZE: ByteSize = ByteSize(64 << 20);

/// Limits on the files in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Maximum number of files and directories.
    pub max_entries: usize,
    /// Maximum size in bytes of a file to read.
    pub max_file_size: ByteSize,
}

impl From<&FollowLimits> for TreeLimits {
    fn from(limits: &FollowLimits) -> Self {
        Self { max_entries: limits.max_files, max_file_size: ByteSize(16 << 20) }
    }
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self::from(&FollowLimits::default())
    }
}

/// Kind of an entry in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Directory,
    File {
        /// Regular file, with its size in bytes.
        size: u64,
    },
    /// Symlink, with its target as written. Symlinks are listed but not followed.
    Link {
        target: PathBuf,
    },
}

/// All entries in a repository except `.git` and untracked entries that git ignores. Paths are relative to the root and use `/` as
/// the separator. The path of the root itself is empty.
#[derive(Clone, Debug)]
pub struct RepositoryTree {
    root: PathBuf,
    entries: BTreeMap<String, EntryKind>,
    limits: TreeLimits,
}

impl RepositoryTree {
    /// Lists the entries below a directory. Symlinks are not followed. Names that are not UTF-8 are omitted.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be read or has too many entries.
    pub fn read(root: &Path, limits: &TreeLimits) -> Result<Self, EnvironmentError> {
        let read_error = EnvironmentError::read(root);
        let root = fs::canonicalize(root).map_err(read_error)?;
        let mut entries = BTreeMap::from([(String::new(), EntryKind::Directory)]);
        let walk = WalkDir::new(&root).min_depth(1).into_iter();
        let mut ignore_patterns = parse_patterns(&gitignore(&root), &[]);
        let (tracked_files, mut ignored_directories) = (LazyCell::new(|| tracked_files(&root)), HashSet::new());
        let walk = walk.filter_entry(|entry| {
            let Some(path) = relative_path(&root, entry.path()) else { return false };
            let is_directory = entry.file_type().is_dir();
            if entry.file_name().eq_ignore_ascii_case(".git") {
                return false;
            }
            let is_below_ignored =
                path.rsplit_once('/').is_some_and(|(parent, _)| ignored_directories.contains(parent));
            if is_below_ignored || excludes(&ignore_patterns, &path, is_directory) {
                // Patterns do not affect files that git already tracks.
                if !contains_tracked(&tracked_files, &path, is_directory) {
                    return false;
                }
                ignored_directories.insert(path.clone());
            }
            if is_directory {
                let domain: Vec<_> = path.split('/').map(str::to_owned).collect();
                ignore_patterns.extend(parse_patterns(&gitignore(entry.path()), &domain));
            }
            true
        });
        for entry in walk {
            // An entry that has just disappeared or cannot be accessed is omitted.
            let Ok(entry) = entry else { continue };
            let Some(path) = relative_path(&root, entry.path()) else { continue };
            let kind = match entry.file_type() {
                kind if kind.is_dir() => EntryKind::Directory,
                kind if kind.is_symlink() => {
                    EntryKind::Link { target: fs::read_link(entry.path()).unwrap_or_default() }
                }
                kind if kind.is_file() => {
                    EntryKind::File { size: entry.metadata().map_or(0, |metadata| metadata.len()) }
                }
                _ => continue,
            };
            entries.insert(path, kind);
            if entries.len() > limits.max_entries {
                let problem = format!("it has more than {} files (`--limit repository-files`)", limits.max_entries);
                return Err(EnvironmentError::invalid_content(&root, problem));
            }
        }
        Ok(Self { root, entries, limits: limits.clone() })
    }

    /// Returns the canonical path of the root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns all entries, sorted by path.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &EntryKind)> {
        self.entries.iter().map(|(path, kind)| (path.as_str(), kind))
    }

    /// Returns the entries below a directory, sorted by path.
    pub fn entries_below<'t>(&'t self, directory: &str) -> impl Iterator<Item = (&'t str, &'t EntryKind)> + use<'t> {
        let prefix = match directory {
            "" => String::new(),
            directory => format!("{directory}/"),
        };
        let following_entries = self.entries.range(prefix.clone()..).skip_while(|(path, _)| path.is_empty());
        following_entries
            .take_while(move |(path, _)| path.starts_with(&prefix))
            .map(|(path, kind)| (path.as_str(), kind))
    }

    pub fn get(&self, path: &str) -> Option<&EntryKind> {
        self.entries.get(path)
    }

    pub fn is_directory(&self, path: &str) -> bool {
        self.get(path) == Some(&EntryKind::Directory)
    }

    pub fn is_file(&self, path: &str) -> bool {
        matches!(self.get(path), Some(EntryKind::File { .. }))
    }

    /// Returns the text of a regular file, or `None` if the file does not exist, is too large, or is not UTF-8.
    pub fn text(&self, path: &str) -> Option<String> {
        String::from_utf8(self.bytes(path)?).ok()
    }

    /// Returns the contents of a regular file, or `None` if the file does not exist or is too large.
    pub fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        match self.get(path) {
            Some(EntryKind::File { size }) if *size <= self.limits.max_file_size.0 => {
                read_below(&self.root, Path::new(path), self.limits.max_file_size).ok()
            }
            _ => None,
        }
    }
}

/// Returns the path of an entry in the repository, or `None` if it is not UTF-8.
fn relative_path(root: &Path, path: &Path) -> Option<String> {
    Some(path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"))
}

/// Returns the paths of the files that git tracks, or an empty set if they are unknown. In a linked work tree, `.git` is
/// a file that refers to the directory with the index.
fn tracked_files(root: &Path) -> BTreeSet<String> {
    let index = read_below(root, Path::new(".git/index"), MAX_INDEX_SIZE).or_else(|_| {
        let link = read_below(root, Path::new(".git"), ByteSize(1 << 20))?;
        let link = String::from_utf8_lossy(&link);
        read_below(&root.join(link.trim_start_matches("gitdir:").trim()), Path::new("index"), MAX_INDEX_SIZE)
    });
    index.ok().and_then(|index| tracked_paths(&index)).unwrap_or_default()
}

/// Whether a path is a tracked file or a directory that contains one.
fn contains_tracked(tracked_files: &BTreeSet<String>, path: &str, is_directory: bool) -> bool {
    match is_directory {
        true => {
            let prefix = format!("{path}/");
            tracked_files.range(prefix.clone()..).next().is_some_and(|file| file.starts_with(&prefix))
        }
        false => tracked_files.contains(path),
    }
}

/// Returns the contents of the `.gitignore` file in a directory, or an empty string if the file does not exist.
fn gitignore(directory: &Path) -> String {
    let bytes = read_below(directory, Path::new(".gitignore"), ByteSize(1 << 20)).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::git_index;
    use super::*;

    #[test]
    fn omits_files_that_git_ignores() {
        let scratch = tempfile::tempdir().unwrap();
        for (file, text) in [
            (".gitignore", "/rendered/\n"),
            ("rendered/x.yaml", ""),
            ("a/rendered/x.yaml", ""),
            ("a/b/.gitignore", "y.yaml\n"),
            ("a/b/y.yaml", ""),
            ("a/y.yaml", ""),
        ] {
            let path = scratch.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = RepositoryTree::read(scratch.path(), &TreeLimits::default()).unwrap();
        let manifests = tree.entries().map(|(path, _)| path).filter(|path| path.ends_with(".yaml"));
        assert_eq!(manifests.collect::<Vec<_>>(), ["a/rendered/x.yaml", "a/y.yaml"]);
    }

    #[test]
    fn keeps_ignored_files_that_git_tracks() {
        let scratch = tempfile::tempdir().unwrap();
        for file in ["build/a.yaml", "build/b.yaml", "build/c/d.yaml", "x.backup.yaml", "y.backup.yaml"] {
            let path = scratch.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(scratch.path().join(".gitignore"), "build/\n*.backup.yaml\n").unwrap();
        fs::create_dir(scratch.path().join(".git")).unwrap();
        let index = git_index::testing::index(2, &["build/a.yaml", "build/c/d.yaml", "y.backup.yaml"]);
        fs::write(scratch.path().join(".git/index"), index).unwrap();
        let tree = RepositoryTree::read(scratch.path(), &TreeLimits::default()).unwrap();
        let manifests = tree.entries().map(|(path, _)| path).filter(|path| path.ends_with(".yaml"));
        assert_eq!(manifests.collect::<Vec<_>>(), ["build/a.yaml", "build/c/d.yaml", "y.backup.yaml"]);
    }

    #[test]
    fn lists_entries_without_following_links() {
        let scratch = tempfile::tempdir().unwrap();
        for file in ["a/x.yaml", "a/b/y.yaml", "a-b/z.yaml", ".git/config"] {
            let path = scratch.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc", scratch.path().join("a/link")).unwrap();
        let tree = RepositoryTree::read(scratch.path(), &TreeLimits::default()).unwrap();
        let paths_below =
            |directory: &str| tree.entries_below(directory).map(|(path, _)| path.to_owned()).collect::<Vec<_>>();
        let actual: Vec<_> = paths_below("a").into_iter().filter(|path| path != "a/link").collect();
        assert_eq!(actual, ["a/b", "a/b/y.yaml", "a/x.yaml"]);
        assert!(paths_below("").len() >= 6 && tree.is_directory("") && !tree.is_directory("a/link"));
        assert_eq!(tree.text("a/b/y.yaml").as_deref(), Some("a/b/y.yaml"));
        assert_eq!((tree.text("a/link/hostname"), tree.text(".git/config")), (None, None));
        let low_limits = TreeLimits { max_entries: 3, ..TreeLimits::default() };
        assert!(RepositoryTree::read(scratch.path(), &low_limits).is_err());
    }
}
