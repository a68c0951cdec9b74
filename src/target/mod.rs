//! What a plan is turned into: the configuration of the program that runs it.

pub mod agent;
pub mod alloy;
