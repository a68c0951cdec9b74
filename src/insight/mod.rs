//! Answers to users' questions about resources and configurations. Nothing in this module reads files or prints.

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
