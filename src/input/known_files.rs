//! Inputs that are read again and again.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::find::{Candidate, Input};
use super::load::{Reading, Room, Text, load_by, read};
use crate::diagnostic::Warned;
use crate::environment::EnvironmentError;
use crate::source::{Source, Sources};

/// A file system may give files that change within so much time of each other the same time.
const TICK: Duration = Duration::from_secs(2);

/// The files of the last reading, so that those that stayed the same are not read again.
#[derive(Default)]
pub struct KnownFiles(HashMap<PathBuf, File>);

struct File {
    source: Arc<Source>,
    /// None where the file can change and have the same one.
    stamp: Option<Stamp>,
}

impl KnownFiles {
    /// Reads the inputs as [`load`](super::load) does. The source of a file that says the same as in the last reading is the same.
    ///
    /// # Errors
    /// As [`load`](super::load).
    pub fn load(&mut self, inputs: &[Input], reading: &Reading) -> Result<Warned<Sources>, EnvironmentError> {
        let mut output = Sources::default();
        let found = Mutex::new(HashMap::new());
        let by = |candidate: &Candidate, room: &Room| {
            let Some(path) = candidate.path() else {
                return read(candidate, room);
            };
            let stamp = Stamp::of(path);
            let text = self.read_changed(candidate, path, stamp.as_ref(), room)?;
            if text.bad_byte.is_none() {
                let source = Arc::clone(&text.source);
                let stamp = stamp.filter(Stamp::is_settled);
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.insert(path.to_owned(), File { source, stamp });
            }
            Ok(text)
        };
        let diagnostics = load_by(&by, inputs, reading, &mut output)?;
        self.0 = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Warned { output, diagnostics })
    }

    fn read_changed(
        &self,
        candidate: &Candidate,
        path: &Path,
        stamp: Option<&Stamp>,
        room: &Room,
    ) -> Result<Text, EnvironmentError> {
        let is_alike =
            |known: &&File| known.source.named == candidate.named && known.source.name == candidate.input.name();
        let Some(known) = self.0.get(path).filter(is_alike) else {
            return read(candidate, room);
        };
        let same = Text {
            source: Arc::clone(&known.source),
            bad_byte: None,
        };
        if stamp.is_some() && known.stamp.as_ref() == stamp {
            room.take(known.source.text.len() as u64)?;
            return Ok(same);
        }
        let text = read(candidate, room)?;
        let is_same = text.bad_byte.is_none() && text.source.text == known.source.text;
        Ok(if is_same { same } else { text })
    }
}

/// What the file system says of a file, which differs where it was written or another one took its place.
#[derive(PartialEq, Eq)]
struct Stamp {
    size: u64,
    changed: SystemTime,
    /// Device and number.
    #[cfg(unix)]
    file: (u64, u64),
}

impl Stamp {
    /// The stamp of a file; none of what is not one.
    fn of(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some(Self {
            size: found.len(),
            changed: changed(&found)?,
            #[cfg(unix)]
            file: {
                use std::os::unix::fs::MetadataExt;
                (found.dev(), found.ino())
            },
        })
    }

    /// Whether a change from now on gives another stamp.
    fn is_settled(&self) -> bool {
        self.changed.elapsed().is_ok_and(|since| since > TICK)
    }
}

/// When a file or what is said of it was changed last. Unlike the time of its modification, nobody can set it.
#[cfg(unix)]
fn changed(found: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let since = Duration::new(found.ctime().try_into().ok()?, found.ctime_nsec().try_into().ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

#[cfg(not(unix))]
fn changed(found: &Metadata) -> Option<SystemTime> {
    found.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_says_the_same_has_the_same_source() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| fs::write(root.path().join(name), text).unwrap();
        let inputs = [Input::Path(root.path().to_owned())];
        let mut known = KnownFiles::default();
        let mut load = || -> Vec<Arc<Source>> {
            let loaded = known.load(&inputs, &Reading::default()).unwrap();
            loaded.output.shared().map(|(_, source)| Arc::clone(source)).collect()
        };
        write("a.yaml", b"a: 1");
        write("b.yaml", b"b: 1");
        let first = load();
        // It is written at once and of the same size; the other one says the same.
        write("a.yaml", b"a: 2");
        write("b.yaml", b"b: 1");
        let second = load();
        let is_same: Vec<_> = first.iter().zip(&second).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
        assert_eq!(is_same, [false, true]);
        assert_eq!(second.first().unwrap().text, "a: 2");
        write("b.yaml", b"b: \xff");
        write("c.yaml", b"c: 1");
        let texts: Vec<_> = load()
            .iter()
            .map(|source| (source.text.clone(), source.whole))
            .collect();
        assert_eq!(
            texts,
            [("a: 2", true), ("b: ", false), ("c: 1", true)].map(|(text, whole)| (text.to_owned(), whole))
        );
        write("b.yaml", b"b: 2");
        assert_eq!(load().get(1).map(|source| source.text.clone()).as_deref(), Some("b: 2"));
    }

    #[test]
    fn a_settled_file_is_not_read_again() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a.yaml");
        fs::write(&path, "a: 1").unwrap();
        let stamp = || Stamp::of(&path).unwrap();
        assert!(!stamp().is_settled() && stamp() == stamp());
        fs::write(&path, "a: 11").unwrap();
        let old = stamp();
        fs::rename(&path, root.path().join("b.yaml")).unwrap();
        fs::write(&path, "a: 11").unwrap();
        assert!(stamp() != old);
        assert!(Stamp::of(root.path()).is_none());
        let settled = Stamp {
            changed: SystemTime::UNIX_EPOCH,
            ..old
        };
        assert!(settled.is_settled());
        let mut known = KnownFiles::default();
        let candidate = Candidate {
            input: Input::Path(path.clone()),
            named: true,
            target: None,
        };
        let name = path.display().to_string();
        let file = File {
            source: Arc::new(Source::new(name, "kept", true)),
            stamp: Some(stamp()),
        };
        known.0.insert(path.clone(), file);
        let read = |stamp: Option<&Stamp>| {
            let text = known.read_changed(&candidate, &path, stamp, &Room::new(&Reading::default(), 0));
            text.unwrap().source.text.clone()
        };
        assert_eq!(
            (read(Some(&stamp())), read(None)),
            ("kept".to_owned(), "a: 11".to_owned())
        );
    }
}
