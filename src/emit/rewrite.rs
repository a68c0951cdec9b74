//! Files of the input that get other texts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::{UNFINISHED, clean, write_new};
use crate::environment::EnvironmentError;
use crate::input::check_output;
use crate::source::{BYTE_ORDER_MARK, Source};

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
        let Some(path) = before.path.as_ref().filter(|_| is_rewritable(before)) else {
            continue;
        };
        let failed = EnvironmentError::write(path);
        is_as_read(path, before)
            .and_then(|()| staged.add(path, after))
            .map_err(failed)?;
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

/// New files beside the ones that they take the places of.
#[derive(Default)]
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Staged {
    fn add(&mut self, path: &Path, source: &Source) -> io::Result<()> {
        let mut new = path.to_owned();
        new.as_mut_os_string().push(UNFINISHED);
        clean(&new)?;
        let permissions = fs::metadata(path)?.permissions();
        self.0.push((new.clone(), path.to_owned()));
        write_new(&new, &bytes(source), true)?;
        let file = fs::File::options().write(true).open(&new)?;
        file.set_permissions(permissions)?;
        file.sync_all()
    }

    fn commit(mut self) -> Result<(), EnvironmentError> {
        for (new, path) in std::mem::take(&mut self.0) {
            let moved = fs::rename(&new, &path);
            if moved.is_err() {
                self.0.push((new, path.clone()));
            }
            moved.map_err(EnvironmentError::write(&path))?;
        }
        Ok(())
    }
}

impl Drop for Staged {
    /// After a failure: the files are as they were.
    fn drop(&mut self) {
        for (new, _) in &self.0 {
            let _ = fs::remove_file(new);
        }
    }
}
