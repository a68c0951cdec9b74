//! Configurations without most of what need not be shown: scrape jobs that are the same on both sides, and all beyond the
//! first that differ. There may be thousands, and reading and comparing them takes longer than making them.

mod chunks;
mod fate;
mod left_out;
#[cfg(test)]
mod tests;

pub(super) use chunks::Language;
pub(super) use fate::Interest;
pub(super) use left_out::LeftOut;

use std::ops::Range;

use similar::TextDiff;

use chunks::Chunks;
use fate::Fate;

/// Two configurations without what is not of interest.
pub(super) struct Reduced {
    pub(super) before: Vec<Piece>,
    pub(super) after: Vec<Piece>,
    pub(super) left_out: LeftOut,
}

/// A piece of a reduced configuration.
pub(super) enum Piece {
    /// These bytes of the whole one.
    Kept(Range<usize>),
    /// A line in the place of jobs.
    Instead(String),
}

/// The text of some pieces, with those that are kept as `kept` gives them.
pub(super) fn text(pieces: &[Piece], mut kept: impl FnMut(Range<usize>, &mut String)) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Kept(bytes) => kept(bytes.clone(), &mut text),
            Piece::Instead(line) => text.push_str(line),
        }
    }
    text
}

impl Reduced {
    /// Leaves out jobs that are the same, further away from a difference than so many lines, and those beyond so many that
    /// differ. Nothing is left out where it is not sure where a job ends: with a text of several lines in a configuration of the
    /// agent.
    pub(super) fn of(language: Language, before: Option<&str>, after: Option<&str>, interest: Interest) -> Self {
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        reduced(language, before, after, interest).unwrap_or_else(|| Self {
            before: vec![Piece::Kept(0..before.len())],
            after: vec![Piece::Kept(0..after.len())],
            left_out: LeftOut::default(),
        })
    }
}

fn reduced(language: Language, before: &str, after: &str, interest: Interest) -> Option<Reduced> {
    if interest == Interest::ALL || language.is_taken(before) || language.is_taken(after) {
        return None;
    }
    let (old, new) = (Chunks::of(language, before)?, Chunks::of(language, after)?);
    let (old_fates, new_fates) = fate::decide(&old, &new, interest);
    let mut reduced = Reduced {
        before: Vec::new(),
        after: Vec::new(),
        left_out: LeftOut::new(language),
    };
    let LeftOut { before, after, .. } = &mut reduced.left_out;
    put(&mut reduced.before, before, &old, &old_fates, "before");
    put(&mut reduced.after, after, &new, &new_fates, "after");
    Some(reduced)
}

/// Makes the pieces of a side, and counts the lines that each line in them stands for.
fn put(pieces: &mut Vec<Piece>, left_out: &mut Vec<usize>, chunks: &Chunks<'_>, fates: &[Fate], side: &str) {
    let mut chunk = 0;
    for stretch in fates.chunk_by(|a, b| a.is_kept() == b.is_kept()) {
        let range = chunk..chunk + stretch.len();
        chunk = range.end;
        let line = match stretch.first() {
            Some(Fate::Same(run)) => chunks.language().placeholder(*run),
            Some(Fate::Beyond { .. }) => {
                let differing = stretch.iter().filter(|fate| **fate == Fate::Beyond { differs: true });
                chunks.language().more(differing.count(), side)
            }
            Some(Fate::Kept) | None => {
                pieces.push(Piece::Kept(chunks.bytes(range)));
                continue;
            }
        };
        pieces.push(Piece::Instead(line));
        left_out.push(chunks.lines(range));
    }
}

/// Whether jobs that are the same would show among the differences of texts.
pub(super) fn is_in_difference(language: Language, before: &str, after: &str, context: usize) -> bool {
    let diff = TextDiff::from_lines(before, after);
    let shown = diff.unified_diff().context_radius(context).to_string();
    shown.contains(language.same_jobs())
}
