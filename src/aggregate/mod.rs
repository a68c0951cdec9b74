//! Offline model of Grafana's aggregator: the server to which an API server forwards each request.
//!
//! It models kube-aggregator v0.29.2 (`APIService` of `apiregistration.k8s.io/v1`) with Grafana's `ExternalName`
//! (`service.grafana.app/v0alpha1`) instead of core Services. Core Services are also supported, for plain Kubernetes.
//!
//! [`compile`] builds and validates a [`Registry`] from documents and the list of remote services. A registry
//! determines the routes ([`routes`]), the discovery documents ([`group_list`], [`group_discovery_list`]) and the
//! manifests ([`manifests`]); [`changes`] compares two registries. This module does not contact any server; use
//! `kubectl get apiservice` for that.

mod bundle;
mod changes;
mod conflicts;
mod discovery;
mod manifest;
mod object;
mod pki;
mod registry;
mod route;
mod rules;
mod version;

pub use changes::{RegistryChange, changes};
pub use discovery::{group_discovery_list, group_list};
pub use manifest::manifests;
pub use object::{AggregationObject, ExternalName, reads_every};
pub use pki::{PkiOptions, generate_pki};
pub use registry::{Registry, RemoteServices};
pub use route::{AvailableCondition, Route, routes};

use jiff::Timestamp;

use crate::diagnostic::{Diagnostic, Warned};
use crate::yaml::Document;

/// Options for building a registry.
#[derive(Clone, Debug)]
pub struct AggregateOptions<'d> {
    /// Namespace for objects that do not set one.
    pub namespace: &'d str,
    /// Time at which certificates must be valid, or `None` to skip the check.
    pub certificate_time: Option<Timestamp>,
}

impl Default for AggregateOptions<'_> {
    fn default() -> Self {
        Self { namespace: "default", certificate_time: None }
    }
}

/// Reads and validates the aggregation objects in the documents, and skips objects of other kinds. The registry must
/// not be used if the diagnostics include errors.
pub fn compile<'d>(
    documents: impl IntoIterator<Item = &'d Document<'d>>,
    remote: Option<&RemoteServices<'d>>,
    options: &AggregateOptions<'d>,
) -> Warned<Registry<'d>> {
    let Warned { output: mut registry, mut diagnostics } = registry::read(documents, options.namespace);
    if let Some(remote) = remote {
        registry::add_remote_services(remote, options.certificate_time, &mut registry, &mut diagnostics);
    }
    rules::check(&registry, options.certificate_time, &mut diagnostics);
    conflicts::check(&registry, &mut diagnostics);
    Warned { output: registry, diagnostics }
}

/// Returns the findings for the aggregation objects in documents that also contain objects of other kinds.
pub fn check<'d>(
    documents: impl IntoIterator<Item = &'d Document<'d>>,
    options: &AggregateOptions<'d>,
) -> Vec<Diagnostic> {
    compile(documents, None, options).diagnostics
}

#[cfg(test)]
mod tests;
