//! Targets that Prometheus' Kubernetes discovery finds among the objects of a cluster (`discovery/kubernetes`), with
//! the labels they have before a job changes them.
//!
//! Targets are not stored: those of an object are created when a job needs them. An [`Index`] of objects by label
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

pub use crate::plan::Role;
pub use index::Index;
pub use selector::Selectors;
pub use view::{View, selectable};
pub use watch::Watch;

use crate::targets::observed::Object;
use crate::targets::relabel::Labels;

/// Returns the approximate number of labels that an object of a role adds to its targets.
pub fn width(role: Role, object: &Object<'_>) -> usize {
    let own = match role {
        Role::EndpointSlice => endpointslice::width(object),
        Role::Node => node::width(object),
        Role::Endpoints | Role::Ingress | Role::Pod | Role::Service => 0,
    };
    object.labels.len() + object.annotations.len() + own
}

impl<'d> View<'_, 'd> {
    /// Returns the approximate number of targets of an object, without creating them.
    pub fn count(self, object: &Object<'d>) -> usize {
        match self.watch.role {
            Role::Endpoints => endpoints::count(object, self.objects),
            Role::EndpointSlice => endpointslice::count(object, self.objects),
            Role::Ingress => ingress::count(object),
            Role::Node => 1,
            Role::Pod => pod::count(object),
            Role::Service => service::count(object),
        }
    }

    /// Returns the labels of each target of an object.
    pub fn targets(self, object: &Object<'d>) -> Vec<Labels<'d>> {
        let role = self.watch.role;
        match role {
            _ if !self.watch.selectors.admit(role, object) => Vec::new(),
            Role::Endpoints => endpoints::targets(object, self),
            Role::EndpointSlice => endpointslice::targets(object, self),
            Role::Ingress => ingress::targets(object),
            Role::Node => node::targets(object, self.version),
            Role::Pod => pod::targets(object, self),
            Role::Service => service::targets(object),
        }
    }
}

#[cfg(test)]
mod tests;
