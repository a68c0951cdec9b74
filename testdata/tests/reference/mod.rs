//! Tests that output and verdicts match those of the actual programs.

mod conformance;
mod live;
mod pods;
mod promtool;
mod relabel;
mod yaml_language_server;
