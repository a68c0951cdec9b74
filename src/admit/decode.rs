//! Admitted documents → typed resources.

use std::collections::BTreeMap;

use super::diagnostics::objects as diagnostics;
use super::{AdmittedDocument, decode_base64, promises};
use crate::api::{
    Data, KeyedData, Kind, NodeAddresses, ObjectMeta, ObjectRef, Resource, Resources, is_encrypted, sort_by_name,
};
use crate::diagnostic::{Diagnostic, Warned};
use crate::source::Span;
use crate::yaml::{self, Node};

/// Decodes every object that was not refused, as Go decodes it for the operator. An object without a namespace is in
/// `namespace`. The same object twice is an error, and only the first of them is taken.
pub fn decode<'d>(documents: &'d [AdmittedDocument<'d>], namespace: &'d str) -> Warned<Resources<'d>> {
    let mut decoder = Decoder {
        namespace,
        seen: BTreeMap::new(),
        resources: Resources::default(),
        diagnostics: Vec::new(),
    };
    for admitted in documents {
        for object in &admitted.objects {
            decoder.object(object.kind, admitted.document.node(object.root), object.refused);
        }
        let promised = admitted.promises.iter().map(|found| {
            let root = admitted.document.node(found.root);
            promises::decode(found.promise, root, namespace)
        });
        decoder.resources.promised.extend(promised);
    }
    decoder.finish()
}

struct Decoder<'d> {
    namespace: &'d str,
    seen: BTreeMap<ObjectRef<'d>, Span>,
    resources: Resources<'d>,
    diagnostics: Vec<Diagnostic>,
}

impl<'d> Decoder<'d> {
    fn object(&mut self, kind: Kind, root: Node<'d>, refused: bool) {
        let Some(meta) = self.meta(kind, root) else {
            return;
        };
        let resource = Resource {
            kind,
            meta,
            spec: (),
            root,
        };
        let object = resource.object_ref();
        let at = resource.name_span();
        if let Some(&first) = self.seen.get(&object) {
            self.diagnostics
                .push(diagnostics::duplicate_resource(object, first, at));
            return;
        }
        self.seen.insert(object, at);
        if refused || self.typed(resource).is_none() {
            self.resources.refused.insert(object);
        }
    }

    /// The metadata, with the namespace filled in.
    fn meta(&mut self, kind: Kind, root: Node<'d>) -> Option<ObjectMeta<'d>> {
        let metadata = root.get("metadata").filter(|node| node.is_mapping())?;
        let mut meta: ObjectMeta<'d> = yaml::decode(metadata).unwrap_or_default();
        if meta.name.is_empty() {
            return None;
        }
        if !kind.is_namespaced() {
            meta.namespace = "";
        } else if meta.namespace.is_empty() {
            meta.namespace = self.namespace;
        }
        Some(meta)
    }

    /// Puts the decoded resource into its list; `None` where it cannot be decoded, which is reported.
    fn typed(&mut self, resource: Resource<'d, ()>) -> Option<()> {
        macro_rules! push {
            ($list:ident) => {{
                let resource = self.spec(resource)?;
                self.resources.$list.push(resource);
            }};
        }
        match resource.kind {
            Kind::GrafanaAgent => push!(agents),
            Kind::MetricsInstance => push!(metrics_instances),
            Kind::LogsInstance => push!(logs_instances),
            Kind::Integration => push!(integrations),
            Kind::PodLogs => push!(pod_logs),
            Kind::ServiceMonitor => push!(service_monitors),
            Kind::PodMonitor => push!(pod_monitors),
            Kind::Probe => push!(probes),
            Kind::Secret => {
                let data = keyed_data(resource.root, "data", "stringData");
                self.resources.secrets.push(with_spec(resource, data));
            }
            Kind::ConfigMap => {
                let data = keyed_data(resource.root, "binaryData", "data");
                self.resources.config_maps.push(with_spec(resource, data));
            }
            Kind::Namespace => self.resources.namespaces.push(resource),
            Kind::Node => {
                let addresses = node_addresses(resource.root);
                self.resources.nodes.push(with_spec(resource, addresses));
            }
        }
        Some(())
    }

    fn spec<S: serde::Deserialize<'d> + Default>(&mut self, resource: Resource<'d, ()>) -> Option<Resource<'d, S>> {
        let spec = match resource.root.get("spec") {
            None => S::default(),
            Some(node) => yaml::decode(node)
                .map_err(|error| self.diagnostics.push(diagnostics::decode_failed(&resource, error)))
                .ok()?,
        };
        Some(with_spec(resource, spec))
    }

    fn finish(mut self) -> Warned<Resources<'d>> {
        let resources = &mut self.resources;
        sort_by_name(&mut resources.agents);
        sort_by_name(&mut resources.metrics_instances);
        sort_by_name(&mut resources.logs_instances);
        sort_by_name(&mut resources.integrations);
        sort_by_name(&mut resources.pod_logs);
        sort_by_name(&mut resources.service_monitors);
        sort_by_name(&mut resources.pod_monitors);
        sort_by_name(&mut resources.probes);
        sort_by_name(&mut resources.secrets);
        sort_by_name(&mut resources.config_maps);
        sort_by_name(&mut resources.namespaces);
        sort_by_name(&mut resources.nodes);
        resources
            .promised
            .sort_by_key(|promised| (promised.namespace, promised.name));
        Warned {
            output: self.resources,
            diagnostics: self.diagnostics,
        }
    }
}

fn with_spec<'d, S>(resource: Resource<'d, ()>, spec: S) -> Resource<'d, S> {
    Resource {
        kind: resource.kind,
        meta: resource.meta,
        spec,
        root: resource.root,
    }
}

/// The entries of a base64 field, and over them those of a text field.
fn keyed_data<'d>(root: Node<'d>, encoded: &str, text: &str) -> KeyedData<'d> {
    let mut values = BTreeMap::new();
    for entry in root.get(encoded).into_iter().flat_map(Node::entries) {
        let text = entry.value.as_str().unwrap_or_default();
        let data = if is_encrypted(text.as_bytes()) {
            Data::Text(text)
        } else {
            Data::Bytes(decode_base64(text).unwrap_or_default())
        };
        values.insert(entry.key, data);
    }
    for entry in root.get(text).into_iter().flat_map(Node::entries) {
        values.insert(entry.key, Data::Text(entry.value.as_str().unwrap_or_default()));
    }
    KeyedData { values }
}

fn node_addresses(root: Node<'_>) -> NodeAddresses<'_> {
    let addresses = root.get("status").and_then(|status| status.get("addresses"));
    NodeAddresses {
        addresses: addresses
            .into_iter()
            .flat_map(Node::items)
            .map(|address| (text_of(address, "type"), text_of(address, "address")))
            .collect(),
    }
}

fn text_of<'d>(node: Node<'d>, key: &str) -> &'d str {
    node.get(key).and_then(Node::as_str).unwrap_or_default()
}
