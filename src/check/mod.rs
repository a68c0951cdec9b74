//! Resources and hierarchies → what would go wrong later, although the operator renders it.

pub mod configuration;
mod diagnostics;
mod expansion;
mod ignored_fields;
mod integrations;
mod log_level;
mod logs;
mod manifest;
mod misread;
mod place;
mod prometheus;
mod selection;
#[cfg(test)]
mod tests;
mod unrendered;
pub mod unsharded_probes;
mod verdict;

pub use unrendered::{Unrendered, unrendered};

use std::collections::BTreeSet;

use crate::api::Resources;
use crate::diagnostic::Diagnostic;
use crate::lower::Lowered;
use crate::resolve::{Hierarchy, Selections};

/// Holds all resources, and what each agent makes of them, against the rules.
pub fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &[Hierarchy<'_, 'd>],
) -> Vec<Diagnostic> {
    let mut found = ignored_fields::check(resources);
    found.extend(integrations::check(resources));
    found.extend(configuration::check(resources, hierarchies));
    found.extend(configuration::check_unselected(resources, selections));
    let of_agents = hierarchies
        .iter()
        .flat_map(|hierarchy| check_hierarchy(resources, hierarchy));
    found.extend(once(of_agents.collect()));
    found.extend(selection::check(resources, selections, hierarchies));
    found
}

fn check_hierarchy(resources: &Resources<'_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut found = integrations::check_hierarchy(resources, hierarchy);
    found.extend(log_level::check(hierarchy));
    found.extend(expansion::check(hierarchy));
    found.extend(unsharded_probes::check(hierarchy));
    found
}

/// Holds the manifests that were made of the hierarchies against the rules.
pub fn check_objects(hierarchies: &[Hierarchy<'_, '_>], lowered: &Lowered) -> Vec<Diagnostic> {
    once(manifest::check(hierarchies, lowered))
}

/// Each finding once: a resource that two agents select is looked at twice, a container of two workloads too.
fn once(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    found.retain(|d| seen.insert((d.code, d.message.clone(), d.resource.clone(), d.path.clone())));
    found
}
