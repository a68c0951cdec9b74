//! Which chunks of two configurations belong together.

use std::collections::HashMap;

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
    let places: HashMap<_, _> = keys(&new).into_iter().zip(0..).collect();
    let same = keys(&old)
        .into_iter()
        .enumerate()
        .filter_map(|(place, key)| Some((place, *places.get(&key)?)));
    let same = longest_rise(&same.collect::<Vec<_>>());
    let (old_count, new_count) = (old.len(), new.len());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    let (mut olds, mut news, mut pairs) = (0, 0, Vec::with_capacity(old_count.max(new_count)));
    for (a, b) in same.into_iter().chain([(old_count, new_count)]) {
        while olds < a && news < b && old.peek().map(|chunk| chunk.kind) == new.peek().map(|chunk| chunk.kind) {
            pairs.push(Pair::of(old.next(), new.next()));
            (olds, news) = (olds + 1, news + 1);
        }
        pairs.extend(old.by_ref().take(a - olds).map(|chunk| Pair::of(Some(chunk), None)));
        pairs.extend(new.by_ref().take(b - news).map(|chunk| Pair::of(None, Some(chunk))));
        if a < old_count {
            pairs.push(Pair::of(old.next(), new.next()));
        }
        (olds, news) = (a + 1, b + 1);
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
