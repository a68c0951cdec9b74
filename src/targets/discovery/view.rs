use super::labels::{NAMESPACE, add_meta};
use super::watch::DiscoveryWatch;
use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObjectFields, ObservedObjects};
use crate::targets::relabel::{Labels, PrometheusVersion};

/// Objects in a cluster that are visible to a watch.
#[derive(Clone, Copy)]
pub struct View<'v, 'd> {
    pub objects: &'v ObservedObjects<'d>,
    pub watch: &'v DiscoveryWatch,
    /// Version of Prometheus that discovers targets.
    pub version: PrometheusVersion,
}

#[derive(Clone, Copy)]
pub(super) struct ObjectReference<'d> {
    pub(super) kind: &'d str,
    pub(super) namespace: &'d str,
    pub(super) name: &'d str,
}

impl<'d> ObjectReference<'d> {
    /// Returns the reference from an address to its object.
    pub(super) fn parse(address: ObjectFields<'d>) -> Option<Self> {
        let target = Some(address.part("targetRef")).filter(|target| target.is_mapping())?;
        Some(Self { kind: target.text("kind"), namespace: target.text("namespace"), name: target.text("name") })
    }
}

/// Returns the metadata labels that an object with this role adds to its targets.
pub fn selectable_labels<'d>(role: DiscoveryRole, object: &ClusterObject<'d>) -> Labels<'d> {
    let mut labels = Labels::default();
    labels.set(NAMESPACE, object.namespace);
    add_meta(&mut labels, role, object);
    labels
}

impl<'v, 'd> View<'v, 'd> {
    /// Returns the watched namespaces, or `None` for all namespaces.
    fn namespaces(self) -> Option<&'v [String]> {
        let names = self.watch.namespaces.as_deref();
        names.filter(|_| self.watch.role != DiscoveryRole::Node)
    }

    /// Returns the indices of the objects in the watched namespaces within the list for the role's kind.
    pub fn positions(self) -> Vec<usize> {
        let kind = self.watch.role.kind();
        let Some(names) = self.namespaces() else {
            return (0..self.objects.list(kind).len()).collect();
        };
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().flat_map(|name| self.objects.places(kind, name)).collect()
    }

    /// Whether an object of the role is in a watched namespace.
    pub fn is_searched(self, object: &ClusterObject<'_>) -> bool {
        let names = self.namespaces();
        names.is_none_or(|names| names.iter().any(|name| name == object.namespace))
    }

    /// Returns the object at an index.
    pub fn object(self, position: usize) -> Option<&'v ClusterObject<'d>> {
        self.objects.list(self.watch.role.kind()).get(position)
    }

    /// Returns the pod that a reference in `namespace` refers to, or `None` if the pod is in a different namespace and
    /// each namespace is watched separately.
    pub(super) fn pod(self, target: Option<ObjectReference<'d>>, namespace: &str) -> Option<&'v ClusterObject<'d>> {
        let target = target.filter(|target| target.kind == "Pod")?;
        let is_restricted = self.watch.namespaces.is_some();
        if target.namespace.is_empty() || is_restricted && target.namespace != namespace {
            return None;
        }
        self.find(DiscoveryRole::Pod, target.namespace, target.name)
    }

    /// Returns the watched object with this role, namespace and name, if any.
    pub(super) fn find(self, role: DiscoveryRole, namespace: &str, name: &str) -> Option<&'v ClusterObject<'d>> {
        let object = self.objects.find(role.kind(), namespace, name)?;
        self.watch.selectors.admit(role, object).then_some(object)
    }

    /// Adds the labels of a node if the watch attaches node labels to targets (`addNodeLabels`).
    pub(super) fn add_node(self, labels: &mut Labels<'d>, name: Option<&str>) {
        let name = name.filter(|_| self.watch.attach_node);
        if let Some(node) = name.and_then(|name| self.find(DiscoveryRole::Node, "", name)) {
            add_meta(labels, DiscoveryRole::Node, node);
        }
    }
}
