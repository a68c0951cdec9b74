//! Assignment of targets to shards (by the hash in Prometheus' `hashmod` relabel action), the resulting balance, and
//! the targets that move if the number of shards changes.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use serde::Serialize;

use super::ScrapeTarget;
use crate::targets::relabel::hashmod;

/// Distribution of the load across the shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Load on each shard: its number of series, if known, or its number of targets.
    pub weights: Vec<u64>,
    /// Whether the load is measured in series. True if the number of series is known for all targets.
    pub by_series: bool,
}

impl Balance {
    /// Distributes the targets across the shards. `series` is assumed for targets whose number of series is unknown.
    pub fn new(targets: &[ScrapeTarget], shards: NonZeroU32, series: Option<u64>) -> Self {
        let series_of = |target: &ScrapeTarget| target.series.or(series);
        let by_series = !targets.is_empty() && targets.iter().all(|target| series_of(target).is_some());
        let mut weights = vec![0_u64; usize::try_from(shards.get()).unwrap_or_default()];
        for target in targets {
            let index = usize::try_from(shard(&target.address, shards)).unwrap_or_default();
            if let Some(weight) = weights.get_mut(index) {
                let added_weight = series_of(target).filter(|_| by_series);
                *weight = weight.saturating_add(added_weight.unwrap_or(1));
            }
        }
        Self { weights, by_series }
    }

    /// Returns the total load on all shards.
    pub fn total(&self) -> u64 {
        self.weights.iter().copied().fold(0, u64::saturating_add)
    }

    /// Returns the load on the most heavily loaded shard.
    pub fn largest_load(&self) -> u64 {
        self.weights.iter().copied().max().unwrap_or_default()
    }

    /// Returns the excess of the heaviest shard's load over an even share, as a fraction of that share. Returns 0 if
    /// there is no load.
    pub fn excess(&self) -> f64 {
        let even_load = self.total() as f64 / self.weights.len().max(1) as f64;
        if even_load > 0.0 { self.largest_load() as f64 / even_load - 1.0 } else { 0.0 }
    }
}

/// Returns the index of the shard for a target with this address.
pub fn shard(address: &str, shards: NonZeroU32) -> u32 {
    let shard = hashmod(address, shards.into());
    u32::try_from(shard).unwrap_or(u32::MAX)
}

/// Numbers of targets by old and new shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShardMoves {
    /// Number of targets for each pair of old and new shards, including targets that do not move.
    pub counts: BTreeMap<(u32, u32), u64>,
}

impl ShardMoves {
    /// Counts the `targets` that move between each pair of shards when the number of shards changes.
    pub fn new(targets: &[ScrapeTarget], from: NonZeroU32, to: NonZeroU32) -> Self {
        let mut counts = BTreeMap::new();
        for ScrapeTarget { address, .. } in targets {
            *counts.entry((shard(address, from), shard(address, to))).or_default() += 1;
        }
        Self { counts }
    }

    /// Returns the number of targets whose shard changes. Their new shards start scraping from scratch and keep new
    /// series in memory.
    pub fn count_moved(&self) -> u64 {
        let moving = self.counts.iter().filter(|((from, to), _)| from != to);
        moving.map(|(_, count)| count).sum()
    }

    /// Returns the number of targets that move from one shard to another.
    pub fn count(&self, from: u32, to: u32) -> u64 {
        self.counts.get(&(from, to)).copied().unwrap_or_default()
    }
}

/// Targets, with the current and new numbers of shards that they are distributed across.
#[derive(Clone, Copy, Debug)]
pub struct Sharding<'t> {
    /// Targets in input order.
    pub targets: &'t [ScrapeTarget],
    /// Current number of shards.
    pub shards: NonZeroU32,
    /// New number of shards, or `None` if it does not change.
    pub to: Option<NonZeroU32>,
}

/// A target and its shard, as shown in `-o json` output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Assignment<'t> {
    /// Address of the target.
    pub target: &'t str,
    /// Index of the current shard.
    pub shard: u32,
    /// Index of the shard after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
}

impl<'t> Sharding<'t> {
    /// Returns each target with its shard, in input order.
    pub fn assignments(self) -> impl Iterator<Item = Assignment<'t>> {
        self.targets.iter().map(move |target| Assignment {
            target: &target.address,
            shard: shard(&target.address, self.shards),
            to: self.to.map(|to| shard(&target.address, to)),
        })
    }
}

/// Formats the assignment as a line in `-o list` output.
impl fmt::Display for Assignment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            Some(to) => write!(f, "{} {to} {}", self.shard, self.target),
            None => write!(f, "{} {}", self.shard, self.target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(i: u32, series: Option<u64>) -> ScrapeTarget {
        ScrapeTarget { address: format!("10.0.0.{i}:9100"), series }
    }

    fn shards(count: u32) -> NonZeroU32 {
        NonZeroU32::new(count).unwrap()
    }

    #[test]
    fn assigns_every_target_to_one_shard() {
        let targets: Vec<_> = (0..200).map(|i| target(i, None)).collect();
        for count in [1, 2, 3, 7, 300] {
            let balance = Balance::new(&targets, shards(count), None);
            assert_eq!(balance.weights.len(), count as usize);
            assert_eq!(balance.total(), 200);
            assert!(!balance.by_series);
        }
    }

    #[test]
    fn weights_targets_by_series_if_all_are_known() {
        let targets = [target(1, Some(70)), target(2, None), target(3, Some(30))];
        let single_shard = Balance::new(&targets, shards(1), None);
        assert_eq!((single_shard.by_series, single_shard.total()), (false, 3));
        let single_shard = Balance::new(&targets, shards(1), Some(900));
        assert_eq!(
            (single_shard.by_series, single_shard.total(), single_shard.largest_load(), single_shard.excess()),
            (true, 1000, 1000, 0.0)
        );
    }

    #[test]
    fn shards_without_load_are_balanced() {
        assert_eq!(Balance::new(&[], shards(3), Some(1)).excess(), 0.0);
    }

    #[test]
    fn shard_indexes_start_at_zero() {
        let shards = |count| NonZeroU32::new(count).unwrap();
        assert_eq!(shard("10.0.0.1:9100", shards(1)), 0);
        assert!((0..100).all(|i| shard(&format!("10.0.0.{i}:9100"), shards(3)) < 3));
    }

    fn count_moves(from: u32, to: u32) -> ShardMoves {
        let target = |i| ScrapeTarget { address: format!("10.0.{}.{}:9100", i / 250, i % 250), series: None };
        let targets: Vec<_> = (0..1000).map(target).collect();
        let shards = |count| NonZeroU32::new(count).unwrap();
        ShardMoves::new(&targets, shards(from), shards(to))
    }

    #[test]
    fn unchanged_shard_count_moves_nothing() {
        assert_eq!(count_moves(3, 3).count_moved(), 0);
        assert_eq!(count_moves(3, 3).counts.values().sum::<u64>(), 1000);
    }

    #[test]
    fn multiplying_shards_moves_targets_only_to_new_ones() {
        for ((from, to), count) in count_moves(2, 4).counts {
            assert!(count > 0 && (to == from || to == from + 2), "{from} to {to}");
        }
    }

    #[test]
    fn scaling_down_moves_as_many_targets_as_scaling_up() {
        assert_eq!(count_moves(3, 5).count_moved(), count_moves(5, 3).count_moved());
        assert_eq!(count_moves(3, 5).count(1, 2), count_moves(5, 3).count(2, 1));
    }
}
