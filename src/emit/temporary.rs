//! Temporary files and directories. Their names are random, and they are created exclusively, so nothing that already
//! exists is opened, followed or removed.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

/// Prefix of temporary names. Its leading dot hides the files, so tools do not treat them as manifests.
pub(super) const PREFIX: &str = ".agentctl-new-";

/// Number of random letters and digits after [`PREFIX`].
pub(super) const RANDOM_LENGTH: usize = 16;

/// Creates a file in `directory`. The file is removed when its path is dropped. A private file has mode 0600 from the
/// start.
pub(super) fn create_file(directory: &Path, is_private: bool) -> io::Result<(File, TempPath)> {
    let result = name_builder().make_in(directory, |path| create_new(path, is_private))?;
    Ok(result.into_parts())
}

/// Creates a directory inside `parent` that only its owner can open.
pub(super) fn create_directory(parent: &Path) -> io::Result<PathBuf> {
    let directory =
        name_builder().disable_cleanup(true).make_in(parent, |path| private_directory_builder().create(path))?;
    // `make_in` returns an absolute path, which may be too long even if the relative path is not.
    let name = directory.path().file_name().unwrap_or_default();
    Ok(parent.join(name))
}

/// Creates a file that must not already exist.
pub(super) fn create_new(path: &Path, is_private: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if is_private { 0o600 } else { 0o666 });
    }
    let file = options.open(path)?;
    if is_private {
        make_private(&file)?;
    }
    Ok(file)
}

/// Writes pieces of text to a new file.
///
/// # Errors
///
/// Returns an error if the text is larger than the system allows (`ulimit -f`). Writing such a text would terminate the
/// process with a signal and leave temporary files behind.
pub(super) fn write_text(file: &mut File, pieces: &[&str]) -> io::Result<()> {
    let size: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
    if max_file_size().is_some_and(|most| size > most) {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    pieces.iter().try_for_each(|piece| file.write_all(piece.as_bytes()))
}

/// Returns the system's limit on the size of a file, if any.
#[cfg(unix)]
fn max_file_size() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

#[cfg(not(unix))]
fn max_file_size() -> Option<u64> {
    None
}

fn name_builder() -> Builder<'static, 'static> {
    let mut names = Builder::new();
    names.prefix(PREFIX).rand_bytes(RANDOM_LENGTH);
    names
}

/// Sets the mode explicitly, because the umask may also clear the owner's permissions.
#[cfg(unix)]
fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}

fn private_directory_builder() -> DirBuilder {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn temporary_names_are_unique_and_hidden() {
        let scratch = tempfile::tempdir().unwrap();
        let files: Vec<_> = (0..50).map(|_| create_file(scratch.path(), true).unwrap()).collect();
        let names: BTreeSet<_> = files.iter().map(|(_, path)| path.file_name().unwrap()).collect();
        assert_eq!(names.len(), files.len());
        for name in names {
            let random_part = name.to_str().unwrap().strip_prefix(PREFIX).unwrap();
            assert!(
                random_part.len() == RANDOM_LENGTH && random_part.chars().all(|c| c.is_ascii_alphanumeric()),
                "{random_part}"
            );
        }
        drop(files);
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
        let directory = create_directory(scratch.path()).unwrap();
        assert!(directory.is_dir() && directory.parent() == Some(scratch.path()));
    }

    #[test]
    fn does_not_open_existing_files() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("x");
        fs::write(&path, "text").unwrap();
        assert_eq!(create_new(&path, false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
    }
}
