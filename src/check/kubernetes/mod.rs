//! What an agent's fields make that Kubernetes refuses, or that fails later.

mod claim;
mod diagnostics;
mod names;
mod pod_metadata;
mod port_name;

use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

/// Holds an agent against the rules of Kubernetes for what is made of it.
pub(super) fn check(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let agent = hierarchy.agent;
    let mut found = names::check(hierarchy);
    if !hierarchy.metrics.is_empty() {
        found.extend(claim::check(agent));
    }
    if !hierarchy.metrics.is_empty() || !hierarchy.logs.is_empty() || !hierarchy.integrations.is_empty() {
        found.extend(port_name::check(agent));
        found.extend(pod_metadata::check(agent));
    }
    found
}
