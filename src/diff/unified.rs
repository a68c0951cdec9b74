//! Two texts that are compared, part by part, and their unified diff.

use std::collections::VecDeque;

use similar::{ChangeTag, TextDiff};

use crate::printable::printable;

/// A part of two texts. Each ends in a line break, except for the last one of a text.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Lines that are the same on both sides.
    Both(String),
    /// The lines of each side, which may be the same.
    Pair(String, String),
    /// Number of lines that are the same on both sides, and are not shown.
    Skipped(usize),
    /// A line of each side that replaces others, or nothing, and the number of those lines.
    Instead([(String, usize); 2]),
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
            Part::Pair(before, after) | Part::Instead([(before, _), (after, _)]) => [before, after],
            Part::Skipped(_) => [""; 2],
        }
    }
}

/// A unified diff with so many lines around each difference; empty where both sides are the same.
pub(super) fn unified(parts: &[Part], header: (&str, &str), context: usize) -> String {
    let mut hunks = Hunks {
        context,
        ..Hunks::default()
    };
    parts.iter().for_each(|part| hunks.part(part));
    hunks.close();
    match hunks.out.as_str() {
        "" => String::new(),
        hunks => format!("--- {}\n+++ {}\n{hunks}", printable(header.0), printable(header.1)),
    }
}

/// Hands over the lines of two texts: those of both, of the old one, and of the new one.
pub(super) fn each_line<'t>(before: &'t str, after: &'t str, mut visit: impl FnMut(ChangeTag, &'t str)) {
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
    out: String,
    sides: [Side; 2],
    /// Whether a hunk is open, and its lines.
    is_open: bool,
    hunk: String,
    /// The last of them, which only the new side has: those of the old side are in front of them.
    added: String,
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
            Part::Instead([(before, old_lines), (after, new_lines)]) => {
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

    fn removed(&mut self, line: &str) {
        self.open();
        push(&mut self.hunk, '-', line);
        let [old, _] = &mut self.sides;
        (old.lines, old.length) = (old.lines + 1, old.length + 1);
    }

    fn added(&mut self, line: &str) {
        self.open();
        push(&mut self.added, '+', line);
        let [_, new] = &mut self.sides;
        (new.lines, new.length) = (new.lines + 1, new.length + 1);
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
            self.hunk.push_str(&self.added);
            self.added.clear();
        }
        for line in self.same.drain(..lines) {
            push(&mut self.hunk, ' ', line);
        }
        self.sides.iter_mut().for_each(|side| side.length += lines);
    }

    /// Ends the open hunk with lines that are the same. Those in front of a next one stay.
    fn close(&mut self) {
        let last = self.same.iter().rev().take(self.context).rev().copied().collect();
        if std::mem::take(&mut self.is_open) {
            self.take_same(self.context.min(self.same.len()));
            let [old, new] = self.sides.each_ref().map(Side::range);
            self.out
                .extend(["@@ -", &old, " +", &new, " @@\n", &self.hunk, &self.added]);
            self.hunk.clear();
            self.added.clear();
        }
        self.same = last;
    }
}

fn push(lines: &mut String, sign: char, line: &str) {
    lines.push(sign);
    lines.push_str(line);
    if !line.ends_with('\n') {
        lines.push_str("\n\\ No newline at end of file\n");
    }
}
