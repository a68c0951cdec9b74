//! Translation of edits in build output to edits in the files that the output was built from.

use super::field::FieldPosition;
use super::files::BuildFiles;
use crate::source::Span;

/// Text of a key or scalar as written, without its quotes.
struct WrittenWord<'t> {
    /// Number of bytes before the word in the text as written.
    before: usize,
    word: &'t str,
}

impl<'t> WrittenWord<'t> {
    fn new(written: &'t str) -> Self {
        let quoted = |quote| written.strip_prefix(quote)?.strip_suffix(quote);
        match quoted('"').or_else(|| quoted('\'')) {
            Some(word) => Self { before: 1, word },
            None => Self { before: 0, word: written },
        }
    }

    fn is_quoted(&self) -> bool {
        self.before > 0
    }

    /// Returns the last part of a JSON Pointer.
    fn last_part(&self) -> Option<Self> {
        let slash = self.word.starts_with('/').then(|| self.word.rfind('/')).flatten()?;
        Some(Self { before: self.before + slash + 1, word: self.word.get(slash + 1..)? })
    }
}

impl BuildFiles<'_> {
    /// Returns the span in a file that corresponds to the span of an edit in a key or scalar of build output, or `None`
    /// if the file spells the key or scalar differently. `text` is the new text.
    pub(super) fn source_edit_span(self, span: Span, text: &str) -> Option<Span> {
        let (_, root) = self.document(span)?;
        let field = FieldPosition::at_span(root, span, self.sources);
        let built = field.written_span()?;
        let source_span = self.trace(built, true, 0)?;
        let raw_text = |span: Span| self.sources.get(span.source)?.text.get(span.bytes());
        let (from, to) = (WrittenWord::new(raw_text(built)?), WrittenWord::new(raw_text(source_span)?));
        let offset = (span.start.checked_sub(built.start)?) as usize;
        let end = offset + (span.end - span.start) as usize;
        let shift = |by: usize, less: usize| {
            let start = source_span.start + u32::try_from((offset + by).checked_sub(less)?).ok()?;
            Some(source_span.with(start, start + (span.end - span.start)))
        };
        if raw_text(built) == raw_text(source_span) {
            return shift(0, 0);
        }
        // The file's quotes are kept, so the new text must be valid inside them.
        let is_inside = from.before <= offset && end <= from.before + from.word.len();
        let can_be_replaced = is_inside && !text.contains(['"', '\'', '\\']) && !to.word.contains('\\');
        if can_be_replaced && from.word == to.word && to.is_quoted() {
            return shift(to.before, from.before);
        }
        let part = to.last_part().filter(|part| can_be_replaced && field.is_key && part.word == from.word)?;
        shift(part.before, from.before)
    }
}
