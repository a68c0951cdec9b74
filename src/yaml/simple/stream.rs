//! A text → its documents.

use std::borrow::Cow;

use granit_parser::{Event, ScalarStyle};

use super::Unknown;
use super::cursor::Cursor;
use crate::diagnostic::Warned;
use crate::source::{SourceId, Span};
use crate::yaml::limits::Limits;
use crate::yaml::node::Document;
use crate::yaml::reader::TextKind;
use crate::yaml::tree::Tree;

/// So many collections may stand in one another here; the library knows what is to be said of more.
const DEPTH: usize = 50;

/// Reads all documents.
pub fn read<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Result<Warned<Vec<Document<'s>>>, Unknown> {
    let mut output = Vec::new();
    let mut diagnostics = Vec::new();
    let mut cursor = Cursor::new(text);
    cursor.skip_to_content();
    let mut documents_left = limits.max_documents;
    while !cursor.is_at_end() {
        documents_left = documents_left.checked_sub(1).ok_or(Unknown)?;
        let start = cursor.at;
        let mut reader = Reader {
            source,
            cursor,
            tree: Tree::new(source, TextKind::Manifests, limits, limits.max_alias_expansion),
            depth: DEPTH.min(limits.max_depth / 2),
        };
        reader.document()?;
        cursor = reader.cursor;
        if (cursor.at - start) as u64 > limits.max_document_size.0 {
            return Err(Unknown);
        }
        output.extend(reader.tree.finish(&mut diagnostics));
    }
    Ok(Warned { output, diagnostics })
}

/// Reads a document: what stands in it becomes the events that the library would give.
pub struct Reader<'s> {
    source: SourceId,
    pub cursor: Cursor<'s>,
    tree: Tree<'s>,
    /// How many more collections may stand in one another.
    depth: usize,
}

impl<'s> Reader<'s> {
    fn document(&mut self) -> Result<(), Unknown> {
        if self.cursor.is_at_marker() {
            self.cursor.at += 3;
            self.next_content()?;
        }
        if self.is_at_content() {
            self.block()?;
        }
        // What still stands here belongs to no collection.
        if self.is_at_content() { Err(Unknown) } else { Ok(()) }
    }

    /// Whether the document goes on here, at the first thing of a line.
    pub fn is_at_content(&self) -> bool {
        !self.cursor.is_at_end() && !self.cursor.is_at_marker()
    }

    /// Whether a collection goes on here whose parts start in this column.
    pub fn is_in(&self, column: usize) -> Result<bool, Unknown> {
        match self.cursor.column() {
            found if found > column && self.is_at_content() => Err(Unknown),
            found => Ok(found == column && self.is_at_content()),
        }
    }

    /// Goes to the first thing of the next line with any; on this line only a comment may be left.
    pub fn next_content(&mut self) -> Result<(), Unknown> {
        if !self.cursor.is_at_rest() {
            return Err(Unknown);
        }
        self.cursor.skip_to_content();
        Ok(())
    }

    /// A collection starts.
    pub fn open(&mut self, event: Event<'s>, start: usize, end: usize) -> Result<(), Unknown> {
        self.depth = self.depth.checked_sub(1).ok_or(Unknown)?;
        self.event(event, start, end)
    }

    /// The innermost collection ends.
    pub fn close(&mut self, event: Event<'s>, start: usize, end: usize) -> Result<(), Unknown> {
        self.depth += 1;
        self.event(event, start, end)
    }

    /// A scalar stands here.
    pub fn scalar(&mut self, text: Cow<'s, str>, style: ScalarStyle, start: usize, end: usize) -> Result<(), Unknown> {
        self.event(Event::Scalar(text, style, 0, None), start, end)
    }

    /// Nothing stands where a value may.
    pub fn nothing(&mut self, at: usize) -> Result<(), Unknown> {
        self.scalar(Cow::Borrowed("~"), ScalarStyle::Plain, at, at)
    }

    fn event(&mut self, event: Event<'s>, start: usize, end: usize) -> Result<(), Unknown> {
        let span = Span::new(self.source, start, end);
        self.tree.event(event, span).map_err(|_| Unknown)
    }
}
