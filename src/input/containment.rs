//! Containment of paths.
//!
//! Paths on the command line are trusted, because the user specified them. Symlinks in a repository and paths in its
//! files may come from a pull request: they must not point outside the repository or to git's own files, which may
//! contain tokens.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::{fmt, fs, io};

use super::confined_path::ConfinedPath;

/// Directory in which a checkout stores its repository.
const GIT: &str = ".git";

/// Directories with entries that are not real files, even though the system may report them as regular files, such as
/// `/proc/self/environ`.
const SPECIAL_DIRECTORIES: &[&str] = &["/dev", "/proc", "/sys"];

/// Restriction on the location of files, like kustomize's `--load-restrictor`.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LoadRestrictor {
    /// A link that points outside the repository, or into its .git, is an error
    #[default]
    #[value(name = "root-only", alias = "LoadRestrictionsRootOnly")]
    RootOnly,
    // Everything must stay in this tree, because the paths come from files.
    #[value(skip)]
    Within(ContainingTree),
    /// Links may lead anywhere; use this only for input that you trust
    #[value(name = "none", alias = "LoadRestrictionsNone")]
    Anywhere,
}

/// A directory tree that paths must not leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainingTree {
    /// Canonical path of the directory.
    root: PathBuf,
}

/// A symlink that is not followed because of its target, which is usually outside the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escape {
    link: PathBuf,
    target: PathBuf,
    /// Reason why the target is rejected.
    reason: &'static str,
}

const OUTSIDE: &str = "outside the repository or directory that contains the link";
const GIT_PART: &str = "which is part of `.git`";
const NO_FILE: &str = "which is not a regular file";

impl Escape {
    /// Whether the user may allow the symlink.
    pub(super) fn can_be_followed(&self) -> bool {
        self.reason != NO_FILE
    }
}

impl fmt::Display for Escape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (link, target) = (self.link.display(), self.target.display());
        write!(f, "the link `{link}` points to `{target}`, {}", self.reason)
    }
}

impl std::error::Error for Escape {}

impl From<Escape> for io::Error {
    fn from(escape: Escape) -> Self {
        io::Error::new(io::ErrorKind::InvalidInput, escape)
    }
}

impl ContainingTree {
    /// Returns the canonical path of the directory.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the repository that contains a directory, or the directory itself if there is none.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory does not exist.
    pub fn containing(directory: &Path) -> io::Result<Self> {
        let directory = fs::canonicalize(or_current_dir(directory))?;
        Ok(Self::repository(&directory).unwrap_or(Self { root: directory }))
    }

    /// Returns the ancestor of `directory` that remains after removing `below` from the end of the path, or `directory`
    /// itself if its path does not end with `below`. Argo CD passes the path of an application as `below`.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory does not exist.
    pub fn ancestor_of(directory: &Path, below: &Path) -> io::Result<Self> {
        let mut root = fs::canonicalize(or_current_dir(directory))?;
        let below: PathBuf = below.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        if root.ends_with(&below) {
            for _ in &below {
                root.pop();
            }
        }
        Ok(Self { root })
    }

    fn repository(directory: &Path) -> Option<Self> {
        let root = containing_repository(directory)?.to_owned();
        Some(Self { root })
    }

    /// Whether a path in a file in `directory` stays in the tree at every step, with symlinks resolved. Returns `false`
    /// for an inaccessible path.
    pub fn contains(&self, directory: &Path, path: &Path) -> bool {
        let directory = or_current_dir(directory);
        let depth = fs::canonicalize(directory).ok().and_then(|directory| {
            let below = directory.strip_prefix(&self.root).ok()?;
            Some(below.components().count())
        });
        let stays = path.is_absolute() || depth.is_some_and(|depth| stays_inside(path, depth));
        stays && canonicalize(&directory.join(path)).is_ok_and(|real| self.check(&real).is_ok())
    }

    /// Checks that a canonical path is in the tree.
    pub(super) fn check(&self, real: &Path) -> Result<(), &'static str> {
        match real.strip_prefix(&self.root) {
            // Some file systems are case-insensitive.
            Ok(below) if below.iter().any(|name| name.eq_ignore_ascii_case(GIT)) => Err(GIT_PART),
            Ok(_) => Ok(()),
            Err(_) => Err(OUTSIDE),
        }
    }
}

impl LoadRestrictor {
    /// Returns the tree that a walk of a directory must not leave. The directory's path is canonical.
    pub(super) fn tree(&self, directory: &Path) -> ContainingTree {
        let own_tree = || ContainingTree { root: directory.to_owned() };
        match self {
            LoadRestrictor::Within(tree) => tree.clone(),
            LoadRestrictor::RootOnly | LoadRestrictor::Anywhere => {
                ContainingTree::repository(directory).unwrap_or_else(own_tree)
            }
        }
    }

    /// Returns the tree that must contain the bases of a kustomization, or `None` if they may be anywhere. Outside a
    /// repository, only a build below the working directory `here` is confined. Both paths are canonical.
    pub(super) fn tree_of_build(&self, directory: &Path, here: Option<&Path>) -> Option<ContainingTree> {
        let below_here = || here.filter(|here| directory.starts_with(here));
        match self {
            LoadRestrictor::Within(tree) => Some(tree.clone()),
            LoadRestrictor::RootOnly => ContainingTree::repository(directory)
                .or_else(|| below_here().map(|here| ContainingTree { root: here.to_owned() })),
            LoadRestrictor::Anywhere => None,
        }
    }

    /// Returns the target of a symlink. `shown` is the symlink's path for use in messages.
    ///
    /// # Errors
    ///
    /// Returns an error if the symlink is broken, or an [`Escape`] if it must not be followed.
    fn follow(&self, link: &Path, tree: &ContainingTree, shown: &Path) -> io::Result<PathBuf> {
        self.admit(fs::canonicalize(link)?, tree, shown)
    }

    /// Returns the target of a symlink if the symlink may be followed. `target` is the canonical path.
    ///
    /// # Errors
    ///
    /// Returns an [`Escape`] if the symlink must not be followed.
    pub(super) fn admit(&self, target: PathBuf, tree: &ContainingTree, shown: &Path) -> io::Result<PathBuf> {
        let is_special = || SPECIAL_DIRECTORIES.iter().any(|folder| target.starts_with(folder));
        let reason = match tree.check(&target) {
            Ok(()) => return Ok(target),
            Err(_) if *self == LoadRestrictor::Anywhere && !is_special() => return Ok(target),
            Err(_) if *self == LoadRestrictor::Anywhere => NO_FILE,
            Err(reason) => reason,
        };
        let link = shown.to_owned();
        Err(Escape { link, target, reason }.into())
    }

    /// Returns the file or directory at a path on the command line. Symlinks in a repository must not point outside it.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Self::follow`].
    pub(super) fn name(&self, path: &Path) -> io::Result<ConfinedPath> {
        if let LoadRestrictor::Within(tree) = self {
            return Ok(ConfinedPath::new(&tree.root, self.follow(path, tree, path)?));
        }
        let (real_path, has_links) = self.walk(path, None)?;
        let root = real_path.parent().and_then(containing_repository).map(Path::to_owned);
        if !has_links {
            // A pipe that is specified on the command line may be read.
            return Ok(match root {
                Some(root) => ConfinedPath::new(&root, real_path).allow_pipes(),
                None => ConfinedPath::anywhere(path.to_owned()),
            });
        }
        let metadata = fs::metadata(&real_path)?;
        if !metadata.is_file() && !metadata.is_dir() {
            let (link, target, reason) = (path.to_owned(), real_path, NO_FILE);
            return Err(Escape { link, target, reason }.into());
        }
        // If there is no root, the path may lead anywhere, as with `LoadRestrictor::Anywhere`.
        Ok(ConfinedPath::new(&root.unwrap_or_default(), real_path))
    }

    /// Resolves a path step by step. Each symlink in a repository (or, outside any repository, in `outer`) is checked
    /// when it is reached, so that subsequent steps start at a checked location. Returns the resolved path, and whether
    /// a symlink in a repository was followed.
    fn walk(&self, path: &Path, outer: Option<&ContainingTree>) -> io::Result<(PathBuf, bool)> {
        let mut has_links = false;
        let mut real_path = match path.has_root() {
            true => PathBuf::new(),
            false => fs::canonicalize(".")?,
        };
        let mut displayed_path = PathBuf::new();
        for part in path.components() {
            displayed_path.push(part);
            let next = match part {
                Component::CurDir => continue,
                Component::ParentDir => {
                    real_path.pop();
                    continue;
                }
                part => real_path.join(part),
            };
            if !fs::symlink_metadata(&next).is_ok_and(|metadata| metadata.is_symlink()) {
                real_path = next;
                continue;
            }
            let outer = || outer.filter(|tree| real_path.starts_with(&tree.root)).cloned();
            real_path = match ContainingTree::repository(&real_path).or_else(outer) {
                // Paths that do not exist in the file system, such as a pipe created by the shell, are kept.
                None => fs::canonicalize(&next).unwrap_or(next),
                Some(tree) => {
                    has_links = true;
                    self.follow(&next, &tree, &displayed_path)?
                }
            };
        }
        Ok((real_path, has_links))
    }
}

/// Checks that no symlink redirects an output path outside the repository or working directory. Other symlinks, such as
/// `/tmp` on some systems, are trusted.
///
/// # Errors
///
/// Returns an error if a symlink points outside the repository or working directory, or is broken.
pub fn check_output(path: &Path) -> io::Result<()> {
    LoadRestrictor::RootOnly.walk(path, Some(&ContainingTree::containing(Path::new("."))?))?;
    Ok(())
}

/// Returns the root of the repository that contains `directory`, a canonical path. Git never checks out an entry named
/// `.git`, so a commit cannot move the root.
pub(super) fn containing_repository(directory: &Path) -> Option<&Path> {
    let mut ancestors = directory.ancestors();
    ancestors.find(|ancestor| fs::symlink_metadata(ancestor.join(GIT)).is_ok())
}

/// Resolves the symlinks in a path whose last components need not exist.
pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => Ok(canonicalize(or_current_dir(parent))?.join(name)),
            _ => Err(error),
        },
        Err(error) => Err(error),
        Ok(_) => fs::canonicalize(path),
    }
}

/// Whether a relative path that starts `depth` directories below the root stays below the root.
fn stays_inside(path: &Path, depth: usize) -> bool {
    let step = |depth: usize, part: Component<'_>| match part {
        Component::Prefix(_) | Component::RootDir => None,
        Component::CurDir => Some(depth),
        Component::ParentDir => depth.checked_sub(1),
        Component::Normal(_) => Some(depth + 1),
    };
    path.components().try_fold(depth, step).is_some()
}

fn or_current_dir(path: &Path) -> &Path {
    match path.as_os_str() == OsStr::new("") {
        true => Path::new("."),
        false => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_paths_outside_the_repository() {
        for (path, depth, expected) in [
            (".", 0, true),
            ("crs/a.yaml", 0, true),
            ("../common", 2, true),
            ("../../common", 2, true),
            ("../../../etc", 2, false),
            ("a/../../b", 0, false),
            ("/etc/passwd", 9, false),
        ] {
            assert_eq!(stays_inside(Path::new(path), depth), expected, "{path} at {depth}");
        }
    }

    #[test]
    fn rejects_referenced_paths_outside_the_repository() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fs::create_dir_all(root.join("repository/.git")).unwrap();
        fs::create_dir_all(root.join("repository/a/b")).unwrap();
        let tree = ContainingTree::containing(&root.join("repository/a")).unwrap();
        for (path, expected) in [
            ("b", true),
            ("b/new/file", true),
            ("..", true),
            ("../new", true),
            ("../..", false),
            ("../../repository/a", false),
            ("../.git", false),
            ("../.git/config", false),
            ("../.GIT/config", false),
            ("/etc", false),
        ] {
            let is_contained = tree.contains(&root.join("repository/a"), Path::new(path));
            assert_eq!(is_contained, expected, "{path}");
        }
        assert!(tree.contains(Path::new("/"), &root.join("repository/a")));
        let own_tree = ContainingTree::containing(root).unwrap();
        assert!(own_tree.contains(root, Path::new("repository")) && !own_tree.contains(root, Path::new("..")));
        let above = ContainingTree::ancestor_of(&root.join("repository/a/b"), Path::new("./a/b")).unwrap();
        assert_eq!(above, ContainingTree::containing(&root.join("repository")).unwrap());
        let ancestor_tree = ContainingTree::ancestor_of(&root.join("repository/a/b"), Path::new("b/b")).unwrap();
        assert!(!ancestor_tree.contains(&root.join("repository/a/b"), Path::new("..")));
    }

    /// Creates a repository that has symlinks in `a`, and creates files outside the repository.
    #[cfg(unix)]
    fn repository_with_link() -> (tempfile::TempDir, PathBuf) {
        use std::os::unix::fs::symlink;
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        for (file, text) in
            [("r/in.yaml", "in"), ("r/.git/token", "git"), ("out/x.yaml", "out"), ("r/a/plain.yaml", "plain")]
        {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        for (link, target) in [
            ("r/a/in", root.join("r/in.yaml")),
            ("r/a/git", root.join("r/.git/token")),
            ("r/a/out", root.join("out/x.yaml")),
            ("r/a/null", PathBuf::from("/dev/null")),
            ("r/a/gone", PathBuf::from("nowhere")),
            ("r/a/folder", root.join("r")),
            ("out/back", root.join("r/in.yaml")),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        (scratch, root)
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_only_as_far_as_allowed() {
        let (_scratch, root) = repository_with_link();
        let tree = ContainingTree::containing(&root.join("r/a")).unwrap();
        let within = LoadRestrictor::Within(tree.clone());
        // Each pair consists of the reason why the symlink is not followed, and whether the user may allow it.
        let (outside_error, git_part_error, no_file_error) =
            (Some((OUTSIDE, true)), Some((GIT_PART, true)), Some((NO_FILE, false)));
        for (link, named, anywhere) in [
            ("in", None, None),
            ("git", git_part_error, None),
            ("out", outside_error, None),
            ("null", outside_error, no_file_error),
        ] {
            let path = root.join("r/a").join(link);
            for (reach, expected) in
                [(&LoadRestrictor::RootOnly, named), (&within, named), (&LoadRestrictor::Anywhere, anywhere)]
            {
                assert_eq!(reach.tree(&root.join("r/a")), tree);
                let result = reach.follow(&path, &tree, Path::new("shown"));
                let actual = result.map_err(|error| error.downcast::<Escape>().unwrap());
                let reason = actual.as_ref().err().map(|escape| (escape.reason, escape.can_be_followed()));
                assert_eq!(reason, expected, "{link} {reach:?}");
                match actual {
                    Ok(target) => assert_eq!(target, fs::canonicalize(&path).unwrap()),
                    Err(escape) => {
                        let target = fs::canonicalize(&path).unwrap();
                        let message = format!("the link `shown` points to `{}`, {}", target.display(), escape.reason);
                        assert_eq!(escape.to_string(), message);
                    }
                }
            }
        }
        let missing_target = LoadRestrictor::RootOnly.follow(&root.join("r/a/gone"), &tree, Path::new("shown"));
        assert_eq!(missing_target.unwrap_err().kind(), io::ErrorKind::NotFound);
        // Outside a repository, a walk must stay in its directory.
        assert_eq!(LoadRestrictor::RootOnly.tree(&root.join("out")).root(), root.join("out"));
    }

    #[cfg(unix)]
    #[test]
    fn checks_explicit_paths_link_by_link() {
        let (_scratch, root) = repository_with_link();
        // The expected values are the target, whether the target is confined, and whether it must be a regular file.
        for (path, expected) in [
            ("r/a/plain.yaml", Some(("r/a/plain.yaml", true, false))),
            ("r/a/../in.yaml", Some(("r/in.yaml", true, false))),
            ("r/a/in", Some(("r/in.yaml", true, true))),
            // The repository contains the symlink's target.
            ("r/a/folder", Some(("r", false, true))),
            ("r/a/folder/in.yaml", Some(("r/in.yaml", true, true))),
            ("r/a/out", None),
            ("r/a/git", None),
            ("r/a/null", None),
            ("out/x.yaml", Some(("out/x.yaml", false, false))),
            ("out/back", Some(("r/in.yaml", true, false))),
        ] {
            let actual = LoadRestrictor::RootOnly.name(&root.join(path)).ok();
            let actual = actual
                .as_ref()
                .map(|confined_path| (confined_path.path(), confined_path.is_bounded(), confined_path.is_regular));
            let expected = expected.map(|(path, is_bounded, is_regular)| (root.join(path), is_bounded, is_regular));
            let expected =
                expected.as_ref().map(|(path, is_bounded, is_regular)| (path.as_path(), *is_bounded, *is_regular));
            assert_eq!(actual, expected, "{path}");
        }
        let within = LoadRestrictor::Within(ContainingTree::containing(&root.join("r/a")).unwrap());
        for (path, expected) in
            [("r/a/in", true), ("r/a/plain.yaml", true), ("r/a/out", false), ("out/x.yaml", false), ("out/back", true)]
        {
            assert_eq!(within.name(&root.join(path)).is_ok(), expected, "{path}");
        }
    }

    #[test]
    fn resolves_links_in_missing_paths() {
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        for path in ["", "a", "a/b/c"] {
            assert_eq!(canonicalize(&root.join(path)).unwrap(), root.join(path), "{path}");
        }
        fs::write(root.join("file"), "").unwrap();
        assert!(canonicalize(&root.join("file/a")).is_err());
        assert_eq!(containing_repository(&root.join("a")), None);
        fs::create_dir_all(root.join("r/.git")).unwrap();
        for path in ["r", "r/a", "r/a/b"] {
            assert_eq!(containing_repository(&root.join(path)), Some(root.join("r").as_path()), "{path}");
        }
        for (path, expected) in [("", "."), ("a", "a")] {
            assert_eq!(or_current_dir(Path::new(path)), Path::new(expected));
        }
    }
}
