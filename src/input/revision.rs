//! Inputs at a git revision.

use std::collections::HashSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::containment::{ContainingTree, LoadRestrictor, containing_repository};
use super::find::{Input, is_hidden, is_skipped};
use super::git::{MAX_OUTPUT, Repository};
use super::kustomize::{self, KustomizeOutcome, KustomizeTarget};
use super::load::{ReadBudget, ReadLimits, decode};
use super::manifest_files::is_manifest;
use crate::diagnostic::{EnvironmentError, Warned};
use crate::printable::ByteSize;
use crate::source::Sources;

/// Mode of a symlink in a git tree.
const LINK: &str = "120000";

/// Maximum size of a non-manifest file that kustomize may read. Secrets and ConfigMaps cannot contain more data.
const MAX_DATA: u64 = 1 << 20;

/// Number of files to read at a time for a build.
const FILES_PER_BATCH: usize = 256;

/// Reads the inputs that [`super::load`] would have read at a revision of the repository that contains the working
/// directory. Files are only read, and nothing is checked out, fetched or executed. A kustomization is built in a
/// temporary directory that contains the files at the revision. Inputs that did not exist and files unknown to git are
/// skipped. Sources are named `<revision>:<path>`.
///
/// # Errors
///
/// Returns an error if git, the repository or the revision is missing, if an input is outside the repository or is
/// standard input, if a file is too large or missing from a partial clone, or if kustomize fails.
pub fn load_at(inputs: &[Input], revision: &str, reading: &ReadLimits) -> Result<Warned<Sources>, EnvironmentError> {
    let mut commit = Commit::new(revision, reading)?;
    let mut files = None;
    for input in inputs.iter().filter(|input| !is_skipped(input, inputs)) {
        let pathspec = Pathspec::new(input, commit.repository.root())?;
        match input {
            Input::Kustomization(_) => {
                let files = match &files {
                    Some(files) => files,
                    None => files.insert(commit.write()?),
                };
                commit.build(&pathspec, files.path())?;
            }
            _ => commit.add(&pathspec)?,
        }
    }
    Ok(commit.loaded)
}

/// Files in the repository that contains the working directory, at a revision. They are removed when this value is
/// dropped.
pub struct RevisionFiles {
    directory: TempDir,
    repository: PathBuf,
}

impl RevisionFiles {
    /// Writes the files to a temporary directory, which is a repository without commits.
    ///
    /// # Errors
    ///
    /// Returns an error if git, the repository or the revision is missing, or if a file is too large, missing from a
    /// partial clone or cannot be written.
    pub fn write(revision: &str, reading: &ReadLimits) -> Result<Self, EnvironmentError> {
        let mut commit = Commit::new(revision, reading)?;
        let directory = commit.write()?;
        let git = directory.path().join(".git");
        fs::create_dir_all(&git).map_err(EnvironmentError::write(&git))?;
        Ok(Self { directory, repository: commit.repository.root().to_owned() })
    }

    /// Returns the root of the repository.
    pub fn repository(&self) -> &Path {
        &self.repository
    }

    /// Returns the restriction that allows only these files to be loaded.
    ///
    /// # Errors
    ///
    /// Returns an error if their directory cannot be read.
    pub fn restriction(&self) -> Result<LoadRestrictor, EnvironmentError> {
        let directory = self.directory.path();
        let tree = ContainingTree::ancestor_of(directory, Path::new("")).map_err(EnvironmentError::read(directory))?;
        Ok(LoadRestrictor::Within(tree))
    }

    /// Returns the input at this revision, or `None` if it did not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the input is not in the repository.
    pub fn input(&self, input: &Input) -> Result<Option<Input>, EnvironmentError> {
        let path = self.directory.path().join(Pathspec::new(input, &self.repository)?.path);
        Ok(path.exists().then_some(Input::Path(path)))
    }
}

/// An input, expressed as a path in a git tree.
struct Pathspec<'i> {
    /// Path from the repository root, with `/` as the separator. Empty for the root itself.
    path: OsString,
    /// Directory as specified by the user, or `None` if the input is a file.
    directory: Option<&'i Path>,
    /// Input as specified by the user.
    name: &'i Path,
}

/// An entry in a git tree.
struct TreeEntry {
    is_link: bool,
    id: String,
    /// Size in bytes. For a symlink, this is the length of its target path.
    size: u64,
    /// Path from the repository root.
    path: String,
}

impl<'i> Pathspec<'i> {
    /// Resolves an input. Symlinks to directories are followed. A symlink to a file is not followed, because it may
    /// have had a different target.
    fn new(input: &'i Input, root: &Path) -> Result<Self, EnvironmentError> {
        let Some(name) = input.path() else {
            let problem = "`--since` supports only files and directories, not `-` or `-k`";
            return Err(EnvironmentError::Other(problem.to_owned()));
        };
        let directory = name.is_dir().then_some(name);
        let parent = name.parent().filter(|parent| !parent.as_os_str().is_empty());
        let real = fs::canonicalize(directory.or(parent).unwrap_or(Path::new(".")));
        let real = real.map_err(EnvironmentError::read(name))?;
        let below = real.strip_prefix(root).ok();
        let Some(below) = below.filter(|_| containing_repository(&real) == Some(root)) else {
            return Err(EnvironmentError::Other(format!(
                "`--since` reads the git repository `{}`, but `{}` is not in it; run agentctl in the input's repository",
                root.display(),
                name.display()
            )));
        };
        let file = name.file_name().filter(|_| directory.is_none());
        let names: Vec<_> = below.iter().chain(file).collect();
        Ok(Self { path: names.join(OsStr::new("/")), directory, name })
    }

    /// Returns the path below the directory, or the path of the file. Returns `None` if the entry does not belong to
    /// the input.
    fn path_below<'e>(&self, entry: &'e TreeEntry) -> Option<&'e str> {
        let path = self.path.to_string_lossy();
        match self.directory {
            Some(_) if path.is_empty() => Some(&entry.path),
            Some(_) => entry.path.strip_prefix(&*path)?.strip_prefix('/'),
            None => (entry.path == path).then_some(&entry.path),
        }
    }

    /// Whether an entry must be read: it is the file itself, or a walk would find it.
    fn matches(&self, entry: &TreeEntry) -> bool {
        let is_wanted = |below: &str| {
            let folders = below.split('/').rev().skip(1);
            self.directory.is_none() || (is_manifest(Path::new(below)) && !folders.map(OsStr::new).any(is_hidden))
        };
        // git does not accept requests for a path that contains a line break, or for a symlink whose path is not UTF-8.
        let is_odd = |c| c == '\n' || (entry.is_link && c == '\u{fffd}');
        !entry.path.contains(is_odd) && self.path_below(entry).is_some_and(is_wanted)
    }

    /// Returns the path of an entry for use in messages.
    fn display_path(&self, entry: &TreeEntry) -> PathBuf {
        match (self.directory, self.path_below(entry)) {
            (Some(directory), Some(below)) if directory == Path::new(".") => below.into(),
            (Some(directory), Some(below)) => directory.join(below),
            _ => self.name.to_owned(),
        }
    }
}

/// A revision of the repository.
struct Commit<'r> {
    repository: Repository,
    /// Revision as specified by the user.
    revision: &'r str,
    id: String,
    /// Whether kustomize may fetch files and bases.
    allows_remote: bool,
    /// Remaining number of bytes that may be read.
    room: ReadBudget,
    /// Paths in the repository that have been read.
    seen: HashSet<String>,
    loaded: Warned<Sources>,
}

impl<'r> Commit<'r> {
    fn new(revision: &'r str, reading: &ReadLimits) -> Result<Self, EnvironmentError> {
        let repository = Repository::in_working_directory()?;
        Ok(Self {
            id: repository.commit(revision)?,
            repository,
            revision,
            room: ReadBudget::new(reading, 0),
            allows_remote: reading.allows_remote,
            seen: HashSet::new(),
            loaded: Warned::default(),
        })
    }

    /// Adds the files of an input at this revision.
    fn add(&mut self, pathspec: &Pathspec<'_>) -> Result<(), EnvironmentError> {
        let mut wanted = self.entries(&pathspec.path)?;
        wanted.retain(|entry| pathspec.matches(entry));
        let contents = self.contents(&wanted, &|entry| pathspec.display_path(entry))?;
        for (entry, content) in wanted.into_iter().zip(contents) {
            let Some(content) = content else { continue };
            let path = pathspec.display_path(&entry);
            if self.seen.insert(entry.path) {
                let name = format!("{}:{}", self.revision, path.display());
                let text = decode(name, pathspec.directory.is_none(), content);
                let bad = text.add_to(&mut self.loaded.output);
                self.loaded.diagnostics.extend(bad);
            }
        }
        Ok(())
    }

    /// Writes the files at this revision to a temporary directory, because kustomize reads directories. A symlink is
    /// replaced with its target file. Large files that are not manifests are omitted.
    fn write(&mut self) -> Result<TempDir, EnvironmentError> {
        let directory = tempfile::tempdir().map_err(EnvironmentError::write(&env::temp_dir()))?;
        let mut wanted = self.entries(OsStr::new(""))?;
        wanted.retain(|entry| {
            let path = Path::new(&entry.path);
            let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
            is_below && !entry.path.contains(['\n', '\u{fffd}']) && (entry.size <= MAX_DATA || is_manifest(path))
        });
        for some in wanted.chunks(FILES_PER_BATCH) {
            let contents = self.contents(some, &|entry| PathBuf::from(&entry.path))?;
            for (entry, content) in some.iter().zip(contents) {
                let Some(content) = content else { continue };
                let path = directory.path().join(&entry.path);
                let written = path.parent().map_or(Ok(()), fs::create_dir_all);
                let written = written.and_then(|()| fs::write(&path, content));
                written.map_err(EnvironmentError::write(&path))?;
            }
        }
        Ok(directory)
    }

    /// Adds kustomize's output for a directory. `files` is the directory with the files at this revision.
    fn build(&mut self, pathspec: &Pathspec<'_>, files: &Path) -> Result<(), EnvironmentError> {
        let files = fs::canonicalize(files).map_err(EnvironmentError::read(files))?;
        let target = files.join(&pathspec.path);
        if !kustomize::is_kustomization(&target) {
            return Ok(());
        }
        let shown = |text: &str| text.replace(&format!("{}/", files.display()), &format!("{}:", self.revision));
        let tree = LoadRestrictor::Within(
            ContainingTree::ancestor_of(&files, Path::new("")).map_err(EnvironmentError::read(&files))?,
        );
        let target = KustomizeTarget::new(pathspec.name, &target, &tree, self.allows_remote)?;
        let built = match kustomize::build(&target, self.room.source_limit(), false) {
            Ok(KustomizeOutcome::Built(built)) => built,
            Ok(KustomizeOutcome::Rejected(findings)) => {
                let problem = format!("kustomize cannot build it: {}", shown(&findings.first_line()));
                let name = format!("{}:{}", self.revision, pathspec.name.display());
                return Err(EnvironmentError::invalid_content(name, problem));
            }
            Err(EnvironmentError::Failed { program, message, help }) => {
                let program = format!("{program} (at {})", self.revision);
                return Err(EnvironmentError::Failed { program, message: shown(&message), help });
            }
            Err(error) => return Err(error),
        };
        self.room.spend(built.bytes.len() as u64)?;
        let name = format!("{}:{}", self.revision, pathspec.name.display());
        let bad = decode(name, true, built.bytes).add_to(&mut self.loaded.output);
        self.loaded.diagnostics.extend(bad);
        Ok(())
    }

    /// Returns the files and symlinks below a path, sorted by path.
    fn entries(&self, path: &OsStr) -> Result<Vec<TreeEntry>, EnvironmentError> {
        let mut list: Vec<&OsStr> = ["ls-tree", "-r", "-l", "-z", "--full-tree", &self.id].map(OsStr::new).to_vec();
        if !path.is_empty() {
            list.extend([OsStr::new("--"), path]);
        }
        let mut entries = entries(&self.repository.read(&list, b"", MAX_OUTPUT)?);
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    /// Returns the content of each entry, or `None` for a symlink that does not lead to a file in the tree.
    fn contents(
        &self,
        wanted: &[TreeEntry],
        shown: &dyn Fn(&TreeEntry) -> PathBuf,
    ) -> Result<Vec<Option<Vec<u8>>>, EnvironmentError> {
        let limit = self.room.file_limit;
        let check = |entry: &TreeEntry, size: u64| match size > limit.0 {
            true => Err(EnvironmentError::too_large(shown(entry), limit)),
            false => Ok(()),
        };
        for entry in wanted {
            check(entry, entry.size)?;
            self.room.spend(entry.size)?;
        }
        // Symlinks are followed within the tree.
        let requests: String = wanted
            .iter()
            .map(|entry| match entry.is_link {
                true => format!("{}:{}\n", self.id, entry.path),
                false => format!("{}\n", entry.id),
            })
            .collect();
        // The size of a symlink's target is not known yet. Each response also has a header line.
        let answer = |entry: &TreeEntry| {
            let largest = if entry.is_link { limit.0 } else { entry.size };
            largest.saturating_add(entry.path.len() as u64 + 200)
        };
        let max_output = wanted.iter().map(answer).fold(0, u64::saturating_add);
        let max_output = ByteSize(max_output.max(MAX_OUTPUT.0));
        let output =
            self.repository.read(&["cat-file", "--batch", "--follow-symlinks"], requests.as_bytes(), max_output)?;
        let content = |(entry, content): (&TreeEntry, Result<Option<Vec<u8>>, MissingObject>)| {
            let content = content.map_err(|MissingObject| {
                EnvironmentError::Other(format!(
                    "the clone lacks `{}` at `{}`, and agentctl does not fetch it; clone without `--filter`",
                    shown(entry).display(),
                    self.revision
                ))
            })?;
            check(entry, content.as_ref().map_or(0, |content| content.len() as u64))?;
            Ok(content)
        };
        wanted.iter().zip(contents(&output)).map(content).collect()
    }
}

/// Parses the files and symlinks in the output of `ls-tree -l -z`: `<mode> <type> <id> <size>\t<path>\0`, where the
/// size is padded with spaces.
fn entries(listing: &[u8]) -> Vec<TreeEntry> {
    let listing = String::from_utf8_lossy(listing);
    let entry = |line: &str| {
        let (head, path) = line.split_once('\t')?;
        let mut words = head.split_whitespace();
        let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
        let size = words.next()?.parse();
        (kind == "blob").then(|| TreeEntry {
            is_link: mode == LINK,
            id: id.to_owned(),
            size: size.unwrap_or_default(),
            path: path.to_owned(),
        })
    };
    listing.split('\0').filter_map(entry).collect()
}

/// Parses the output of `cat-file --batch --follow-symlinks`, which contains one response per request.
///
/// A file is `<id> blob <size>\n<content>\n`. Directories, and symlinks that do not lead to a file in the tree
/// (`dangling <size>\n<text>\n` and similar), have no content. An object that the clone lacks is reported as `<request>
/// missing\n`, which is an error.
fn contents(mut output: &[u8]) -> Vec<Result<Option<Vec<u8>>, MissingObject>> {
    let mut contents = Vec::new();
    while let Some(end) = output.iter().position(|&byte| byte == b'\n') {
        let (head, rest) = output.split_at(end);
        output = rest.get(1..).unwrap_or_default();
        let head = String::from_utf8_lossy(head);
        let words: Vec<_> = head.split(' ').collect();
        let size = words.last().and_then(|word| word.parse::<usize>().ok());
        contents.push(size.ok_or(MissingObject).map(|size| {
            let content = output.get(..size).unwrap_or_default();
            output = output.get(size + 1..).unwrap_or_default();
            (words.get(1) == Some(&"blob")).then(|| content.to_vec())
        }));
    }
    contents
}

#[derive(Debug, PartialEq, Eq)]
struct MissingObject;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_git_tree_listings() {
        let listing =
            b"100644 blob aa      12\ta b.yaml\x00120000 blob bb 1234567\tlink\x00160000 commit cc       -\tsub\x00";
        let actual: Vec<_> = entries(listing).into_iter().map(|e| (e.is_link, e.id, e.size, e.path)).collect();
        let expected = [(false, "aa", 12, "a b.yaml"), (true, "bb", 1_234_567, "link")];
        assert_eq!(actual, expected.map(|(link, id, size, path)| (link, id.to_owned(), size, path.to_owned())));
    }

    #[test]
    fn distinguishes_contents_from_missing_objects() {
        let output = b"aa blob 5\na\nb\nc\nbb blob 0\n\ndangling 3\nx/y\nHEAD:x missing\ncc tree 2\nxx\n";
        let blob = |content: &[u8]| Ok(Some(content.to_vec()));
        let expected = [blob(b"a\nb\nc"), blob(b""), Ok(None), Err(MissingObject), Ok(None)];
        assert_eq!(contents(output), expected);
    }

    fn entry(path: &str, is_link: bool) -> TreeEntry {
        TreeEntry { is_link, id: "aa".to_owned(), size: 1, path: path.to_owned() }
    }

    #[test]
    fn reads_the_same_files_as_a_directory_walk() {
        for (pathspec, directory, path, is_link, wanted) in [
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
            // A file on the command line is read regardless of its name.
            ("b/a.txt", None, "b/a.txt", false, true),
            ("b/a.txt", None, "b/a.txt/c", false, false),
            ("", Some("."), "a\nb.yaml", false, false),
            ("", Some("."), "a\u{fffd}.yaml", false, true),
            ("", Some("."), "a\u{fffd}.yaml", true, false),
        ] {
            let pathspec =
                Pathspec { path: pathspec.into(), directory: directory.map(Path::new), name: Path::new("name") };
            assert_eq!(pathspec.matches(&entry(path, is_link)), wanted, "{path}");
        }
    }

    #[test]
    fn shows_files_relative_to_their_input() {
        for (pathspec, directory, name, path, expected) in [
            ("", Some("."), ".", "b/a.yaml", "b/a.yaml"),
            ("b", Some("../b"), "../b", "b/c/a.yaml", "../b/c/a.yaml"),
            ("b", Some("."), ".", "b/a.yaml", "a.yaml"),
            ("b/a.yaml", None, "../b/a.yaml", "b/a.yaml", "../b/a.yaml"),
        ] {
            let pathspec =
                Pathspec { path: pathspec.into(), directory: directory.map(Path::new), name: Path::new(name) };
            assert_eq!(pathspec.display_path(&entry(path, false)).as_os_str(), expected, "{path}");
        }
    }
}
