//! Targets that Prometheus' Kubernetes discovery finds among the objects in a cluster (`discovery/kubernetes`), with
//! the labels they have before a job changes them.
//!
//! Targets are not stored, but created from an object when a job needs them. An [`Index`] of objects by label
//! determines which objects a job can skip.

mod endpoints;
mod endpointslice;
mod index;
mod ingress;
mod labels;
mod node;
mod pod;
mod selector;
mod service;
mod view;
mod watch;

pub use crate::plan::DiscoveryRole;
pub use index::Index;
pub use selector::RoleSelectors;
pub use view::{View, selectable_labels};
pub use watch::DiscoveryWatch;

use crate::targets::observed::ClusterObject;
use crate::targets::relabel::Labels;

/// Returns the approximate number of labels that an object of a role adds to its targets.
pub fn width(role: DiscoveryRole, object: &ClusterObject<'_>) -> usize {
    let role_labels = match role {
        DiscoveryRole::EndpointSlice => endpointslice::width(object),
        DiscoveryRole::Node => node::width(object),
        DiscoveryRole::Endpoints | DiscoveryRole::Ingress | DiscoveryRole::Pod | DiscoveryRole::Service => 0,
    };
    object.labels.len() + object.annotations.len() + role_labels
}

impl<'d> View<'_, 'd> {
    /// Returns the approximate number of targets of an object, without creating them.
    pub fn count(self, object: &ClusterObject<'d>) -> usize {
        match self.watch.role {
            DiscoveryRole::Endpoints => endpoints::count(object, self.objects),
            DiscoveryRole::EndpointSlice => endpointslice::count(object, self.objects),
            DiscoveryRole::Ingress => ingress::count(object),
            DiscoveryRole::Node => 1,
            DiscoveryRole::Pod => pod::target_count(object),
            DiscoveryRole::Service => service::count(object),
        }
    }

    /// Returns the labels of each target of an object.
    pub fn targets(self, object: &ClusterObject<'d>) -> Vec<Labels<'d>> {
        let role = self.watch.role;
        match role {
            _ if !self.watch.selectors.admit(role, object) => Vec::new(),
            DiscoveryRole::Endpoints => endpoints::targets(object, self),
            DiscoveryRole::EndpointSlice => endpointslice::targets(object, self),
            DiscoveryRole::Ingress => ingress::targets(object),
            DiscoveryRole::Node => node::targets(object, self.version),
            DiscoveryRole::Pod => pod::targets(object, self),
            DiscoveryRole::Service => service::targets(object),
        }
    }
}

#[cfg(test)]
mod tests;
