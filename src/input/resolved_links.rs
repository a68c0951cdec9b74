//! Symlink resolver for many symlinks. Each directory entry is examined once, regardless of the number of symlinks that
//! lead through it.

#[cfg(unix)]
pub(super) use unix::ResolvedLinks;

/// Simple resolver that resolves each symlink separately.
#[cfg(not(unix))]
#[derive(Debug, Default)]
pub(super) struct ResolvedLinks;

#[cfg(not(unix))]
impl ResolvedLinks {
    pub(super) fn resolve(&mut self, path: &std::path::Path) -> std::io::Result<std::path::PathBuf> {
        std::fs::canonicalize(path)
    }
}

#[cfg(unix)]
mod unix {
    use std::collections::HashMap;
    use std::collections::hash_map::Entry;
    use std::ffi::{OsStr, OsString};
    use std::path::{Component, Path, PathBuf};
    use std::{fs, io};

    /// Maximum number of symlinks to follow for one path, as on Linux.
    const MAX_LINKS: usize = 40;

    /// Cache of resolved paths of directories and files. A path is resolved step by step, as in the operating system,
    /// but repeating a step requires no system call.
    #[derive(Debug, Default)]
    pub(in crate::input) struct ResolvedLinks {
        nodes: Vec<ResolvedNode>,
        steps: HashMap<(Option<usize>, OsString), Step>,
    }

    /// Directory or file with its canonical path.
    #[derive(Debug)]
    struct ResolvedNode {
        path: PathBuf,
        /// Index of the parent directory, or `None` for the root.
        parent: Option<usize>,
        is_directory: bool,
    }

    /// Entry that a name in a directory refers to.
    #[derive(Clone, Debug)]
    enum Step {
        To(usize),
        Link(PathBuf),
    }

    impl ResolvedLinks {
        /// Returns the canonical form of a path.
        ///
        /// # Errors
        ///
        /// Returns an error if the path does not exist or contains too many symlinks.
        pub(in crate::input) fn resolve(&mut self, path: &Path) -> io::Result<PathBuf> {
            let at = match path.has_root() {
                true => None,
                false => self.walk(None, &fs::canonicalize(".")?, &mut 0)?,
            };
            let at = self.walk(at, path, &mut 0)?;
            let resolved = at.and_then(|at| self.nodes.get(at));
            Ok(resolved.map_or_else(|| PathBuf::from("/"), |resolved| resolved.path.clone()))
        }

        /// Resolves a path relative to an entry that is already resolved. The entry is `None` for the root.
        fn walk(&mut self, mut at: Option<usize>, path: &Path, links: &mut usize) -> io::Result<Option<usize>> {
            for part in path.components() {
                at = match part {
                    Component::CurDir => at,
                    Component::RootDir | Component::Prefix(_) => None,
                    Component::ParentDir => at.and_then(|at| self.nodes.get(at)?.parent),
                    Component::Normal(name) => match self.step(at, name)? {
                        Step::To(next) => Some(next),
                        Step::Link(_) if *links >= MAX_LINKS => return Err(rustix::io::Errno::LOOP.into()),
                        Step::Link(target) => {
                            *links += 1;
                            self.walk(at, &target, links)?
                        }
                    },
                };
            }
            Ok(at)
        }

        /// Returns the entry that `name` refers to in a directory.
        fn step(&mut self, at: Option<usize>, name: &OsStr) -> io::Result<Step> {
            let directory = at.and_then(|at| self.nodes.get(at));
            if directory.is_some_and(|directory| !directory.is_directory) {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            let vacant = match self.steps.entry((at, name.to_owned())) {
                Entry::Occupied(known) => return Ok(known.get().clone()),
                Entry::Vacant(vacant) => vacant,
            };
            let path = directory.map_or(Path::new("/"), |directory| directory.path.as_path()).join(name);
            let metadata = fs::symlink_metadata(&path)?;
            let step = match metadata.is_symlink() {
                true => Step::Link(fs::read_link(&path)?),
                false => Step::To(self.nodes.len()),
            };
            if let Step::To(_) = step {
                self.nodes.push(ResolvedNode { path, parent: at, is_directory: metadata.is_dir() });
            }
            Ok(vacant.insert(step).clone())
        }
    }

    #[cfg(test)]
    mod tests {
        use std::os::unix::fs::symlink;

        use super::*;

        #[test]
        fn resolves_paths_like_the_operating_system() {
            let scratch = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(scratch.path()).unwrap();
            fs::create_dir_all(root.join("a/b")).unwrap();
            fs::write(root.join("a/b/f"), "").unwrap();
            for (target, link) in [
                ("a/b", "up"),
                ("../../up/../..", "a/b/here"),
                ("up/f", "file"),
                ("one", "two"),
                ("two", "one"),
                ("gone", "broken"),
                ("/", "root"),
            ] {
                symlink(target, root.join(link)).unwrap();
            }
            let mut links = ResolvedLinks::default();
            for path in
                ["", "up", "up/f", "up/..", "a/b/here", "a/b/here/file", "file", "./a/./b", "root", "../..", "root/.."]
            {
                let path = root.join(path);
                assert_eq!(links.resolve(&path).unwrap(), fs::canonicalize(&path).unwrap(), "{}", path.display());
            }
            for path in ["one", "broken", "file/x", "a/x"] {
                assert_eq!(
                    links.resolve(&root.join(path)).is_err(),
                    fs::canonicalize(root.join(path)).is_err(),
                    "{path}"
                );
            }
            let working_directory = fs::canonicalize(".").unwrap();
            assert_eq!(links.resolve(Path::new(".")).unwrap(), working_directory);
        }

        #[test]
        fn visits_each_directory_once() {
            let scratch = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(scratch.path()).unwrap();
            let deep: PathBuf = std::iter::repeat_n("d", 200).collect();
            fs::create_dir_all(root.join(&deep)).unwrap();
            let mut links = ResolvedLinks::default();
            let mut resolve = |link: &str| {
                symlink(&deep, root.join(link)).unwrap();
                assert_eq!(links.resolve(&root.join(link)).unwrap(), root.join(&deep));
                links.steps.len()
            };
            let (first, second) = (resolve("one"), resolve("two"));
            assert!(first > 200 && second == first + 1, "{first} {second}");
        }
    }
}
