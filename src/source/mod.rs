//! Files → text: what was read, under which name, and where a byte stands in it.

mod below;
mod containment;
mod diagnostics;
mod find;
mod git;
mod glance;
mod line_index;
mod load;
mod revision;
mod span;
mod upward;
mod watch;

pub use below::below;
pub use containment::{Reach, Tree, check_output};
pub use glance::Glance;
pub use line_index::{LineIndex, Position};
pub use load::{Input, MAX_FILE_SIZE, Reading, STDIN_NAME, load, load_file, load_more};
pub use revision::load_at;
pub use span::{SourceId, Span};
pub use upward::{FoundSettings, SETTINGS_FILE, SettingsChoice, SettingsFile, load_settings};
pub use watch::Watch;

use std::fmt;
use std::sync::OnceLock;

/// One input: a file, or standard input. It can hold secret values, so its `Debug` has none of its text.
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

/// A stretch of a source as people and programs are told of it.
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

/// All inputs of a run, in the order in which they are compiled.
#[derive(Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// Adds an input.
    pub fn add(&mut self, source: Source) -> SourceId {
        self.0.push(source);
        SourceId::new(self.0.len() - 1)
    }

    /// The input of this number; `None` for a number of another set.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.0.get(id.index())
    }

    /// Where a span stands; `None` for a span of another set.
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
        self.0.iter().enumerate().map(|(i, s)| (SourceId::new(i), s))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
