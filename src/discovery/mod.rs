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
pub use selector::{InvalidSelector, Selectors};
pub use view::{View, object, selectable};
pub use watch::Watch;
