//! Assignment of targets to shards, its balance, and the effect of changing `spec.metrics.shards`.
//!
//! A target belongs to the shard that Prometheus' relabel action `hashmod` computes from its `__address__`. The
//! operator ends the relabeling rules of each ServiceMonitor and PodMonitor with that rule.

mod agent;
mod balance;
mod targets;
mod text;

pub use agent::{ShardedAgent, divided};
pub use balance::{Balance, ShardMoves, Sharding, shard};
pub use targets::{ScrapeTarget, read_targets};
pub use text::text;
