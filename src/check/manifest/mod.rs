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
use crate::lower::manifest::Object;
use crate::resolve::Hierarchy;
use origin::Origins;

/// Holds the objects of each agent against the rules of Kubernetes.
pub(super) fn check(hierarchies: &[Hierarchy<'_, '_>], objects: &[Object]) -> Vec<Diagnostic> {
    let mut rest = objects;
    let mut found = Vec::new();
    for hierarchy in hierarchies {
        let own;
        (own, rest) = split(hierarchy, rest);
        found.extend(check_agent(hierarchy, own));
    }
    found
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

/// The objects of an agent, and the rest. Those of each agent start with its `<agent>-secrets`; an agent that could not
/// be lowered has none.
fn split<'o>(hierarchy: &Hierarchy<'_, '_>, objects: &'o [Object]) -> (&'o [Object], &'o [Object]) {
    let is_first = |object: &Object| matches!(object, Object::Secret(_)) && object.name().ends_with("-secrets");
    let agent = &hierarchy.agent.meta;
    let is_own = |first: &Object| {
        first.namespace() == agent.namespace && first.name().strip_suffix("-secrets") == Some(agent.name)
    };
    if !objects.first().is_some_and(is_own) {
        return (&[], objects);
    }
    let end = objects
        .iter()
        .skip(1)
        .position(is_first)
        .map_or(objects.len(), |i| i + 1);
    objects.split_at(end)
}
