//! Tests that output and verdicts are the same as those of real programs.

mod conformance;
mod live;
mod pods;
mod promtool;
mod relabel;
mod yaml_language_server;
