//! Resources and hierarchies → what would go wrong later, although the operator renders it.

mod ignored_fields;
mod integrations;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::api::Resources;
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

/// Holds all resources, and what each agent makes of them, against the rules.
pub fn check(resources: &Resources<'_>, hierarchies: &[Hierarchy<'_, '_>]) -> Vec<Diagnostic> {
    let mut found = ignored_fields::check(resources);
    found.extend(integrations::check(resources));
    let of_agents = hierarchies.iter().flat_map(integrations::check_hierarchy);
    found.extend(once(of_agents.collect()));
    found
}

/// Each finding once: a resource that two agents select is looked at twice.
fn once(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    found.retain(|d| seen.insert((d.code, d.message.clone(), d.resource.clone(), d.path.clone())));
    found
}
