//! Files that are written as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::environment::EnvironmentError;
use crate::input::check_output;
use crate::source::{BYTE_ORDER_MARK, Source};

/// What a file that is not complete has behind its name. It is hidden, so that no tool takes it for a manifest.
pub(super) const UNFINISHED: &str = ".agentctl-new";

/// Writes a text that holds no secret to a file, whose folder is made where it is missing.
///
/// # Errors
///
/// The file or folder that cannot be written.
pub fn write_file(path: &Path, text: &str) -> Result<(), EnvironmentError> {
    if let Some(folder) = path.parent() {
        let made = check_output(folder).and_then(|()| fs::create_dir_all(folder));
        made.map_err(EnvironmentError::write(folder))?;
    }
    let mut staged = Staged::default();
    staged.add(path, text, false).map_err(EnvironmentError::write(path))?;
    staged.commit()
}

/// Writes texts under their names into `directory`, which is made where it is missing; every file gets mode 0600. Unless
/// `overwrite` is set, none is written where one of them already exists.
///
/// # Errors
///
/// The first file or folder that already exists, or cannot be written.
pub fn write_private<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f str)> + Clone,
    directory: &Path,
    overwrite: bool,
) -> Result<(), EnvironmentError> {
    check_output(directory).map_err(EnvironmentError::write(directory))?;
    let there = files.clone().into_iter().map(|(name, _)| directory.join(name));
    if let Some(path) = there.into_iter().find(|path| !overwrite && path.exists()) {
        return Err(EnvironmentError::write(&path)(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(directory).map_err(EnvironmentError::write(directory))?;
    let mut staged = Staged::default();
    for (name, text) in files {
        let path = directory.join(name);
        staged.add(&path, text, true).map_err(EnvironmentError::write(&path))?;
    }
    staged.commit()
}

/// Whether a source is a file that may get another text: one that was read as a whole, and that no link out of the repository or the
/// working directory leads to.
pub fn is_rewritable(source: &Source) -> bool {
    source.whole && source.path.is_some() && check_output(Path::new(&source.name)).is_ok()
}

/// Puts new texts into the places of the files that sources were read from. All of them are written and brought to the disk before the
/// first one takes its place. A file keeps its permissions and its byte order mark.
///
/// # Errors
///
/// A file that cannot be written, or has changed since it was read.
pub fn rewrite<'s>(files: impl IntoIterator<Item = (&'s Source, &'s Source)>) -> Result<(), EnvironmentError> {
    let mut staged = Staged::default();
    for (before, after) in files {
        if let Some(path) = before.path.as_ref().filter(|_| is_rewritable(before)) {
            let written = is_as_read(path, before).and_then(|()| {
                let new = staged.add(path, &bytes(after), true)?;
                let file = File::options().write(true).open(new)?;
                file.set_permissions(fs::metadata(path)?.permissions())?;
                file.sync_all()
            });
            written.map_err(EnvironmentError::write(path))?;
        }
    }
    staged.commit()
}

fn bytes(source: &Source) -> String {
    let mark = if source.has_mark { BYTE_ORDER_MARK } else { "" };
    format!("{mark}{}", source.text)
}

/// Whether a file is what was read: nobody changed it since, nor put a link in its place.
fn is_as_read(path: &Path, source: &Source) -> io::Result<()> {
    let is_same = fs::symlink_metadata(path)?.is_file() && fs::read(path)? == bytes(source).as_bytes();
    match is_same {
        true => Ok(()),
        false => Err(io::Error::other("it has changed since it was read")),
    }
}

/// New files beside the places that they take.
#[derive(Default)]
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Staged {
    /// Writes a file that waits for its place; a secret gets mode 0600.
    fn add(&mut self, path: &Path, text: &str, secret: bool) -> io::Result<PathBuf> {
        let mut new = path.to_owned();
        new.as_mut_os_string().push(UNFINISHED);
        clean(&new)?;
        self.0.push((new.clone(), path.to_owned()));
        write_new(&new, text, secret)?;
        Ok(new)
    }

    /// Puts the files into their places, in order.
    fn commit(mut self) -> Result<(), EnvironmentError> {
        self.0.reverse();
        while let Some((new, path)) = self.0.last() {
            fs::rename(new, path).map_err(EnvironmentError::write(path))?;
            self.0.pop();
        }
        Ok(())
    }
}

impl Drop for Staged {
    /// Removes what did not come to its place: after a failure, the old file is intact.
    fn drop(&mut self) {
        for (new, _) in &self.0 {
            let _ = fs::remove_file(new);
        }
    }
}

/// Removes what a killed run left; a link is removed, not followed.
pub(super) fn clean(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

pub(super) fn write_new(path: &Path, text: &str, secret: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if secret { 0o600 } else { 0o666 });
    }
    let mut file = options.open(path)?;
    if secret {
        make_private(&file)?;
    }
    file.write_all(text.as_bytes())
}

/// The umask may have taken the owner's rights away too.
#[cfg(unix)]
fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn source(path: &Path, text: &str) -> Source {
        let mut source = Source::new(path.display().to_string(), text, true);
        source.path = Some(path.to_owned());
        source
    }

    #[test]
    fn files_are_rewritten_together_or_not_at_all() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        let path = |name: &str| folder.join(name);
        fs::write(path("a"), "a").unwrap();
        fs::write(path("b"), "\u{feff}b").unwrap();
        let (mut a, mut b) = (source(&path("a"), "a"), source(&path("b"), "b"));
        b.has_mark = true;
        let (new_a, mut new_b) = (source(&path("a"), "new a"), source(&path("b"), "new b"));
        new_b.has_mark = true;

        // The second one has changed meanwhile.
        let changed = source(&path("b"), "other");
        let failed = rewrite([(&a, &new_a), (&changed, &new_b)]).unwrap_err();
        assert!(
            failed.to_string().contains("it has changed since it was read"),
            "{failed}"
        );
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "a");
        assert_eq!(names(folder), ["a", "b"]);

        // The file that a killed run left does not matter.
        fs::create_dir_all(path(&format!("a{UNFINISHED}/x"))).unwrap();
        rewrite([(&a, &new_a), (&b, &new_b)]).unwrap();
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "new a");
        assert_eq!(fs::read_to_string(path("b")).unwrap(), "\u{feff}new b");
        assert_eq!(names(folder), ["a", "b"]);

        // Only whole files are rewritten.
        a = source(&path("a"), "new a");
        a.whole = false;
        assert!(!is_rewritable(&a) && is_rewritable(&new_a));
        let mut unnamed = source(&path("a"), "new a");
        unnamed.path = None;
        assert!(!is_rewritable(&unnamed));
        rewrite([(&a, &source(&path("a"), "x")), (&unnamed, &source(&path("a"), "x"))]).unwrap();
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "new a");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_mode_and_a_link_is_none() {
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
        // A file that exists is not replaced.
        fs::remove_file(private.join("one")).unwrap();
        write_private([("one", "3"), ("two", "4")], &private, false).unwrap_err();
        assert_eq!(names(&private), ["two"]);
        write_private([("one", "3"), ("two", "4")], &private, true).unwrap();
        assert_eq!(fs::read_to_string(private.join("two")).unwrap(), "4");

        let open = scratch.path().join("deep/er/file");
        write_file(&open, "text").unwrap();
        write_file(&open, "other").unwrap();
        assert_eq!(fs::read_to_string(&open).unwrap(), "other");
        assert_eq!(names(&scratch.path().join("deep/er")), ["file"]);
        // A folder is in the place of the file: nothing of the new one is left.
        write_file(&scratch.path().join("deep"), "text").unwrap_err();
        assert_eq!(names(scratch.path()), ["a", "deep", "link", "new"]);
    }

    #[test]
    fn what_was_left_behind_is_removed_whatever_it_is() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("x");
        clean(&path).unwrap();
        fs::write(&path, "").unwrap();
        clean(&path).unwrap();
        fs::create_dir_all(path.join("y")).unwrap();
        clean(&path).unwrap();
        assert!(names(scratch.path()).is_empty());
        fs::write(&path, "").unwrap();
        assert!(clean(&path.join("y")).is_err());
        assert!(write_new(&path, "text", false).is_err(), "it exists");
    }
}
