//! Targets that the jobs of a plan find in a cluster, with their labels, as the agent's own Prometheus and Promtail
//! find them.
//!
//! ```text
//! Plan ─▶ Job ─┐
//!              ├─▶ Cluster::targets ─▶ target: active, dropped by a rule, invalid, or a duplicate
//! Objects ─────┘
//! ```
//!
//! Jobs and targets are created one at a time and passed to a visitor.

mod chain;
mod cluster;
mod finish;
mod job;
mod lack;
mod maker;
mod shards;
mod trace;
mod url;
mod work;

pub use crate::plan::JobKind;
pub use chain::{Chain, CollectedTarget, Missing, Ports};
pub use cluster::{
    Cluster, DiscoveredTarget, STATIC_POD, TargetIdentity, TargetScope, TargetState, pod_labels, target_identity,
};
pub use finish::Invalid;
pub use job::{Job, JobRule, JobSource, RuleOrigin, RulePurpose, StaticGroup, UnknownReason, UnknownTargets};
pub use shards::{JobGroup, for_each_job};
pub use trace::{LabelChange, RuleStep, changes, trace};
