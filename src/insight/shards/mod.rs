//! Which shard scrapes which target, how even that is, and what a change of `spec.metrics.shards` moves.
//!
//! A target belongs to the shard that Prometheus' relabel action `hashmod` gives for its `__address__`; the operator ends
//! the relabelings of each ServiceMonitor and PodMonitor with that rule.

mod agent;
mod balance;
mod targets;
mod text;

pub use agent::{ShardedAgent, divided};
pub use balance::{Balance, Moves, Sharding, shard};
pub use targets::{ScrapeTarget, read_targets};
pub use text::text;
