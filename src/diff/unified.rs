//! Two texts that are compared, part by part, and their unified diff.

use std::collections::VecDeque;

use similar::{ChangeTag, TextDiff};

use crate::printable::{Style, Text, printable};

/// A part of two texts. Each ends in a line break, except for the last one of a text.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Lines that are the same on both sides.
    Both(String),
    /// The lines of each side, which may be the same.
    Pair(String, String),
    /// Number of lines that are the same on both sides, and are not shown.
    Skipped(usize),
    /// A line of each side that replaces others, or nothing, and the number of those lines. Boxed because it is rare and large.
    Instead(Box<[(String, usize); 2]>),
}

impl Part {
    /// Whether the sides differ here.
    pub(super) fn differs(&self) -> bool {
        match self {
            Part::Both(_) | Part::Skipped(_) => false,
            Part::Pair(before, after) => before != after,
            Part::Instead(_) => true,
        }
    }

    /// The text before and after; what is skipped is not in it.
    pub(super) fn sides(&self) -> [&str; 2] {
        match self {
            Part::Both(text) => [text, text],
            Part::Pair(before, after) => [before, after],
            Part::Instead(sides) => sides.each_ref().map(|(line, _)| line.as_str()),
            Part::Skipped(_) => [""; 2],
        }
    }
}

/// Some lines of a unified diff. Those of the texts are borrowed, since a diff can show all of them.
pub(super) enum Lines<'p> {
    /// The names of both sides.
    Names(String),
    /// The header of a hunk.
    Header(String),
    /// Lines of the texts, without their mark.
    Marked(Mark, &'p str),
}

/// What is known of lines of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Both sides have them.
    Same,
    /// Only the old side has them.
    Removed,
    /// Only the new side has them.
    Added,
}

impl Mark {
    fn sign(self) -> &'static str {
        match self {
            Mark::Same => " ",
            Mark::Removed => "-",
            Mark::Added => "+",
        }
    }

    /// That of git.
    fn style(self) -> Style {
        match self {
            Mark::Same => Style::Plain,
            Mark::Removed => Style::Bad,
            Mark::Added => Style::Good,
        }
    }
}

/// About so many bytes are shown at once.
pub(super) const MANY: usize = 1 << 16;

/// Below a last line that no line break ends.
const NO_END: &str = "\\ No newline at end of file\n";

pub(super) fn text(lines: &[Lines<'_>]) -> String {
    let mut text = String::new();
    lines.iter().for_each(|lines| lines.append_to(&mut text));
    text
}

impl Lines<'_> {
    fn append_to(&self, out: &mut String) {
        match self {
            Lines::Names(text) | Lines::Header(text) => out.push_str(text),
            Lines::Marked(mark, lines) => {
                let sign = mark.sign();
                lines.split_inclusive('\n').for_each(|line| out.extend([sign, line]));
                if !lines.ends_with('\n') {
                    out.extend(["\n", NO_END]);
                }
            }
        }
    }

    /// Adds the lines for people, with bold names and git's colours. What does not show, such as a carriage return before the end of
    /// a line, is made visible: it may be all that differs.
    pub(super) fn show(&self, out: &mut Text) {
        match self {
            Lines::Names(text) => out.lines(Style::Strong, "", text),
            Lines::Header(text) => out.lines(Style::Fact, "", text),
            Lines::Marked(mark, lines) => {
                out.lines(mark.style(), mark.sign(), lines);
                if !lines.ends_with('\n') {
                    out.lines(Style::Plain, "", NO_END);
                }
            }
        }
    }
}

/// A unified diff with so many lines around each difference; empty where both sides are the same.
pub(super) fn unified<'p>(parts: &'p [Part], header: (&str, &str), context: usize) -> Vec<Lines<'p>> {
    let mut hunks = Hunks {
        context,
        ..Hunks::default()
    };
    parts.iter().for_each(|part| hunks.part(part));
    hunks.close();
    if !hunks.out.is_empty() {
        let names = format!("--- {}\n+++ {}\n", printable(header.0), printable(header.1));
        hunks.out.insert(0, Lines::Names(names));
    }
    hunks.out
}

/// Hands over the lines of two texts, one or several at a time: those of both, of the old one, and of the new one.
pub(super) fn each_line<'t>(before: &'t str, after: &'t str, mut visit: impl FnMut(ChangeTag, &'t str)) {
    match (before, after) {
        ("", "") => return,
        ("", _) => return visit(ChangeTag::Insert, after),
        (_, "") => return visit(ChangeTag::Delete, before),
        _ => {}
    }
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    // Most differences are one line.
    if old.len() == 1 && new.len() == 1 && old != new {
        visit(ChangeTag::Delete, before);
        return visit(ChangeTag::Insert, after);
    }
    let diff = TextDiff::from_slices(&old, &new);
    let slices = diff.ops().iter().flat_map(|op| op.iter_slices(&old, &new));
    slices.for_each(|(tag, lines): (_, &[&'t str])| lines.iter().for_each(|line| visit(tag, line)));
}

/// The hunks of a unified diff, to which lines are added from the first one to the last one.
#[derive(Default)]
struct Hunks<'p> {
    context: usize,
    out: Vec<Lines<'p>>,
    sides: [Side; 2],
    /// Whether a hunk is open, and its lines.
    is_open: bool,
    hunk: Vec<Lines<'p>>,
    /// The last of them, which only the new side has: those of the old side are in front of them.
    added: Vec<Lines<'p>>,
    /// The last lines that are the same and not in a hunk yet.
    same: VecDeque<&'p str>,
}

/// What is known of the lines of a side.
#[derive(Default)]
struct Side {
    /// How many there are up to here.
    lines: usize,
    /// How many are in front of the open hunk, and in it.
    start: usize,
    length: usize,
}

impl Side {
    /// Counts lines of the open hunk.
    fn add(&mut self, text: &str) {
        let lines = text.split_inclusive('\n').count();
        (self.lines, self.length) = (self.lines + lines, self.length + lines);
    }

    /// The lines of the hunk as its header has them.
    fn range(&self) -> String {
        match self.length {
            0 => format!("{},0", self.start),
            1 => (self.start + 1).to_string(),
            length => format!("{},{length}", self.start + 1),
        }
    }
}

impl<'p> Hunks<'p> {
    fn part(&mut self, part: &'p Part) {
        match part {
            Part::Both(text) => text.split_inclusive('\n').for_each(|line| self.same(line)),
            Part::Pair(before, after) => each_line(before, after, |tag, line| match tag {
                ChangeTag::Equal => self.same(line),
                ChangeTag::Delete => self.removed(line),
                ChangeTag::Insert => self.added(line),
            }),
            Part::Skipped(lines) => {
                self.close();
                self.same.clear();
                self.sides.iter_mut().for_each(|side| side.lines += lines);
            }
            Part::Instead(sides) => {
                let [(before, old_lines), (after, new_lines)] = &**sides;
                before.split_inclusive('\n').for_each(|line| self.removed(line));
                after.split_inclusive('\n').for_each(|line| self.added(line));
                // A line that is shown is in the place of one of them.
                let left = |line: &str, lines: &usize| lines.saturating_sub(usize::from(!line.is_empty()));
                let [old, new] = &mut self.sides;
                old.lines += left(before, old_lines);
                new.lines += left(after, new_lines);
            }
        }
    }

    fn same(&mut self, line: &'p str) {
        self.sides.iter_mut().for_each(|side| side.lines += 1);
        self.same.push_back(line);
        if self.is_open && self.same.len() > 2 * self.context {
            self.close();
        }
        if !self.is_open && self.same.len() > self.context {
            self.same.pop_front();
        }
    }

    fn removed(&mut self, lines: &'p str) {
        self.open();
        push(&mut self.hunk, Mark::Removed, lines);
        let [old, _] = &mut self.sides;
        old.add(lines);
    }

    fn added(&mut self, lines: &'p str) {
        self.open();
        push(&mut self.added, Mark::Added, lines);
        let [_, new] = &mut self.sides;
        new.add(lines);
    }

    /// Lets the hunk go on with the lines so far, or begin with them.
    fn open(&mut self) {
        if !self.is_open {
            self.is_open = true;
            for side in &mut self.sides {
                (side.start, side.length) = (side.lines - self.same.len(), 0);
            }
        }
        self.take_same(self.same.len());
    }

    /// Moves the first of the lines that are the same into the hunk.
    fn take_same(&mut self, lines: usize) {
        if lines > 0 {
            self.hunk.append(&mut self.added);
        }
        let same = self.same.drain(..lines).map(|line| Lines::Marked(Mark::Same, line));
        self.hunk.extend(same);
        self.sides.iter_mut().for_each(|side| side.length += lines);
    }

    /// Ends the open hunk with lines that are the same. Those in front of a next one stay.
    fn close(&mut self) {
        let last = self.same.iter().rev().take(self.context).rev().copied().collect();
        if std::mem::take(&mut self.is_open) {
            self.take_same(self.context.min(self.same.len()));
            let [old, new] = self.sides.each_ref().map(Side::range);
            self.out.push(Lines::Header(format!("@@ -{old} +{new} @@\n")));
            self.out.append(&mut self.hunk);
            self.out.append(&mut self.added);
        }
        self.same = last;
    }
}

/// Adds lines, not too many at once for who shows them.
fn push<'p>(hunk: &mut Vec<Lines<'p>>, mark: Mark, lines: &'p str) {
    let mut rest = lines;
    while let Some(end) = rest.as_bytes().iter().skip(MANY).position(|byte| *byte == b'\n') {
        let Some((first, more)) = rest.split_at_checked(MANY + end + 1) else {
            break;
        };
        hunk.push(Lines::Marked(mark, first));
        rest = more;
    }
    hunk.extend((!rest.is_empty()).then_some(Lines::Marked(mark, rest)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[Lines<'_>]) -> String {
        let mut text = Text::default();
        lines.iter().for_each(|lines| lines.show(&mut text));
        text.into_string()
    }

    #[test]
    fn hunks_are_those_of_the_library() {
        let texts = [
            "",
            "a\n",
            "a",
            "b\n",
            "a\nb\nc\nd\n",
            "a\nx\nc\nd\n",
            "a\nb\nc\nd",
            "y\na\nb\nd\nz\n",
        ];
        for (before, after) in texts.iter().flat_map(|a| texts.iter().map(move |b| (*a, *b))) {
            for context in [0, 1, 3] {
                let parts = [Part::Pair(before.to_owned(), after.to_owned())];
                let lines = unified(&parts, ("old", "new"), context);
                let diff = TextDiff::from_lines(before, after);
                let mut expected = diff.unified_diff();
                let expected = expected.context_radius(context).header("old", "new").to_string();
                assert_eq!(text(&lines), expected, "{before:?} {after:?} {context}");
                assert_eq!(shown(&lines), expected, "{before:?} {after:?} {context}");
            }
        }
    }

    #[test]
    fn a_text_of_one_side_is_shown_some_lines_at_a_time() {
        let side = "a: b\n".repeat(MANY);
        for (part, sign) in [
            (Part::Pair(side.clone(), String::new()), "-"),
            (Part::Pair(String::new(), side.clone()), "+"),
        ] {
            let parts = [part];
            let lines = unified(&parts, ("old", "new"), 3);
            let all = text(&lines);
            assert_eq!(all.matches(&format!("{sign}a: b\n")).count(), MANY);
            assert_eq!(shown(&lines), all);
            let longest = lines.iter().map(|lines| shown(std::slice::from_ref(lines)).len()).max();
            assert!(lines.len() > 5 && longest < Some(2 * MANY), "{longest:?}");
        }
    }
}
