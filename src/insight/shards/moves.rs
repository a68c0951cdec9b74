//! What a change of the number of shards moves.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use super::{Target, shard};

/// How many targets go from which shard to which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// The number of targets by old and new shard, those that stay included.
    pub counts: BTreeMap<(u32, u32), u64>,
}

impl Moves {
    /// The way of each target.
    pub fn of(targets: &[Target], from: NonZeroU32, to: NonZeroU32) -> Self {
        let mut counts = BTreeMap::new();
        for Target { address, .. } in targets {
            *counts.entry((shard(address, from), shard(address, to))).or_default() += 1;
        }
        Self { counts }
    }

    /// How many targets change their shard: the new one scrapes them anew, with new series of its own memory.
    pub fn moved(&self) -> u64 {
        let moving = self.counts.iter().filter(|((from, to), _)| from != to);
        moving.map(|(_, count)| count).sum()
    }

    /// How many targets go this way.
    pub fn count(&self, from: u32, to: u32) -> u64 {
        self.counts.get(&(from, to)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(from: u32, to: u32) -> Moves {
        let target = |i| Target {
            address: format!("10.0.{}.{}:9100", i / 250, i % 250),
            series: None,
        };
        let targets: Vec<_> = (0..1000).map(target).collect();
        let shards = |count| NonZeroU32::new(count).unwrap();
        Moves::of(&targets, shards(from), shards(to))
    }

    #[test]
    fn the_same_number_moves_nothing() {
        assert_eq!(moves(3, 3).moved(), 0);
        assert_eq!(moves(3, 3).counts.values().sum::<u64>(), 1000);
    }

    #[test]
    fn a_multiple_moves_only_to_new_shards() {
        for ((from, to), count) in moves(2, 4).counts {
            assert!(count > 0 && (to == from || to == from + 2), "{from} to {to}");
        }
    }

    #[test]
    fn there_and_back_moves_the_same() {
        assert_eq!(moves(3, 5).moved(), moves(5, 3).moved());
        assert_eq!(moves(3, 5).count(1, 2), moves(5, 3).count(2, 1));
    }
}
