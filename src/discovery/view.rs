use super::labels::{NAMESPACE, add_meta};
use super::role::Role;
use super::sight::Sight;
use super::watch::Watch;
use super::{endpoints, endpointslice, ingress, node, pod, potential, service};
use crate::observed::{self, Meta, Objects, Observed};
use crate::relabel::Labels;

/// The objects that a watch sees of each kind.
#[derive(Clone, Copy)]
pub struct View<'v, 'd> {
    sight: Sight<'v, 'd>,
}

/// The labels that targets have by the metadata of an object of this role.
pub fn selectable<'d>(role: Role, meta: &Meta<'d>) -> Labels<'d> {
    let mut labels = Labels::default();
    labels.set(NAMESPACE, meta.namespace);
    add_meta(&mut labels, role.as_str(), meta);
    labels
}

impl<'v, 'd> View<'v, 'd> {
    /// What a watch sees of the objects of a cluster.
    pub fn new(objects: &'v Objects<'d>, watch: &'v Watch) -> Self {
        Self {
            sight: Sight { objects, watch },
        }
    }

    /// The numbers of the objects in the namespaces that are watched, in the lists of [`Objects`].
    pub fn positions(self) -> Vec<usize> {
        match self.sight.watch.role {
            Role::Endpoints => self.positions_in(&self.sight.objects.endpoints),
            Role::EndpointSlice => self.positions_in(&self.sight.objects.slices),
            Role::Ingress => self.positions_in(&self.sight.objects.ingresses),
            Role::Node => (0..self.sight.objects.nodes.len()).collect(),
            Role::Pod => self.positions_in(&self.sight.objects.pods),
            Role::Service => self.positions_in(&self.sight.objects.services),
        }
    }

    fn positions_in(self, objects: &[impl Observed<'d>]) -> Vec<usize> {
        match &self.sight.watch.namespaces {
            None => (0..objects.len()).collect(),
            Some(names) => {
                let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
                names.sort_unstable();
                names.dedup();
                let ranges = names.into_iter().map(|name| observed::in_namespace(objects, name));
                ranges.flatten().collect()
            }
        }
    }

    /// Whether an object of the role is in a namespace that is watched.
    pub fn is_searched(self, meta: &Meta<'_>) -> bool {
        let names = self
            .sight
            .watch
            .namespaces
            .as_ref()
            .filter(|_| self.sight.watch.role != Role::Node);
        names.is_none_or(|names| names.iter().any(|name| name == meta.namespace))
    }

    /// The metadata of the object at a position.
    pub fn meta(self, position: usize) -> Option<&'v Meta<'d>> {
        Some(match self.sight.watch.role {
            Role::Endpoints => &self.sight.objects.endpoints.get(position)?.meta,
            Role::EndpointSlice => &self.sight.objects.slices.get(position)?.meta,
            Role::Ingress => &self.sight.objects.ingresses.get(position)?.meta,
            Role::Node => &self.sight.objects.nodes.get(position)?.meta,
            Role::Pod => &self.sight.objects.pods.get(position)?.meta,
            Role::Service => &self.sight.objects.services.get(position)?.meta,
        })
    }

    /// About the number of targets of the object at a position, without making any.
    pub fn count(self, position: usize) -> usize {
        let objects = self.sight.objects;
        let ports = |pod: &observed::Pod<'_>| {
            let containers = pod.containers.iter().chain(&pod.init_containers);
            containers.map(|container| container.ports.len().max(1)).sum::<usize>()
        };
        let count = match self.sight.watch.role {
            Role::Endpoints => objects.endpoints.get(position).map(|one| {
                let subsets = one.subsets.iter();
                let addresses =
                    subsets.map(|subset| (subset.ready.len() + subset.not_ready.len()) * subset.ports.len());
                addresses.sum()
            }),
            Role::EndpointSlice => objects
                .slices
                .get(position)
                .map(|one| one.endpoints.len() * one.ports.len()),
            Role::Ingress => objects.ingresses.get(position).map(|one| one.rules.len()),
            Role::Node => Some(1),
            Role::Pod => objects.pods.get(position).map(ports),
            Role::Service => objects.services.get(position).map(|one| one.ports.len()),
        };
        count.unwrap_or_default().max(1)
    }

    /// Whether the targets of the object at a position are only expected: no cluster has returned them.
    pub fn is_potential(self, position: usize) -> bool {
        let objects = self.sight.objects;
        match self.sight.watch.role {
            Role::Endpoints => objects.endpoints.get(position).is_some_and(|one| one.is_potential),
            Role::Pod => objects.pods.get(position).is_some_and(observed::Pod::is_potential),
            _ => false,
        }
    }

    /// The labels of each target of the object at a position.
    pub fn targets(self, position: usize) -> Vec<Labels<'d>> {
        let is_seen = |meta: &Meta<'d>| self.sight.watch.selectors.admit(self.sight.watch.role, meta);
        if !self.meta(position).is_some_and(is_seen) {
            return Vec::new();
        }
        let objects = self.sight.objects;
        let targets = match self.sight.watch.role {
            Role::Endpoints => objects.endpoints.get(position).map(|one| match one.is_potential {
                true => potential::targets(self.sight, one),
                false => endpoints::targets(self.sight, one),
            }),
            Role::EndpointSlice => objects
                .slices
                .get(position)
                .map(|one| endpointslice::targets(self.sight, one)),
            Role::Ingress => objects.ingresses.get(position).map(ingress::targets),
            Role::Node => objects.nodes.get(position).map(node::targets),
            Role::Pod => objects.pods.get(position).map(|one| pod::targets(self.sight, one)),
            Role::Service => objects.services.get(position).map(service::targets),
        };
        targets.unwrap_or_default()
    }
}
