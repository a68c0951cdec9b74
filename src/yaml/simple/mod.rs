//! Reader for the simple style of most manifests, which is several times faster than the parser.
//!
//! It supports block mappings and lists, scalars on a single line, flow collections on a single line, literal block
//! scalars, comments and `---`. If it encounters anything else, it gives up on the entire input, and the parser reads
//! the input instead. Therefore, this reader never reports errors, and its result is identical to the parser's, byte
//! for byte.

mod collection;
mod cursor;
mod scalar;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::alias_budget::AliasBudget;
use super::document::Document;
use super::event::{ScalarStyle, StructureStyle};
use super::limits::{Limits, MAX_TEXT};
use super::pruning::FieldFilter;
use super::tree::{NodeShape, TextKind, TreeBuilder};
use crate::diagnostic::Warned;
use crate::source::{SourceId, Span};
use cursor::{Cursor, NotSimple};

/// Reads the documents in an input in the simple style, with the same result as
/// [`read_with_parser`](super::read_with_parser), or returns `None` for other input. Objects keep only the fields
/// that `keep` returns.
pub(super) fn read_simple<'s>(
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    alias_budget: &AliasBudget,
    keep: Option<FieldFilter>,
) -> Option<Warned<Vec<Document<'s>>>> {
    let is_readable = text.len() <= MAX_TEXT && has_only_known_chars(text);
    is_readable.then(|| read_all(source, text, limits, alias_budget, keep).ok()).flatten()
}

/// Whether the text contains no special characters, such as tabs, carriage returns, byte order marks or Unicode line
/// breaks.
fn has_only_known_chars(text: &str) -> bool {
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
    // Checking entire chunks without an early exit allows the compiler to use vector instructions.
    let is_plain_ascii = |bytes: &[u8]| bytes.iter().fold(true, |plain, byte| plain & is_plain(byte));
    text.as_bytes().chunks(1024).all(is_plain_ascii) || text.chars().all(is_known_char)
}

fn is_known_char(c: char) -> bool {
    let is_break = matches!(c, '\u{2028}' | '\u{2029}');
    let is_mark = matches!(c, '\u{feff}' | '\u{fffe}'..='\u{ffff}');
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..) && !is_break && !is_mark
}

/// Maximum nesting depth. More deeply nested input is left to the parser, which reports it.
const DEPTH: usize = 50;

/// Reads all documents in the simple style.
fn read_all<'s>(
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    alias_budget: &AliasBudget,
    keep: Option<FieldFilter>,
) -> Result<Warned<Vec<Document<'s>>>, NotSimple> {
    let mut output = Vec::new();
    let mut diagnostics = Vec::new();
    let mut reader = Reader {
        source,
        cursor: Cursor::new(text),
        tree: TreeBuilder::new(source, text, TextKind::Manifests, limits, alias_budget, keep),
        depth: DEPTH.min(limits.max_depth / 2),
    };
    reader.cursor.skip_to_content();
    let mut documents_left = limits.max_documents;
    while !reader.cursor.is_at_end() {
        documents_left = documents_left.checked_sub(1).ok_or(NotSimple)?;
        let start = reader.cursor.at;
        reader.read_document()?;
        if (reader.cursor.at - start) as u64 > limits.max_document_size.0 {
            return Err(NotSimple);
        }
        reader.tree.finish(&mut output, &mut diagnostics);
    }
    Ok(Warned { output, diagnostics })
}

/// Reader that builds the same trees as the parser's events.
struct Reader<'s, 'b> {
    source: SourceId,
    cursor: Cursor<'s>,
    tree: TreeBuilder<'s, 'b>,
    /// Remaining nesting depth for collections.
    depth: usize,
}

impl<'s> Reader<'s, '_> {
    fn read_document(&mut self) -> Result<(), NotSimple> {
        if self.cursor.is_at_marker() {
            self.cursor.at += 3;
            self.skip_to_next_content()?;
        }
        if self.is_at_content() {
            self.read_block()?;
        }
        // If any content follows the root value, the document is not simple. The collections that have just ended also
        // count toward the node limit.
        match self.is_at_content() || self.tree.is_full() {
            true => Err(NotSimple),
            false => Ok(()),
        }
    }

    /// Whether the document continues at the cursor, which is at the first content of a line.
    fn is_at_content(&self) -> bool {
        !self.cursor.is_at_end() && !self.cursor.is_at_marker()
    }

    /// Whether a collection whose parts start in `column` continues here.
    fn continues_at(&self, column: usize) -> Result<bool, NotSimple> {
        match self.cursor.column() {
            found if found > column && self.is_at_content() => Err(NotSimple),
            found => Ok(found == column && self.is_at_content()),
        }
    }

    /// Moves to the next content. The rest of the current line may contain only a comment.
    fn skip_to_next_content(&mut self) -> Result<(), NotSimple> {
        if !self.cursor.is_blank_or_comment() || self.tree.is_full() {
            return Err(NotSimple);
        }
        self.cursor.skip_to_content();
        Ok(())
    }

    fn open(&mut self, shape: NodeShape, style: StructureStyle, start: usize, end: usize) -> Result<(), NotSimple> {
        self.depth = self.depth.checked_sub(1).ok_or(NotSimple)?;
        let span = self.span(start, end);
        self.tree.open(shape, style, 0, span).map_err(|_| NotSimple)
    }

    /// Ends the innermost collection.
    fn close(&mut self, start: usize, end: usize) {
        self.depth += 1;
        self.tree.close(self.span(start, end));
    }

    /// Adds a scalar to the tree.
    fn push_scalar(&mut self, text: Cow<'s, str>, style: ScalarStyle, start: usize, end: usize) {
        let span = self.span(start, end);
        self.tree.add_scalar(text, style, 0, None, span);
    }

    /// Adds an empty value to the tree.
    fn push_empty(&mut self, offset: usize) {
        self.push_scalar(Cow::Borrowed(""), ScalarStyle::Plain, offset, offset);
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }
}
