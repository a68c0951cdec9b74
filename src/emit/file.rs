//! Atomic file writes.
//!
//! Text is written to a temporary file in the same directory, which then replaces the target. Concurrent readers, and
//! the next run after a crash, see either the old text or the new text.

mod attributes;
mod folder_lock;
mod staged;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use self::staged::{ReplaceCondition, StagedFiles, text_pieces};
use crate::diagnostic::EnvironmentError;
use crate::input::check_output;
use crate::source::Source;

/// Writes text without secrets to a file, and creates its parent directory if needed. A symlink is replaced, not
/// followed, except in the system's directories of devices, such as `/dev/stdout`.
///
/// # Errors
///
/// Returns an error if the file or directory cannot be written, or if the path is that of a pipe, socket or device in
/// another directory.
pub fn write_file(path: &Path, text: &str) -> Result<(), EnvironmentError> {
    let file_type = fs::symlink_metadata(path).ok().map(|metadata| metadata.file_type());
    match file_type.filter(|file_type| !file_type.is_file() && !file_type.is_dir()) {
        Some(_) if is_in_device_directory(path) => {
            let device = fs::File::options().append(true).open(path);
            return device
                .and_then(|mut device| device.write_all(text.as_bytes()))
                .map_err(EnvironmentError::write(path));
        }
        Some(file_type) if !file_type.is_symlink() => {
            return Err(EnvironmentError::write(path)(io::Error::other("it is not a regular file")));
        }
        _ => {}
    }
    if let Some(directory) = path.parent() {
        let result = check_output(directory).and_then(|()| fs::create_dir_all(directory));
        result.map_err(EnvironmentError::write(directory))?;
    }
    let mut staged = StagedFiles::default();
    staged.add(path, &[text], ReplaceCondition::Any)?;
    staged.commit()
}

/// Whether a path is that of a device or of an open file, such as `/dev/stdout` or `/dev/fd/3`. These must not be
/// replaced.
fn is_in_device_directory(path: &Path) -> bool {
    let directory = path.parent().and_then(|parent| fs::canonicalize(parent).ok());
    directory.is_some_and(|directory| directory == Path::new("/dev") || directory.starts_with("/proc"))
}

/// Writes files with mode 0600 to `directory`, which is created if needed. Unless `overwrite` is set, nothing is
/// written if any of the files exists. Files from different runs are never mixed.
///
/// # Errors
///
/// Returns an error for the first file that already exists, or the first file or directory that cannot be written.
pub fn write_private<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f str)> + Clone,
    directory: &Path,
    overwrite: bool,
) -> Result<(), EnvironmentError> {
    check_output(directory).map_err(EnvironmentError::write(directory))?;
    let existing_path = files.clone().into_iter().map(|(name, _)| directory.join(name));
    if let Some(path) = existing_path.into_iter().find(|path| !overwrite && fs::symlink_metadata(path).is_ok()) {
        return Err(EnvironmentError::write(&path)(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(directory).map_err(EnvironmentError::write(directory))?;
    let target = match overwrite {
        true => ReplaceCondition::AnyPrivate,
        false => ReplaceCondition::Missing,
    };
    let mut staged = StagedFiles::default();
    for (name, text) in files {
        staged.add(&directory.join(name), &[text], target)?;
    }
    staged.commit()
}

/// Whether a source is a file that may be rewritten: it was read completely, and no symlink in its path points outside
/// the repository or working directory.
pub fn is_rewritable(source: &Source) -> bool {
    source.is_complete && source.path.is_some() && check_output(Path::new(&source.name)).is_ok()
}

/// Replaces source files. All new contents are written and synced to disk before the first file is replaced. A file
/// keeps its owner, group, mode and byte order mark.
///
/// # Errors
///
/// Returns an error if a file cannot be written or has changed since it was read. In that case, no file is replaced in
/// directories that the system can lock.
pub fn rewrite<'s>(files: impl IntoIterator<Item = (&'s Source, &'s Source)>) -> Result<(), EnvironmentError> {
    let mut staged = StagedFiles::default();
    for (before, after) in files {
        if let Some(path) = before.path.as_ref().filter(|_| is_rewritable(before)) {
            staged.add(path, &text_pieces(after), ReplaceCondition::Read(before))?;
        }
    }
    staged.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sorted names of the entries in a directory.
    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn source(path: &Path, text: &str) -> Source {
        let mut source = Source::new(path.display().to_string(), text, true);
        source.path = Some(path.to_owned());
        source
    }

    #[test]
    fn rewrites_all_files_or_none() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path();
        let path = |name: &str| directory.join(name);
        fs::write(path("a"), "a").unwrap();
        fs::write(path("b"), "\u{feff}b").unwrap();
        let (mut a, mut b) = (source(&path("a"), "a"), source(&path("b"), "b"));
        b.has_mark = true;
        let (new_a, mut new_b) = (source(&path("a"), "new a"), source(&path("b"), "new b"));
        new_b.has_mark = true;

        // The second file has changed since it was read, so neither file is rewritten.
        let changed = source(&path("b"), "other");
        let error = rewrite([(&a, &new_a), (&changed, &new_b)]).unwrap_err();
        assert!(error.to_string().contains("it has changed since it was read"), "{error}");
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "a");
        assert_eq!(names(directory), ["a", "b"]);

        // Files with names similar to those of temporary files are kept.
        let (like_directory, like_file) = (path("a.agentctl-new/x"), path("b.agentctl-new"));
        fs::create_dir_all(&like_directory).unwrap();
        fs::write(&like_file, "notes").unwrap();
        rewrite([(&a, &new_a), (&b, &new_b)]).unwrap();
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "new a");
        assert_eq!(fs::read_to_string(path("b")).unwrap(), "\u{feff}new b");
        assert_eq!(names(directory), ["a", "a.agentctl-new", "b", "b.agentctl-new"]);
        assert!(like_directory.exists() && fs::read_to_string(&like_file).unwrap() == "notes");

        // Only files that were read completely are rewritten.
        a = source(&path("a"), "new a");
        a.is_complete = false;
        assert!(!is_rewritable(&a) && is_rewritable(&new_a));
        let mut unnamed_source = source(&path("a"), "new a");
        unnamed_source.path = None;
        assert!(!is_rewritable(&unnamed_source));
        rewrite([(&a, &source(&path("a"), "x")), (&unnamed_source, &source(&path("a"), "x"))]).unwrap();
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "new a");
    }

    #[cfg(unix)]
    #[test]
    fn keeps_modes_and_replaces_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let scratch = tempfile::tempdir().unwrap();
        let (file, link) = (scratch.path().join("a"), scratch.path().join("link"));
        fs::write(&file, "a").unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o754)).unwrap();
        rewrite([(&source(&file, "a"), &source(&file, "b"))]).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), mode(&file)), ("b", 0o754));
        symlink("a", &link).unwrap();
        rewrite([(&source(&link, "b"), &source(&link, "c"))]).unwrap_err();
        assert_eq!(fs::read_to_string(&file).unwrap(), "b");
        assert_eq!(names(scratch.path()), ["a", "link"]);

        let private = scratch.path().join("new/private");
        write_private([("one", "1"), ("two", "2")], &private, false).unwrap();
        assert_eq!(mode(&private.join("one")), 0o600);
        // Without `overwrite`, nothing is written if any of the files already exists.
        fs::remove_file(private.join("one")).unwrap();
        write_private([("one", "3"), ("two", "4")], &private, false).unwrap_err();
        assert_eq!(names(&private), ["two"]);
        write_private([("one", "3"), ("two", "4")], &private, true).unwrap();
        assert_eq!(fs::read_to_string(private.join("two")).unwrap(), "4");

        let nested_file = scratch.path().join("deep/er/file");
        write_file(&nested_file, "text").unwrap();
        write_file(&nested_file, "other").unwrap();
        assert_eq!(fs::read_to_string(&nested_file).unwrap(), "other");
        assert_eq!(names(&scratch.path().join("deep/er")), ["file"]);
        // The target is a directory, so the write fails and leaves no part of the new file behind.
        write_file(&scratch.path().join("deep"), "text").unwrap_err();
        assert_eq!(names(scratch.path()), ["a", "deep", "link", "new"]);
    }

    #[cfg(unix)]
    #[test]
    fn writes_to_devices_and_rejects_pipes() {
        use std::os::unix::fs::FileTypeExt;
        let scratch = tempfile::tempdir().unwrap();
        let pipe = scratch.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = write_file(&pipe, "text").unwrap_err();
        assert!(error.to_string().ends_with("it is not a regular file"), "{error}");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
        for device in ["/dev/null", "/dev/fd/2", "/dev/stderr"] {
            write_file(Path::new(device), "").unwrap();
            assert!(!fs::symlink_metadata(device).unwrap().is_file(), "{device}");
        }
    }

    /// Tests ownership. Only root may set the owner, but users may set the group to any of their own groups.
    #[cfg(unix)]
    #[test]
    fn keeps_owner_and_group_but_not_setuid() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a");
        let set = |mode: u32| {
            fs::write(&path, "a").unwrap();
            let is_root = chown(&path, Some(1234), Some(5678)).is_ok();
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            is_root
        };
        let actual = |is_root: bool| {
            let actual = fs::metadata(&path).unwrap();
            assert!(!is_root || (actual.uid(), actual.gid()) == (1234, 5678));
            actual.mode() & 0o7777
        };
        let is_root = set(0o6754);
        rewrite([(&source(&path, "a"), &source(&path, "b"))]).unwrap();
        assert_eq!(actual(is_root), 0o754);
        set(0o6640);
        write_file(&path, "c").unwrap();
        assert_eq!(actual(is_root), 0o640);
        // A secret file is owned by the user who writes it.
        set(0o6644);
        write_private([("a", "d")], scratch.path(), true).unwrap();
        assert_eq!(actual(false), 0o600);
        assert!(!is_root || fs::metadata(&path).unwrap().uid() != 1234);
        assert_eq!(names(scratch.path()), ["a"]);
    }
}
