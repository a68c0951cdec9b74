//! The command `agentctl`.
fn main() {}
