//! Inputs as they were at a revision, read through git.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::containment::repository_around;
use super::find::{Input, is_hidden, is_manifest, is_passed_over};
use super::git::{MAX_OUTPUT, Repository};
use super::load::{Reading, Room, decode};
use crate::byte_size::ByteSize;
use crate::diagnostic::Warned;
use crate::environment::EnvironmentError;
use crate::source::Sources;

/// The mode of a link in a tree.
const LINK: &str = "120000";

/// Reads what [`super::load`] would have read at a revision of the git repository around the working directory. Nothing is
/// checked out, fetched or executed. What was not there then is passed over; files that git does not know are not there.
/// Sources are named `<revision>:<path>`.
///
/// # Errors
/// No git, no repository, no such revision; an input outside of the repository, or standard input, which has no revisions; a
/// file that is too large, or one that a partial clone lacks.
pub fn load_at(inputs: &[Input], revision: &str, reading: &Reading) -> Result<Warned<Sources>, EnvironmentError> {
    let repository = Repository::of_working_directory()?;
    let mut commit = Commit {
        id: repository.commit(revision)?,
        repository,
        revision,
        room: Room::new(reading, 0),
        seen: HashSet::new(),
        found: Warned::default(),
    };
    for input in inputs.iter().filter(|input| !is_passed_over(input, inputs)) {
        let place = Place::of(input, commit.repository.root())?;
        commit.add(&place)?;
    }
    Ok(commit.found)
}

/// An input as git finds it.
struct Place<'i> {
    /// The path from the root of the repository, with `/`; empty for the root itself.
    path: OsString,
    /// What a person calls the directory; none where a file is named.
    directory: Option<&'i Path>,
    /// What a person calls the input.
    name: &'i Path,
}

/// An entry of a tree.
struct Entry {
    is_link: bool,
    id: String,
    /// In bytes; of a link that of its text.
    size: u64,
    /// From the root of the repository.
    path: String,
}

impl<'i> Place<'i> {
    /// Links to directories are followed, but not the name of a file: what it led to then may be something else.
    fn of(input: &'i Input, root: &Path) -> Result<Self, EnvironmentError> {
        let Input::Path(name) = input else {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "only files have revisions");
            return Err(EnvironmentError::read(Path::new("-"))(error));
        };
        let directory = name.is_dir().then_some(name.as_path());
        let parent = name.parent().filter(|parent| !parent.as_os_str().is_empty());
        let real = fs::canonicalize(directory.or(parent).unwrap_or(Path::new(".")));
        let real = real.map_err(EnvironmentError::read(name))?;
        let below = real.strip_prefix(root).ok();
        let Some(below) = below.filter(|_| repository_around(&real) == Some(root)) else {
            return Err(EnvironmentError::Other(format!(
                "`--since` reads the git repository `{}`, and `{}` is not in it; run agentctl in the repository of the input",
                root.display(),
                name.display()
            )));
        };
        let file = name.file_name().filter(|_| directory.is_none());
        let names: Vec<_> = below.iter().chain(file).collect();
        Ok(Self {
            path: names.join(OsStr::new("/")),
            directory,
            name,
        })
    }

    /// The path below the directory, or the name of the file; none for anything else.
    fn below<'e>(&self, entry: &'e Entry) -> Option<&'e str> {
        let path = self.path.to_string_lossy();
        match self.directory {
            Some(_) if path.is_empty() => Some(&entry.path),
            Some(_) => entry.path.strip_prefix(&*path)?.strip_prefix('/'),
            None => (entry.path == path).then_some(&entry.path),
        }
    }

    /// Whether an entry is read: one that was named, or what a walk would find.
    fn wants(&self, entry: &Entry) -> bool {
        let is_wanted = |below: &str| {
            let folders = below.split('/').rev().skip(1);
            self.directory.is_none() || (is_manifest(Path::new(below)) && !folders.map(OsStr::new).any(is_hidden))
        };
        // What cannot be asked for in a line.
        let is_odd = |c| c == '\n' || (entry.is_link && c == '\u{fffd}');
        !entry.path.contains(is_odd) && self.below(entry).is_some_and(is_wanted)
    }

    /// The path of an entry as a person would write it.
    fn shown(&self, entry: &Entry) -> PathBuf {
        match (self.directory, self.below(entry)) {
            (Some(directory), Some(below)) if directory == Path::new(".") => below.into(),
            (Some(directory), Some(below)) => directory.join(below),
            _ => self.name.to_owned(),
        }
    }
}

/// A revision of the repository.
struct Commit<'r> {
    repository: Repository,
    /// As a person calls it.
    revision: &'r str,
    id: String,
    /// What may still be read.
    room: Room,
    /// The paths in the repository that were read.
    seen: HashSet<String>,
    found: Warned<Sources>,
}

impl Commit<'_> {
    /// Adds the files of an input as they were then.
    fn add(&mut self, place: &Place<'_>) -> Result<(), EnvironmentError> {
        let mut list: Vec<&OsStr> = ["ls-tree", "-r", "-l", "-z", "--full-tree", &self.id]
            .map(OsStr::new)
            .to_vec();
        if !place.path.is_empty() {
            list.extend([OsStr::new("--"), &place.path]);
        }
        let entries = entries(&self.repository.read(&list, b"", MAX_OUTPUT)?);
        let mut wanted: Vec<_> = entries.into_iter().filter(|entry| place.wants(entry)).collect();
        wanted.sort_by(|a, b| a.path.cmp(&b.path));
        let limit = self.room.of_file;
        let check = |entry: &Entry, size: u64| match size > limit.0 {
            true => Err(EnvironmentError::too_large(place.shown(entry), limit)),
            false => Ok(()),
        };
        for entry in &wanted {
            check(entry, entry.size)?;
            self.room.take(entry.size)?;
        }
        // A link is followed within the tree.
        let requests: String = wanted
            .iter()
            .map(|entry| match entry.is_link {
                true => format!("{}:{}\n", self.id, entry.path),
                false => format!("{}\n", entry.id),
            })
            .collect();
        // How large a file behind a link is shows only now; each answer has a line of its own besides.
        let answer = |entry: &Entry| {
            let largest = if entry.is_link { limit.0 } else { entry.size };
            largest.saturating_add(entry.path.len() as u64 + 200)
        };
        let answers = wanted.iter().map(answer).fold(0, u64::saturating_add);
        let answers = ByteSize(answers.max(MAX_OUTPUT.0));
        let output = self.repository.read(
            &["cat-file", "--batch", "--follow-symlinks"],
            requests.as_bytes(),
            answers,
        )?;
        for (entry, content) in wanted.into_iter().zip(contents(&output)) {
            let path = place.shown(&entry);
            let content = content.map_err(|Missing| {
                EnvironmentError::Other(format!(
                    "the clone lacks `{}` of `{}`, and agentctl does not fetch it; clone without `--filter`",
                    path.display(),
                    self.revision
                ))
            });
            let Some(content) = content? else { continue };
            check(&entry, content.len() as u64)?;
            if self.seen.insert(entry.path) {
                let name = format!("{}:{}", self.revision, path.display());
                let text = decode(name, place.directory.is_none(), content);
                let bad = text.add_to(&mut self.found.output);
                self.found.diagnostics.extend(bad);
            }
        }
        Ok(())
    }
}

/// The files and links of `ls-tree -l -z`: `<mode> <type> <id> <size>\t<path>\0`, the size with blanks in front.
fn entries(listing: &[u8]) -> Vec<Entry> {
    let listing = String::from_utf8_lossy(listing);
    let entry = |line: &str| {
        let (head, path) = line.split_once('\t')?;
        let mut words = head.split_whitespace();
        let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
        let size = words.next()?.parse();
        (kind == "blob").then(|| Entry {
            is_link: mode == LINK,
            id: id.to_owned(),
            size: size.unwrap_or_default(),
            path: path.to_owned(),
        })
    };
    listing.split('\0').filter_map(entry).collect()
}

/// The answers of `cat-file --batch --follow-symlinks`, one a request: `<id> blob <size>\n<content>\n`; nothing for a folder, and
/// for a link that leads to no file of the tree, `dangling <size>\n<text>\n` or the like; an error for what the tree has and the
/// clone does not, `<request> missing\n`.
fn contents(mut output: &[u8]) -> Vec<Result<Option<Vec<u8>>, Missing>> {
    let mut contents = Vec::new();
    while let Some(end) = output.iter().position(|&byte| byte == b'\n') {
        let (head, rest) = output.split_at(end);
        output = rest.get(1..).unwrap_or_default();
        let head = String::from_utf8_lossy(head);
        let words: Vec<_> = head.split(' ').collect();
        let size = words.last().and_then(|word| word.parse::<usize>().ok());
        contents.push(size.ok_or(Missing).map(|size| {
            let content = output.get(..size).unwrap_or_default();
            output = output.get(size + 1..).unwrap_or_default();
            (words.get(1) == Some(&"blob")).then(|| content.to_vec())
        }));
    }
    contents
}

#[derive(Debug, PartialEq, Eq)]
struct Missing;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_are_read() {
        let listing =
            b"100644 blob aa      12\ta b.yaml\x00120000 blob bb 1234567\tlink\x00160000 commit cc       -\tsub\x00";
        let found: Vec<_> = entries(listing)
            .into_iter()
            .map(|e| (e.is_link, e.id, e.size, e.path))
            .collect();
        let expected = [(false, "aa", 12, "a b.yaml"), (true, "bb", 1_234_567, "link")];
        assert_eq!(
            found,
            expected.map(|(link, id, size, path)| (link, id.to_owned(), size, path.to_owned()))
        );
    }

    #[test]
    fn contents_are_told_from_what_is_not_there() {
        let output = b"aa blob 5\na\nb\nc\nbb blob 0\n\ndangling 3\nx/y\nHEAD:x missing\ncc tree 2\nxx\n";
        let blob = |content: &[u8]| Ok(Some(content.to_vec()));
        let expected = [blob(b"a\nb\nc"), blob(b""), Ok(None), Err(Missing), Ok(None)];
        assert_eq!(contents(output), expected);
    }

    fn entry(path: &str, is_link: bool) -> Entry {
        Entry {
            is_link,
            id: "aa".to_owned(),
            size: 1,
            path: path.to_owned(),
        }
    }

    #[test]
    fn files_of_a_revision_are_those_that_a_walk_would_find() {
        for (place, directory, path, is_link, wanted) in [
            ("", Some("."), "a.yaml", false, true),
            ("", Some("."), "b/a.json", true, true),
            ("", Some("."), "a.txt", false, false),
            ("", Some("."), ".git/a.yaml", false, false),
            ("", Some("."), "b/.c/a.yaml", false, false),
            ("", Some("."), "b/.a.yaml", false, true),
            ("b", Some("b"), "b/a.yaml", false, true),
            ("b", Some("b"), "ba.yaml", false, false),
            ("b", Some("b"), "c/a.yaml", false, false),
            (".b", Some(".b"), ".b/a.yaml", false, true),
            // A file that is named is read whatever it is called.
            ("b/a.txt", None, "b/a.txt", false, true),
            ("b/a.txt", None, "b/a.txt/c", false, false),
            ("", Some("."), "a\nb.yaml", false, false),
            ("", Some("."), "a\u{fffd}.yaml", false, true),
            ("", Some("."), "a\u{fffd}.yaml", true, false),
        ] {
            let place = Place {
                path: place.into(),
                directory: directory.map(Path::new),
                name: Path::new("name"),
            };
            assert_eq!(place.wants(&entry(path, is_link)), wanted, "{path}");
        }
    }

    #[test]
    fn a_file_of_a_revision_is_shown_below_its_input() {
        for (place, directory, name, path, expected) in [
            ("", Some("."), ".", "b/a.yaml", "b/a.yaml"),
            ("b", Some("../b"), "../b", "b/c/a.yaml", "../b/c/a.yaml"),
            ("b", Some("."), ".", "b/a.yaml", "a.yaml"),
            ("b/a.yaml", None, "../b/a.yaml", "b/a.yaml", "../b/a.yaml"),
        ] {
            let place = Place {
                path: place.into(),
                directory: directory.map(Path::new),
                name: Path::new(name),
            };
            assert_eq!(place.shown(&entry(path, false)).as_os_str(), expected, "{path}");
        }
    }
}
