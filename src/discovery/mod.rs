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

pub use index::Index;
pub use selector::{InvalidSelector, Selectors};

use crate::observed::{self, Meta, Objects, Observed};
use crate::relabel::Labels;

/// Which objects are targets (`Role`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "Prometheus documents them under these names")]
pub enum Role {
    Endpoints,
    EndpointSlice,
    Ingress,
    Node,
    Pod,
    Service,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 6] = [
        Role::Endpoints,
        Role::EndpointSlice,
        Role::Ingress,
        Role::Node,
        Role::Pod,
        Role::Service,
    ];

    /// The role with this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }

    /// The name that Prometheus has for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Endpoints => "endpoints",
            Role::EndpointSlice => "endpointslice",
            Role::Ingress => "ingress",
            Role::Node => "node",
            Role::Pod => "pod",
            Role::Service => "service",
        }
    }

    /// The kind of object that it watches.
    pub fn kind(self) -> observed::Kind {
        match self {
            Role::Endpoints => observed::Kind::Endpoints,
            Role::EndpointSlice => observed::Kind::EndpointSlice,
            Role::Ingress => observed::Kind::Ingress,
            Role::Node => observed::Kind::Node,
            Role::Pod => observed::Kind::Pod,
            Role::Service => observed::Kind::Service,
        }
    }
}

/// What a job watches (`SDConfig`).
#[derive(Clone, Debug)]
pub struct Watch {
    /// The objects that are targets.
    pub role: Role,
    /// The namespaces that are searched, each apart; `None` for all, together. Nodes have none.
    pub namespaces: Option<Vec<String>>,
    /// Whether targets get the labels of their node.
    pub attach_node: bool,
    /// What filters the objects.
    pub selectors: Selectors,
}

/// The objects that a watch sees of each kind.
#[derive(Clone, Copy)]
pub struct View<'v, 'd> {
    objects: &'v Objects<'d>,
    watch: &'v Watch,
}

impl<'v, 'd> View<'v, 'd> {
    /// What a watch sees of the objects of a cluster.
    pub fn new(objects: &'v Objects<'d>, watch: &'v Watch) -> Self {
        Self { objects, watch }
    }

    /// The numbers of the objects in the namespaces that are watched, in the lists of [`Objects`].
    pub fn positions(self) -> Vec<usize> {
        match self.watch.role {
            Role::Endpoints => self.positions_in(&self.objects.endpoints),
            Role::EndpointSlice => self.positions_in(&self.objects.slices),
            Role::Ingress => self.positions_in(&self.objects.ingresses),
            Role::Node => (0..self.objects.nodes.len()).collect(),
            Role::Pod => self.positions_in(&self.objects.pods),
            Role::Service => self.positions_in(&self.objects.services),
        }
    }

    fn positions_in(self, objects: &[impl Observed<'d>]) -> Vec<usize> {
        match &self.watch.namespaces {
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
        let names = self.watch.namespaces.as_ref().filter(|_| self.watch.role != Role::Node);
        names.is_none_or(|names| names.iter().any(|name| name == meta.namespace))
    }

    /// The metadata of the object at a position.
    pub fn meta(self, position: usize) -> Option<&'v Meta<'d>> {
        Some(match self.watch.role {
            Role::Endpoints => &self.objects.endpoints.get(position)?.meta,
            Role::EndpointSlice => &self.objects.slices.get(position)?.meta,
            Role::Ingress => &self.objects.ingresses.get(position)?.meta,
            Role::Node => &self.objects.nodes.get(position)?.meta,
            Role::Pod => &self.objects.pods.get(position)?.meta,
            Role::Service => &self.objects.services.get(position)?.meta,
        })
    }

    /// The labels of each target of the object at a position.
    pub fn targets(self, position: usize) -> Vec<Labels<'d>> {
        let is_seen = |meta: &Meta<'d>| self.watch.selectors.admit(self.watch.role, meta);
        if !self.meta(position).is_some_and(is_seen) {
            return Vec::new();
        }
        let objects = self.objects;
        let targets = match self.watch.role {
            Role::Endpoints => objects.endpoints.get(position).map(|one| endpoints::targets(self, one)),
            Role::EndpointSlice => objects
                .slices
                .get(position)
                .map(|one| endpointslice::targets(self, one)),
            Role::Ingress => objects.ingresses.get(position).map(ingress::targets),
            Role::Node => objects.nodes.get(position).map(node::targets),
            Role::Pod => objects.pods.get(position).map(|one| pod::targets(self, one)),
            Role::Service => objects.services.get(position).map(service::targets),
        };
        targets.unwrap_or_default()
    }

    /// The pod that a reference in `namespace` finds: each namespace is watched apart, unless all are watched.
    fn pod(self, target: Option<observed::Reference<'d>>, namespace: &str) -> Option<&'v observed::Pod<'d>> {
        let target = target.filter(|target| target.kind == "Pod")?;
        let is_apart = self.watch.namespaces.is_some();
        if target.namespace.is_empty() || is_apart && target.namespace != namespace {
            return None;
        }
        let pod = observed::find(&self.objects.pods, target.namespace, target.name)?;
        self.watch.selectors.admit(Role::Pod, &pod.meta).then_some(pod)
    }

    /// The Service of this name.
    fn service(self, namespace: &str, name: &str) -> Option<&'v observed::Service<'d>> {
        let service = observed::find(&self.objects.services, namespace, name)?;
        self.watch
            .selectors
            .admit(Role::Service, &service.meta)
            .then_some(service)
    }

    /// Adds the labels of a node, where the watch attaches them (`addNodeLabels`).
    fn add_node(self, labels: &mut Labels<'d>, name: Option<&str>) {
        let node = name.filter(|_| self.watch.attach_node);
        let node = node.and_then(|name| observed::find(&self.objects.nodes, "", name));
        let node = node.filter(|node| self.watch.selectors.admit(Role::Node, &node.meta));
        if let Some(node) = node {
            labels::add_meta(labels, "node", &node.meta);
        }
    }
}
