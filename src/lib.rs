//! agentctl compiles the Grafana Agent Operator's resources offline into the objects that the operator would create.
//!
//! ```text
//! files ─▶ input ─▶ yaml ─▶ admit ─▶ resolve ─▶ plan ─┬─▶ output::agent ─┬─▶ manifest ─▶ emit ─▶ stdout, directory
//!          Sources  Document Resources Hierarchy Plan └─▶ output::alloy ─┘   Object
//! ```
//!
//! [`compile::compile`] runs the stages in order. Each stage adds diagnostics and continues. Only [`input`] reads the
//! disk, only [`emit`] writes to it, and only the command line accesses the arguments, environment and terminal.

// The integration tests also contain the module `testing`, so it refers to the library by this name.
#[cfg(test)]
extern crate self as agentctl;

pub mod admit;
pub mod aggregate;
pub mod api;
pub mod budget;
pub mod check;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod diff;
pub mod emit;
pub mod flags;
pub mod flow;
pub mod gitops;
pub mod go;
pub mod input;
pub mod insight;
pub mod lsp;
pub mod manifest;
pub mod output;
pub mod plan;
pub mod printable;
pub mod programs;
#[cfg(test)]
mod random;
pub mod report;
pub mod resolve;
pub mod secrecy;
pub mod source;
pub mod targets;
#[cfg(test)]
mod testing;
pub mod yaml;
