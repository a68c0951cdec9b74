//! Assignment of targets to shards, the resulting balance, and the effect of changing `spec.metrics.shards`.
//!
//! A target belongs to the shard that Prometheus' `hashmod` relabel action computes from the target's `__address__`.
//! The operator appends a rule with this action to the relabeling rules of each ServiceMonitor and PodMonitor.

mod agent;
mod balance;
mod targets;
mod text;

pub use agent::{ShardedAgent, sharded_targets};
pub use balance::{Balance, ShardMoves, Sharding, shard};
pub use targets::{ScrapeTarget, read_targets};
pub use text::text;
