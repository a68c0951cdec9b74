//! Limited sample of the inputs, used for suggestions. Unreadable files are skipped.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::containment::LoadRestrictor;
use super::entered::EnteredDirectories;
use super::find::{Input, WalkFilter};
use super::manifest_files::is_manifest;
use crate::source::{Source, Sources};

/// Limits on a sample.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Maximum number of directory entries.
    pub entries: usize,
    /// Maximum number of files to read.
    pub files: usize,
    /// Maximum number of bytes to read.
    pub bytes: u64,
}

impl Sample {
    /// Reads the first files that [`load`](super::load) would read, sorted by name in each directory, up to the limits.
    /// Only regular files are opened, so that standard input and pipes remain unread for the next run.
    pub fn read(self, inputs: &[Input]) -> Sources {
        let mut sources = Sources::default();
        let mut bytes = self.bytes;
        for path in self.paths(inputs).into_iter().take(self.files) {
            let Some(text) = read(&path, bytes) else { continue };
            bytes -= text.len() as u64;
            sources.add(Source::new(path.display().to_string(), text, false));
        }
        sources
    }

    fn paths(self, inputs: &[Input]) -> Vec<PathBuf> {
        let mut left = self.entries;
        let mut paths = Vec::new();
        for input in inputs {
            let Input::Path(root) = input else { continue };
            let entries = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
            let fence = LoadRestrictor::RootOnly.name(root);
            let Ok(fence) = fence.and_then(|target| WalkFilter::new(root, &target, &LoadRestrictor::RootOnly)) else {
                continue;
            };
            let mut entered = EnteredDirectories::default();
            let entries =
                entries.filter_entry(|entry| fence.admits(entry, &mut entered).unwrap_or_default()).take(left);
            let entries = entries.inspect(|_| left -= 1).filter_map(Result::ok);
            let files = entries.filter(|entry| {
                let wanted = entry.depth() == 0 || is_manifest(entry.path());
                wanted && entry.file_type().is_file()
            });
            paths.extend(files.map(walkdir::DirEntry::into_path));
        }
        paths
    }
}

/// Returns a file's contents unless it is larger than the limit.
fn read(path: &Path, limit: u64) -> Option<String> {
    let size = fs::metadata(path).ok()?.len();
    let mut text = String::new();
    let file = File::open(path).ok().filter(|_| size <= limit)?;
    file.take(limit).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_the_sample_size() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(root.path().join(name), bytes).unwrap();
        write("a.yaml", b"a: 1");
        write("b.yaml", b"b: \xff");
        write("c.yaml", b"c: 12345678");
        write("d.yaml", b"d: 1");
        write("e.txt", b"e: 1");
        let inputs = [Input::Stdin, Input::Path("gone".into()), Input::Path(root.path().to_owned())];
        let texts = |entries, files, bytes| {
            let sources = Sample { entries, files, bytes }.read(&inputs);
            sources.iter().map(|(_, source)| source.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(99, 99, 99), ["a: 1", "c: 12345678", "d: 1"]);
        assert_eq!(texts(99, 99, 10), ["a: 1", "d: 1"]);
        assert_eq!(texts(99, 1, 99), ["a: 1"]);
        // The missing input and the directory itself count as entries.
        assert_eq!(texts(3, 99, 99), ["a: 1"]);
        // The limit applies to the entries of all inputs together.
        let both = ["x", "y"].map(|name| root.path().join(name));
        for folder in &both {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("a.yaml"), folder.file_name().unwrap().as_encoded_bytes()).unwrap();
        }
        let both = both.map(Input::Path);
        for (entries, expected) in [(1, 0), (2, 1), (3, 1), (4, 2)] {
            let (files, bytes) = (99, 99);
            let sources = Sample { entries, files, bytes }.read(&both);
            assert_eq!(sources.iter().count(), expected, "{entries}");
        }
    }
}
