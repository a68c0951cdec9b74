//! Hierarchies → manifests and the agent's configuration.

pub mod config;
pub mod manifest;
