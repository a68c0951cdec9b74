//! Grafana's aggregator, offline: which requests an API server hands to which other server.
//!
//! The system is kube-aggregator v0.29.2 (`APIService` of `apiregistration.k8s.io/v1`), with Grafana's `ExternalName`
//! (`service.grafana.app/v0alpha1`) in the place of core Services; core Services are read as well, for plain Kubernetes.
//!
//! The stages: documents and the list of remote services → [`Registry`] ([`compile`], which also validates) → routes
//! ([`routes`]), discovery documents ([`group_list`], [`group_discovery_list`]), manifests ([`manifests`]), or the
//! difference between two registries ([`changes`]). Nothing here asks a server: `kubectl get apiservice` does.

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

pub use changes::{Change, changes};
pub use discovery::{group_discovery_list, group_list};
pub use manifest::manifests;
pub use object::{ExternalName, Object, reads_every};
pub use pki::{PkiOptions, pki};
pub use registry::{Registry, RemoteServices};
pub use route::{Available, Route, routes};

use jiff::Timestamp;

use crate::diagnostic::{Diagnostic, Warned};
use crate::yaml::Document;

/// The choices of a caller, besides the documents.
#[derive(Clone, Debug)]
pub struct Options<'d> {
    /// The namespace of objects without one.
    pub namespace: &'d str,
    /// The point in time at which certificates have to be valid; without one, nothing is said about their validity.
    pub at: Option<Timestamp>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            namespace: "default",
            at: None,
        }
    }
}

/// Reads and validates what the documents say about aggregation; objects of other kinds are passed over. With an error
/// among the diagnostics the registry is not to be used.
pub fn compile<'d>(
    documents: impl IntoIterator<Item = &'d Document<'d>>,
    remote: Option<&RemoteServices<'d>>,
    options: &Options<'d>,
) -> Warned<Registry<'d>> {
    let Warned {
        output: mut registry,
        mut diagnostics,
    } = registry::read(documents, options.namespace);
    if let Some(remote) = remote {
        registry::add(remote, options.at, &mut registry, &mut diagnostics);
    }
    rules::check(&registry, options.at, &mut diagnostics);
    conflicts::check(&registry, &mut diagnostics);
    Warned {
        output: registry,
        diagnostics,
    }
}

/// Returns the findings at the aggregation objects of the documents: for a check that reads other kinds, too.
pub fn check<'d>(documents: impl IntoIterator<Item = &'d Document<'d>>, options: &Options<'d>) -> Vec<Diagnostic> {
    compile(documents, None, options).diagnostics
}

#[cfg(test)]
mod tests;
