//! How even the shards are.

use std::num::NonZeroU32;

use super::{Target, shard};

/// What one shard has to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// How many targets it scrapes.
    pub targets: u64,
    /// How many series these have.
    pub series: u64,
}

/// The shards of a list of targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Shard by shard.
    pub loads: Vec<Load>,
    /// Whether the series of all targets are known, and count.
    pub by_series: bool,
}

impl Balance {
    /// Shares the targets out. A target whose series are not known has `series` of them.
    pub fn of(targets: &[Target], shards: NonZeroU32, series: Option<u64>) -> Self {
        let mut loads = vec![Load::default(); usize::try_from(shards.get()).unwrap_or_default()];
        for target in targets {
            let index = usize::try_from(shard(&target.address, shards)).unwrap_or_default();
            if let Some(load) = loads.get_mut(index) {
                load.targets += 1;
                load.series = load.series.saturating_add(target.series.or(series).unwrap_or_default());
            }
        }
        let is_known = |target: &Target| target.series.or(series).is_some();
        Self {
            loads,
            by_series: !targets.is_empty() && targets.iter().all(is_known),
        }
    }

    /// What counts of each shard: its series where they are known, else its targets.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = u64> + Clone {
        self.loads
            .iter()
            .map(|load| if self.by_series { load.series } else { load.targets })
    }

    /// What all shards have together.
    pub fn total(&self) -> u64 {
        self.weights().fold(0, u64::saturating_add)
    }

    /// What the fullest shard has.
    pub fn fullest(&self) -> u64 {
        self.weights().max().unwrap_or_default()
    }

    /// How much the fullest shard has above an even share, as a part of that share; 0 where there is nothing.
    pub fn excess(&self) -> f64 {
        let even = self.total() as f64 / self.loads.len().max(1) as f64;
        if even > 0.0 {
            self.fullest() as f64 / even - 1.0
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(i: u32, series: Option<u64>) -> Target {
        Target {
            address: format!("10.0.0.{i}:9100"),
            series,
        }
    }

    fn shards(count: u32) -> NonZeroU32 {
        NonZeroU32::new(count).unwrap()
    }

    #[test]
    fn every_target_is_on_one_shard() {
        let targets: Vec<_> = (0..200).map(|i| target(i, None)).collect();
        for count in [1, 2, 3, 7, 300] {
            let balance = Balance::of(&targets, shards(count), None);
            assert_eq!(balance.loads.len(), count as usize);
            assert_eq!(balance.total(), 200);
            assert!(!balance.by_series);
        }
    }

    #[test]
    fn series_count_where_all_are_known() {
        let targets = [target(1, Some(70)), target(2, None), target(3, Some(30))];
        let one = Balance::of(&targets, shards(1), None);
        assert_eq!((one.by_series, one.total()), (false, 3));
        let one = Balance::of(&targets, shards(1), Some(900));
        assert_eq!(
            (one.by_series, one.total(), one.fullest(), one.excess()),
            (true, 1000, 1000, 0.0)
        );
    }

    #[test]
    fn nothing_is_even() {
        assert_eq!(Balance::of(&[], shards(3), Some(1)).excess(), 0.0);
    }
}
