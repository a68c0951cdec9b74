//! Tests that Alloy configurations do the same as those of the agent, or that a finding reports the difference.

mod behavior;
mod commands;
mod dynamic;
mod expected;
mod losses;
mod references;
mod scale;
