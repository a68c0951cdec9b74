//! Files → text: what was read, under which name, and where a byte stands in it.

mod line_index;
mod span;

pub use line_index::{LineIndex, Position};
pub use span::{SourceId, Span};

use std::sync::OnceLock;

/// One input: a file, or standard input.
#[derive(Debug)]
pub struct Source {
    /// The name shown to people: the path as it was given or found, or `<stdin>`.
    pub name: String,
    /// The whole text, without a byte order mark.
    pub text: String,
    /// Whether the input was named on the command line (not found by walking a directory).
    pub named: bool,
    lines: OnceLock<LineIndex>,
}

impl Source {
    /// A source of this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>, named: bool) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            named,
            lines: OnceLock::new(),
        }
    }

    /// Line and column of a byte offset, both from 1.
    pub fn position(&self, offset: usize) -> Position {
        self.lines
            .get_or_init(|| LineIndex::new(&self.text))
            .position(&self.text, offset)
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
