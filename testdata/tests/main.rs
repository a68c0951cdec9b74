//! Integration tests for the command and the library, built as a single program with one directory per purpose.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may fail, and say why"
)]

mod alloy;
mod commands;
mod gitops;
mod hostile;
mod kustomize;
mod meta;
mod reference;
mod secrecy;
mod support;
#[allow(dead_code, reason = "unit tests use the rest")]
#[path = "../../src/testing.rs"]
mod testing;
