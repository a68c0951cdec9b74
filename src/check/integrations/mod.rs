//! Integrations: the operator copies their name and configuration without a look at them.

mod catalogue;
mod diagnostics;
mod instance;
mod keys;
mod mount;
mod name;
mod placement;
mod unique;

use super::field::misread_in;
use super::place::Subject;
use crate::api::{Integration, Resource, Resources};
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

/// Holds each Integration against the agent's catalogue.
pub(super) fn check(resources: &Resources<'_>) -> Vec<Diagnostic> {
    let integrations = resources.integrations.iter();
    integrations
        .flat_map(|integration| {
            let mut found = Vec::from_iter(name::check(integration).or_else(|| placement::check(integration)));
            found.extend(keys::check(integration));
            found.extend(texts(integration));
            found
        })
        .collect()
}

/// The configuration of an Integration is an item of a list, with what is in it.
fn texts<'d>(integration: &Resource<'d, Integration<'d>>) -> Vec<Diagnostic> {
    let subject = Subject::new(integration);
    if let Some(config) = integration.root.get("spec").and_then(|spec| spec.get("config")) {
        misread_in(config, true, &subject.spec().key("config"));
    }
    subject.findings()
}

/// Holds the Integrations of an agent against each other and against its instances.
pub(super) fn check_hierarchy(resources: &Resources<'_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut found = unique::check(hierarchy);
    found.extend(instance::check(resources, hierarchy));
    found.extend(mount::check(hierarchy));
    found
}
