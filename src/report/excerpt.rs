//! Excerpts from the lines around a diagnostic's labels, with secrets masked. Excerpts make the cost of a report
//! independent of the source's size.

use std::fmt::Write;
use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::diagnostic::{Diagnostic, Label, MASK};
use crate::printable::{Screen, printable};
use crate::secrecy::SourceRedactions;
use crate::source::{Position, Source, SourceId, Sources, boundary};

/// Number of context lines before and after a labeled line.
const CONTEXT_LINES: u32 = 1;

/// Bounds on the number of characters shown per line, which depends on the width of the screen.
const MAX_WIDTH: usize = 160;
const MIN_WIDTH: usize = 40;

/// Number of columns for line numbers and box-drawing characters.
const MARGIN: usize = 10;

/// Excerpts for a diagnostic, joined into one string. Offsets in this string represent positions in the sources.
#[derive(Debug)]
pub(super) struct Excerpts {
    /// Maximum number of characters shown per line.
    width: usize,
    text: String,
    snippets: Vec<Snippet>,
    marks: Vec<Mark>,
}

/// Consecutive lines from one source.
#[derive(Debug)]
struct Snippet {
    file: String,
    /// Number of the first line, counted from 1.
    first_line: u32,
    lines: u32,
    range: Range<usize>,
}

/// A label's position in the joined excerpts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Index of the label in the diagnostic.
    pub(super) label: usize,
    /// Byte range in the joined excerpts.
    pub(super) range: Range<usize>,
    position: Position,
}

/// A label in its source, truncated to its first line.
#[derive(Clone, Copy)]
struct LabelLine<'s> {
    label: usize,
    id: SourceId,
    source: &'s Source,
    position: Position,
    /// Byte offsets within the line.
    start: usize,
    end: usize,
    /// Whether the line is so long that it is shown without context.
    is_alone: bool,
}

impl Excerpts {
    /// Extracts the lines of all labels. The snippet with the primary label comes first, followed by the other
    /// snippets, file by file and from top to bottom.
    pub(super) fn new(
        diagnostic: &Diagnostic,
        sources: &Sources,
        views: &mut SourceRedactions,
        screen: Screen,
    ) -> Self {
        let width_for_text = |width: usize| width.saturating_sub(MARGIN).clamp(MIN_WIDTH, MAX_WIDTH);
        let width = screen.width.map_or(MAX_WIDTH, width_for_text);
        let mut targets: Vec<_> =
            diagnostic.labels.iter().enumerate().filter_map(|(i, label)| target(i, label, sources, width)).collect();
        let files: Vec<_> = targets.iter().map(|target| target.id).collect();
        targets.sort_by_key(|target| {
            let file = files.iter().position(|&id| id == target.id);
            (file, target.position, target.label)
        });
        let mut excerpts = Self { width, text: String::new(), snippets: Vec::new(), marks: Vec::new() };
        // The lines of the primary label come first, regardless of their location in the file.
        let mut groups: Vec<_> = targets.chunk_by(|a, b| share_snippet(a, b)).collect();
        groups.sort_by_key(|group| !group.iter().any(|target| target.label == 0));
        for group in groups {
            excerpts.add(group, views);
        }
        excerpts
    }

    /// Returns the positions of the labels, starting with the primary one.
    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn add(&mut self, group: &[LabelLine<'_>], views: &mut SourceRedactions) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            return;
        };
        let context = if first.is_alone { 0 } else { CONTEXT_LINES };
        let first_line = first.position.line.saturating_sub(context).max(1);
        let start = self.text.len();
        let mut lines = 0;
        for number in first_line..=last.position.line.saturating_add(context) {
            let Some((offset, line)) = first.source.line(number) else {
                break;
            };
            if number > last.position.line && offset == first.source.text.len() {
                break;
            }
            let hidden = |shown| views.hidden_ranges(first.id, first.source, line, offset, shown);
            self.add_line(number, line, hidden, group);
            lines += 1;
        }
        self.snippets.push(Snippet {
            file: printable(&first.source.name).into_owned(),
            first_line,
            lines,
            range: start..self.text.len(),
        });
        // A byte between snippets keeps spans in adjacent snippets from touching.
        self.text.push('\n');
    }

    fn add_line(
        &mut self,
        number: u32,
        line: &str,
        hidden: impl FnOnce(Range<usize>) -> Vec<Range<usize>>,
        group: &[LabelLine<'_>],
    ) {
        let targets = group.iter().filter(|target| target.position.line == number);
        let focus = targets.clone().next().filter(|target| target.is_alone);
        let shown_range = window(line, focus.map_or(0, |target| target.start), self.width);
        if shown_range.start > 0 {
            self.text.push('…');
        }
        let base = self.text.len();
        let masked = MaskedLine::new(&hidden(shown_range.clone()), line, shown_range.clone());
        self.text.push_str(masked.text());
        for target in targets {
            let at = |offset: usize| offset.clamp(shown_range.start, shown_range.end);
            let range = masked.locate(line, at(target.start)..at(target.end));
            self.marks.push(Mark {
                label: target.label,
                range: base + range.start..base + range.end,
                position: target.position,
            });
        }
        let _ = writeln!(self.text, "{}", if shown_range.end < line.len() { "…" } else { "" });
    }
}

fn target<'s>(label: usize, Label { span, .. }: &Label, sources: &'s Sources, width: usize) -> Option<LabelLine<'s>> {
    let source = sources.get(span.source)?;
    let position = source.position(span.start as usize);
    let (line_start, line) = source.line(position.line)?;
    let start = boundary(line, (span.start as usize).saturating_sub(line_start));
    let end = boundary(line, (span.end as usize).saturating_sub(line_start)).max(start);
    Some(LabelLine { label, id: span.source, source, position, start, end, is_alone: line.len() > width })
}

/// Whether two labels share a snippet because no lines between them are omitted.
fn share_snippet(a: &LabelLine<'_>, b: &LabelLine<'_>) -> bool {
    let is_near = b.position.line.saturating_sub(a.position.line) <= 2 * CONTEXT_LINES + 1;
    a.id == b.id && is_near && !a.is_alone && !b.is_alone
}

/// Returns the range of a line to show, which has at most `width` characters and includes `focus`.
fn window(line: &str, focus: usize, width: usize) -> Range<usize> {
    if line.len() <= width {
        return 0..line.len();
    }
    let before = line.get(..focus).unwrap_or_default();
    // More text is shown after a label than before it.
    let lead = width * 3 / 8 - 1;
    let start = before.char_indices().rev().nth(lead).map_or(0, |(i, _)| i);
    let rest = line.get(start..).unwrap_or_default();
    let length = rest.char_indices().nth(width).map_or(rest.len(), |(i, _)| i);
    start..start + length
}

impl SourceCode for Excerpts {
    /// Returns the label's own text if no context is requested, or its whole snippet otherwise. Fails if a span extends
    /// over two snippets, so that miette draws them separately.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let snippet = self
            .snippets
            .iter()
            .find(|snippet| snippet.range.start <= start && end <= snippet.range.end)
            .ok_or(MietteError::OutOfBounds)?;
        let mark = self.marks.iter().find(|mark| mark.range.start == start);
        let (range, line, column) = match mark {
            Some(mark) if before == 0 => (start..end, mark.position.line, mark.position.column),
            _ => (snippet.range.clone(), snippet.first_line, 1),
        };
        let data = self.text.get(range.clone()).unwrap_or_default().as_bytes();
        Ok(Box::new(MietteSpanContents::new_named(
            snippet.file.clone(),
            data,
            (range.start, range.len()).into(),
            line.saturating_sub(1) as usize,
            column.saturating_sub(1) as usize,
            snippet.lines as usize,
        )))
    }
}

/// The visible part of a line, with secrets masked.
pub(super) struct MaskedLine {
    text: String,
    /// Byte ranges in the line, each with its offset in the masked text. A secret maps to its mask.
    pieces: Vec<(Range<usize>, usize)>,
}

impl MaskedLine {
    /// Masks `secrets` in the `shown` range of a line.
    pub(super) fn new(secrets: &[Range<usize>], line: &str, shown: Range<usize>) -> Self {
        let mut masked = Self { text: String::new(), pieces: Vec::new() };
        let mut at = shown.start;
        let first = secrets.partition_point(|secret| secret.end <= shown.start);
        let secrets = secrets.iter().skip(first);
        for secret in secrets.take_while(|secret| secret.start < shown.end) {
            let secret = secret.start.max(at)..secret.end.min(shown.end);
            if secret.start < secret.end {
                masked.push(at..secret.start, &printable(line.get(at..secret.start).unwrap_or_default()));
                at = secret.end;
                masked.push(secret, MASK);
            }
        }
        masked.push(at..shown.end, &printable(line.get(at..shown.end).unwrap_or_default()));
        masked
    }

    fn push(&mut self, bytes: Range<usize>, text: &str) {
        self.pieces.push((bytes, self.text.len()));
        self.text.push_str(text);
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the range in the masked text that corresponds to a byte range in the line.
    pub(super) fn locate(&self, line: &str, bytes: Range<usize>) -> Range<usize> {
        let start = self.offset(line, bytes.start, false);
        start..self.offset(line, bytes.end, true).max(start)
    }

    fn offset(&self, line: &str, byte: usize, is_end: bool) -> usize {
        let at = self.pieces.iter().rposition(|(bytes, _)| bytes.start <= byte);
        let Some((bytes, start)) = at.and_then(|at| self.pieces.get(at)) else {
            return 0;
        };
        let end = at.and_then(|at| self.pieces.get(at + 1)).map_or(self.text.len(), |(_, next)| *next);
        let piece = self.text.get(*start..end).unwrap_or_default();
        if byte >= bytes.end || (piece == MASK && is_end && byte > bytes.start) {
            return end;
        }
        if piece == MASK {
            return *start;
        }
        (start + line.get(bytes.start..byte).map_or(0, |text| printable(text).len())).min(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_positions_into_masked_text() {
        let line = "é: {password: hunter2, b: c}";
        let secret = line.find("hunter2").unwrap();
        let hidden: Vec<_> = std::iter::once(secret..secret + 7).collect();
        let masked = MaskedLine::new(&hidden, line, 0..line.len());
        assert_eq!(masked.text(), "é: {password: ***, b: c}");
        let actual = |text: &str| {
            let start = line.find(text).unwrap();
            masked.text()[masked.locate(line, start..start + text.len())].to_owned()
        };
        assert_eq!(actual("hunter2"), "***");
        assert_eq!(actual("nter"), "***");
        assert_eq!(actual("{password: "), "{password: ");
        assert_eq!(actual(": hunt"), ": ***");
        assert_eq!(actual("ter2, b"), "***, b");
        assert_eq!(actual(", b"), ", b");
        assert_eq!(actual("é"), "é");
        assert_eq!(actual("password"), "password");
        assert_eq!(actual("b: c"), "b: c");
        assert_eq!(actual("password: hunter2, b"), "password: ***, b");
    }

    #[test]
    fn shows_the_part_of_a_line_around_the_focus() {
        let line = "é".repeat(20);
        for (focus, expected) in [(0, 0..16), (4, 0..16), (6, 0..16), (8, 2..18), (20, 14..30), (40, 34..40)] {
            assert_eq!(window(&line, focus, 8), expected, "{focus}");
        }
        assert_eq!(window(&line, 40, 39), 12..40);
        assert_eq!(window(&line, 40, 40), 0..40);
        assert_eq!(window("", 0, 40), 0..0);
    }

    #[test]
    fn hides_secrets_in_the_excerpt() {
        let line = "abcdefgh";
        let ranges = |secrets: &[(usize, usize)]| secrets.iter().map(|(start, end)| *start..*end).collect::<Vec<_>>();
        for (secrets, shown, expected) in [
            (&[][..], 2..6, "cdef"),
            (&[(0, 2)], 2..6, "cdef"),
            (&[(6, 8)], 2..6, "cdef"),
            (&[(0, 3)], 2..6, "***def"),
            (&[(5, 8)], 2..6, "cde***"),
            (&[(3, 4), (4, 5)], 2..6, "c******f"),
            (&[(3, 5), (4, 6)], 0..8, "abc******gh"),
            (&[(0, 8)], 2..6, "***"),
        ] {
            let masked = MaskedLine::new(&ranges(secrets), line, shown.clone());
            assert_eq!(masked.text(), expected, "{secrets:?} {shown:?}");
        }
        let masked = MaskedLine::new(&[3..4, 4..5], line, 2..6);
        for (bytes, expected) in
            [(2..3, 0..1), (2..4, 0..4), (3..4, 1..4), (4..5, 4..7), (3..5, 1..7), (5..6, 7..8), (4..6, 4..8)]
        {
            assert_eq!(masked.locate(line, bytes.clone()), expected, "{bytes:?}");
        }
    }
}
