//! The lines around the labels of a diagnostic, cut out so that a report costs the same whatever the size of the source.
//! What is secret in a line is known after the whole line only, and is kept for the next report.

use std::fmt::Write;
use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::line_secrets::LineSecrets;
use super::mask::Masked;
use super::secrecy::{Secrecy, key_of};
use super::{Diagnostic, Label};
use crate::printable::printable;
use crate::source::{Position, Source, SourceId, Sources};

/// How many lines are shown before and behind a labelled one.
const CONTEXT: u32 = 1;

/// How many characters of a line are shown at most.
const WIDTH: usize = 160;

/// How many of them may stand before a label.
const LEAD: usize = 60;

/// The excerpts of a diagnostic, laid end to end: offsets in this text stand for places in the sources.
#[derive(Debug, Default)]
pub(super) struct Excerpts {
    text: String,
    snippets: Vec<Snippet>,
    marks: Vec<Mark>,
}

/// Consecutive lines of one source.
#[derive(Debug)]
struct Snippet {
    file: String,
    /// From 1.
    first_line: u32,
    lines: u32,
    range: Range<usize>,
}

/// A label in the text of the excerpts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Which label of the diagnostic.
    pub(super) label: usize,
    /// Its bytes in the text of the excerpts.
    pub(super) range: Range<usize>,
    position: Position,
}

/// A label in its source, cut to the first of its lines.
#[derive(Clone, Copy)]
struct Target<'s> {
    label: usize,
    id: SourceId,
    source: &'s Source,
    position: Position,
    /// Bytes of the line.
    start: usize,
    end: usize,
    /// Must stand alone: the line is long, or belongs to a Secret.
    view: View,
}

/// How the line of a label is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// With its neighbours.
    Whole,
    /// The part around the label.
    Window,
    /// Nothing but its key.
    Key,
}

impl Excerpts {
    /// Cuts the lines out: the file of the first label in front, each file from top to bottom.
    pub(super) fn of(
        diagnostic: &Diagnostic,
        sources: &Sources,
        secrecy: &mut Secrecy,
        secrets: &mut LineSecrets,
    ) -> Self {
        let mut targets: Vec<_> = diagnostic
            .labels
            .iter()
            .enumerate()
            .filter_map(|(i, label)| target(i, label, sources, secrecy))
            .collect();
        let files: Vec<_> = targets.iter().map(|target| target.id).collect();
        targets.sort_by_key(|target| {
            let file = files.iter().position(|&id| id == target.id);
            (file, target.position, target.label)
        });
        let mut excerpts = Self::default();
        for group in targets.chunk_by(|a, b| together(a, b)) {
            excerpts.add(group, secrets);
        }
        excerpts
    }

    /// Where the labels are, those of the primary one in front.
    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn add(&mut self, group: &[Target<'_>], secrets: &mut LineSecrets) {
        if let (Some(first), Some(last)) = (group.first(), group.last()) {
            self.add_lines(group, first, last, secrets);
        }
    }

    fn add_lines(&mut self, group: &[Target<'_>], first: &Target<'_>, last: &Target<'_>, secrets: &mut LineSecrets) {
        let context = if first.view == View::Whole { CONTEXT } else { 0 };
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
            let secrets = secrets.of(first.id, first.source, number, line);
            self.add_line(number, line, secrets, group);
            lines += 1;
        }
        self.snippets.push(Snippet {
            file: printable(&first.source.name).into_owned(),
            first_line,
            lines,
            range: start..self.text.len(),
        });
        // One byte belongs to no snippet: spans of neighbours never touch.
        self.text.push('\n');
    }

    fn add_line(&mut self, number: u32, line: &str, secrets: &[Range<usize>], group: &[Target<'_>]) {
        let targets = group.iter().filter(|target| target.position.line == number);
        let shown = match targets.clone().next() {
            Some(target) if target.view == View::Key => 0..key_of(line).len(),
            Some(target) if target.view == View::Window => window(line, target.start),
            _ => window(line, 0),
        };
        if shown.start > 0 {
            self.text.push('…');
        }
        let base = self.text.len();
        let masked = Masked::new(secrets, line, shown.clone());
        self.text.push_str(masked.text());
        for target in targets {
            let at = |offset: usize| offset.clamp(shown.start, shown.end);
            let range = masked.locate(line, at(target.start)..at(target.end));
            self.marks.push(Mark {
                label: target.label,
                range: base + range.start..base + range.end,
                position: target.position,
            });
        }
        let cut = shown.end < line.len() && !group.iter().any(|target| target.view == View::Key);
        let _ = writeln!(self.text, "{}", if cut { "…" } else { "" });
    }
}

fn target<'s>(
    label: usize,
    Label { span, .. }: &Label,
    sources: &'s Sources,
    secrecy: &mut Secrecy,
) -> Option<Target<'s>> {
    let source = sources.get(span.source)?;
    let position = source.position(span.start as usize);
    let (line_start, line) = source.line(position.line)?;
    let start = floor(line, (span.start as usize).saturating_sub(line_start));
    let end = floor(line, (span.end as usize).saturating_sub(line_start)).max(start);
    let mut covers = |offset| secrecy.covers(span.source, source, offset);
    // The line before it may be the last one of a Secret, the line behind it the first.
    let neighbours = [position.line.saturating_sub(1), position.line.saturating_add(1)];
    let neighbours = neighbours.into_iter().filter_map(|number| source.line(number));
    let mut telling = neighbours
        .filter(|(_, text)| text.trim_end() != "---")
        .map(|(start, _)| start);
    let view = if covers(span.start as usize) || covers(line_start) {
        View::Key
    } else if line.len() > WIDTH || telling.any(covers) {
        View::Window
    } else {
        View::Whole
    };
    Some(Target {
        label,
        id: span.source,
        source,
        position,
        start,
        end,
        view,
    })
}

/// The offset, or that of the character it falls into, or the end.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Whether two labels share a snippet: nothing is left out between their lines.
fn together(a: &Target<'_>, b: &Target<'_>) -> bool {
    let near = b.position.line.saturating_sub(a.position.line) <= 2 * CONTEXT + 1;
    a.id == b.id && near && a.view == View::Whole && b.view == View::Whole
}

/// The part of a line that is shown, with `focus` in it.
fn window(line: &str, focus: usize) -> Range<usize> {
    if line.len() <= WIDTH {
        return 0..line.len();
    }
    let before = line.get(..focus).unwrap_or_default();
    let start = before.char_indices().rev().nth(LEAD - 1).map_or(0, |(i, _)| i);
    let rest = line.get(start..).unwrap_or_default();
    let length = rest.char_indices().nth(WIDTH).map_or(rest.len(), |(i, _)| i);
    start..start + length
}

impl SourceCode for Excerpts {
    /// Without context, the place that a label stands for; with context, the whole snippet. A span over two snippets is
    /// refused, so that they are drawn one by one.
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
