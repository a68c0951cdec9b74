//! Tests that Alloy configurations do the same as the agent's, or that a finding reports the difference.

mod behavior;
mod commands;
mod dynamic;
mod expected;
mod losses;
mod references;
mod scale;
