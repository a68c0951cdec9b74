//! Inputs as they were at a revision, read through git.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use super::find::{is_hidden, is_manifest, is_passed_over};
use super::load::decode;
use super::{Input, Sources, Span, diagnostics};
use crate::byte_size::ByteSize;
use crate::diagnostic::Warned;
use crate::environment::EnvironmentError;

/// The mode of a link in a tree.
const LINK: &str = "120000";

/// Reads what [`super::load`] would have read at a revision of the git repository that holds the inputs. Nothing is checked
/// out. What was not there then is passed over; files that git does not know are not there. Sources are named
/// `<revision>:<path>`.
///
/// # Errors
/// No git, no repository, no such revision; standard input, which has none; a file with more bytes than `max_file_size`.
pub fn load_at(inputs: &[Input], revision: &str, max_file_size: ByteSize) -> Result<Warned<Sources>, EnvironmentError> {
    let mut blobs = Vec::new();
    let mut seen = HashSet::new();
    for input in inputs.iter().filter(|input| !is_passed_over(input, inputs)) {
        let place = Place::of(input)?;
        let found = place.blobs(revision, max_file_size)?;
        blobs.extend(found.into_iter().filter(|blob| seen.insert(blob.identity.clone())));
    }
    let mut sources = Sources::default();
    let mut found = Vec::new();
    for blob in blobs {
        let text = decode(format!("{revision}:{}", blob.path.display()), blob.named, blob.content);
        let end = text.source.text.len();
        let id = sources.add(text.source);
        if let Some(bad) = text.bad_byte {
            found.push(diagnostics::not_utf8(Span::new(id, end, end), bad.byte, bad.start));
        }
    }
    Ok(Warned {
        output: sources,
        diagnostics: found,
    })
}

/// A file as it was.
struct Blob {
    /// The path in the repository.
    identity: String,
    /// The path as a person would name it.
    path: PathBuf,
    named: bool,
    content: Vec<u8>,
}

/// An input as git finds it: a directory to run in, and a file in it where one is named.
struct Place<'i> {
    directory: &'i Path,
    file: Option<&'i OsStr>,
}

/// An entry of a tree.
struct Entry {
    is_link: bool,
    id: String,
    /// In bytes; of a link that of its text.
    size: u64,
    /// Below the directory.
    path: String,
}

impl<'i> Place<'i> {
    fn of(input: &'i Input) -> Result<Self, EnvironmentError> {
        let Input::Path(path) = input else {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "standard input has no revisions");
            return Err(EnvironmentError::Read {
                path: "-".into(),
                error,
            });
        };
        if path.is_dir() {
            return Ok(Self {
                directory: path,
                file: None,
            });
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Ok(Self {
            directory: parent.unwrap_or(Path::new(".")),
            file: path.file_name(),
        })
    }

    fn blobs(&self, revision: &str, max_file_size: ByteSize) -> Result<Vec<Blob>, EnvironmentError> {
        let commit = self.commit(revision)?;
        let prefix = self.line(&["rev-parse", "--show-prefix"])?;
        let mut list: Vec<&OsStr> = ["ls-tree", "-r", "-l", "-z", &commit].map(OsStr::new).to_vec();
        if let Some(file) = self.file {
            list.extend([OsStr::new("--"), file]);
        }
        let entries = entries(&self.git(&list, b"")?);
        let mut wanted: Vec<_> = entries.into_iter().filter(|entry| self.wants(entry)).collect();
        wanted.sort_by(|a, b| a.path.cmp(&b.path));
        let check = |path: &str, size: u64| match size > max_file_size.0 {
            true => Err(EnvironmentError::TooLarge {
                path: self.shown(path),
                limit: max_file_size,
            }),
            false => Ok(()),
        };
        for entry in &wanted {
            check(&entry.path, entry.size)?;
        }
        // A link is followed within the tree.
        let requests: String = wanted
            .iter()
            .map(|entry| match entry.is_link {
                true => format!("{commit}:{prefix}{}\n", entry.path),
                false => format!("{}\n", entry.id),
            })
            .collect();
        let output = self.git(
            &["cat-file", "--batch", "--follow-symlinks"].map(OsStr::new),
            requests.as_bytes(),
        )?;
        let contents = contents(&output);
        let mut blobs = Vec::new();
        for (entry, content) in wanted.into_iter().zip(contents) {
            let Some(content) = content else { continue };
            check(&entry.path, content.len() as u64)?;
            blobs.push(Blob {
                identity: format!("{prefix}{}", entry.path),
                path: self.shown(&entry.path),
                named: self.file.is_some(),
                content,
            });
        }
        Ok(blobs)
    }

    /// Whether an entry is read: one that was named, or what a walk would find.
    fn wants(&self, entry: &Entry) -> bool {
        let path = Path::new(&entry.path);
        let folders = entry.path.split('/').rev().skip(1);
        let walked = is_manifest(path) && !folders.map(OsStr::new).any(is_hidden);
        (self.file.is_some() || walked) && !entry.path.contains('\n')
    }

    fn shown(&self, path: &str) -> PathBuf {
        if self.directory == Path::new(".") {
            PathBuf::from(path)
        } else {
            self.directory.join(path)
        }
    }

    /// The commit that a revision stands for.
    fn commit(&self, revision: &str) -> Result<String, EnvironmentError> {
        let commit = format!("{revision}^{{commit}}");
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit].map(OsStr::new);
        let output = self.run(&args, b"")?;
        // Where there is no repository, it is another status.
        if output.status.code() == Some(1) {
            return Err(EnvironmentError::NoRevision {
                revision: revision.to_owned(),
            });
        }
        stdout(&args, output).map(|output| line(&output))
    }

    /// The one line that git prints.
    fn line(&self, args: &[&str]) -> Result<String, EnvironmentError> {
        let args: Vec<_> = args.iter().map(OsStr::new).collect();
        self.git(&args, b"").map(|output| line(&output))
    }

    fn git(&self, args: &[&OsStr], input: &[u8]) -> Result<Vec<u8>, EnvironmentError> {
        stdout(args, self.run(args, input)?)
    }

    fn run(&self, args: &[&OsStr], input: &[u8]) -> Result<Output, EnvironmentError> {
        self.output(args, input).map_err(|error| EnvironmentError::Run {
            program: "git".to_owned(),
            error,
        })
    }

    /// Input is written while output is read: each may be larger than a pipe holds.
    fn output(&self, args: &[&OsStr], input: &[u8]) -> io::Result<Output> {
        let mut child = Command::new("git")
            .arg("-C")
            .arg(self.directory)
            .args(args)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take();
        thread::scope(|scope| {
            scope.spawn(move || {
                // That git does not read it all shows in its status.
                let _ = stdin.map(|mut stdin| stdin.write_all(input));
            });
            child.wait_with_output()
        })
    }
}

/// What git printed, unless it failed.
fn stdout(args: &[&OsStr], output: Output) -> Result<Vec<u8>, EnvironmentError> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(EnvironmentError::Failed {
        program: format!("git {}", args.first().unwrap_or(&OsStr::new("")).to_string_lossy()),
        message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}

fn line(output: &[u8]) -> String {
    String::from_utf8_lossy(output)
        .trim_end_matches(['\n', '\r'])
        .to_owned()
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

/// The answers of `cat-file --batch --follow-symlinks`, one a request: `<id> blob <size>\n<content>\n`, and none for a
/// link that leads to no file of the tree (`dangling <size>\n<text>\n`, `<request> missing\n`).
fn contents(mut output: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut contents = Vec::new();
    while let Some(end) = output.iter().position(|&byte| byte == b'\n') {
        let (head, rest) = output.split_at(end);
        let head = String::from_utf8_lossy(head);
        let words: Vec<_> = head.split(' ').collect();
        let size = words.last().and_then(|word| word.parse::<usize>().ok());
        let rest = rest.get(1..).unwrap_or_default();
        match size {
            Some(size) => {
                let content = rest.get(..size).unwrap_or_default();
                contents.push((words.get(1) == Some(&"blob")).then(|| content.to_vec()));
                output = rest.get(size + 1..).unwrap_or_default();
            }
            None => {
                contents.push(None);
                output = rest;
            }
        }
    }
    contents
}

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
        let expected = [Some(b"a\nb\nc".to_vec()), Some(Vec::new()), None, None, None];
        assert_eq!(contents(output), expected);
    }
}
