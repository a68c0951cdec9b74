//! Which lines of two configurations are shown: those that differ, and those around them.

use std::ops::Range;

use super::align::Piece;
use super::chunks::{Kind, lines, part};
use crate::diff::unified::Part;
use crate::target::Language;
use crate::target::agent::JOB_INDENT;

/// The line in the place of so many jobs that differ.
fn more(language: Language, number: usize, side: &str) -> String {
    let (start, jobs) = match language {
        Language::Agent => (format!("{:JOB_INDENT$}#", ""), "scrape jobs"),
        Language::Alloy => ("//".to_owned(), "components"),
    };
    format!("{start} … {number} more {jobs} differ ({side}), shown by diff --full\n")
}

/// Some bytes of either side.
pub(super) type Sides = [Range<usize>; 2];

/// Shows bytes of configurations as they are without their secrets.
pub(super) trait Show {
    /// The texts of some stretches of a piece; of the new side none where the piece is the same on both sides. `None` where
    /// it cannot be said what in them is secret.
    fn show(&mut self, piece: &Piece, stretches: &[Sides]) -> Option<Vec<[String; 2]>>;
}

/// How much is selected.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    /// Number of lines around a difference.
    pub(super) context: usize,
    /// Number of jobs that differ; `None` for all.
    pub(super) jobs: Option<usize>,
}

/// What parts are made of.
enum Item<'p> {
    Piece(&'p Piece),
    /// Jobs that are not shown.
    Beyond(&'p [Piece]),
}

/// A stretch of a piece.
enum Stretch {
    /// Shown, and the same on both sides.
    Same(Sides),
    /// Shown, and different.
    Changed(Sides),
    /// So many lines that are the same, and are not shown.
    Skipped(usize),
}

impl Selection {
    /// The parts of two configurations. Their first and last lines are among them, since what is beside these may differ.
    pub(super) fn parts(
        self,
        language: Language,
        [old, new]: [&str; 2],
        pieces: &[Piece],
        show: &mut impl Show,
    ) -> Option<Vec<Part>> {
        let items = self.items(pieces);
        let distances = distances(old, &items);
        let mut parts = Vec::new();
        for (item, distance) in items.iter().zip(distances) {
            match item {
                Item::Piece(piece) => add(piece, &self.stretches(piece, distance, old), show, &mut parts)?,
                Item::Beyond(pieces) => parts.push(beyond(pieces, language, [old, new])),
            }
        }
        Some(parts)
    }

    /// The pieces, with those together that are beyond the number of jobs: in a list of jobs, all up to its end.
    fn items<'p>(self, pieces: &'p [Piece]) -> Vec<Item<'p>> {
        let mut jobs = self.jobs.unwrap_or(usize::MAX);
        let mut items = Vec::with_capacity(pieces.len());
        for list in pieces.chunk_by(|a, b| (a.kind == Kind::Outline) == (b.kind == Kind::Outline)) {
            let changed = list.iter().enumerate().filter(|(_, piece)| piece.is_changed_job());
            let mut changed = changed.map(|(place, _)| place);
            let shown = match jobs.checked_sub(1) {
                Some(more) => changed.nth(more).map(|last| last + 1),
                None => Some(0),
            };
            // Of a list that fits, all is shown.
            let shown = shown.filter(|_| changed.next().is_some()).unwrap_or(list.len());
            let (shown, rest) = list.split_at(shown);
            jobs -= shown.iter().filter(|piece| piece.is_changed_job()).count();
            items.extend(shown.iter().map(Item::Piece));
            items.extend((!rest.is_empty()).then_some(Item::Beyond(rest)));
        }
        items
    }

    fn stretches(self, piece: &Piece, distance: Distance, old: &str) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        let mut start = [piece.old.start, piece.new.start];
        let mut before = distance.before;
        for (of_old, of_new) in &piece.changes {
            let text = part(old, &(start[0]..of_old.start));
            self.add_same(text, start, (piece.kind, before, 0), &mut stretches);
            stretches.push(Stretch::Changed([of_old.clone(), of_new.clone()]));
            (start, before) = ([of_old.end, of_new.end], 0);
        }
        let text = part(old, &(start[0]..piece.old.end));
        self.add_same(text, start, (piece.kind, before, distance.after), &mut stretches);
        stretches
    }

    /// Adds what is shown of a text that is the same on both sides, where it starts at these bytes. `before` and `after` are the
    /// distances of the differences around it.
    fn add_same(
        self,
        text: &str,
        starts: [usize; 2],
        (kind, before, after): (Kind, usize, usize),
        stretches: &mut Vec<Stretch>,
    ) {
        let count = count(text, kind);
        let (head, tail) = (self.context.saturating_sub(before), self.context.saturating_sub(after));
        let bytes = |range: Range<usize>| Stretch::Same(starts.map(|start| start + range.start..start + range.end));
        let length = |lines: &mut dyn Iterator<Item = &str>| lines.map(str::len).sum::<usize>();
        match head + tail {
            _ if count == 0 => {}
            shown if shown >= count => stretches.push(bytes(0..text.len())),
            shown => {
                let head = length(&mut text.split_inclusive('\n').take(head));
                let tail = length(&mut text.split_inclusive('\n').rev().take(tail));
                stretches.extend((head > 0).then(|| bytes(0..head)));
                stretches.push(Stretch::Skipped(count - shown));
                stretches.extend((tail > 0).then(|| bytes(text.len() - tail..text.len())));
            }
        }
    }
}

/// Adds the parts of a piece.
fn add(piece: &Piece, stretches: &[Stretch], show: &mut impl Show, parts: &mut Vec<Part>) -> Option<()> {
    let bytes = |stretch: &Stretch| match stretch {
        Stretch::Same(bytes) | Stretch::Changed(bytes) => Some(bytes.clone()),
        Stretch::Skipped(_) => None,
    };
    let shown: Vec<_> = stretches.iter().filter_map(bytes).collect();
    let mut texts = match shown.is_empty() {
        true => Vec::new(),
        false => show.show(piece, &shown)?,
    }
    .into_iter();
    for stretch in stretches {
        match (stretch, parts.last_mut()) {
            (Stretch::Skipped(lines), Some(Part::Skipped(all))) => *all += lines,
            (Stretch::Skipped(lines), _) => parts.push(Part::Skipped(*lines)),
            (Stretch::Changed(_), _) => {
                let [before, after] = texts.next()?;
                parts.push(Part::Pair(before, after));
            }
            (Stretch::Same(_), _) => {
                let [before, after] = texts.next()?;
                // A secret may have another place.
                let is_same = piece.changes.is_empty() || before == after;
                parts.push(is_same.then_some(Part::Both(before))?);
            }
        }
    }
    Some(())
}

/// Number of lines that are the same between a piece and the differences around it.
#[derive(Clone, Copy, Default)]
struct Distance {
    before: usize,
    after: usize,
}

/// The distances of all items; where a text ends counts as a difference.
fn distances(old: &str, items: &[Item<'_>]) -> Vec<Distance> {
    let mut distances = vec![Distance::default(); items.len()];
    let mut before = 0;
    for (item, distance) in items.iter().zip(&mut distances) {
        distance.before = before;
        before = match item {
            Item::Beyond(_) => 0,
            Item::Piece(piece) => match piece.changes.last() {
                Some((last, _)) => count(part(old, &(last.end..piece.old.end)), piece.kind),
                None => before + count(part(old, &piece.old), piece.kind),
            },
        };
    }
    let mut after = 0;
    for (item, distance) in items.iter().zip(&mut distances).rev() {
        distance.after = after;
        after = match item {
            Item::Beyond(_) => 0,
            Item::Piece(piece) => match piece.changes.first() {
                Some((first, _)) => count(part(old, &(piece.old.start..first.start)), piece.kind),
                None => after + count(part(old, &piece.old), piece.kind),
            },
        };
    }
    distances
}

/// Number of lines of some text of a chunk when it is shown.
fn count(text: &str, kind: Kind) -> usize {
    match kind {
        Kind::Secret => usize::from(!text.is_empty()),
        Kind::Job | Kind::Outline => lines(text),
    }
}

/// The part in the place of jobs that are not shown.
fn beyond(pieces: &[Piece], language: Language, [old, new]: [&str; 2]) -> Part {
    let line = |text, bytes: fn(&Piece) -> &Range<usize>, side| {
        let texts = pieces.iter().map(|piece| (piece, part(text, bytes(piece))));
        let differs = |(piece, text): &(&Piece, &str)| piece.is_changed_job() && !text.is_empty();
        let more = match texts.clone().filter(differs).count() {
            0 => String::new(),
            jobs => more(language, jobs, side),
        };
        (more, texts.map(|(piece, text)| count(text, piece.kind)).sum())
    };
    Part::Instead(Box::new([
        line(old, |piece| &piece.old, "before"),
        line(new, |piece| &piece.new, "after"),
    ]))
}
