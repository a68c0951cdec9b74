//! Unified diffs, divided into named sections.

use std::borrow::Cow;

use similar::{ChangeTag, TextDiff};

use crate::printable::{Style, Text, printable};
use crate::source::line_count;

#[derive(Clone, PartialEq, Eq)]
pub(super) enum DiffPart {
    /// Lines on one or both sides. Each line ends with a line break, except possibly the last line.
    Lines(ChangeTag, String),
    /// Number of hidden lines on each side.
    Skipped([usize; 2]),
}

impl DiffPart {
    /// Whether the lines are on only one side.
    pub(super) fn differs(&self) -> bool {
        matches!(self, DiffPart::Lines(ChangeTag::Delete | ChangeTag::Insert, _))
    }
}

/// A named section of the text, such as a scrape job. It ends at the start of the next section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// Number of lines before the section on each side.
    pub(super) start: [usize; 2],
    /// Name of the section, or an empty string for text between named sections.
    pub(super) name: String,
}

/// Returns the number of lines on each side, including hidden lines.
pub(super) fn line_counts(parts: &[DiffPart]) -> [usize; 2] {
    parts.iter().fold([0; 2], |[old, new], part| match part {
        DiffPart::Lines(tag, text) => {
            let lines = line_count(text);
            [old + lines * usize::from(*tag != ChangeTag::Insert), new + lines * usize::from(*tag != ChangeTag::Delete)]
        }
        DiffPart::Skipped(lines) => [old + lines[0], new + lines[1]],
    })
}

/// Moves sections down by `lines` on each side.
pub(super) fn shift_sections(sections: Vec<Section>, lines: [usize; 2]) -> impl Iterator<Item = Section> {
    sections
        .into_iter()
        .map(move |Section { start: [old, new], name }| Section { start: [old + lines[0], new + lines[1]], name })
}

/// Returns the text of the old side (`ChangeTag::Delete`) or of the new side. Hidden lines are omitted.
pub(super) fn side(parts: &[DiffPart], side_tag: ChangeTag) -> String {
    let lines = parts.iter().map(|part| match part {
        DiffPart::Lines(tag, lines) if *tag == ChangeTag::Equal || *tag == side_tag => lines,
        _ => "",
    });
    lines.collect()
}

/// Adds lines, keeping those on the old side before those on the new side.
pub(super) fn add(parts: &mut Vec<DiffPart>, tag: ChangeTag, lines: &str) {
    if lines.is_empty() {
        return;
    }
    let is_old = tag == ChangeTag::Delete;
    let follows_insert = is_old && matches!(parts.last(), Some(DiffPart::Lines(ChangeTag::Insert, _)));
    let at = parts.len() - usize::from(follows_insert);
    match at.checked_sub(1).and_then(|last| parts.get_mut(last)) {
        Some(DiffPart::Lines(last, text)) if *last == tag && text.ends_with('\n') => text.push_str(lines),
        _ => parts.insert(at, DiffPart::Lines(tag, lines.to_owned())),
    }
}

/// Adds all of `added_parts`, merging adjacent parts.
pub(super) fn extend(parts: &mut Vec<DiffPart>, added_parts: Vec<DiffPart>) {
    for part in added_parts {
        match part {
            DiffPart::Lines(tag, lines) => add(parts, tag, &lines),
            skipped @ DiffPart::Skipped(_) => parts.push(skipped),
        }
    }
}

/// Compares both sides and adds the resulting parts.
pub(super) fn compare(parts: &mut Vec<DiffPart>, before: &str, after: &str) {
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&old, &new);
    diff.iter_all_changes().for_each(|change| add(parts, change.tag(), change.value()));
}

pub(super) struct DiffLine<'p> {
    style: Style,
    sign: &'static str,
    text: Cow<'p, str>,
}

/// Approximate number of bytes to show at once.
pub(super) const CHUNK_SIZE: usize = 1 << 16;

/// Marker after a last line without a line break.
const NO_LINE_BREAK: &str = "\n\\ No newline at end of file\n";

impl<'p> DiffLine<'p> {
    fn new(tag: ChangeTag, text: &'p str) -> Self {
        let (style, sign) = match tag {
            ChangeTag::Equal => (Style::Plain, " "),
            ChangeTag::Delete => (Style::Bad, "-"),
            ChangeTag::Insert => (Style::Good, "+"),
        };
        let text = text.into();
        Self { style, sign, text }
    }

    fn header(style: Style, text: String) -> Self {
        let (sign, text) = ("", text.into());
        Self { style, sign, text }
    }

    fn end(&self) -> &'static str {
        if self.text.ends_with('\n') { "" } else { NO_LINE_BREAK }
    }

    /// Adds the line in git's colors. Invisible characters, such as a carriage return before the line break, are made
    /// visible, because they may be the only difference.
    pub(super) fn show(&self, out: &mut Text) {
        out.lines(self.style, self.sign, &self.text);
        out.lines(Style::Plain, "", self.end().trim_start());
    }
}

pub(super) fn text(lines: &[DiffLine<'_>]) -> String {
    let pieces = lines.iter().map(|line| [line.sign, &line.text, line.end()]);
    pieces.flatten().collect()
}

/// Returns the unified diff of both sides with `context` lines around each difference, or no lines if the sides are
/// equal. The header of a hunk contains the name of the section that contains the hunk's first difference.
pub(super) fn unified_diff<'p>(
    parts: &'p [DiffPart],
    sections: &'p [Section],
    header: (&str, &str),
    context: usize,
) -> Vec<DiffLine<'p>> {
    let (mut hunks, mut hunk) = (Vec::new(), Hunk::default());
    let section = |tag: ChangeTag, at: [usize; 2]| {
        let on_side = |[old, new]: [usize; 2]| if tag == ChangeTag::Insert { new } else { old };
        let next_section = sections.partition_point(|section| on_side(section.start) <= on_side(at));
        next_section.checked_sub(1).and_then(|last| sections.get(last)).map_or("", |section| section.name.as_str())
    };
    // Number of lines that precede the next line on each side.
    let mut line_numbers = [0; 2];
    let context_at = |index: Option<usize>| {
        let part = index.and_then(|place| parts.get(place));
        if part.is_some_and(DiffPart::differs) { context } else { 0 }
    };
    for (index, part) in parts.iter().enumerate() {
        let (tag, text) = match part {
            DiffPart::Lines(tag, text) => (*tag, text),
            DiffPart::Skipped(lines) => {
                hunk.end(&mut hunks);
                line_numbers = [line_numbers[0] + lines[0], line_numbers[1] + lines[1]];
                continue;
            }
        };
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        let (first, last) = match part.differs() {
            true => (lines.len(), 0),
            false => (context_at(index.checked_sub(1)), context_at(Some(index + 1))),
        };
        let gap = first..lines.len().saturating_sub(last);
        for (number, line) in lines.into_iter().enumerate() {
            if gap.contains(&number) {
                hunk.end(&mut hunks);
            } else {
                if part.differs() && hunk.section.is_none() {
                    hunk.section = Some(section(tag, line_numbers));
                }
                hunk.add(tag, line, line_numbers);
            }
            line_numbers[0] += usize::from(tag != ChangeTag::Insert);
            line_numbers[1] += usize::from(tag != ChangeTag::Delete);
        }
    }
    hunk.end(&mut hunks);
    if !hunks.is_empty() {
        let names = format!("--- {}\n+++ {}\n", printable(header.0), printable(header.1));
        hunks.insert(0, DiffLine::header(Style::Strong, names));
    }
    hunks
}

/// A group of lines that are shown together.
#[derive(Default)]
struct Hunk<'p> {
    /// Number of lines that precede the hunk on each side.
    start: [usize; 2],
    length: [usize; 2],
    lines: Vec<DiffLine<'p>>,
    /// Name of the section that contains the first difference, or `None` before a difference is added.
    section: Option<&'p str>,
}

impl<'p> Hunk<'p> {
    fn add(&mut self, tag: ChangeTag, line: &'p str, at: [usize; 2]) {
        if self.lines.is_empty() {
            self.start = at;
        }
        self.length[0] += usize::from(tag != ChangeTag::Insert);
        self.length[1] += usize::from(tag != ChangeTag::Delete);
        self.lines.push(DiffLine::new(tag, line));
    }

    /// Appends the hunk to `hunks`, preceded by its header, and resets it.
    fn end(&mut self, hunks: &mut Vec<DiffLine<'p>>) {
        let Hunk { start, length, lines, section } = std::mem::take(self);
        if lines.is_empty() {
            return;
        }
        let range = |(start, length): (usize, usize)| match length {
            0 => format!("{start},0"),
            1 => (start + 1).to_string(),
            length => format!("{},{length}", start + 1),
        };
        let [old, new] = [(start[0], length[0]), (start[1], length[1])].map(range);
        let name = section.filter(|name| !name.is_empty()).map(|name| format!(" {}", printable(name)));
        hunks.push(DiffLine::header(Style::Fact, format!("@@ -{old} +{new} @@{}\n", name.unwrap_or_default())));
        hunks.extend(lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render_lines(lines: &[DiffLine<'_>]) -> String {
        let mut text = Text::default();
        lines.iter().for_each(|line| line.show(&mut text));
        text.into_string()
    }

    #[test]
    fn hunks_match_the_diff_library() {
        let texts = ["", "a\n", "a", "b\n", "a\nb\nc\nd\n", "a\nx\nc\nd\n", "a\nb\nc\nd", "y\na\nb\nd\nz\n"];
        for (before, after) in texts.iter().flat_map(|a| texts.iter().map(move |b| (*a, *b))) {
            for context in [0, 1, 3] {
                let mut parts = Vec::new();
                compare(&mut parts, before, after);
                let lines = unified_diff(&parts, &[], ("old", "new"), context);
                let diff = TextDiff::from_lines(before, after);
                let mut expected = diff.unified_diff();
                let expected = expected.context_radius(context).header("old", "new").to_string();
                assert_eq!(text(&lines), expected, "{before:?} {after:?} {context}");
                assert_eq!(render_lines(&lines), expected, "{before:?} {after:?} {context}");
            }
        }
    }

    #[test]
    fn hunk_headers_name_the_first_changed_section() {
        let (before, after) = ("a\nb\nc\nd\ne\nf\n", "a\nb\nX\nd\nY\nZ\n");
        let mut parts = Vec::new();
        compare(&mut parts, before, after);
        let section = |start, name: &str| Section { start, name: name.to_owned() };
        let sections = [section([0, 0], ""), section([1, 1], "one"), section([4, 4], "two")];
        let headers = |context| {
            let lines = text(&unified_diff(&parts, &sections, ("old", "new"), context));
            lines.lines().filter(|line| line.starts_with("@@")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(headers(0), ["@@ -3 +3 @@ one", "@@ -5,2 +5,2 @@ two"]);
        assert_eq!(headers(3), ["@@ -1,6 +1,6 @@ one"]);
        assert_eq!(line_counts(&parts), [6, 6]);
        parts.push(DiffPart::Skipped([2, 3]));
        assert_eq!(line_counts(&parts), [8, 9]);
    }

    #[test]
    fn writes_added_and_removed_text_in_chunks() {
        let side = "a: b\n".repeat(CHUNK_SIZE);
        for (tag, sign) in [(ChangeTag::Delete, "-"), (ChangeTag::Insert, "+")] {
            let parts = [DiffPart::Lines(tag, side.clone())];
            let lines = unified_diff(&parts, &[], ("old", "new"), 3);
            let diff_text = text(&lines);
            assert_eq!(diff_text.matches(&format!("{sign}a: b\n")).count(), CHUNK_SIZE);
            assert_eq!(render_lines(&lines), diff_text);
            let longest_line = lines.iter().map(|line| render_lines(std::slice::from_ref(line)).len()).max();
            assert!(lines.len() > 5 && longest_line < Some(2 * CHUNK_SIZE), "{longest_line:?}");
        }
    }
}
