//! Positions as editors count them: lines, starting at 0, and bytes or UTF-16 units from the start of the line.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lsp_types::{Position, PositionEncodingKind, Range};

use crate::source::{SourceId, Sources, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// Returns UTF-8 if the editor supports it, or UTF-16, which every editor supports.
    pub(super) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        let supports_utf8 = offered.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8));
        if supports_utf8 { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn width(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => u32::try_from(c.len_utf8()).unwrap_or_default(),
            Encoding::Utf16 => u32::try_from(c.len_utf16()).unwrap_or_default(),
        }
    }
}

/// Returns the offset and position of each character, followed by the offset and position of the end of the text. A
/// line ends with `\n`, `\r\n` or `\r`.
fn positions(text: &str, encoding: Encoding) -> impl Iterator<Item = (usize, Option<char>, Position)> {
    let ends = text.char_indices().map(|(at, c)| (at, Some(c)));
    let mut current = Position::default();
    ends.chain([(text.len(), None)]).map(move |(at, c)| {
        let position = current;
        let is_pair = c == Some('\r') && text.as_bytes().get(at + 1) == Some(&b'\n');
        current = match c {
            Some('\n' | '\r') if !is_pair => Position::new(current.line + 1, 0),
            Some(c) => Position::new(current.line, current.character + encoding.width(c)),
            None => current,
        };
        (at, c, position)
    })
}

/// Returns the offset of a position. If the position is past the end of its line, returns the end of the line.
pub(super) fn offset(text: &str, wanted_position: Position, encoding: Encoding) -> usize {
    let mut end = text.len();
    for (at, c, position) in positions(text, encoding) {
        if position.line > wanted_position.line {
            break;
        }
        end = at;
        let is_end = matches!(c, Some('\n' | '\r') | None);
        if position.line == wanted_position.line && (is_end || position.character >= wanted_position.character) {
            break;
        }
    }
    end
}

/// Applies an editor's change to `text`.
pub(super) fn apply_change(text: &str, range: Range, new: &str, encoding: Encoding) -> String {
    let start = offset(text, range.start, encoding);
    let end = offset(text, range.end, encoding).max(start);
    let (before, after) = (text.get(..start), text.get(end..));
    [before.unwrap_or_default(), new, after.unwrap_or_default()].concat()
}

/// Positions of spans. Each source is scanned only once, regardless of how many spans it has.
pub(super) struct Ranges(HashMap<(SourceId, u32), Position>);

impl Ranges {
    pub(super) fn new(sources: &Sources, spans: impl IntoIterator<Item = Span>, encoding: Encoding) -> Self {
        let mut wanted_offsets: BTreeMap<SourceId, BTreeSet<u32>> = BTreeMap::new();
        for span in spans {
            wanted_offsets.entry(span.source).or_default().extend([span.start, span.end]);
        }
        let mut positions_by_offset = HashMap::new();
        for (id, offsets) in wanted_offsets {
            let Some(source) = sources.get(id) else { continue };
            let mut next = offsets.into_iter().peekable();
            for (at, _, position) in positions(&source.text, encoding) {
                while let Some(offset) = next.next_if(|offset| *offset as usize <= at) {
                    positions_by_offset.insert((id, offset), position);
                }
                if next.peek().is_none() {
                    break;
                }
            }
        }
        Self(positions_by_offset)
    }

    pub(super) fn get(&self, span: Span) -> Range {
        let position = |at| self.0.get(&(span.source, at)).copied().unwrap_or_default();
        Range::new(position(span.start), position(span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn counts_columns_in_the_negotiated_encoding() {
        let text = "a: é😀x\r\nb\rc\n";
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x", text, true));
        for (at, utf16, utf8) in [
            (0, (0, 0), (0, 0)),
            (5, (0, 4), (0, 5)),
            (9, (0, 6), (0, 9)),
            (12, (1, 0), (1, 0)),
            (14, (2, 0), (2, 0)),
            (16, (3, 0), (3, 0)),
        ] {
            for (encoding, (line, character)) in [(Encoding::Utf16, utf16), (Encoding::Utf8, utf8)] {
                let position = Position::new(line, character);
                let ranges = Ranges::new(&sources, [Span::new(id, at, at)], encoding);
                assert_eq!(ranges.get(Span::new(id, at, at)).start, position, "{at} {encoding:?}");
                assert_eq!(offset(text, position, encoding), at, "{at} {encoding:?}");
            }
        }
        assert_eq!(offset(text, Position::new(0, 99), Encoding::Utf16), 10);
        assert_eq!(offset(text, Position::new(99, 0), Encoding::Utf16), text.len());
        let range = Range::new(Position::new(0, 3), Position::new(1, 1));
        assert_eq!(apply_change(text, range, "y", Encoding::Utf16), "a: y\rc\n");
    }
}
