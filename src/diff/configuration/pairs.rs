//! Which chunks of two configurations belong together.

use std::collections::HashMap;

use similar::{Algorithm, capture_diff_slices};

use super::chunk::{Chunk, Kind};

/// A chunk of either side or of both.
pub(super) struct Pair<'t> {
    pub(super) kind: Kind,
    pub(super) sides: [Option<Chunk<'t>>; 2],
    /// Whether both sides hold the same.
    pub(super) is_same: bool,
}

impl<'t> Pair<'t> {
    fn of(old: Option<Chunk<'t>>, new: Option<Chunk<'t>>) -> Self {
        let mut sides = [old, new];
        // What comes from a Secret on one side came from it on the other.
        if let [Some(old), Some(new)] = &mut sides
            && old.name == new.name
        {
            let is_secret = old.is_secret || new.is_secret;
            (old.is_secret, new.is_secret) = (is_secret, is_secret);
        }
        let [old, new] = &sides;
        let is_same = matches!((old, new), (Some(old), Some(new)) if old.is_same(new));
        let kind = old.as_ref().or(new.as_ref()).map_or(Kind::Outline, |chunk| chunk.kind);
        Self { kind, sides, is_same }
    }

    pub(super) fn is_changed_job(&self) -> bool {
        self.kind == Kind::Job && !self.is_same
    }
}

/// Chunks of one name belong together, as many as have the same order on both sides. Between them, chunks of one kind belong
/// together by their places.
pub(super) fn pairs<'t>(old: Vec<Chunk<'t>>, new: Vec<Chunk<'t>>) -> Vec<Pair<'t>> {
    // Each key is there once on a side, so this takes no more than the sorting of them would.
    let ops = capture_diff_slices(Algorithm::Hunt, &keys(&old), &keys(&new));
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    let mut pairs = Vec::new();
    for op in ops {
        let (mut olds, mut news) = (op.old_range().len(), op.new_range().len());
        while olds > 0 && news > 0 && old.peek().map(|chunk| chunk.kind) == new.peek().map(|chunk| chunk.kind) {
            pairs.push(Pair::of(old.next(), new.next()));
            (olds, news) = (olds - 1, news - 1);
        }
        pairs.extend(old.by_ref().take(olds).map(|chunk| Pair::of(Some(chunk), None)));
        pairs.extend(new.by_ref().take(news).map(|chunk| Pair::of(None, Some(chunk))));
    }
    pairs
}

/// What each chunk is known by: its kind and name, and the number of chunks in front of it that have the same.
fn keys<'c>(chunks: &'c [Chunk<'_>]) -> Vec<(Kind, (&'c str, &'c str), usize)> {
    let mut counts = HashMap::new();
    let key = |chunk: &'c Chunk<'_>| {
        let name = (&*chunk.name.0, &*chunk.name.1);
        let count = counts.entry((chunk.kind, name)).or_insert(0);
        *count += 1;
        (chunk.kind, name, *count)
    };
    chunks.iter().map(key).collect()
}
