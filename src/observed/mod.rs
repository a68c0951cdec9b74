//! Objects of the cluster as `kubectl get -o yaml` prints them: what targets are discovered in, never judged themselves.
//!
//! They are foreign: a field of another type than Kubernetes has counts as missing. Text is borrowed from the documents.

mod endpoints;
mod fields;
mod ingress;
mod kept;
mod kind;
mod meta;
mod node;
mod pod;
mod service;

use std::collections::BTreeSet;

use crate::source::Sources;
use crate::yaml::{Document, Found, each_object};

pub use endpoints::{Address, EndpointSlice, Endpoints, Reference, SliceEndpoint, SlicePort, Subset};
pub use fields::Fields;
pub use ingress::{Ingress, IngressRule};
pub use kept::kept;
pub use kind::Kind;
pub use meta::Meta;
pub use node::Node;
pub use pod::{Container, Pod, Port};
pub use service::{Service, ServicePort};

/// The observed objects of an input. Each list is ordered by namespace, then name, and has no object twice.
#[derive(Debug, Default)]
pub struct Objects<'d> {
    pub endpoints: Vec<Endpoints<'d>>,
    pub slices: Vec<EndpointSlice<'d>>,
    pub ingresses: Vec<Ingress<'d>>,
    pub nodes: Vec<Node<'d>>,
    pub pods: Vec<Pod<'d>>,
    pub services: Vec<Service<'d>>,
    /// The kinds of which there is at least one object, complete or not.
    pub kinds: BTreeSet<Kind>,
    /// Whether a cluster returned some of them, and not only a repository.
    pub is_export: bool,
    /// Length of their documents.
    pub bytes: usize,
}

/// An object with metadata.
pub trait Observed<'d> {
    fn meta(&self) -> &Meta<'d>;
}

macro_rules! observed {
    ($($kind:ident)+) => {
        $(impl<'d> Observed<'d> for $kind<'d> {
            fn meta(&self) -> &Meta<'d> {
                &self.meta
            }
        })+
    };
}
observed!(Endpoints EndpointSlice Ingress Node Pod Service);

impl<'d> Objects<'d> {
    /// The observed objects of documents. One that sets no namespace is in `namespace`; one without a name is left out. Of the same
    /// object twice, one that the cluster returned counts.
    pub fn read(documents: impl Iterator<Item = &'d Document<'d>>, sources: &'d Sources, namespace: &'d str) -> Self {
        let mut objects = Self::default();
        let mut templates = Vec::new();
        for document in documents {
            let span = document.root().span();
            objects.bytes += span.end.saturating_sub(span.start) as usize;
            each_object(document.root(), &mut |found| {
                if let Found::Object {
                    root,
                    api_version,
                    kind,
                } = found
                {
                    objects.add(api_version, kind, Fields::new(root, sources), namespace, &mut templates);
                }
            });
        }
        sort(&mut objects.endpoints);
        sort(&mut objects.slices);
        sort(&mut objects.ingresses);
        sort(&mut objects.nodes);
        sort(&mut objects.pods);
        sort(&mut objects.services);
        objects.is_export |= objects.runs();
        if !objects.runs() {
            objects.expect(templates);
        }
        objects
    }

    /// Whether anything of it says where pods run.
    fn runs(&self) -> bool {
        let has_endpoints = [Kind::Endpoints, Kind::EndpointSlice]
            .iter()
            .any(|kind| self.kinds.contains(kind));
        has_endpoints || self.pods.iter().any(|pod| !pod.ip.is_empty())
    }

    /// Adds what a cluster will make of what is there: the pods of workloads, and the endpoints of Services that select pods.
    fn expect(&mut self, templates: Vec<Pod<'d>>) {
        self.pods.iter_mut().for_each(Pod::open);
        self.pods.extend(templates);
        self.pods.sort_by(|a, b| key(a).cmp(&key(b)));
        let selecting = self.services.iter().filter(|service| !service.selector.is_empty());
        self.endpoints = selecting.map(Endpoints::expected).collect();
    }

    /// Whether targets are only expected: of pods that no cluster has run.
    pub fn has_potential(&self) -> bool {
        self.pods.iter().any(Pod::is_potential)
    }

    fn add(
        &mut self,
        api_version: &str,
        kind: &str,
        root: Fields<'d>,
        namespace: &'d str,
        templates: &mut Vec<Pod<'d>>,
    ) {
        let Some(kind) = Kind::of(api_version, kind) else {
            return;
        };
        self.kinds.insert(kind);
        let namespace = if kind == Kind::Node { "" } else { namespace };
        let meta = Meta::read(root, namespace, kind == Kind::Node);
        if meta.name.is_empty() {
            return;
        }
        self.is_export |= !meta.uid.is_empty();
        match kind {
            Kind::CronJob | Kind::DaemonSet | Kind::Deployment | Kind::Job | Kind::StatefulSet => {
                templates.push(Pod::of_workload(kind, meta, root));
            }
            Kind::Endpoints => self.endpoints.push(Endpoints::read(meta, root)),
            Kind::EndpointSlice => self.slices.push(EndpointSlice::read(meta, root, api_version)),
            Kind::Ingress => self.ingresses.push(Ingress::read(meta, root)),
            Kind::Node => self.nodes.push(Node::read(meta, root)),
            Kind::Pod => self.pods.push(Pod::read(meta, root)),
            Kind::Service => self.services.push(Service::read(meta, root)),
        }
    }

    /// The namespaces that objects are in.
    pub fn namespaces(&self) -> impl Iterator<Item = &'d str> {
        let of_services = self
            .services
            .iter()
            .map(Service::meta)
            .chain(self.pods.iter().map(Pod::meta));
        let of_endpoints = self
            .endpoints
            .iter()
            .map(Endpoints::meta)
            .chain(self.ingresses.iter().map(Ingress::meta));
        of_services.chain(of_endpoints).map(|meta| meta.namespace)
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

fn key<'o, 'd: 'o>(object: &'o impl Observed<'d>) -> (&'d str, &'d str) {
    (object.meta().namespace, object.meta().name)
}

fn sort<'d>(objects: &mut Vec<impl Observed<'d>>) {
    // Those with a UID first, of which the first is kept.
    objects.sort_by_key(|object| (key(object), object.meta().uid.is_empty()));
    objects.dedup_by_key(|object| key(object));
}

/// The object of this namespace and name in an ordered list.
pub fn find<'o, 'd: 'o, T: Observed<'d>>(objects: &'o [T], namespace: &str, name: &str) -> Option<&'o T> {
    let place = objects.binary_search_by(|object| key(object).cmp(&(namespace, name)));
    objects.get(place.ok()?)
}

/// The objects of a namespace in an ordered list.
pub fn in_namespace<'o, 'd: 'o, T: Observed<'d>>(objects: &'o [T], namespace: &str) -> std::ops::Range<usize> {
    let start = objects.partition_point(|object| object.meta().namespace < namespace);
    let end = objects.partition_point(|object| object.meta().namespace <= namespace);
    start..end
}

#[cfg(test)]
mod tests;
