//! Go structs into which the agent and its integrations decode their configurations.

pub mod integrations;
pub mod types;
