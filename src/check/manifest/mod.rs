//! Rules for the manifests: checked in the rendered objects, and reported at the fields of the input that they come from.

mod contributions;
mod diagnostics;
mod origin;
mod pod_security;
mod rules;
mod running;
mod size;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::api::Resources;
use crate::diagnostic::Diagnostic;
use crate::go::syntax;
use crate::manifest::{Object, Objects};
use crate::resolve::Hierarchy;
use origin::Origins;
use running::as_running;

/// Checks the objects of each agent against the rules of Kubernetes.
pub(super) fn check(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    objects: &Objects,
) -> Vec<Diagnostic> {
    let agents = hierarchies.iter().zip(&objects.agents);
    let mut found: Vec<_> = agents
        .flat_map(|(hierarchy, agent)| check_agent(hierarchy, &agent.objects))
        .collect();
    found.extend(pod_security::check(resources, hierarchies, objects));
    found
}

fn check_agent(hierarchy: &Hierarchy<'_, '_>, objects: &[Object]) -> Vec<Diagnostic> {
    let origins = Origins::of(hierarchy);
    let mut found = size::check(hierarchy, objects);
    // Several objects have the field.
    let mut seen = HashSet::new();
    let mut left_out = None;
    for object in objects.iter().filter(|object| !object.is_middle_shard()) {
        let json = as_running(object);
        // What the agent's name breaks is told once an object, and not where the name itself is refused.
        let mut is_named = syntax::subdomain(hierarchy.agent.meta.name).is_some();
        let (broken, others) = rules::broken(rules::rows_of(object.kind()), &json);
        // Of shards, the first and the last have the same mistakes.
        let others = others.first().map(|first| (first.code, others.len()));
        left_out = left_out.or_else(|| others.map(|others| (object, others)));
        for broken in broken {
            let mut origin = origins.field(&json, &broken.path);
            let mut first = broken.first.as_ref().map(|first| origins.field(&json, first));
            // What the operator appends to the user's own is not the one to change.
            if let (None, Some(first)) = (&origin, &mut first) {
                std::mem::swap(&mut origin, first);
            }
            let at = origin.as_ref().map(|origin| (origin.object, origin.path.to_string()));
            let is_again = at.is_none() && std::mem::replace(&mut is_named, true);
            if is_again || !seen.insert((at, broken.problem.clone())) {
                continue;
            }
            found.push(match &origin {
                Some(origin) => diagnostics::refused(object, &broken, origin, first.as_ref()),
                None => diagnostics::refused_name(object, &broken, origins.agent()),
            });
        }
    }
    let left_out = left_out.map(|(object, (code, count))| diagnostics::left_out(object, code, count, origins.agent()));
    found.extend(left_out);
    found
}
