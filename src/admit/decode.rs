//! Admitted documents → typed resources.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;

use rayon::prelude::*;

use super::document::is_observed;
use super::objects::FoundObject;
use super::objects::metadata;
use super::{AdmittedDocument, access};
use crate::api::{Data, Kind, NodeAddresses, ObjectRef, Resource, ResourceHeader, Resources, SecretData, is_encrypted};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Step, Warned};
use crate::go::base64;
use crate::source::Span;
use crate::yaml::{self, DecodeError, Node};

/// Number of values of an object that may fail to decode before it is left out.
const MOST_LEFT_OUT: usize = 32;

/// Decodes every object that was not refused, as Go decodes it for the operator. An object without a namespace is in
/// `namespace`. The same object twice is an error, and only the first of them is taken.
pub fn decode<'d>(documents: &'d [AdmittedDocument<'d>], namespace: &'d str) -> Warned<Resources<'d>> {
    decode_as(documents, namespace, false, &BTreeSet::new())
}

/// [`decode`], as if some objects were not there.
pub fn decode_without<'d>(
    documents: &'d [AdmittedDocument<'d>],
    namespace: &'d str,
    hidden: &BTreeSet<ObjectRef<'_>>,
) -> Warned<Resources<'d>> {
    decode_as(documents, namespace, false, hidden)
}

/// [`decode`], where the fields that are right of refused objects take part, so that nothing is hidden by them. What was
/// refused is in [`Resources::rejected_fields`]. Such resources serve to find mistakes only.
pub fn decode_tolerantly<'d>(documents: &'d [AdmittedDocument<'d>], namespace: &'d str) -> Warned<Resources<'d>> {
    decode_as(documents, namespace, true, &BTreeSet::new())
}

/// How many documents one thread decodes at a time.
const SHARE: usize = 256;

fn decode_as<'d>(
    documents: &'d [AdmittedDocument<'d>],
    namespace: &'d str,
    is_tolerant: bool,
    hidden: &BTreeSet<ObjectRef<'_>>,
) -> Warned<Resources<'d>> {
    let decoder = |documents: &'d [AdmittedDocument<'d>]| {
        let mut decoder = Decoder::new(is_tolerant, namespace, hidden);
        documents.iter().for_each(|admitted| decoder.document(admitted));
        decoder
    };
    let shares: Vec<_> = documents.par_chunks(SHARE).map(decoder).collect();
    let mut shares = shares.into_iter();
    let mut whole = shares.next().unwrap_or_else(|| decoder(&[]));
    let knows_all = shares.all(|share| whole.append(share));
    // Only a thread that sees both takes the first of two objects, and nothing of the second.
    if knows_all { whole } else { decoder(documents) }.finish()
}

struct Decoder<'a, 'd> {
    /// Whether refused objects take part with the fields that are right.
    is_tolerant: bool,
    namespace: &'d str,
    hidden: &'a BTreeSet<ObjectRef<'a>>,
    seen: HashMap<ObjectRef<'d>, (Span, bool)>,
    resources: Resources<'d>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a, 'd> Decoder<'a, 'd> {
    fn new(is_tolerant: bool, namespace: &'d str, hidden: &'a BTreeSet<ObjectRef<'a>>) -> Self {
        Self {
            is_tolerant,
            namespace,
            hidden,
            seen: HashMap::new(),
            resources: Resources::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Adds what was decoded of the documents that follow; `false` where both have an object.
    fn append(&mut self, other: Self) -> bool {
        if other.seen.keys().any(|object| self.seen.contains_key(object)) {
            return false;
        }
        self.seen.extend(other.seen);
        self.resources.append(other.resources);
        self.diagnostics.extend(other.diagnostics);
        true
    }

    fn document(&mut self, admitted: &'d AdmittedDocument<'d>) {
        for object in &admitted.contents.objects {
            self.object(object, admitted.document.node(object.root));
        }
        self.resources.lost.extend(&admitted.contents.lost);
        let promised = admitted.contents.promises.iter().flat_map(|found| {
            let root = admitted.document.node(found.root);
            found.kind.secrets(root, self.namespace)
        });
        self.resources.promised.extend(promised);
        for found in &admitted.contents.access {
            let root = admitted.document.node(found.root);
            access::decode(found.kind, root, self.namespace, &mut self.resources.access);
        }
    }

    fn object(&mut self, found: &FoundObject<Kind>, root: Node<'d>) {
        let (kind, refused) = (found.kind, found.refused.as_slice());
        if !root.get("metadata").is_some_and(Node::is_mapping) {
            self.resources.lost.insert(kind);
            return;
        }
        let meta = metadata(root, kind.is_namespaced(), self.namespace);
        let head = ResourceHeader { kind, meta, root };
        let object = head.object_ref();
        if self.hidden.contains(&object) {
            return;
        }
        if object.name.is_empty() && !(kind.is_custom() && self.is_tolerant) {
            self.resources.lost.insert(kind);
            if self.is_tolerant {
                self.resources.refused.insert(object);
            }
            return;
        }
        let at = head.name_span();
        let first = self.seen.get(&object).filter(|_| !object.name.is_empty());
        let is_observed = is_observed(kind, root);
        if let Some(&(first, was_observed)) = first {
            if !is_observed && !was_observed {
                self.diagnostics.push(duplicate_resource(object, first, at));
                return;
            }
            if was_observed {
                return;
            }
        }
        self.seen.insert(object, (at, is_observed));
        if !refused.is_empty() {
            // An invalid name is a name all the same.
            let is_known = |path: &&String| *path != "metadata.name" || object.name.is_empty();
            let refused = refused.iter().filter(is_known).cloned();
            self.resources.rejected_fields.add(object, refused);
        }
        if !found.doubts.is_empty() && self.is_tolerant {
            self.resources.rejected_fields.add_doubts(object, &found.doubts);
            let has_data = matches!(kind, Kind::Secret | Kind::ConfigMap);
            if has_data && found.doubts.iter().any(|doubt| doubt.path == "metadata.namespace") {
                self.resources.refused.insert(ObjectRef {
                    namespace: "",
                    ..object
                });
            }
        }
        let is_left_out = !refused.is_empty() && !self.is_tolerant;
        if is_left_out || self.typed(head).is_none() {
            self.resources.refused.insert(object);
        }
    }

    /// Puts the decoded resource into its list; `None` where it cannot be decoded, which is reported.
    fn typed(&mut self, head: ResourceHeader<'d>) -> Option<()> {
        macro_rules! push {
            ($list:ident) => {{
                let spec = self.spec(&head)?;
                self.resources.$list.push(Resource { head, spec });
            }};
        }
        match head.kind {
            Kind::GrafanaAgent => push!(agents),
            Kind::MetricsInstance => push!(metrics_instances),
            Kind::LogsInstance => push!(logs_instances),
            Kind::Integration => push!(integrations),
            Kind::PodLogs => push!(pod_logs),
            Kind::ServiceMonitor => push!(service_monitors),
            Kind::PodMonitor => push!(pod_monitors),
            Kind::Probe => push!(probes),
            Kind::Secret => {
                let spec = keyed_data(head.root, "data", "stringData");
                self.resources.secrets.push(Resource { head, spec });
            }
            Kind::ConfigMap => {
                let spec = keyed_data(head.root, "binaryData", "data");
                self.resources.config_maps.push(Resource { head, spec });
            }
            Kind::Namespace => self.resources.namespaces.push(Resource { head, spec: () }),
            Kind::Node => {
                let spec = node_addresses(head.root);
                self.resources.nodes.push(Resource { head, spec });
            }
        }
        Some(())
    }

    /// The decoded specification, as far as it can be decoded.
    fn spec<S: serde::Deserialize<'d> + Default>(&mut self, head: &ResourceHeader<'d>) -> Option<S> {
        let Some(node) = head.root.get("spec") else {
            return Some(S::default());
        };
        let mut left_out = Vec::new();
        let mut decoded = yaml::decode(node);
        loop {
            let error = match decoded {
                Ok(spec) => return Some(spec),
                Err(error) => error,
            };
            let (bad, object) = (error.node, head.object_ref());
            let found = decode_failed(head, error);
            let path = found.path.clone().unwrap_or_default();
            if !self.resources.rejected_fields.touch(object, &path) {
                self.diagnostics.push(found);
            }
            if !self.is_tolerant {
                return None;
            }
            self.resources.rejected_fields.add(object, [path]);
            match bad.filter(|bad| !left_out.contains(bad) && left_out.len() < MOST_LEFT_OUT) {
                Some(bad) => left_out.push(bad),
                None => {
                    self.resources.rejected_fields.add(object, [String::new()]);
                    return None;
                }
            }
            decoded = yaml::decode_without(node, left_out.clone());
        }
    }

    fn finish(mut self) -> Warned<Resources<'d>> {
        self.resources.sort();
        // Of a manifest and what the cluster returned, which comes behind it, the latter counts.
        self.resources.namespaces.dedup_by(|later, earlier| {
            let is_same = later.meta.name == earlier.meta.name;
            if is_same {
                mem::swap(later, earlier);
            }
            is_same
        });
        Warned {
            output: self.resources,
            diagnostics: self.diagnostics,
        }
    }
}

/// The entries of a base64 field, and over them those of a text field.
fn keyed_data<'d>(root: Node<'d>, encoded: &str, text: &str) -> SecretData<'d> {
    let mut values = BTreeMap::new();
    for entry in root.entries_at(encoded) {
        let text = entry.value.as_str().unwrap_or_default();
        let data = if is_encrypted(text.as_bytes()) {
            Data::Text(text)
        } else {
            Data::Bytes(base64::decode(text).unwrap_or_default())
        };
        values.insert(entry.key, data);
    }
    for entry in root.entries_at(text) {
        values.insert(entry.key, Data::Text(entry.value.as_str().unwrap_or_default()));
    }
    SecretData { values }
}

fn node_addresses(root: Node<'_>) -> NodeAddresses<'_> {
    NodeAddresses {
        addresses: root
            .items_at("status.addresses")
            .map(|address| (address.text("type"), address.text("address")))
            .collect(),
    }
}

/// The same object is defined twice.
fn duplicate_resource(object: ObjectRef<'_>, first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateResource, format!("`{object}` is defined twice"))
        .label(second, "defined again here")
        .label(first, "first defined here")
        .resource(object)
        .path("metadata.name")
        .help("remove one of the two")
}

/// A value that the API server admits and Go cannot decode for the operator.
fn decode_failed(head: &ResourceHeader<'_>, mut error: DecodeError) -> Diagnostic {
    error.path.push_front(Step::Key("spec"));
    let path = error.path.to_string();
    let span = error.span.unwrap_or_else(|| head.locate(&FieldPath::of("spec")));
    let message = match path.rsplit('.').next() {
        Some(field) => format!("the operator cannot read `{field}`: {}", error.message),
        None => error.message,
    };
    Diagnostic::new(Code::DecodeFailed, message)
        .label(span, "")
        .resource(head.object_ref())
        .path(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admit::{Options, admit_document};
    use crate::source::{Source, Sources};
    use crate::yaml::Limits;

    #[test]
    fn an_object_in_two_shares_is_taken_once() {
        let monitor = |name: usize, interval: &str| {
            format!(
                "---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: m{name}, namespace: a}}
spec: {{selector: {{}}, endpoints: [{{port: web, interval: {interval}}}]}}
"
            )
        };
        let mut text: String = (0..3 * SHARE).map(|name| monitor(name, "30s")).collect();
        text += &monitor(5, "60s");
        let source = Sources::default().add(Source::new("x.yaml", "", true));
        let mut diagnostics = Vec::new();
        let documents = yaml::read(source, &text, &Limits::default()).output.into_iter();
        let options = Options::default();
        let documents: Vec<_> = documents
            .map(|document| admit_document(document, true, &options, |_, _| false, &mut diagnostics))
            .collect();
        let decoded = decode(&documents, "default");
        assert_eq!(diagnostics, []);
        let found: Vec<_> = decoded.diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(found, ["`ServiceMonitor/a/m5` is defined twice"]);
        let monitors = &decoded.output.service_monitors;
        assert_eq!(monitors.len(), 3 * SHARE);
        assert!(
            monitors
                .iter()
                .all(|monitor| monitor.spec.endpoints[0].interval == "30s")
        );
        assert!(monitors.is_sorted_by_key(|monitor| monitor.meta.name));
    }
}
