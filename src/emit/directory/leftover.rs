//! Removes staging directories that killed runs left in an output directory.
//!
//! A matching name alone is not sufficient. A leftover directory must also have the owner and mode that agentctl sets,
//! and contain only files with numeric names.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::super::temporary::{PREFIX, RANDOM_LENGTH};

/// Removes the staging directories that killed runs left in `root`, except `own_directory`. Directories that cannot be
/// removed are left in place.
pub(super) fn remove_leftovers(root: &Path, own_directory: &Path) {
    let (Ok(own_metadata), Ok(entries)) = (fs::symlink_metadata(own_directory), fs::read_dir(root)) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let is_named = entry.file_name().to_str().is_some_and(is_temporary_name);
        let path = root.join(entry.file_name());
        if is_named
            && path != own_directory
            && fs::symlink_metadata(&path).is_ok_and(|metadata| is_alike(&metadata, &own_metadata))
        {
            let _ = remove_files(&path);
        }
    }
}

/// Removes a directory of numbered files. Removes nothing if the directory contains anything else.
pub(super) fn remove_files(directory: &Path) -> io::Result<()> {
    let entries = fs::read_dir(directory)?.map(|entry| numbered_file(&entry?));
    let files: Option<Vec<PathBuf>> = entries.collect::<io::Result<_>>()?;
    for file in files.into_iter().flatten() {
        fs::remove_file(file)?;
    }
    fs::remove_dir(directory)
}

fn numbered_file(entry: &fs::DirEntry) -> io::Result<Option<PathBuf>> {
    let name = entry.file_name();
    let is_number = name.to_str().is_some_and(|name| {
        let number: Option<usize> = name.parse().ok();
        number.is_some_and(|number| number.to_string() == name)
    });
    Ok((is_number && entry.file_type()?.is_file()).then(|| entry.path()))
}

fn is_temporary_name(name: &str) -> bool {
    let random_suffix = name.strip_prefix(PREFIX);
    random_suffix
        .is_some_and(|random| random.len() == RANDOM_LENGTH && random.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Whether two directories have the same owner and mode.
#[cfg(unix)]
fn is_alike(first: &Metadata, second: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    first.is_dir() && (first.uid(), first.mode()) == (second.uid(), second.mode())
}

#[cfg(not(unix))]
fn is_alike(one: &Metadata, _: &Metadata) -> bool {
    one.is_dir()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::emit::temporary::create_directory;

    const NAME: &str = ".agentctl-new-0123456789abcdEF";

    /// Whether the directory or symlink that `make` creates at the path `name` survives a cleanup.
    fn is_kept(name: &str, mode: u32, make: impl Fn(&Path)) -> bool {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join(name);
        make(&path);
        if path.is_dir() {
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        }
        let own_directory = create_directory(scratch.path()).unwrap();
        remove_leftovers(scratch.path(), &own_directory);
        assert!(own_directory.exists());
        fs::symlink_metadata(&path).is_ok()
    }

    fn create_directory_with(path: &Path, files: &[&str]) {
        fs::create_dir(path).unwrap();
        for file in files {
            fs::write(path.join(file), "half a fi").unwrap();
        }
    }

    #[test]
    fn removes_only_directories_of_killed_runs() {
        assert!(!is_kept(NAME, 0o700, |path| create_directory_with(path, &["0", "17"])));
        assert!(!is_kept(NAME, 0o700, |path| create_directory_with(path, &[])));
        for (name, mode, files) in [
            (NAME, 0o755, &["0"][..]),
            (NAME, 0o700, &["0", "notes"]),
            (NAME, 0o700, &["0", "01"]),
            (NAME, 0o700, &["0", "+1"]),
            (".agentctl-new", 0o700, &["0"]),
            (".agentctl-new-0123456789abcdE", 0o700, &["0"]),
            (".agentctl-new-0123456789abcd.F", 0o700, &["0"]),
            ("agentctl-new-0123456789abcdEF", 0o700, &["0"]),
        ] {
            assert!(is_kept(name, mode, |path| create_directory_with(path, files)), "{name} {mode:o} {files:?}");
        }
        assert!(is_kept(NAME, 0o700, |path| fs::create_dir_all(path.join("0")).unwrap()));
        assert!(is_kept(NAME, 0o700, |path| fs::write(path, "text").unwrap()));
        let other_directory = tempfile::tempdir().unwrap();
        fs::write(other_directory.path().join("0"), "text").unwrap();
        assert!(is_kept(NAME, 0o700, |path| symlink(other_directory.path(), path).unwrap()));
        assert!(other_directory.path().join("0").exists());
    }
}
