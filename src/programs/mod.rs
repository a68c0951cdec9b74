//! Go structs that the agent and its integrations decode their configuration into.

pub mod integrations;
pub mod types;
