//! Tests that commands read what Flux and Argo CD apply, and report mistakes at the line to edit.

mod argocd;
mod builds;
mod clusters;
mod hostile;
mod repository;
