//! What a plan is turned into: the configuration of the program that runs it.

pub mod alloy;
