//! What of two configurations belongs together, and which lines differ there.

use std::collections::HashMap;
use std::ops::Range;

use similar::ChangeTag;

use super::chunks::{Chunk, Chunks, Kind, common, line_start};
use crate::diff::unified::each_line;

/// A chunk of either side or of both, as bytes of the whole texts.
pub(super) struct Piece {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
    pub(super) kind: Kind,
    /// Whether both sides have the same name.
    pub(super) has_one_name: bool,
    /// The lines that differ; what is between them is the same on both sides.
    pub(super) changes: Vec<(Range<usize>, Range<usize>)>,
}

impl Piece {
    /// Whether it is a job that differs.
    pub(super) fn is_changed_job(&self) -> bool {
        self.kind != Kind::Outline && !self.changes.is_empty()
    }
}

/// The pieces of two configurations: chunks of one name belong together, as many as have the same order on both sides. Between
/// them, chunks of one kind belong together by their places.
pub(super) fn pieces(old: &Chunks<'_>, new: &Chunks<'_>) -> Vec<Piece> {
    let places: HashMap<_, _> = new.all.iter().map(Chunk::key).zip(0..).collect();
    let pair = |(place, chunk): (usize, &Chunk<'_>)| Some((place, *places.get(&chunk.key())?));
    let pairs: Vec<(usize, usize)> = old.all.iter().enumerate().filter_map(pair).collect();
    let mut pieces = Vec::with_capacity(old.all.len().max(new.all.len()));
    let mut push = |before: Option<&Chunk<'_>>, after: Option<&Chunk<'_>>| {
        if let Some(chunk) = before.or(after) {
            let end = pieces
                .last()
                .map_or((0, 0), |piece: &Piece| (piece.old.end, piece.new.end));
            let of_old = before.map_or(end.0..end.0, |chunk| chunk.bytes.clone());
            let of_new = after.map_or(end.1..end.1, |chunk| chunk.bytes.clone());
            let is_pair = before.is_some() && after.is_some() && chunk.kind != Kind::Secret;
            pieces.push(Piece {
                kind: chunk.kind,
                has_one_name: before.map(|chunk| chunk.name) == after.map(|chunk| chunk.name),
                changes: match (old.text(&of_old), new.text(&of_new)) {
                    (a, b) if a == b => Vec::new(),
                    (a, b) if is_pair => changes((a, of_old.start), (b, of_new.start)),
                    _ => vec![(of_old.clone(), of_new.clone())],
                },
                old: of_old,
                new: of_new,
            });
        }
    };
    let (mut olds, mut news) = (0, 0);
    for (a, b) in longest_rise(&pairs).into_iter().chain([(old.all.len(), new.all.len())]) {
        let kind = |chunk: Option<&Chunk<'_>>| chunk.map(|chunk| chunk.kind);
        while olds < a && news < b && kind(old.all.get(olds)) == kind(new.all.get(news)) {
            push(old.all.get(olds), new.all.get(news));
            (olds, news) = (olds + 1, news + 1);
        }
        (olds..a).for_each(|old_one| push(old.all.get(old_one), None));
        (news..b).for_each(|new_one| push(None, new.all.get(new_one)));
        push(old.all.get(a), new.all.get(b));
        (olds, news) = (a + 1, b + 1);
    }
    pieces
}

/// The lines that differ between two texts, as bytes of the whole texts, in which these start at such a byte.
fn changes((old, old_start): (&str, usize), (new, new_start): (&str, usize)) -> Vec<(Range<usize>, Range<usize>)> {
    let start = line_start(old, common(old.as_bytes(), new.as_bytes()));
    let (old_rest, new_rest) = (
        old.get(start..).unwrap_or_default(),
        new.get(start..).unwrap_or_default(),
    );
    let end = common_end(old_rest.as_bytes(), new_rest.as_bytes());
    let (old_end, new_end) = (old_rest.len() - end, new_rest.len() - end);
    let at_line = |rest: &str, at: usize| at == line_start(rest, at);
    // What is the same at the end starts with a line on both sides.
    let more = match at_line(old_rest, old_end) && at_line(new_rest, new_end) {
        true => 0,
        false => old_rest
            .get(old_end..)
            .map_or(end, |same| same.find('\n').map_or(end, |line| line + 1)),
    };
    let (old_lines, new_lines) = (old_rest.get(..old_end + more), new_rest.get(..new_end + more));
    let (old_lines, new_lines) = (old_lines.unwrap_or_default(), new_lines.unwrap_or_default());
    let (mut old_at, mut new_at) = (old_start + start, new_start + start);
    // Most jobs that differ do so at one place, and there may be many of them.
    let mut changes: Vec<(Range<usize>, Range<usize>)> = Vec::with_capacity(1);
    each_line(old_lines, new_lines, |tag, line| {
        let goes_on = |last: &&mut (Range<usize>, Range<usize>)| last.0.end == old_at && last.1.end == new_at;
        if tag != ChangeTag::Equal && changes.last_mut().filter(goes_on).is_none() {
            changes.push((old_at..old_at, new_at..new_at));
        }
        old_at += if tag == ChangeTag::Insert { 0 } else { line.len() };
        new_at += if tag == ChangeTag::Delete { 0 } else { line.len() };
        if let Some(last) = changes.last_mut().filter(|_| tag != ChangeTag::Equal) {
            (last.0.end, last.1.end) = (old_at, new_at);
        }
    });
    changes
}

/// Number of bytes at which both end alike.
fn common_end(a: &[u8], b: &[u8]) -> usize {
    let blocks = a
        .as_rchunks::<16>()
        .1
        .iter()
        .rev()
        .zip(b.as_rchunks::<16>().1.iter().rev());
    let same = 16 * blocks.take_while(|(a, b)| a == b).count();
    let rest = |bytes: &[u8]| bytes.len() - same;
    let (a, b) = (
        a.get(..rest(a)).unwrap_or_default(),
        b.get(..rest(b)).unwrap_or_default(),
    );
    same + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// The most pairs of which the second numbers rise as the first do.
fn longest_rise(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Of each length, the place of the pair with the least number that so many pairs end with.
    let mut last: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let number = |place: usize| pairs.get(place).map(|pair| pair.1);
    for (place, pair) in pairs.iter().enumerate() {
        let length = last.partition_point(|&place| number(place) < Some(pair.1));
        before.push(length.checked_sub(1).and_then(|shorter| last.get(shorter).copied()));
        match last.get_mut(length) {
            Some(least) => *least = place,
            None => last.push(place),
        }
    }
    let back = |&place: &usize| before.get(place).copied().flatten();
    let mut rise: Vec<_> = std::iter::successors(last.last().copied(), back)
        .filter_map(|place| pairs.get(place).copied())
        .collect();
    rise.reverse();
    rise
}
