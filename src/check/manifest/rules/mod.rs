//! The rules of Kubernetes for pods, workloads, Services and claims, as tables: a row is a path, a rule and its parameters.
//!
//! The tables are those of `pkg/apis/core/validation` and `pkg/apis/apps/validation`: each names the Go function that it
//! stands for. They are held against the JSON of a rendered object; what the API server defaults may be missing there.

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

pub(super) use object::{APP_ARMOR, SECCOMP_OF_CONTAINER, SECCOMP_OF_POD, rows_of};
