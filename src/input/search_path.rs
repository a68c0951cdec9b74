//! Search for programs to run. A checkout may contain programs, and PATH may include the checkout: with
//! `PATH=/usr/bin:.`, a program from a pull request could be run. Therefore, only absolute directories outside the
//! checkout are searched.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::containment::ContainingTree;

/// Directories to search if PATH is not set.
const DEFAULT: &str = "/usr/local/bin:/usr/bin:/bin";

const SKIPPED: &str = "PATH has it only in relative folders or in the repository, from which no program is run";

/// Directories in PATH from which programs may be run.
pub struct SearchPath {
    folders: Vec<PathBuf>,
    /// Directories in PATH that are not searched.
    skipped: Vec<PathBuf>,
    /// Checkouts, from which no program is run. A directory in PATH may be a symlink to one.
    checkouts: Vec<PathBuf>,
}

impl SearchPath {
    /// Returns the directories in PATH outside the repository that contains the working directory, and outside the
    /// directories in `checkouts`.
    pub fn outside_checkouts(checkouts: &[&ContainingTree]) -> Self {
        let working_tree = ContainingTree::containing(Path::new(".")).ok();
        let checkouts = checkouts.iter().copied().chain(&working_tree).map(|tree| tree.root().to_owned()).collect();
        Self::new(env::var_os("PATH").unwrap_or_else(|| DEFAULT.into()), checkouts)
    }

    fn new(path: OsString, checkouts: Vec<PathBuf>) -> Self {
        let mut search_path = Self { folders: Vec::new(), skipped: Vec::new(), checkouts };
        for folder in env::split_paths(&path) {
            match folder.is_absolute() && search_path.is_outside(&folder) {
                true => search_path.folders.push(folder),
                false => search_path.skipped.push(folder),
            }
        }
        search_path
    }

    /// Whether a path leads to a location outside all checkouts.
    fn is_outside(&self, path: &Path) -> bool {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        !self.checkouts.iter().any(|checkout| real.starts_with(checkout))
    }

    /// Returns the value of PATH for programs that run other programs.
    pub fn value(&self) -> OsString {
        env::join_paths(&self.folders).unwrap_or_default()
    }

    /// Returns the path of a program. As in a shell, PATH is not searched for a name that contains a slash.
    ///
    /// # Errors
    ///
    /// Returns an error of the kind `NotFound`, or of the kind `PermissionDenied` if the program exists only in a
    /// directory that is not searched.
    pub fn find(&self, name: &str) -> io::Result<PathBuf> {
        if Path::new(name).components().count() > 1 {
            return Ok(PathBuf::from(name));
        }
        let name = format!("{name}{}", env::consts::EXE_SUFFIX);
        let programs = self.folders.iter().map(|folder| folder.join(&name));
        programs.into_iter().find(|path| is_executable(path) && self.is_outside(path)).ok_or_else(|| {
            let is_skipped = self.skipped.iter().chain(&self.folders).any(|folder| is_executable(&folder.join(&name)));
            match is_skipped {
                true => io::Error::new(ErrorKind::PermissionDenied, SKIPPED),
                false => io::Error::new(ErrorKind::NotFound, "it is not installed"),
            }
        })
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn finds_programs_only_outside_the_checkout() {
        let scratch = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        for folder in ["checkout/bin", "bin"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["checkout/bin/a", "checkout/a", "bin/b"] {
            fs::write(root.join(file), "").unwrap();
            fs::set_permissions(root.join(file), fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(root.join("bin/data"), "").unwrap();
        symlink("checkout/bin", root.join("linked")).unwrap();
        symlink("../checkout/a", root.join("bin/a")).unwrap();
        let folders = ["", ".", "bin", "checkout/bin", "../bin"].map(PathBuf::from);
        let absolute = ["checkout", "checkout/bin", "linked", "checkout/../checkout/bin", "bin"];
        let folders = folders.into_iter().chain(absolute.map(|folder| root.join(folder)));
        let path = SearchPath::new(env::join_paths(folders).unwrap(), vec![root.join("checkout")]);
        assert_eq!(path.folders, [root.join("bin")]);
        assert_eq!(path.value(), root.join("bin").into_os_string());
        assert_eq!(path.find("b").unwrap(), root.join("bin/b"));
        assert_eq!(path.find("./a").unwrap(), Path::new("./a"));
        for (name, expected) in
            [("a", ErrorKind::PermissionDenied), ("data", ErrorKind::NotFound), ("gone", ErrorKind::NotFound)]
        {
            assert_eq!(path.find(name).unwrap_err().kind(), expected, "{name}");
        }
    }
}
