//! Objects of the cluster → the targets that Prometheus' Kubernetes discovery finds in them (`discovery/kubernetes`), with the
//! labels they have before the settings of a job.
//!
//! Nothing is kept: the targets of an object are made when a job asks for it. An [`Index`] by the labels of objects says which
//! objects a job need not ask for.

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

use crate::observed::Object;
use crate::targets::relabel::Labels;

/// About the number of labels that an object of a role brings to a target.
pub fn width(role: Role, object: &Object<'_>) -> usize {
    let own = match role {
        Role::EndpointSlice => endpointslice::width(object),
        Role::Node => node::width(object),
        Role::Endpoints | Role::Ingress | Role::Pod | Role::Service => 0,
    };
    object.labels.len() + object.annotations.len() + own
}

impl<'d> View<'_, 'd> {
    /// About the number of the targets of an object, without making any.
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

    /// The labels of each target of an object that it finds.
    pub fn targets(self, object: &Object<'d>) -> Vec<Labels<'d>> {
        let role = self.watch.role;
        match role {
            _ if !self.watch.selectors.admit(role, object) => Vec::new(),
            Role::Endpoints => endpoints::targets(object, self),
            Role::EndpointSlice => endpointslice::targets(object, self),
            Role::Ingress => ingress::targets(object),
            Role::Node => node::targets(object),
            Role::Pod => pod::targets(object, self),
            Role::Service => service::targets(object),
        }
    }
}

#[cfg(test)]
mod tests;
