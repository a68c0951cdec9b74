//! Tests that commands read what kustomize builds, and report mistakes at the line to edit.

mod commands;
mod failures;
mod krm;
pub mod places;
mod plugin;
#[cfg(unix)]
mod remote_bases;
pub mod repository;
