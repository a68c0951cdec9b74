//! What targets take from objects other than their own.

use super::labels;
use super::role::Role;
use super::watch::Watch;
use crate::observed::{self, Objects};
use crate::relabel::Labels;

/// The objects of a cluster as a watch sees them.
#[derive(Clone, Copy)]
pub(super) struct Sight<'v, 'd> {
    pub objects: &'v Objects<'d>,
    pub watch: &'v Watch,
}

impl<'v, 'd> Sight<'v, 'd> {
    /// The pod that a reference in `namespace` finds: each namespace is watched apart, unless all are watched.
    pub fn pod(self, target: Option<observed::Reference<'d>>, namespace: &str) -> Option<&'v observed::Pod<'d>> {
        let target = target.filter(|target| target.kind == "Pod")?;
        let is_apart = self.watch.namespaces.is_some();
        if target.namespace.is_empty() || is_apart && target.namespace != namespace {
            return None;
        }
        let pod = observed::find(&self.objects.pods, target.namespace, target.name)?;
        self.watch.selectors.admit(Role::Pod, &pod.meta).then_some(pod)
    }

    pub fn service(self, namespace: &str, name: &str) -> Option<&'v observed::Service<'d>> {
        let service = observed::find(&self.objects.services, namespace, name)?;
        self.watch
            .selectors
            .admit(Role::Service, &service.meta)
            .then_some(service)
    }

    /// Adds the labels of a node, where the watch attaches them (`addNodeLabels`).
    pub fn add_node(self, labels: &mut Labels<'d>, name: Option<&str>) {
        let node = name.filter(|_| self.watch.attach_node);
        let node = node.and_then(|name| observed::find(&self.objects.nodes, "", name));
        let node = node.filter(|node| self.watch.selectors.admit(Role::Node, &node.meta));
        if let Some(node) = node {
            labels::add_meta(labels, "node", &node.meta);
        }
    }
}
