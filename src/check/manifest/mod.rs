//! What is wrong with the manifests themselves: found in the objects, and shown at the fields that they come from.

mod containers;
mod contributions;
mod diagnostics;
mod mounts;
mod origin;
mod pods;
mod resources;
mod secret_size;
mod volumes;

use crate::diagnostic::Diagnostic;
use crate::lower::Lowered;
use crate::lower::manifest::Object;
use crate::resolve::Hierarchy;
use origin::Origins;

/// Holds the objects of each agent against the rules of Kubernetes.
pub(super) fn check(hierarchies: &[Hierarchy<'_, '_>], lowered: &Lowered) -> Vec<Diagnostic> {
    let agents = hierarchies.iter().zip(&lowered.agents);
    agents
        .flat_map(|(hierarchy, objects)| check_agent(hierarchy, objects))
        .collect()
}

fn check_agent(hierarchy: &Hierarchy<'_, '_>, objects: &[Object]) -> Vec<Diagnostic> {
    let origins = Origins::of(hierarchy);
    let mut found = secret_size::check(hierarchy, objects);
    for pod in pods::of(objects) {
        found.extend(volumes::check(&pod, &origins));
        found.extend(mounts::check(&pod, &origins));
        found.extend(containers::check(&pod, &origins));
        found.extend(resources::check(&pod, &origins));
    }
    found
}
