//! What is wrong with a registry: first what kube-aggregator refuses, then what it takes although it cannot work.

mod built_in_group;
pub(super) mod ca_bundle;
mod dangling;
mod duplicate;
mod group_version;
mod host;
mod metadata;
mod preferred_version;
mod priority;
mod service_reference;
mod trust;
mod unknown_field;

use k8s_openapi::jiff::Timestamp;

use super::endpoint::Endpoints;
use super::registry::Registry;
use crate::diagnostic::Diagnostic;

/// Applies every rule: object by object, then to the registry as a whole.
pub(super) fn check(registry: &Registry<'_>, at: Option<Timestamp>, out: &mut Vec<Diagnostic>) {
    for service in &registry.api_services {
        unknown_field::check(service.object(), service.origin, out);
        metadata::check_api_service(service, out);
        group_version::check(service, out);
        priority::check(service, out);
        trust::check(service, out);
        service_reference::check(service, out);
        built_in_group::check(service, out);
        ca_bundle::check(service, at, out);
    }
    for external in &registry.external_names {
        unknown_field::check(external.object(), external.origin, out);
        metadata::check_external_name(external, out);
        host::check(external, out);
    }
    duplicate::check(registry, out);
    dangling::check(registry, &Endpoints::of(registry), out);
    preferred_version::check(registry, out);
}
