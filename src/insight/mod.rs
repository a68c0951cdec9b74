//! Answers to users' questions about resources and configurations. This module does not read files or print output.

pub mod affected;
pub mod catalog;
pub mod graph;
pub mod links;
mod obstacle;
pub mod referrers;
pub mod resolved;
pub mod shards;
pub mod source_map;
pub mod targets;
pub mod tree;
pub mod why;
