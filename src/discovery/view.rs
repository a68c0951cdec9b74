use super::labels::{NAMESPACE, add_meta};
use super::watch::Watch;
use crate::observed::{self, Meta, Objects, Observed, Pod, Reference, Service};
use crate::plan::Role;
use crate::relabel::Labels;

/// An object that targets are found in.
pub trait Discovered<'d>: Observed<'d> {
    /// About the number of its targets, without making any.
    fn count(&self) -> usize;

    /// The labels of each of its targets.
    fn targets(&self, view: View<'_, 'd>) -> Vec<Labels<'d>>;

    /// Whether its targets are only expected: no cluster has returned them.
    fn is_potential(&self) -> bool {
        false
    }
}

/// The object of a role at a position in its list of [`Objects`].
pub fn object<'o, 'd>(objects: &'o Objects<'d>, role: Role, position: usize) -> Option<&'o dyn Discovered<'d>> {
    Some(match role {
        Role::Endpoints => objects.endpoints.get(position)?,
        Role::EndpointSlice => objects.slices.get(position)?,
        Role::Ingress => objects.ingresses.get(position)?,
        Role::Node => objects.nodes.get(position)?,
        Role::Pod => objects.pods.get(position)?,
        Role::Service => objects.services.get(position)?,
    })
}

/// The objects of a cluster as a watch sees them.
#[derive(Clone, Copy)]
pub struct View<'v, 'd> {
    pub objects: &'v Objects<'d>,
    pub watch: &'v Watch,
}

/// The labels that targets have by the metadata of an object of this role.
pub fn selectable<'d>(role: Role, meta: &Meta<'d>) -> Labels<'d> {
    let mut labels = Labels::default();
    labels.set(NAMESPACE, meta.namespace);
    add_meta(&mut labels, role, meta);
    labels
}

impl<'v, 'd> View<'v, 'd> {
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

    /// The object at a position.
    pub fn object(self, position: usize) -> Option<&'v dyn Discovered<'d>> {
        object(self.objects, self.watch.role, position)
    }

    /// The labels of each target of an object that it finds.
    pub fn targets(self, object: &dyn Discovered<'d>) -> Vec<Labels<'d>> {
        match self.watch.selectors.admit(self.watch.role, object.meta()) {
            true => object.targets(self),
            false => Vec::new(),
        }
    }

    /// The pod that a reference in `namespace` finds: each namespace is watched apart, unless all are watched.
    pub(super) fn pod(self, target: Option<Reference<'d>>, namespace: &str) -> Option<&'v Pod<'d>> {
        let target = target.filter(|target| target.kind == "Pod")?;
        let is_apart = self.watch.namespaces.is_some();
        if target.namespace.is_empty() || is_apart && target.namespace != namespace {
            return None;
        }
        self.find(Role::Pod, &self.objects.pods, target.namespace, target.name)
    }

    pub(super) fn service(self, namespace: &str, name: &str) -> Option<&'v Service<'d>> {
        self.find(Role::Service, &self.objects.services, namespace, name)
    }

    fn find<T: Observed<'d>>(self, role: Role, list: &'v [T], namespace: &str, name: &str) -> Option<&'v T> {
        let found = observed::find(list, namespace, name)?;
        self.watch.selectors.admit(role, found.meta()).then_some(found)
    }

    /// Adds the labels of a node, where the watch attaches them (`addNodeLabels`).
    pub(super) fn add_node(self, labels: &mut Labels<'d>, name: Option<&str>) {
        let name = name.filter(|_| self.watch.attach_node);
        if let Some(node) = name.and_then(|name| self.find(Role::Node, &self.objects.nodes, "", name)) {
            add_meta(labels, Role::Node, &node.meta);
        }
    }
}
