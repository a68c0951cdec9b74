//! The texts that are read: their names, and the line and column of a byte.

mod line_index;

pub use line_index::{LineIndex, Position};

use std::fmt;
use std::sync::{Arc, OnceLock};

/// One input: a file, or standard input. It can hold secret values, so its `Debug` leaves out the text.
pub struct Source {
    /// The name shown to people: the path as it was given or found, or `<stdin>`.
    pub name: String,
    /// The whole text, without a byte order mark.
    pub text: String,
    /// Whether the input was named on the command line (not found by walking a directory).
    pub named: bool,
    /// Whether the text is all there is; where it is not, it serves to show places and is not compiled.
    pub whole: bool,
    lines: OnceLock<LineIndex>,
}

/// Which input of a run.
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

/// A range of bytes in an input: `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The input.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// A range of bytes; offsets beyond 4 GiB (which the loader refuses) saturate.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            source,
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// Its offsets.
    pub fn bytes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A range of a source as shown to people and programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'s> {
    /// The source's name.
    pub file: &'s str,
    /// The first character.
    pub start: Position,
    /// Behind the last character.
    pub end: Position,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {} bytes)", self.name, self.text.len())
    }
}

impl Source {
    /// A source of this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>, named: bool) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            named,
            whole: true,
            lines: OnceLock::new(),
        }
    }

    /// A source whose text ends before the input does.
    pub fn cut_short(name: impl Into<String>, text: impl Into<String>, named: bool) -> Self {
        Self {
            whole: false,
            ..Self::new(name, text, named)
        }
    }

    /// Line and column of a byte offset, both from 1.
    pub fn position(&self, offset: usize) -> Position {
        self.lines().position(&self.text, offset)
    }

    /// Offset and text of a line, counted from 1, without its line break; `None` behind the last one.
    pub fn line(&self, number: u32) -> Option<(usize, &str)> {
        self.lines().line(&self.text, number)
    }

    fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

/// All inputs of a run, in the order in which they are compiled. A run that reads them again shares those that stayed the same.
#[derive(Debug, Default)]
pub struct Sources(Vec<Arc<Source>>);

impl Sources {
    /// Adds an input.
    pub fn add(&mut self, source: impl Into<Arc<Source>>) -> SourceId {
        self.0.push(source.into());
        SourceId::new(self.0.len() - 1)
    }

    /// The input of this number; `None` for a number of another set.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.0.get(id.index()).map(Arc::as_ref)
    }

    /// File, line and column of a span; `None` for a span of another set.
    pub fn place(&self, span: Span) -> Option<Place<'_>> {
        let source = self.get(span.source)?;
        Some(Place {
            file: &source.name,
            start: source.position(span.start as usize),
            end: source.position(span.end.max(span.start) as usize),
        })
    }

    /// The inputs with their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (SourceId, &Source)> {
        self.shared().map(|(id, source)| (id, source.as_ref()))
    }

    /// The inputs with their numbers, to be kept.
    pub fn shared(&self) -> impl ExactSizeIterator<Item = (SourceId, &Arc<Source>)> {
        self.0.iter().enumerate().map(|(i, source)| (SourceId::new(i), source))
    }
}
