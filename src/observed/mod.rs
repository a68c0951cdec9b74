//! Objects of the cluster as `kubectl get -o yaml` prints them: what targets are discovered in, never judged themselves.
//!
//! They are foreign: a field of another type than Kubernetes has counts as missing. Text is borrowed from the documents.

mod fields;
mod kept;
mod kind;
mod object;
mod pod;
mod port;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::source::Sources;
use crate::yaml::{Document, DocumentObject, for_each_object};

pub use fields::Fields;
pub use kept::kept;
pub use kind::{Kind, in_words};
pub use object::{Object, is_placeholder};
pub use port::Port;

/// The observed objects of an input.
#[derive(Debug, Default)]
pub struct Objects<'d> {
    /// By kind, namespace and name, none of them twice. The pods that workloads make are among the pods.
    lists: BTreeMap<Kind, Vec<Object<'d>>>,
    /// The kinds of which there is at least one object, complete or not.
    pub kinds: BTreeSet<Kind>,
    /// Whether a cluster returned some of them, and not only a repository.
    pub is_export: bool,
    /// Length of their documents.
    pub bytes: usize,
}

impl<'d> Objects<'d> {
    /// The observed objects of documents. One that sets no namespace is in `namespace`; one without a name is left out. Of the same
    /// object twice, one that the cluster returned counts.
    pub fn read(documents: impl Iterator<Item = &'d Document<'d>>, sources: &'d Sources, namespace: &'d str) -> Self {
        let mut objects = Self::default();
        let mut templates = Vec::new();
        for document in documents {
            let span = document.root().span();
            objects.bytes += span.end.saturating_sub(span.start) as usize;
            for_each_object(document.root(), &mut |found| {
                if let DocumentObject::Object(root, api_version, kind) = found
                    && let Some(kind) = Kind::of(api_version, kind)
                {
                    objects.add(kind, Fields::new(root, sources), namespace, &mut templates);
                }
            });
        }
        for list in objects.lists.values_mut() {
            // Those with a UID first, of which the first is kept.
            list.sort_by_key(|object| (key(object), object.uid.is_empty()));
            list.dedup_by_key(|object| key(object));
        }
        objects.is_export |= objects.runs();
        if !objects.runs() {
            objects.expect(templates);
        }
        objects
    }

    /// Whether anything of it says where pods run.
    pub fn runs(&self) -> bool {
        let has_endpoints = [Kind::Endpoints, Kind::EndpointSlice]
            .iter()
            .any(|kind| self.kinds.contains(kind));
        has_endpoints || self.of(Kind::Pod).iter().any(|pod| !pod.status("podIP").is_empty())
    }

    /// Adds what a cluster will make of what is there: the pods of workloads, and the endpoints of Services that select pods.
    fn expect(&mut self, templates: Vec<Object<'d>>) {
        let pods = self.lists.entry(Kind::Pod).or_default();
        pods.iter_mut().for_each(Object::open);
        pods.extend(templates);
        pods.sort_by_key(|pod| key(pod));
        let selecting = self
            .of(Kind::Service)
            .iter()
            .filter(|service| !service.selector().is_empty() && !service.is_external());
        let endpoints = selecting.map(Object::expected_endpoints).collect();
        self.lists.insert(Kind::Endpoints, endpoints);
    }

    /// Whether targets are only expected: of pods that no cluster has run.
    pub fn has_potential(&self) -> bool {
        self.of(Kind::Pod).iter().any(|pod| pod.is_potential)
    }

    fn add(&mut self, kind: Kind, root: Fields<'d>, namespace: &'d str, templates: &mut Vec<Object<'d>>) {
        self.kinds.insert(kind);
        let object = Object::read(root, namespace, kind == Kind::Node);
        if object.name.is_empty() {
            return;
        }
        self.is_export |= !object.uid.is_empty();
        match kind {
            Kind::CronJob | Kind::DaemonSet | Kind::Deployment | Kind::Job | Kind::StatefulSet => {
                templates.push(object.into_pods(kind));
            }
            kind => self.lists.entry(kind).or_default().push(object),
        }
    }

    /// The objects of a kind, ordered by namespace, then name.
    pub fn of(&self, kind: Kind) -> &[Object<'d>] {
        self.lists.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// The object of this kind, namespace and name.
    pub fn find(&self, kind: Kind, namespace: &str, name: &str) -> Option<&Object<'d>> {
        let objects = self.of(kind);
        let place = objects.binary_search_by(|object| key(object).cmp(&(namespace, name)));
        objects.get(place.ok()?)
    }

    /// The places of the objects of a namespace among those of a kind.
    pub fn places(&self, kind: Kind, namespace: &str) -> Range<usize> {
        let objects = self.of(kind);
        let start = objects.partition_point(|object| object.namespace < namespace);
        let end = objects.partition_point(|object| object.namespace <= namespace);
        start..end
    }

    /// The objects of a kind in a namespace.
    pub fn in_namespace(&self, kind: Kind, namespace: &str) -> &[Object<'d>] {
        self.of(kind).get(self.places(kind, namespace)).unwrap_or_default()
    }

    /// The namespaces that objects are in.
    pub fn namespaces(&self) -> impl Iterator<Item = &'d str> {
        let kinds = [Kind::Service, Kind::Pod, Kind::Endpoints, Kind::Ingress];
        kinds
            .into_iter()
            .flat_map(|kind| self.of(kind))
            .map(|object| object.namespace)
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }
}

fn key<'d>(object: &Object<'d>) -> (&'d str, &'d str) {
    (object.namespace, object.name)
}

#[cfg(test)]
mod tests;
