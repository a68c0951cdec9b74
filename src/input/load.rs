//! Loading of inputs as sources. No other module reads the files to compile.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memchr;
use rayon::prelude::*;

use super::built::translation;
use super::confined_path::ConfinedPath;
use super::containment::LoadRestrictor;
use super::diagnostics;
use super::find::{Candidate, FoundInputs, Input, STDIN_NAME, find};
use super::kustomize::{self, KustomizeFindings, KustomizeOutcome, KustomizeTarget};
use super::origins::{self, OriginFile};
use super::own_source::OwnSource;
use crate::diagnostic::{Diagnostic, EnvironmentError, Warned};
use crate::printable::ByteSize;
use crate::source::{BYTE_ORDER_MARK, DocumentOrigin, Source, SourceId, Sources, Span};

/// Limits on the inputs, and restrictions on their locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Maximum size of an input in bytes.
    pub max_file_size: ByteSize,
    /// Maximum total size of all inputs in bytes.
    pub max_input_size: ByteSize,
    /// Restriction on symlinks and paths.
    pub reach: LoadRestrictor,
    /// Whether kustomize may fetch files and bases.
    pub allows_remote: bool,
    /// Whether to follow Flux and Argo CD objects to other paths.
    pub follows: bool,
    /// Flux sources that the user declares to be directories in the repository.
    pub own_sources: Vec<OwnSource>,
    /// Limits on following references from an entry point.
    pub following: FollowLimits,
}

/// Limits on following references from an entry point of Flux or Argo CD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowLimits {
    /// Maximum number of files and directories in the repository.
    pub max_files: usize,
    /// Maximum number of kustomize builds.
    pub max_builds: usize,
    /// Maximum total number of objects in all builds.
    pub max_objects: usize,
    /// Maximum time for following all references, in seconds.
    pub max_seconds: u64,
}

impl Default for FollowLimits {
    fn default() -> Self {
        Self { max_files: 200_000, max_builds: 5_000, max_objects: 500_000, max_seconds: 600 }
    }
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            max_file_size: MAX_FILE_SIZE,
            max_input_size: MAX_INPUT_SIZE,
            reach: LoadRestrictor::RootOnly,
            allows_remote: false,
            follows: true,
            own_sources: Vec::new(),
            following: FollowLimits::default(),
        }
    }
}

/// Default maximum size of an input in bytes.
pub const MAX_FILE_SIZE: ByteSize = ByteSize(512 << 20);
/// Default maximum total size of all inputs in bytes.
pub const MAX_INPUT_SIZE: ByteSize = ByteSize(1 << 30);
/// Maximum size of a source. Offsets in sources have 32 bits.
const MAX_SIZE: u64 = u32::MAX as u64;

/// Reads files, the `*.yaml`, `*.yml` and `*.json` files in directories, and standard input. Each file is read once.
///
/// A byte order mark is removed. A file that is not UTF-8 is reported. Its source contains only the text before the
/// invalid byte and is not [`Source::is_complete`]. A symlink that points outside the repository or directory is
/// reported and not followed.
///
/// # Errors
///
/// Returns an error for the first input that does not exist, cannot be read or is too large. Reading stops at the size
/// limit, so reading even an endless input terminates.
pub fn load(inputs: &[Input], reading: &ReadLimits) -> Result<Warned<Sources>, EnvironmentError> {
    let mut output = Sources::default();
    let diagnostics = load_more(inputs, reading, &mut output)?;
    Ok(Warned { output, diagnostics })
}

/// Reads additional inputs like [`load`] and appends them to `sources`.
///
/// # Errors
///
/// Returns the same errors as [`load`].
pub fn load_more(
    inputs: &[Input],
    reading: &ReadLimits,
    sources: &mut Sources,
) -> Result<Vec<Diagnostic>, EnvironmentError> {
    let FoundInputs { candidates, mut diagnostics, skipped } = find(inputs, &reading.reach)?;
    sources.skip(skipped);
    let size_before = sources.iter().map(|(_, source)| source.text.len() as u64).sum();
    let budget = ReadBudget::new(reading, size_before);
    let loaded_inputs: Vec<_> = candidates.par_iter().map(|candidate| read(candidate, reading, &budget)).collect();
    if let Some(limit) = budget.exceeded_limit() {
        return Err(EnvironmentError::input_too_large(limit));
    }
    for (candidate, text) in candidates.iter().zip(loaded_inputs) {
        let text = match text? {
            LoadedInput::File(text) => text,
            LoadedInput::Rejected(findings) => {
                diagnostics.extend(findings.report(sources));
                continue;
            }
        };
        if candidate.input == Input::Stdin && text.bad_byte.is_none() && is_empty(&text.source.text) {
            diagnostics.push(diagnostics::empty_pipe());
        }
        diagnostics.extend(text.add_to(sources));
    }
    Ok(diagnostics)
}

/// Remaining number of bytes that may be read, shared by files that are read in parallel.
pub(super) struct ReadBudget {
    /// Maximum size of a single file.
    pub(super) file_limit: ByteSize,
    total_limit: ByteSize,
    taken: AtomicU64,
}

impl ReadBudget {
    pub(super) fn new(reading: &ReadLimits, before: u64) -> Self {
        Self { file_limit: reading.max_file_size, total_limit: reading.max_input_size, taken: AtomicU64::new(before) }
    }

    /// Returns the maximum size of a file that becomes a source.
    pub(super) fn source_limit(&self) -> ByteSize {
        ByteSize(self.file_limit.0.min(MAX_SIZE))
    }

    /// Charges `size` bytes to the budget: before reading them, or afterward if the size is not known in advance.
    ///
    /// # Errors
    ///
    /// Returns an error if the budget is exceeded.
    pub(super) fn spend(&self, size: u64) -> Result<(), EnvironmentError> {
        let spent_before = self.taken.fetch_add(size, Ordering::Relaxed);
        match spent_before.saturating_add(size) > self.total_limit.0 {
            true => Err(EnvironmentError::input_too_large(self.total_limit)),
            false => Ok(()),
        }
    }

    fn exceeded_limit(&self) -> Option<ByteSize> {
        (self.taken.load(Ordering::Relaxed) > self.total_limit.0).then_some(self.total_limit)
    }
}

/// Whether YAML text contains only comments and document markers.
fn is_empty(text: &str) -> bool {
    let is_nothing = |line: &str| line.is_empty() || line.starts_with('#') || matches!(line, "---" | "...");
    text.lines().all(|line| is_nothing(line.trim()))
}

/// Reads a single file that is not compiled, such as settings.
///
/// # Errors
///
/// Returns an error if the file does not exist, cannot be read, is too large or is not UTF-8, or if a symlink points
/// outside the repository.
pub fn load_file(path: &Path, reading: &ReadLimits) -> Result<Source, EnvironmentError> {
    let read_error = EnvironmentError::read(path);
    let target = reading.reach.name(path).map_err(read_error)?;
    let bytes = read_file(path, &target, &ReadBudget::new(reading, 0))?;
    let text = decode(path.display().to_string(), true, bytes);
    match text.bad_byte {
        None => Ok(text.source),
        Some(_) => Err(read_error(io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))),
    }
}

/// A file decoded up to the first invalid byte.
pub(super) struct DecodedFile {
    pub(super) source: Source,
    /// Position of the first invalid byte, and the first two bytes of the file, which reveal other encodings.
    pub(super) bad_byte: Option<(u8, [u8; 2])>,
    /// Files that the source was built from, which are used only for locations.
    location_sources: Vec<Source>,
}

/// Result of reading an input.
enum LoadedInput {
    File(Box<DecodedFile>),
    /// Kustomization that was not built, with the findings.
    Rejected(KustomizeFindings),
}

impl DecodedFile {
    /// Adds the source to `sources`. Returns a finding if the file is not UTF-8.
    pub(super) fn add_to(self, sources: &mut Sources) -> Option<Diagnostic> {
        let end = self.source.text.len();
        let id = sources.add(self.source);
        for source in self.location_sources {
            sources.add(source);
        }
        let (byte, start) = self.bad_byte?;
        Some(diagnostics::not_utf8(Span::new(id, end, end), byte, start))
    }
}

/// Reads a single input.
fn read(candidate: &Candidate, reading: &ReadLimits, budget: &ReadBudget) -> Result<LoadedInput, EnvironmentError> {
    let bytes = match &candidate.input {
        Input::Path(path) => match &candidate.target {
            Some(target) => read_file(path, target, budget)?,
            None => read_file(path, &ConfinedPath::anywhere(path.clone()), budget)?,
        },
        Input::Stdin => {
            let bytes = read_to_limit(io::stdin().lock(), Path::new("-"), 0, budget.file_limit)?;
            budget.spend(bytes.len() as u64)?;
            bytes
        }
        Input::Kustomization(directory) => {
            let target = candidate.target.as_ref().map_or(directory.as_path(), ConfinedPath::path);
            let target = KustomizeTarget::new(directory, target, &reading.reach, reading.allows_remote)?;
            let outcome = match kustomize::build(&target, budget.source_limit(), true)? {
                KustomizeOutcome::Built(built) => built,
                KustomizeOutcome::Rejected(findings) => return Ok(LoadedInput::Rejected(findings)),
            };
            budget.spend(outcome.bytes.len() as u64)?;
            let files = origins::files(&outcome.origins).into_iter();
            let location_sources =
                files.map(|(name, file)| read_for_locations(name, file, budget)).collect::<Result<Vec<_>, _>>()?;
            let mut text = decode(candidate.input.name(), candidate.named, outcome.bytes);
            text.source.set_origins(outcome.origins, translation);
            text.source.copied = outcome.copied;
            text.location_sources = location_sources;
            return Ok(LoadedInput::File(Box::new(text)));
        }
    };
    let mut text = decode(candidate.input.name(), candidate.named, bytes);
    text.source.path = candidate.path().map(Path::to_owned);
    Ok(LoadedInput::File(Box::new(text)))
}

/// Reads a file that is used only for locations.
fn read_for_locations(name: String, file: OriginFile, room: &ReadBudget) -> Result<Source, EnvironmentError> {
    let OriginFile { path: real_path, content } = file;
    let directory = real_path.parent().unwrap_or(&real_path);
    let bytes = read_file(Path::new(&name), &ConfinedPath::new(directory, real_path.clone()), room)?;
    let mut source = decode(name, false, bytes).source;
    source.path = Some(real_path);
    source.content = content;
    source.is_complete = false;
    Ok(source)
}

/// Adds the files that documents were built from, which are used only for locations.
///
/// # Errors
///
/// Returns an error if the files are too large.
pub fn add_origin_files(
    origins: &[DocumentOrigin],
    reading: &ReadLimits,
    sources: &mut Sources,
) -> Result<(), EnvironmentError> {
    let size_before = sources.iter().map(|(_, source)| source.text.len() as u64).sum();
    let budget = ReadBudget::new(reading, size_before);
    let files = origins::files(origins).into_iter();
    for file in files.map(|(name, file)| read_for_locations(name, file, &budget)).collect::<Result<Vec<_>, _>>()? {
        sources.add(file);
    }
    Ok(())
}

fn read_file(path: &Path, target: &ConfinedPath, room: &ReadBudget) -> Result<Vec<u8>, EnvironmentError> {
    let read_error = EnvironmentError::read(path);
    let file = target.open().map_err(read_error)?;
    let size = file.metadata().map_err(read_error)?.len();
    if size <= room.file_limit.0 {
        room.spend(size)?;
    }
    let bytes = read_to_limit(file, path, size, room.file_limit)?;
    // Pipes and devices do not report their size.
    room.spend((bytes.len() as u64).saturating_sub(size))?;
    Ok(bytes)
}

fn read_to_limit(input: impl Read, path: &Path, size: u64, limit: ByteSize) -> Result<Vec<u8>, EnvironmentError> {
    let limit = limit.0.min(MAX_SIZE);
    let size_error = || EnvironmentError::too_large(path, ByteSize(limit));
    if size > limit {
        return Err(size_error());
    }
    let mut input = input.take(limit + 1);
    // The extra byte allows the reader to detect the end of the file without growing the buffer.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    // Binary files are detected early regardless of their size.
    if let Err(error) = input.by_ref().take(CHECKED_START).read_to_end(&mut bytes) {
        return Err(EnvironmentError::read(path)(error));
    }
    if bytes.contains(&0) {
        return Ok(bytes);
    }
    match input.read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > limit => Err(size_error()),
        Ok(_) => Ok(bytes),
        Err(error) => Err(EnvironmentError::read(path)(error)),
    }
}

/// Number of bytes that are checked for NUL before the rest of the file is read.
const CHECKED_START: u64 = 64 << 10;

/// Decodes bytes up to the first invalid byte, which is either not valid UTF-8 or a NUL (not valid in YAML).
pub(super) fn decode(name: String, named: bool, mut bytes: Vec<u8>) -> DecodedFile {
    let has_mark = bytes.starts_with(BYTE_ORDER_MARK.as_bytes());
    if has_mark {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    let start = [0, 1].map(|i| bytes.get(i).copied().unwrap_or_default());
    let nul = memchr(0, &bytes);
    bytes.truncate(nul.unwrap_or(bytes.len()));
    let (text, byte) = match String::from_utf8(bytes) {
        Ok(text) => (text, nul.map(|_| 0)),
        Err(error) => {
            let length = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            let byte = bytes.get(length).copied();
            bytes.truncate(length);
            (String::from_utf8_lossy(&bytes).into_owned(), byte)
        }
    };
    let bad_byte = byte.map(|byte| (byte, start));
    let source = match bad_byte {
        None => {
            let mut source = Source::new(name, text, named);
            source.has_mark = has_mark;
            source
        }
        Some(_) => Source::truncated(name, text, named),
    };
    DecodedFile { source, bad_byte, location_sources: Vec::new() }
}

/// Returns the source for the file at `path`, or the sources in the directory at `path`, even if their paths are
/// spelled differently. `-` is standard input.
///
/// # Errors
///
/// Returns an error if the path does not exist.
pub fn find_sources(sources: &Sources, path: &Path) -> Result<Vec<SourceId>, EnvironmentError> {
    let find_where = |is_meant: &dyn Fn(&Source) -> bool| {
        let sources_where = sources.iter().filter(|(_, source)| is_meant(source));
        Ok(sources_where.map(|(id, _)| id).collect())
    };
    if path.as_os_str() == "-" {
        return find_where(&|source| source.name == STDIN_NAME);
    }
    let canonical_path = fs::canonicalize(path).map_err(EnvironmentError::read(path))?;
    find_where(&|source| real_path(source).is_some_and(|path| path.starts_with(&canonical_path)))
}

/// Returns the canonical paths of all source files.
pub fn real_paths(sources: &Sources) -> BTreeSet<PathBuf> {
    sources.iter().filter_map(|(_, source)| real_path(source)).map(Cow::into_owned).collect()
}

/// Returns the canonical path of a source file. The paths of files that a walk found are already resolved, and
/// resolving a path again takes quadratic time in the path's length.
fn real_path(source: &Source) -> Option<Cow<'_, Path>> {
    match &source.path {
        Some(path) if !source.is_explicit => Some(Cow::Borrowed(path)),
        _ => fs::canonicalize(&source.name).ok().map(Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::diagnostic::Code;
    use crate::input::load_settings;

    fn write(root: &Path, name: &str, bytes: &[u8]) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn inputs(root: &Path, names: &[&str]) -> Vec<Input> {
        names.iter().map(|name| Input::Path(root.join(name))).collect()
    }

    fn names(root: &Path, sources: &Sources) -> Vec<(String, bool)> {
        let root = format!("{}/", root.display());
        sources.iter().map(|(_, source)| (source.name.replace(&root, ""), source.is_explicit)).collect()
    }

    fn load_all(inputs: &[Input]) -> Result<Warned<Sources>, EnvironmentError> {
        load(inputs, &ReadLimits::default())
    }

    #[test]
    fn finds_settings_in_parent_directories() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "agentctl.yaml", b"severity: {}");
        write(root, "a/b/x.yaml", b"");
        write(root, "a/agentctl.yaml", b"{}");
        let settings = |name: &str| {
            let actual = load_settings(None, &inputs(root, &[name]), |_| false).unwrap();
            let actual = actual.file.unwrap();
            (actual.source.text, actual.source.is_complete)
        };
        for name in ["a/b/x.yaml", "a/b", "a"] {
            assert_eq!(settings(name), ("{}".to_owned(), false), "{name}");
        }
        assert_eq!(settings("."), ("severity: {}".to_owned(), false));
        let walked_sources = load_all(&inputs(root, &["."])).unwrap().output;
        assert_eq!(names(root, &walked_sources), [("./a/b/x.yaml".to_owned(), false)]);
        let matched_sources = load_all(&inputs(root, &["agentctl.yaml", "a/b/x.yaml"])).unwrap().output;
        assert_eq!(names(root, &matched_sources), [("a/b/x.yaml".to_owned(), true)]);
    }

    #[test]
    fn walks_directories_in_path_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["b.yml", "a/z.yaml", "a.yaml", "c.json", "README.md", ".git/x.yaml", "a-b/x.yaml"] {
            write(root, name, b"");
        }
        let result = load_all(&inputs(root, &["."])).unwrap();
        let names: Vec<_> = result.output.iter().map(|(_, s)| s.name.clone()).collect();
        let expected = ["a-b/x.yaml", "a.yaml", "a/z.yaml", "b.yml", "c.json"];
        assert_eq!(names, expected.map(|name| root.join(".").join(name).display().to_string()));
        assert!(result.diagnostics.is_empty());
    }

    #[test]
    fn reads_files_once_and_marks_explicit_ones() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "a.yaml", b"a: 1");
        write(root, "b.txt", b"b: 1");
        let result = load_all(&inputs(root, &["", "b.txt", "a.yaml", "a.yaml"])).unwrap();
        let expected = [("a.yaml".to_owned(), true), ("b.txt".to_owned(), true)];
        assert_eq!(names(root, &result.output), expected);
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_but_not_cycles() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "real/a.yaml", b"");
        write(root, "elsewhere.yaml", b"");
        // The walk follows a symlink to a target outside the walked directory. This is possible only in a repository.
        write(root, ".git/HEAD", b"");
        symlink(root, root.join("real/up")).unwrap();
        symlink(root.join("elsewhere.yaml"), root.join("real/link.yaml")).unwrap();
        symlink("nowhere", root.join("real/nowhere")).unwrap();
        let result = load_all(&inputs(root, &["real"])).unwrap();
        let actual: Vec<_> = names(root, &result.output).into_iter().map(|(name, _)| name).collect();
        assert_eq!(actual, ["real/a.yaml", "real/link.yaml"]);

        symlink("nowhere", root.join("real/gone.yaml")).unwrap();
        let error = load_all(&inputs(root, &["real"])).unwrap_err().to_string();
        assert!(error.contains("real/gone.yaml"), "{error}");
    }

    /// Tests directories that symlinks make reachable through more paths than a walk could follow.
    #[cfg(unix)]
    #[test]
    fn walks_each_directory_once() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        write(&root, ".git/HEAD", b"");
        for number in 0..40 {
            write(&root, &format!("chain/{number}/a.yaml"), b"");
            write(&root, &format!("cycle/{number}/a.yaml"), b"");
        }
        for number in 0..40 {
            for link in ["x", "y"] {
                // The last two symlinks are broken, which does not matter for directories.
                symlink(format!("../{}", number + 1), root.join(format!("chain/{number}/{link}"))).unwrap();
            }
            for other_link in 0..40 {
                symlink(format!("../{other_link}"), root.join(format!("cycle/{number}/x{other_link}"))).unwrap();
            }
            symlink(format!("../../cycle/{number}/a.yaml"), root.join(format!("chain/{number}/z.yaml"))).unwrap();
        }
        for (names, count, shown) in [
            (&["chain/0"][..], 80, "chain/0/x/x/a.yaml"),
            (&["cycle/3"], 40, "cycle/3/a.yaml"),
            (&["chain", "cycle"], 80, "chain/0/a.yaml"),
            (&["cycle", "chain/0", "chain/1"], 80, "cycle/0/a.yaml"),
        ] {
            let loaded = load_all(&inputs(&root, names)).unwrap();
            let actual: Vec<_> = self::names(&root, &loaded.output).into_iter().map(|(name, _)| name).collect();
            assert_eq!(actual.len(), count, "{names:?}");
            assert!(actual.contains(&shown.to_owned()), "{names:?} {actual:?}");
            assert!(loaded.diagnostics.is_empty());
            for (_, source) in loaded.output.iter() {
                let real_path = fs::canonicalize(&source.name).unwrap();
                assert_eq!(source.path.as_ref(), Some(&real_path), "the walk resolves links");
            }
        }
    }

    #[test]
    fn limits_file_size() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "a.yaml", b"a: 12345\n");
        let load_up_to = |limit| {
            let reading = ReadLimits { max_file_size: ByteSize(limit), ..ReadLimits::default() };
            load(&inputs(root, &["a.yaml"]), &reading)
        };
        assert!(load_up_to(9).is_ok());
        let error = load_up_to(8).unwrap_err().to_string();
        assert!(error.ends_with("larger than 8 bytes, the limit set by `--limit file-size=SIZE`"), "{error}");
        let endless_read = read_to_limit(io::repeat(b' '), Path::new("-"), 0, ByteSize(1000));
        assert!(endless_read.unwrap_err().to_string().contains("larger than 1000 bytes"));
    }

    #[test]
    fn removes_byte_order_marks() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "a.yaml", b"\xef\xbb\xbfkind: X\n");
        let loaded = load_all(&inputs(root, &["a.yaml"])).unwrap();
        let (_, source) = loaded.output.iter().next().unwrap();
        assert_eq!((source.text.as_str(), source.is_complete), ("kind: X\n", true));
    }

    #[test]
    fn finds_the_first_byte_that_is_not_utf8() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "latin.yaml", b"a: 1\nb: \xc3\xa9\xe9x\n");
        write(root, "wide.yaml", b"\xff\xfea\0");
        let loaded = load_all(&inputs(root, &["latin.yaml", "wide.yaml"])).unwrap();
        let actual: Vec<_> = loaded
            .diagnostics
            .iter()
            .map(|d| {
                let position = loaded.output.location(d.primary().unwrap().span).unwrap();
                (d.code, position.start.line, position.start.column, d.help.as_deref().unwrap())
            })
            .collect();
        let expected = [
            (Code::NotUtf8, 2, 5, "save the file as UTF-8"),
            (Code::NotUtf8, 1, 1, "save the file as UTF-8: it appears to be UTF-16"),
        ];
        assert_eq!(actual, expected);
        assert!(loaded.output.iter().all(|(_, source)| !source.is_complete));
    }

    #[test]
    fn reports_missing_files_and_empty_directories() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "empty/notes.txt", b"");
        let error = load_all(&inputs(root, &["empty", "gone.yaml"])).unwrap_err().to_string();
        assert!(error.starts_with("cannot read `") && error.contains("gone.yaml`: "), "{error}");
        let loaded = load_all(&inputs(root, &["empty"])).unwrap();
        assert_eq!(loaded.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), [Code::NoInput]);
    }

    #[test]
    fn budget_allows_reading_up_to_the_limit() {
        let reading = ReadLimits { max_input_size: ByteSize(10), ..ReadLimits::default() };
        let budget = ReadBudget::new(&reading, 4);
        assert!(budget.spend(6).is_ok() && budget.exceeded_limit().is_none());
        assert!(budget.spend(1).is_err() && budget.exceeded_limit() == Some(ByteSize(10)));
        let budget = ReadBudget::new(&reading, 0);
        assert!(budget.spend(u64::MAX).is_err());
    }

    #[test]
    fn files_with_only_comments_are_empty() {
        for (text, expected) in
            [("", true), ("# a\n\n---\n  # b\n...\n", true), ("a", false), ("--- a\n", false), ("#\n- a\n", false)]
        {
            assert_eq!(is_empty(text), expected, "{text:?}");
        }
    }

    #[test]
    fn text_ends_at_the_first_invalid_byte() {
        let byte_order_mark = BYTE_ORDER_MARK;
        for (bytes, text, bad_byte, has_mark) in [
            (&b"a: 1"[..], "a: 1", None, false),
            (b"", "", None, false),
            (b"a\0b", "a", Some((0, [b'a', 0])), false),
            (b"\0", "", Some((0, [0, 0])), false),
            (b"ab\xff\0", "ab", Some((0xff, [b'a', b'b'])), false),
            (b"\xfe\xffa", "", Some((0xfe, [0xfe, 0xff])), false),
            (format!("{byte_order_mark}a").as_bytes(), "a", None, true),
        ] {
            let actual = decode("x".to_owned(), true, bytes.to_vec());
            assert_eq!((actual.source.text.as_str(), actual.bad_byte), (text, bad_byte), "{bytes:?}");
            assert_eq!(
                (actual.source.is_complete, actual.source.has_mark),
                (bad_byte.is_none(), has_mark),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn limits_total_size() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "a.yaml", b"a: 1\n");
        write(root, "b.yaml", b"b: 1\n");
        for (limit, expected) in [
            (10, None),
            (9, Some("the files are larger than 9 bytes in total, the limit set by `--limit input-size=SIZE`")),
        ] {
            let limits = ReadLimits { max_input_size: ByteSize(limit), ..ReadLimits::default() };
            let loaded = load(&inputs(root, &["."]), &limits);
            assert_eq!(loaded.err().map(|error| error.to_string()).as_deref(), expected, "{limit}");
            // Sources that are already loaded count toward the limit.
            let mut sources = Sources::default();
            let first_load = load_more(&inputs(root, &["a.yaml"]), &limits, &mut sources);
            let second_load = load_more(&inputs(root, &["b.yaml"]), &limits, &mut sources);
            assert_eq!((first_load.is_ok(), second_load.is_ok()), (true, expected.is_none()), "{limit}");
        }
    }

    #[test]
    fn finds_sources_by_path() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["a/x.yaml", "a/b/y.yaml", "ab/z.yaml"] {
            write(root, name, b"a: 1\n");
        }
        let mut sources = load_all(&inputs(root, &["."])).unwrap().output;
        sources.add(Source::new(STDIN_NAME, "", true));
        let actual = |path: &Path| {
            let actual = find_sources(&sources, path).unwrap().into_iter();
            let names = actual.map(|id| sources.get(id).unwrap().name.clone());
            names.map(|name| name.rsplit('/').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        for (path, expected) in [
            ("a", &["y.yaml", "x.yaml"][..]),
            ("a/b", &["y.yaml"]),
            ("a/../ab/z.yaml", &["z.yaml"]),
            (".", &["y.yaml", "x.yaml", "z.yaml"]),
        ] {
            assert_eq!(actual(&root.join(path)), expected, "{path}");
        }
        assert_eq!(actual(Path::new("-")), [STDIN_NAME]);
        assert!(find_sources(&sources, &root.join("gone")).is_err());
        assert_eq!(real_paths(&sources).len(), 3);
    }

    #[test]
    fn loads_single_files_as_text() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "a.yaml", b"a: 1\n");
        write(root, "b.yaml", b"a: \xff\n");
        let load = |name: &str| load_file(&root.join(name), &ReadLimits::default()).map_err(|error| error.to_string());
        assert_eq!(load("a.yaml").unwrap().text, "a: 1\n");
        assert!(load("b.yaml").unwrap_err().ends_with("b.yaml`: it is not UTF-8"));
        assert!(load("c.yaml").is_err());
    }

    #[test]
    fn reports_empty_standard_input() {
        for (input, name, path) in [
            (Input::from(std::ffi::OsString::from("-")), STDIN_NAME, None),
            (Input::from(std::ffi::OsString::from("a")), "a", Some("a")),
            (Input::Kustomization("a".into()), "<kustomize a>", Some("a")),
        ] {
            assert_eq!((input.name().as_str(), input.path()), (name, path.map(Path::new)));
        }
    }
}
