//! The simple style that manifests are mostly written in → its documents, several times as fast as the library's parser.
//!
//! It reads block mappings and lists, scalars that are on one line, brackets that close on the line where they open,
//! literal block scalars, comments and `---`. At the first thing beyond it gives the whole text up, and the library
//! reads it: so it has neither mistakes to report nor rules to decide, and what it does read is what the library reads,
//! to the byte.

mod collection;
mod cursor;
mod scalar;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use granit_parser::{ScalarStyle, StructureStyle};

use super::document::Document;
use super::limits::{Limits, MAX_TEXT};
use super::pruning::Keep;
use super::tree::{Shape, TextKind, Tree};
use crate::diagnostic::Warned;
use crate::source::{SourceId, Span};
use cursor::{Cursor, Unknown};

/// The documents of a text in the simple style, as [`read_with_library`](super::read_with_library) gives them, with only some
/// fields of the objects for which `keep` names them; `None` for any other text.
pub(super) fn read_simple<'s>(
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    keep: Option<Keep>,
) -> Option<Warned<Vec<Document<'s>>>> {
    let known = text.len() <= MAX_TEXT && is_known(text);
    known.then(|| read_all(source, text, limits, keep).ok()).flatten()
}

/// Whether every character means itself: no tabs, carriage returns, byte order marks or other line breaks.
fn is_known(text: &str) -> bool {
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
    // Whole stretches, without a way out of them, are what the compiler makes vector instructions of.
    let ascii = |bytes: &[u8]| bytes.iter().fold(true, |plain, byte| plain & is_plain(byte));
    text.as_bytes().chunks(1024).all(ascii) || text.chars().all(is_known_char)
}

fn is_known_char(c: char) -> bool {
    let is_break = matches!(c, '\u{2028}' | '\u{2029}');
    let is_mark = matches!(c, '\u{feff}' | '\u{fffe}'..='\u{ffff}');
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..) && !is_break && !is_mark
}

/// Maximum nesting here; deeper input falls back to the library, which reports it.
const DEPTH: usize = 50;

/// Reads all documents.
fn read_all<'s>(
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    keep: Option<Keep>,
) -> Result<Warned<Vec<Document<'s>>>, Unknown> {
    let mut output = Vec::new();
    let mut diagnostics = Vec::new();
    let mut reader = Reader {
        source,
        cursor: Cursor::new(text),
        tree: Tree::new(source, text, TextKind::Manifests, limits, keep),
        depth: DEPTH.min(limits.max_depth / 2),
    };
    reader.cursor.skip_to_content();
    let mut documents_left = limits.max_documents;
    while !reader.cursor.is_at_end() {
        documents_left = documents_left.checked_sub(1).ok_or(Unknown)?;
        let start = reader.cursor.at;
        reader.document()?;
        if (reader.cursor.at - start) as u64 > limits.max_document_size.0 {
            return Err(Unknown);
        }
        reader.tree.finish(&mut output, &mut diagnostics);
    }
    Ok(Warned { output, diagnostics })
}

/// Reads documents into the trees that the events of the library would give.
struct Reader<'s> {
    source: SourceId,
    cursor: Cursor<'s>,
    tree: Tree<'s>,
    /// Number of further levels that collections may have.
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
        // What is left belongs to no collection. The collections that end last count, too.
        match self.is_at_content() || self.tree.is_full() {
            true => Err(Unknown),
            false => Ok(()),
        }
    }

    /// Whether the document goes on here, at the first thing of a line.
    fn is_at_content(&self) -> bool {
        !self.cursor.is_at_end() && !self.cursor.is_at_marker()
    }

    /// Whether a collection goes on here whose parts start in this column.
    fn is_in(&self, column: usize) -> Result<bool, Unknown> {
        match self.cursor.column() {
            found if found > column && self.is_at_content() => Err(Unknown),
            found => Ok(found == column && self.is_at_content()),
        }
    }

    /// Goes to the first thing of the next line with any; on this line only a comment may be left.
    fn next_content(&mut self) -> Result<(), Unknown> {
        if !self.cursor.is_at_rest() || self.tree.is_full() {
            return Err(Unknown);
        }
        self.cursor.skip_to_content();
        Ok(())
    }

    fn open(&mut self, shape: Shape, style: StructureStyle, start: usize, end: usize) -> Result<(), Unknown> {
        self.depth = self.depth.checked_sub(1).ok_or(Unknown)?;
        let span = self.span(start, end);
        self.tree.open(shape, style, 0, span).map_err(|_| Unknown)
    }

    /// The innermost collection ends.
    fn close(&mut self, start: usize, end: usize) {
        self.depth += 1;
        self.tree.close(self.span(start, end));
    }

    /// A scalar follows.
    fn scalar(&mut self, text: Cow<'s, str>, style: ScalarStyle, start: usize, end: usize) {
        let span = self.span(start, end);
        self.tree.scalar(text, style, 0, None, span);
    }

    /// There is nothing where a value may be.
    fn nothing(&mut self, at: usize) {
        self.scalar(Cow::Borrowed("~"), ScalarStyle::Plain, at, at);
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }
}
