//! Go structs that the agent and its integrations decode their configuration to.

pub mod integrations;
pub mod types;
