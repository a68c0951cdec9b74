//! Resources, hierarchies and manifests → findings: what the operator renders although it fails or does nothing later.

mod agent;
pub mod configuration;
mod expansion;
mod field;
mod ignored_fields;
mod integrations;
mod logs;
mod manifest;
mod place;
mod prometheus;
mod rights;
mod selection;
#[cfg(test)]
mod tests;
mod token;
mod unrendered;

pub use agent::unsharded_probes;
pub use token::tokens;
pub use unrendered::{Unrendered, unrendered};

use std::collections::HashSet;

use crate::api::Resources;
use crate::diagnostic::Diagnostic;
use crate::manifest::Objects;
use crate::resolve::{Hierarchy, Selections};

/// Checks all resources, and what each agent selects.
pub fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &[Hierarchy<'_, 'd>],
) -> Vec<Diagnostic> {
    let mut found = ignored_fields::check(resources);
    found.extend(integrations::check(resources));
    found.extend(configuration::check(resources, hierarchies));
    found.extend(configuration::check_unselected(resources, selections));
    for hierarchy in hierarchies {
        found.extend(integrations::check_hierarchy(resources, hierarchy));
        found.extend(agent::log_level(hierarchy));
        found.extend(expansion::check(hierarchy));
        found.extend(unsharded_probes(hierarchy));
    }
    found.extend(selection::check(resources, selections, hierarchies));
    found.extend(tokens(resources, hierarchies));
    found.extend(rights::check(resources, hierarchies));
    once(found)
}

/// Checks the manifests of the hierarchies.
pub fn check_objects(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    objects: &Objects,
) -> Vec<Diagnostic> {
    once(manifest::check(resources, hierarchies, objects))
}

/// Drops equal findings: a resource that two agents select is checked twice, and so is a container of two workloads.
fn once(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let mut are_new: Vec<_> = found.iter().map(|finding| seen.insert(finding)).collect();
    are_new.reverse();
    found.retain(|_| are_new.pop() == Some(true));
    found
}
