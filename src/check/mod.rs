//! Resources, hierarchies and manifests → findings: what the operator renders although it fails or does nothing later.

mod agent;
mod certificates;
mod conditions;
pub mod configuration;
mod expansion;
mod field;
mod ignored_fields;
mod integrations;
mod logs;
mod manifest;
mod newline;
mod place;
mod prometheus;
mod rights;
mod selection;
mod targets;
#[cfg(test)]
mod tests;
mod unrendered;

pub use agent::unsharded_probes;
pub use conditions::Conditions;
pub use rights::tokens;
pub use targets::check as check_targets;
pub use unrendered::{Unrendered, unrendered};

use crate::api::Resources;
use crate::diagnostic::bound::Bound;
use crate::diagnostic::{Diagnostic, distinct};
use crate::manifest::Objects;
use crate::resolve::{Hierarchy, Selections};

/// Checks all resources, and what each agent selects.
pub fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &[Hierarchy<'_, 'd>],
    conditions: Conditions<'_>,
) -> Vec<Diagnostic> {
    let watcher = conditions.target.watcher();
    let mut bound = Bound::default();
    let mut found = ignored_fields::check(resources, hierarchies, watcher);
    found.extend(integrations::check(resources));
    found.extend(configuration::check(resources, hierarchies, conditions));
    found.extend(configuration::check_unselected(resources, selections));
    bound.keep(&mut found);
    for hierarchy in hierarchies {
        found.extend(integrations::check_hierarchy(resources, hierarchy));
        found.extend(agent::log_level(hierarchy));
        found.extend(agent::without_clients(hierarchy, &resources.rejected_fields));
        found.extend(expansion::check(hierarchy));
        found.extend(newline::check(resources, hierarchy));
        found.extend(certificates::check(resources, hierarchy, conditions));
        found.extend(unsharded_probes(hierarchy));
        bound.keep(&mut found);
    }
    found.extend(selection::check(resources, selections, hierarchies));
    found.extend(tokens(resources, hierarchies, watcher));
    found.extend(rights::check(resources, hierarchies, watcher));
    // A resource that two agents select is checked twice.
    distinct(found)
}

/// Checks the manifests of the hierarchies.
pub fn check_objects(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    objects: &Objects,
) -> Vec<Diagnostic> {
    // A container of two workloads is checked twice.
    distinct(manifest::check(resources, hierarchies, objects))
}
