//! Configurations without most of what need not be shown: scrape jobs that are the same on both sides, and all beyond the
//! first that differ. There may be thousands, and reading and comparing them takes longer than making them.

mod chunks;
mod fate;
mod instances;
mod left_out;
mod rules;
#[cfg(test)]
mod tests;

pub(super) use chunks::Language;
pub(super) use fate::Interest;
pub(super) use left_out::LeftOut;

use std::ops::Range;

use similar::TextDiff;

use chunks::{Chunks, Kind};
use fate::Fate;
use rules::LeftOutRules;

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
    let (old_whole, new_whole) = match language {
        Language::Agent => instances::same(before, after),
        Language::Alloy => Default::default(),
    };
    let old = Chunks::of(language, before, &old_whole)?;
    let new = Chunks::of(language, after, &new_whole)?;
    let (old_fates, new_fates) = fate::decide(&old, &new, interest);
    // There are fewer runs than chunks.
    let (old_rules, new_rules) = rules::left_out((&old, &old_fates), (&new, &new_fates), interest.context, old.len()..);
    let mut reduced = Reduced {
        before: Vec::new(),
        after: Vec::new(),
        left_out: LeftOut::new(language),
    };
    let LeftOut { before, after, .. } = &mut reduced.left_out;
    put(&mut reduced.before, before, (&old, &old_fates, &old_rules), "before");
    put(&mut reduced.after, after, (&new, &new_fates, &new_rules), "after");
    Some(reduced)
}

/// Makes the pieces of a side, and counts the lines that each line in them stands for.
fn put(
    pieces: &mut Vec<Piece>,
    left_out: &mut Vec<usize>,
    (chunks, fates, rules): (&Chunks<'_>, &[Fate], &LeftOutRules),
    side: &str,
) {
    let language = chunks.language();
    let mut chunk = 0;
    for stretch in fates.chunk_by(|a, b| a.is_left_out_with(*b)) {
        let range = chunk..chunk + stretch.len();
        chunk = range.end;
        let line = match stretch.first() {
            Some(Fate::Same(run)) => language.placeholder(chunks.kind(range.start), *run),
            Some(Fate::Beyond { .. }) => {
                let differing = stretch.iter().filter(|fate| **fate == Fate::Beyond { differs: true });
                language.more(differing.count(), side)
            }
            Some(Fate::Kept) | None => {
                let bytes = chunks.bytes(range.clone());
                let mut start = bytes.start;
                for (chunk, left) in rules.range(range) {
                    let text = chunks.text(*chunk);
                    let of_chunk = chunks.bytes(*chunk..*chunk + 1).start;
                    for (rule, number) in left {
                        pieces.push(Piece::Kept(start..of_chunk + rule.start));
                        pieces.push(Piece::Instead(language.placeholder(Kind::Rule, *number)));
                        left_out.push(text.get(rule.clone()).map_or(0, |rules| rules.matches('\n').count()));
                        start = of_chunk + rule.end;
                    }
                }
                pieces.push(Piece::Kept(start..bytes.end));
                continue;
            }
        };
        pieces.push(Piece::Instead(line));
        left_out.push(chunks.lines(range));
    }
}

/// Whether what is the same, and was left out, would show among the differences of texts.
pub(super) fn is_in_difference(before: &str, after: &str, context: usize) -> bool {
    let diff = TextDiff::from_lines(before, after);
    let shown = diff.unified_diff().context_radius(context).to_string();
    Language::has_placeholder(&shown)
}
