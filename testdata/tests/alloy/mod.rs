//! Tests that Alloy configurations have the same effect as the agent's, or that a finding reports the difference.

mod behavior;
mod commands;
mod dynamic;
mod expected;
mod losses;
mod references;
mod scale;
