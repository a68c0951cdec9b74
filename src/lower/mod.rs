//! Hierarchies → manifests and the agent's configuration.

pub mod manifest;
