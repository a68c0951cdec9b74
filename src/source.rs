//! Inputs: their names, their contents, and the line and column of each byte.

mod copied;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;

pub use copied::{CopiedValues, hide_copied};

/// Byte order mark that some editors write at the start of UTF-8 files.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// An input: a file or standard input. It can contain secret values, so `Debug` omits the text.
pub struct Source {
    /// Name to use in messages: the path as specified or found, or `<stdin>`.
    pub name: String,
    /// The entire text, without a byte order mark.
    pub text: String,
    /// Whether the input was specified on the command line rather than found in a directory.
    pub is_explicit: bool,
    /// File that the source was read from, with symlinks resolved, or `None` for standard input, kustomize builds and
    /// git revisions.
    pub path: Option<PathBuf>,
    /// Whether the file starts with a byte order mark.
    pub has_mark: bool,
    /// Origins of the documents, in order, if the source was built from other files. The files are also sources, but
    /// are not compiled.
    pub origins: Vec<DocumentOrigin>,
    /// Object that the source was built for, if that object is in another source.
    pub owner: Option<BuildOwner>,
    /// Values of Secrets that the build may have copied to other objects. These values may be shown only in manifests.
    pub copied: Option<CopiedValues>,
    /// Function that creates the mapping from spans in a built source to spans in its original files.
    translation: Option<NewTranslation>,
    /// Kind of content. It determines how much of the text findings may show.
    pub content: SourceContent,
    /// Whether the text is complete. An incomplete source is used only for locations and is not compiled.
    pub is_complete: bool,
    lines: OnceLock<LineIndex>,
}

/// Kind of content in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceContent {
    /// Kubernetes resources. Some values are secret.
    Manifests,
    /// Settings of agentctl. Nothing is secret.
    Settings,
    /// Value of a Secret, or variables that form such a value. Everything is secret.
    SecretValue,
}

/// Origin of a document in a source that was built from other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentOrigin {
    /// Offset of the document's first byte.
    pub start: usize,
    /// Path of the file, relative to the working directory if the file is below it.
    pub file: String,
    /// Original name of the object, if the build changes it.
    pub name: Option<String>,
    /// Kustomizations that transform the object, outermost last.
    pub transformed_in: Vec<String>,
}

impl DocumentOrigin {
    /// Returns the origin of a document that a build does not change.
    pub fn in_file(file: String) -> Self {
        Self { start: 0, file, name: None, transformed_in: Vec::new() }
    }
}

/// Object that determines how a source is built, such as a Flux Kustomization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOwner {
    /// Start of the object.
    pub object: Span,
    /// Path of the field that contains the kustomize options, such as `spec.source.kustomize` or `spec.sources.0`.
    pub options: String,
    /// Starts of the objects that contain variables. If several objects contain a variable, the last one determines its
    /// value.
    pub variables: Vec<Span>,
}

/// Mapping from spans in built text to spans in the files that the text was built from.
pub trait BuildTranslation: Send + Sync {
    /// Returns the span to edit, or `None` if it is unknown. If the text comes from a variable, this is the span of the
    /// variable's value if `is_value` is true, and the span of the expression that refers to the variable otherwise.
    fn translate(&self, sources: &Sources, span: Span, is_value: bool) -> Option<Span>;

    /// Returns the span in a file that must be replaced with `text` to apply an edit to the built text at `span`, or
    /// `None` if the file spells that text differently.
    fn edit_span(&self, sources: &Sources, span: Span, text: &str) -> Option<Span>;

    /// Whether the text at a span is a value from a kustomize generator.
    fn is_generated(&self, sources: &Sources, span: Span) -> bool;

    /// Whether an object comes from one of the files: its own file, a patch for it, an input of its generator, or a
    /// kustomization.
    fn is_built_from(&self, sources: &Sources, object: Span, files: &[SourceId]) -> bool;
}

/// Function that creates a mapping from spans in built sources to spans in their original files.
pub type NewTranslation = fn() -> Box<dyn BuildTranslation>;

/// Returns the number of lines in `text`. The last line may lack its line break.
pub fn line_count(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Identifier of an input within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);

impl SourceId {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Byte range in an input. `start` is inclusive, and `end` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Input that contains the range.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates a byte range. Offsets above 4 GiB saturate, because the loader rejects larger inputs.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { source, start: clamp(start), end: clamp(end) }
    }

    /// Returns another byte range in the same input.
    #[must_use]
    pub fn with(self, start: u32, end: u32) -> Self {
        let source = self.source;
        Self { source, start, end }
    }

    pub fn bytes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Location of a source range, for output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'s> {
    /// Name of the source.
    pub file: &'s str,
    /// Position of the first character.
    pub start: Position,
    /// Position after the last character.
    pub end: Position,
}

impl fmt::Display for Location<'_> {
    /// Writes `file:line:column`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.start.line, self.start.column)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {} bytes)", self.name, self.text.len())
    }
}

impl Source {
    /// Creates a source with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>, is_explicit: bool) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            is_explicit,
            path: None,
            has_mark: false,
            origins: Vec::new(),
            owner: None,
            copied: None,
            translation: None,
            content: SourceContent::Manifests,
            is_complete: true,
            lines: OnceLock::new(),
        }
    }

    /// Creates a source whose text is incomplete.
    pub fn truncated(name: impl Into<String>, text: impl Into<String>, is_explicit: bool) -> Self {
        Self { is_complete: false, ..Self::new(name, text, is_explicit) }
    }

    /// Marks the source as built from other files.
    pub fn set_origins(&mut self, origins: Vec<DocumentOrigin>, translation: NewTranslation) {
        self.origins = origins;
        self.translation = Some(translation);
    }

    /// Returns the length of the byte order mark in bytes, or 0 if there is none.
    pub fn mark_len(&self) -> usize {
        if self.has_mark { BYTE_ORDER_MARK.len() } else { 0 }
    }

    /// Returns a copy of this source with different text.
    #[must_use]
    pub fn with_text(&self, text: String) -> Self {
        Self {
            path: self.path.clone(),
            has_mark: self.has_mark,
            content: self.content,
            is_complete: self.is_complete,
            ..Self::new(self.name.clone(), text, self.is_explicit)
        }
    }

    /// Returns the line and column of a byte offset, both starting at 1.
    pub fn position(&self, offset: usize) -> Position {
        self.lines().position(&self.text, offset)
    }

    /// Returns the line of a byte offset, starting at 1.
    pub fn line_of(&self, offset: usize) -> u32 {
        saturate(self.lines().line_of(offset.min(self.text.len())))
    }

    /// Returns the offset and text of a line without its line break, or `None` if there is no such line. Line numbers
    /// start at 1.
    pub fn line(&self, number: u32) -> Option<(usize, &str)> {
        self.lines().line(&self.text, number)
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

/// All inputs for a run, in compilation order. If a run reads the inputs again, unchanged inputs are shared.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Arc<Source>>,
    /// Files and directories that were found in an input directory but not read.
    skipped: Vec<String>,
    translation: CachedTranslation,
}

/// Cached mapping from spans in built sources to spans in the original files. Created on first use, because most inputs
/// are not built.
#[derive(Default)]
struct CachedTranslation(OnceLock<Box<dyn BuildTranslation>>);

impl Clone for CachedTranslation {
    /// Returns an empty cache, because the copy may be changed.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for CachedTranslation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CachedTranslation")
    }
}

impl Sources {
    pub fn add(&mut self, source: impl Into<Arc<Source>>) -> SourceId {
        self.list.push(source.into());
        self.translation = CachedTranslation::default();
        SourceId::new(self.list.len() - 1)
    }

    /// Changes an input that has just been added and is not shared yet.
    pub fn change(&mut self, id: SourceId, change: impl FnOnce(&mut Source)) {
        self.list.get_mut(id.index()).and_then(Arc::get_mut).map(change);
    }

    /// Adds the names of files and directories that were found but not read.
    pub fn skip(&mut self, names: impl IntoIterator<Item = String>) {
        self.skipped.extend(names);
    }

    /// Returns the names of files and directories that were found but not read.
    pub fn skipped_files(&self) -> &[String] {
        &self.skipped
    }

    /// Returns the values of Secrets that builds may have copied to other objects.
    pub fn copied_values(&self) -> impl Iterator<Item = &CopiedValues> {
        self.list.iter().filter_map(|source| source.copied.as_ref())
    }

    /// Returns the input with this ID, or `None` if it belongs to a different set.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(id.index()).map(Arc::as_ref)
    }

    /// Returns the directory of a source, or `None` if there is no such source or its name has no parent.
    pub fn directory(&self, id: SourceId) -> Option<&Path> {
        let source = self.get(id)?;
        // A new file in the editor has no path, but it has an absolute name.
        source.path.as_deref().unwrap_or(Path::new(&source.name)).parent()
    }

    /// Returns the span mapping for a source, or `None` if the source was not built.
    fn translation(&self, id: SourceId) -> Option<&dyn BuildTranslation> {
        let create = self.get(id)?.translation?;
        Some(self.translation.0.get_or_init(create).as_ref())
    }

    /// Whether a span is in text that was built from other files.
    pub fn is_built(&self, span: Span) -> bool {
        self.get(span.source).is_some_and(|source| !source.origins.is_empty())
    }

    /// Returns the span that a user must edit to change the text at `span`: the span in the original file for built
    /// text, and `span` itself otherwise.
    pub fn to_edit(&self, span: Span) -> Span {
        self.translate_span(span, true)
    }

    /// Like [`Sources::to_edit`], but if the text comes from a variable, returns the span of the expression that refers
    /// to the variable rather than that of the variable's value.
    pub fn to_edit_expression(&self, span: Span) -> Span {
        self.translate_span(span, false)
    }

    fn translate_span(&self, span: Span, is_value: bool) -> Span {
        let translation = self.translation(span.source);
        translation.and_then(|translation| translation.translate(self, span, is_value)).unwrap_or(span)
    }

    /// Returns the span in a file that must be replaced with `text` to apply an edit to the built text at `span`, or
    /// `None` if the file spells that text differently.
    pub fn edit_span(&self, span: Span, text: &str) -> Option<Span> {
        self.translation(span.source)?.edit_span(self, span, text)
    }

    /// Whether the built text at a span is a value from a kustomize generator.
    pub fn is_generated(&self, span: Span) -> bool {
        self.translation(span.source).is_some_and(|translation| translation.is_generated(self, span))
    }

    /// Whether an object in built text comes from one of the files.
    pub fn is_built_from(&self, object: Span, files: &[SourceId]) -> bool {
        self.translation(object.source).is_some_and(|translation| translation.is_built_from(self, object, files))
    }

    /// Returns the location to edit for a span, or `None` if the span belongs to a different set.
    pub fn location(&self, span: Span) -> Option<Location<'_>> {
        let span = self.to_edit(span);
        let source = self.get(span.source)?;
        Some(Location {
            file: &source.name,
            start: source.position(span.start as usize),
            end: source.position(span.end.max(span.start) as usize),
        })
    }

    /// Returns a copy of the set in which `texts` replaces the contents of some inputs.
    #[must_use]
    pub fn with_texts(&self, mut texts: HashMap<SourceId, String>) -> Self {
        let sources = self.shared().map(|(id, source)| match texts.remove(&id) {
            Some(text) => Arc::new(source.with_text(text)),
            None => Arc::clone(source),
        });
        Self { list: sources.collect(), skipped: self.skipped.clone(), translation: CachedTranslation::default() }
    }

    /// Returns the inputs with their IDs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (SourceId, &Source)> + Clone {
        self.shared().map(|(id, source)| (id, source.as_ref()))
    }

    /// Returns the inputs with their IDs, as shared pointers.
    pub fn shared(&self) -> impl ExactSizeIterator<Item = (SourceId, &Arc<Source>)> + Clone {
        self.list.iter().enumerate().map(|(i, source)| (SourceId::new(i), source))
    }
}

/// Human-readable position in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, starting at 1.
    pub line: u32,
    /// Column in characters, starting at 1.
    pub column: u32,
}

/// Interval, in bytes, at which character counts are precomputed within a long line. An entire JSON file may consist of
/// a single line.
const STRIDE: usize = 1 << 10;

/// Index of the lines in a string.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// Offsets within long lines, each with the number of preceding characters on the line.
    marks: Vec<(u32, u32)>,
}

impl LineIndex {
    /// Creates an index of `text`, in which each line ends with a line feed.
    pub fn new(text: &str) -> Self {
        let (mut starts, mut marks) = (vec![0], Vec::new());
        let mut start = 0;
        for end in memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).chain([text.len()]) {
            let (mut at, mut characters) = (start, 0);
            while end - at > STRIDE {
                let chunk_end = boundary(text, at + STRIDE);
                characters += count(text.get(at..chunk_end));
                at = chunk_end;
                marks.push((saturate(at), saturate(characters)));
            }
            starts.push(saturate(end));
            start = end;
        }
        // The last element is the end of the text, which does not start a line. If the text ends with a line break, the
        // loop has also added the start of the empty line after it.
        starts.pop();
        Self { starts, marks }
    }

    /// Returns the line and column of a byte offset. An offset past the end is treated as the end.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = boundary(text, offset);
        let line = self.line_of(offset);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let next_mark = self.marks.partition_point(|&(at, _)| at as usize <= offset);
        let mark = next_mark.checked_sub(1).and_then(|last| self.marks.get(last)).copied();
        let (start, characters) = mark.filter(|&(at, _)| at > start).unwrap_or((start, 0));
        let column = characters as usize + count(text.get(start as usize..offset));
        Position { line: saturate(line), column: saturate(column + 1) }
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= offset)
    }

    /// Returns the offset and text of a line without its line break. Line numbers start at 1.
    pub fn line<'t>(&self, text: &'t str, number: u32) -> Option<(usize, &'t str)> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(index)? as usize;
        let end = self.starts.get(index + 1).map_or(text.len(), |&next| next as usize);
        let line = text.get(start..end)?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some((start, line.strip_suffix('\r').unwrap_or(line)))
    }
}

/// Returns the start of the character that contains the byte at an offset, or the end of the text if the offset is past
/// it.
pub fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn count(text: Option<&str>) -> usize {
    text.map_or(0, |text| text.chars().count())
}

fn saturate(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_columns_in_long_lines() {
        let long_line = "aé€😀".repeat(STRIDE);
        let text = format!("{long_line}\nshort\n{long_line}\n\n{long_line}");
        let index = LineIndex::new(&text);
        assert_eq!(index.starts, [0, 10_241, 10_247, 20_488, 20_489]);
        assert_eq!(index.marks.len(), 3 * 10);
        for (offset, _) in text.char_indices().step_by(37).chain([(text.len(), ' ')]) {
            let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
            let expected = Position {
                line: saturate(text[..offset].matches('\n').count() + 1),
                column: saturate(text[start..offset].chars().count() + 1),
            };
            assert_eq!(index.position(&text, offset), expected, "{offset}");
        }
    }

    #[test]
    fn counts_the_last_line_without_a_line_break() {
        for text in ["", "\n", "a", "a\n", "a\n\n", "a\nb"] {
            assert_eq!(line_count(text), text.lines().count(), "{text:?}");
        }
    }

    #[test]
    fn lines_and_columns_start_at_one() {
        let text = "a\nbé x\n\nlast";
        let index = LineIndex::new(text);
        let at = |offset| {
            let p = index.position(text, offset);
            (p.line, p.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (2, 1));
        assert_eq!(at(5), (2, 3), "é is one column although two bytes");
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(9), (4, 1));
        assert_eq!(at(999), (4, 5));
    }

    #[test]
    fn replacing_the_text_keeps_the_source_properties() {
        let source = Source { path: Some("/a".into()), has_mark: true, ..Source::truncated("a", "secret", true) };
        let changed_source = source.with_text("b\nc".to_owned());
        assert_eq!((changed_source.name.as_str(), changed_source.text.as_str()), ("a", "b\nc"));
        assert_eq!(
            (changed_source.is_explicit, changed_source.has_mark, changed_source.is_complete),
            (true, true, false)
        );
        assert_eq!((changed_source.path.clone(), changed_source.mark_len()), (source.path.clone(), 3));
        assert_eq!((changed_source.line_of(2), changed_source.line_of(99)), (2, 2));
        assert_eq!(changed_source.line(2), Some((2, "c")));
        assert_eq!(format!("{source:?}"), "Source(a, 6 bytes)");
        let unmarked_source = Source::new("b", "", false);
        assert_eq!((unmarked_source.mark_len(), unmarked_source.is_complete), (0, true));
    }

    #[test]
    fn locations_belong_to_their_source() {
        let mut sources = Sources::default();
        let [first, second, third] = ["a", "b\nb", "c"].map(|text| sources.add(Source::new(text, text, true)));
        let display_location = |sources: &Sources, span| sources.location(span).map(|place| place.to_string());
        assert_eq!(display_location(&sources, Span::new(second, 2, 3)).as_deref(), Some("b\nb:2:1"));
        assert_eq!(display_location(&sources, Span::new(third, 1, 0)).as_deref(), Some("c:1:2"));
        assert_eq!(display_location(&Sources::default(), Span::new(first, 0, 0)), None);
        let end = sources.location(Span::new(second, 0, 3)).unwrap().end;
        assert_eq!((end.line, end.column), (2, 2));
        let changed_sources = sources.with_texts([(second, "d".to_owned())].into());
        let texts: Vec<_> = changed_sources.iter().map(|(id, source)| (id, source.text.as_str())).collect();
        assert_eq!(texts, [(first, "a"), (second, "d"), (third, "c")]);
    }

    #[test]
    fn lines_exclude_line_breaks() {
        let text = "a\r\nbé\n";
        let index = LineIndex::new(text);
        let lines: Vec<_> = (0..5).map(|number| index.line(text, number)).collect();
        assert_eq!(lines, [None, Some((0, "a")), Some((3, "bé")), Some((7, "")), None]);
    }
}
