//! Kubernetes' rules for pods, workloads, Services and claims, as tables. Each row consists of a path, a rule and the
//! rule's parameters.
//!
//! The tables are ports of the Go functions that their doc comments name, in `pkg/apis/core/validation` and
//! `pkg/apis/apps/validation`. They apply to the JSON of a rendered object, which may lack values that the API server
//! sets as defaults.

mod claim;
mod container;
mod environment;
mod object;
mod resources;
mod scheduling;
mod security;
#[cfg(test)]
mod tests;
mod text;
mod volume;

pub(in crate::check) use object::{APP_ARMOR, SECCOMP_OF_CONTAINER, SECCOMP_OF_POD, rules_for_kind};
pub(in crate::check) use volume::MISSING_VOLUME;
