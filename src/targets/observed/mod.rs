//! Cluster objects in the format of `kubectl get -o yaml`. Targets are discovered from these objects, but the objects
//! themselves are not checked.
//!
//! Users do not write these objects, so a field with an unexpected type is treated as missing instead of being
//! reported. Strings are borrowed from the documents.

mod fields;
mod kept;
mod object;
mod pod;
mod port;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;

use crate::api::UnappliedReason;
use crate::source::Sources;
use crate::yaml::{Document, DocumentObject, for_each_object};

pub use crate::api::observed::{ObservedKind, join_kinds};
pub use fields::ObjectFields;
pub use kept::kept_fields;
pub use object::{ClusterObject, SERVICE_NAME, is_placeholder};
pub use pod::ContainerPort;
pub use port::Port;

/// Cluster objects that an input contains.
#[derive(Debug, Default)]
pub struct ObservedObjects<'d> {
    /// Distinct objects by kind, sorted by namespace and name. They include the pods that workloads will create.
    lists: BTreeMap<ObservedKind, Vec<ClusterObject<'d>>>,
    /// Kinds with at least one object, regardless of whether the object is complete.
    pub kinds: BTreeSet<ObservedKind>,
    /// Whether any objects were returned by a cluster, which means that not all objects come from a repository.
    pub is_export: bool,
    /// Whether any object shows that pods are running, which means that it was exported from a cluster.
    pub has_running_pods: bool,
    /// Total length of the objects' documents in bytes.
    pub bytes: usize,
}

/// Workload, and its kind.
type Workload<'d> = (ObservedKind, ClusterObject<'d>);

impl<'d> ObservedObjects<'d> {
    /// Reads the observed objects in `documents`. Objects without a namespace are assigned to `namespace`, and objects
    /// without a name are skipped. If an object is defined twice, a definition that was returned by a cluster takes
    /// precedence.
    pub fn read(documents: impl Iterator<Item = &'d Document<'d>>, sources: &'d Sources, namespace: &'d str) -> Self {
        Self::read_with(documents, &[], sources, namespace)
    }

    /// Reads the observed objects in `documents`, and the Services and Endpoints that the operator will create.
    pub fn read_with(
        documents: impl Iterator<Item = &'d Document<'d>>,
        created: &'d [Value],
        sources: &'d Sources,
        namespace: &'d str,
    ) -> Self {
        let mut objects = Self::default();
        let mut workloads = Vec::new();
        for document in documents {
            let span = document.root().span();
            objects.bytes += span.end.saturating_sub(span.start) as usize;
            for_each_object(document.root(), &mut |item| {
                if let DocumentObject::Object(root, api_version, kind) = item
                    && let Some(kind) = ObservedKind::from_type(api_version, kind)
                    && UnappliedReason::new(root).is_none()
                {
                    objects.kinds.insert(kind);
                    objects.add(kind, ObjectFields::new(root, sources), namespace, &mut workloads);
                }
            });
        }
        // The kinds of created objects are not added, because the input may lack the other objects of these kinds.
        for root in created.iter().map(ObjectFields::created) {
            if let Some(kind) = ObservedKind::from_type(root.text("apiVersion"), root.text("kind")) {
                objects.add(kind, root, namespace, &mut workloads);
            }
        }
        for list in objects.lists.values_mut() {
            // Objects with a UID sort first, and the first one is kept.
            list.sort_by_key(|object| (key(object), object.uid.is_empty()));
            list.dedup_by_key(|object| key(object));
        }
        objects.has_running_pods = objects.shows_running_pods();
        objects.is_export |= objects.has_running_pods;
        if !objects.has_running_pods {
            objects.add_potential(workloads);
        }
        objects
    }

    /// Whether a pod has an IP, or a controller has created Endpoints. Endpoints without a UID may also be written by
    /// hand, for a Service without a selector.
    fn shows_running_pods(&self) -> bool {
        let is_created = |endpoints: &ClusterObject<'_>, service: Option<&str>| {
            let service = service.and_then(|name| self.find(ObservedKind::Service, endpoints.namespace, name));
            !endpoints.uid.is_empty()
                || service.is_some_and(|service| !service.selector().is_empty())
                || endpoints.refers_to_pod()
        };
        self.list(ObservedKind::Pod).iter().any(|pod| !pod.status("podIP").is_empty())
            || self.list(ObservedKind::Endpoints).iter().any(|own| is_created(own, Some(own.name)))
            || self.list(ObservedKind::EndpointSlice).iter().any(|slice| is_created(slice, slice.label(SERVICE_NAME)))
    }

    /// Adds objects that a cluster will create: the pods of workloads, and the Endpoints of Services with a selector.
    fn add_potential(&mut self, mut workloads: Vec<Workload<'d>>) {
        workloads.sort_by_key(|(kind, workload)| (key(workload), *kind, workload.uid.is_empty()));
        workloads.dedup_by_key(|(kind, workload)| (key(workload), *kind));
        let pods = self.lists.entry(ObservedKind::Pod).or_default();
        pods.iter_mut().for_each(ClusterObject::make_potential);
        pods.extend(workloads.into_iter().map(|(kind, workload)| workload.into_pods(kind)));
        pods.sort_by_key(|pod| key(pod));
        let selecting_services = self
            .list(ObservedKind::Service)
            .iter()
            .filter(|service| !service.selector().is_empty() && !service.is_external());
        let expected_endpoints: Vec<_> = selecting_services.map(ClusterObject::expected_endpoints).collect();
        let endpoints = self.lists.entry(ObservedKind::Endpoints).or_default();
        endpoints.extend(expected_endpoints);
        endpoints.sort_by_key(|endpoints| key(endpoints));
    }

    /// Whether any targets are potential. True if no cluster has run their pods yet.
    pub fn has_potential(&self) -> bool {
        self.list(ObservedKind::Pod).iter().any(|pod| pod.is_potential)
    }

    fn add(
        &mut self,
        kind: ObservedKind,
        root: ObjectFields<'d>,
        namespace: &'d str,
        workloads: &mut Vec<Workload<'d>>,
    ) {
        let object = ClusterObject::read(root, namespace, kind == ObservedKind::Node);
        if object.name.is_empty() {
            return;
        }
        self.is_export |= !object.uid.is_empty();
        match kind {
            ObservedKind::CronJob
            | ObservedKind::DaemonSet
            | ObservedKind::Deployment
            | ObservedKind::Job
            | ObservedKind::StatefulSet => workloads.push((kind, object)),
            kind => self.lists.entry(kind).or_default().push(object),
        }
    }

    /// Returns the objects of a kind, ordered by namespace and name.
    pub fn list(&self, kind: ObservedKind) -> &[ClusterObject<'d>] {
        self.lists.get(&kind).map_or(&[], Vec::as_slice)
    }

    pub fn find(&self, kind: ObservedKind, namespace: &str, name: &str) -> Option<&ClusterObject<'d>> {
        let objects = self.list(kind);
        let index = objects.binary_search_by(|object| key(object).cmp(&(namespace, name)));
        objects.get(index.ok()?)
    }

    /// Returns the index range of a namespace in the list of objects of a kind.
    pub fn places(&self, kind: ObservedKind, namespace: &str) -> Range<usize> {
        let objects = self.list(kind);
        let start = objects.partition_point(|object| object.namespace < namespace);
        let end = objects.partition_point(|object| object.namespace <= namespace);
        start..end
    }

    pub fn in_namespace(&self, kind: ObservedKind, namespace: &str) -> &[ClusterObject<'d>] {
        self.list(kind).get(self.places(kind, namespace)).unwrap_or_default()
    }

    /// Returns the namespaces of all objects.
    pub fn namespaces(&self) -> impl Iterator<Item = &'d str> {
        let kinds = [ObservedKind::Service, ObservedKind::Pod, ObservedKind::Endpoints, ObservedKind::Ingress];
        kinds.into_iter().flat_map(|kind| self.list(kind)).map(|object| object.namespace)
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

fn key<'d>(object: &ClusterObject<'d>) -> (&'d str, &'d str) {
    (object.namespace, object.name)
}

#[cfg(test)]
mod tests;
