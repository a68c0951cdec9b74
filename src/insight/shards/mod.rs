//! Which shard scrapes which target, how even that is, and what a change of `spec.metrics.shards` moves.
//!
//! A target belongs to the shard that Prometheus' relabel action `hashmod` gives for its `__address__`; the operator ends
//! the relabelings of each ServiceMonitor and PodMonitor with that rule.

mod agent;
mod balance;
mod number;
mod svg;
mod targets;
mod text;

pub use agent::ShardedAgent;
pub use balance::{Balance, Load, Moves, hashmod, shard};
pub use svg::svg;
pub use targets::{Target, read_targets};
pub use text::text;

use std::fmt;
use std::num::NonZeroU32;

use serde::Serialize;

/// Targets and the shard counts that are asked about.
#[derive(Clone, Copy, Debug)]
pub struct Sharding<'t> {
    /// The targets, in the order of the input.
    pub targets: &'t [Target],
    /// How many shards there are.
    pub shards: NonZeroU32,
    /// How many there would be; `None` where nothing is to change.
    pub to: Option<NonZeroU32>,
}

/// A target with its shard, as `-o json` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Assignment<'t> {
    /// The address.
    pub target: &'t str,
    /// The shard it belongs to, from 0.
    pub shard: u32,
    /// The shard it would belong to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
}

impl<'t> Sharding<'t> {
    /// Each target with its shard, in the order of the input.
    pub fn assignments(self) -> impl Iterator<Item = Assignment<'t>> {
        self.targets.iter().map(move |target| Assignment {
            target: &target.address,
            shard: shard(&target.address, self.shards),
            to: self.to.map(|to| shard(&target.address, to)),
        })
    }
}

/// A line of `-o list`.
impl fmt::Display for Assignment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            Some(to) => write!(f, "{} {to} {}", self.shard, self.target),
            None => write!(f, "{} {}", self.shard, self.target),
        }
    }
}
