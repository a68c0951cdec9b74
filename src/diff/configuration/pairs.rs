//! Pairing of the chunks in two configurations.

use std::collections::HashMap;

use similar::{Algorithm, capture_diff_slices};

use super::chunk::{Chunk, ChunkKind};

/// A chunk that exists on one or both sides.
pub(super) struct Pair<'t> {
    pub(super) kind: ChunkKind,
    pub(super) sides: [Option<Chunk<'t>>; 2],
    /// Whether both sides have the same contents.
    pub(super) is_same: bool,
}

impl<'t> Pair<'t> {
    fn new(old: Option<Chunk<'t>>, new: Option<Chunk<'t>>) -> Self {
        let mut sides = [old, new];
        // If a chunk is secret on one side, its counterpart with the same name is secret too.
        if let [Some(old), Some(new)] = &mut sides
            && old.name == new.name
        {
            let is_secret = old.is_secret || new.is_secret;
            (old.is_secret, new.is_secret) = (is_secret, is_secret);
        }
        let [old, new] = &sides;
        let is_same = matches!((old, new), (Some(old), Some(new)) if old.is_same(new));
        let kind = old.as_ref().or(new.as_ref()).map_or(ChunkKind::Outline, |chunk| chunk.kind);
        Self { kind, sides, is_same }
    }

    /// Returns the name of the scrape job or component, or an empty string if it is secret or there is none.
    pub(super) fn display_name(&self) -> &str {
        let mut sides = self.sides.iter().rev().flatten();
        let is_shown = self.kind == ChunkKind::Job && sides.clone().all(|chunk| !chunk.is_secret);
        let name = sides.next().filter(|_| is_shown).map_or("", |chunk| &*chunk.name.1);
        name.trim_end_matches(" {")
    }

    pub(super) fn is_changed_job(&self) -> bool {
        self.kind == ChunkKind::Job && !self.is_same
    }
}

/// Pairs as many chunks with equal names as possible, such that the pairs are in the same order on both sides. Between
/// these pairs, chunks of the same kind are paired in order.
pub(super) fn pairs<'t>(old: Vec<Chunk<'t>>, new: Vec<Chunk<'t>>) -> Vec<Pair<'t>> {
    // Each key is unique on its side, so the comparison is no more expensive than sorting the keys.
    let ops = capture_diff_slices(Algorithm::Hunt, &keys(&old), &keys(&new));
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    let mut pairs = Vec::new();
    for op in ops {
        let (mut olds, mut news) = (op.old_range().len(), op.new_range().len());
        while olds > 0 && news > 0 && old.peek().map(|chunk| chunk.kind) == new.peek().map(|chunk| chunk.kind) {
            pairs.push(Pair::new(old.next(), new.next()));
            (olds, news) = (olds - 1, news - 1);
        }
        pairs.extend(old.by_ref().take(olds).map(|chunk| Pair::new(Some(chunk), None)));
        pairs.extend(new.by_ref().take(news).map(|chunk| Pair::new(None, Some(chunk))));
    }
    pairs
}

/// Returns a key for each chunk: its kind, its name, and its position among the chunks with the same kind and name.
fn keys<'c>(chunks: &'c [Chunk<'_>]) -> Vec<(ChunkKind, (&'c str, &'c str), usize)> {
    let mut counts = HashMap::new();
    let key = |chunk: &'c Chunk<'_>| {
        let name = (&*chunk.name.0, &*chunk.name.1);
        let count = counts.entry((chunk.kind, name)).or_insert(0);
        *count += 1;
        (chunk.kind, name, *count)
    };
    chunks.iter().map(key).collect()
}
