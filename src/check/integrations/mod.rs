//! Integrations: the operator copies their name and configuration without a look at them.

mod catalogue;
mod diagnostics;
mod instance;
mod mount;
mod name;
mod placement;
mod unique;

use crate::api::Resources;
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

/// Holds each Integration against the agent's catalogue.
pub(super) fn check(resources: &Resources<'_>) -> Vec<Diagnostic> {
    let integrations = resources.integrations.iter();
    integrations
        .flat_map(|integration| name::check(integration).or_else(|| placement::check(integration)))
        .collect()
}

/// Holds the Integrations of an agent against each other and against its instances.
pub(super) fn check_hierarchy(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut found = unique::check(hierarchy);
    found.extend(instance::check(hierarchy));
    found.extend(mount::check(hierarchy));
    found
}
