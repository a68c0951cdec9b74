//! Decodes admitted documents into typed resources.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;

use rayon::prelude::*;

use super::document::is_observed;
use super::objects::FoundObject;
use super::objects::metadata;
use super::{AdmittedDocument, access};
use crate::api::{Data, Kind, ObjectRef, Resource, ResourceHeader, Resources, SecretData, is_encrypted};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, Step, Warned};
use crate::go::base64;
use crate::source::Span;
use crate::yaml::{self, DecodeError, Node, NodeId};

/// Maximum number of values to omit from an object because they cannot be decoded. If there are more, the object itself
/// is omitted.
const MAX_SKIPPED_NODES: usize = 32;

/// Decodes all objects that were not rejected, in the same way as the operator does in Go. An object's namespace
/// defaults to `namespace`. Defining an object twice is an error, and only the first definition is used.
pub fn decode<'d>(documents: &'d [AdmittedDocument<'d>], namespace: &'d str) -> Warned<Resources<'d>> {
    decode_as(documents, namespace, false, &BTreeSet::new())
}

/// Like [`decode`], but ignores the `hidden` objects.
pub fn decode_without<'d>(
    documents: &'d [AdmittedDocument<'d>],
    namespace: &'d str,
    hidden: &BTreeSet<ObjectRef<'_>>,
) -> Warned<Resources<'d>> {
    decode_as(documents, namespace, false, hidden)
}

/// Like [`decode`], but includes the valid fields of rejected objects, so that errors in these objects do not hide
/// other errors. [`Resources::rejected_fields`] lists the rejected fields. The result must be used only to find
/// mistakes.
pub fn decode_tolerantly<'d>(documents: &'d [AdmittedDocument<'d>], namespace: &'d str) -> Warned<Resources<'d>> {
    decode_as(documents, namespace, true, &BTreeSet::new())
}

fn decode_as<'d>(
    documents: &'d [AdmittedDocument<'d>],
    namespace: &'d str,
    is_tolerant: bool,
    hidden: &BTreeSet<ObjectRef<'_>>,
) -> Warned<Resources<'d>> {
    let objects = |admitted: &'d AdmittedDocument<'d>| {
        let objects = admitted.contents.objects.iter();
        let decode_object = objects.map(|found_object| {
            DecodedObject::read(found_object, admitted.document.node(found_object.root), namespace, is_tolerant)
        });
        decode_object.collect::<Vec<_>>()
    };
    let decoded_objects: Vec<_> = documents.par_iter().map(objects).collect();
    let mut collector = ObjectCollector {
        is_tolerant,
        hidden,
        objects: HashMap::with_capacity(decoded_objects.iter().map(Vec::len).sum()),
        resources: Resources::default(),
        diagnostics: Vec::new(),
    };
    for (admitted, objects) in documents.iter().zip(decoded_objects) {
        objects.into_iter().for_each(|object| collector.add_object(object));
        let resources = &mut collector.resources;
        resources.lost_kinds.extend(&admitted.contents.lost);
        for (kind, root) in &admitted.contents.generators {
            let secrets = kind.secrets(admitted.document.node(*root), namespace);
            resources.generated_secrets.extend(secrets);
        }
        for (kind, root) in &admitted.contents.access {
            access::decode(*kind, admitted.document.node(*root), namespace, &mut resources.access);
        }
    }
    collector.finish()
}

/// Function that adds a decoded resource to its list.
type AddResource<'d> = Box<dyn FnOnce(ResourceHeader<'d>, &mut Resources<'d>) + Send + 'd>;

/// An object that has been decoded independently of other objects.
struct DecodedObject<'d> {
    source_object: &'d FoundObject,
    header: ResourceHeader<'d>,
    /// Whether the object's `metadata` is a mapping.
    has_metadata: bool,
    /// Findings for values that cannot be decoded.
    failures: Vec<Diagnostic>,
    /// The resource without the values that cannot be decoded, or `None` if the object is not used.
    resource: Option<AddResource<'d>>,
}

impl<'d> DecodedObject<'d> {
    fn read(object: &'d FoundObject, root: Node<'d>, namespace: &'d str, is_tolerant: bool) -> Self {
        let kind = object.kind;
        let meta = metadata(root, kind.is_namespaced(), namespace);
        let mut decoded = Self {
            source_object: object,
            header: ResourceHeader { kind, meta, root },
            has_metadata: root.get("metadata").is_some_and(Node::is_mapping),
            failures: Vec::new(),
            resource: None,
        };
        if is_tolerant || object.rejected_fields.is_empty() {
            decoded.resource = decoded.decode_resource(is_tolerant);
        }
        decoded
    }

    fn decode_resource(&mut self, is_tolerant: bool) -> Option<AddResource<'d>> {
        let root = self.header.root;
        macro_rules! put {
            ($list:ident, $spec:expr) => {{
                let spec = $spec;
                Some(Box::new(move |header, resources| resources.$list.push(Resource { header, spec })))
            }};
        }
        match self.source_object.kind {
            Kind::GrafanaAgent => put!(agents, self.decode_spec(is_tolerant)?),
            Kind::MetricsInstance => put!(metrics_instances, self.decode_spec(is_tolerant)?),
            Kind::LogsInstance => put!(logs_instances, self.decode_spec(is_tolerant)?),
            Kind::Integration => put!(integrations, self.decode_spec(is_tolerant)?),
            Kind::PodLogs => put!(pod_logs, self.decode_spec(is_tolerant)?),
            Kind::ServiceMonitor => put!(service_monitors, self.decode_spec(is_tolerant)?),
            Kind::PodMonitor => put!(pod_monitors, self.decode_spec(is_tolerant)?),
            Kind::Probe => put!(probes, self.decode_spec(is_tolerant)?),
            Kind::Secret => put!(secrets, keyed_data(root, "data", "stringData")),
            Kind::ConfigMap => put!(config_maps, keyed_data(root, "binaryData", "data")),
            Kind::Namespace => put!(namespaces, ()),
            Kind::Node => put!(nodes, ()),
        }
    }

    /// Decodes the specification. If `is_tolerant` is set, omits values that cannot be decoded.
    fn decode_spec<S: serde::Deserialize<'d> + Default>(&mut self, is_tolerant: bool) -> Option<S> {
        let Some(node) = self.header.root.get("spec") else {
            return Some(S::default());
        };
        let mut skipped_nodes = Vec::new();
        let mut decoded = yaml::decode(node);
        loop {
            let error = match decoded {
                Ok(spec) => return Some(spec),
                Err(error) => error,
            };
            let is_new = |node: &NodeId| !skipped_nodes.contains(node) && skipped_nodes.len() < MAX_SKIPPED_NODES;
            let invalid_node = error.node.filter(is_new);
            self.failures.push(decode_failed(&self.header, error));
            skipped_nodes.push(invalid_node.filter(|_| is_tolerant)?);
            decoded = yaml::decode_without(node, skipped_nodes.clone());
        }
    }
}

/// Collector for decoded objects. If an object is defined several times, only one definition is used.
struct ObjectCollector<'a, 'd> {
    /// Whether the valid fields of rejected objects are included.
    is_tolerant: bool,
    hidden: &'a BTreeSet<ObjectRef<'a>>,
    /// Root node of each object, and whether the object is only observed.
    objects: HashMap<ObjectRef<'d>, (Node<'d>, bool)>,
    resources: Resources<'d>,
    diagnostics: Vec<Diagnostic>,
}

impl<'d> ObjectCollector<'_, 'd> {
    fn add_object(&mut self, decoded: DecodedObject<'d>) {
        let object = decoded.header.object_ref();
        let is_used = self.is_identified(&decoded, object) && self.is_first(&decoded.header, object);
        if !is_used {
            return;
        }
        let DecodedObject { source_object, header, failures, resource, .. } = decoded;
        self.reject_fields(source_object, object, failures);
        match resource {
            Some(add_resource) => add_resource(header, &mut self.resources),
            None => {
                if self.is_tolerant {
                    self.resources.rejected_fields.add(object, [String::new()]);
                }
                self.resources.rejected_objects.insert(object);
            }
        }
    }

    /// Whether the object is not hidden, and has the metadata that other objects need to refer to it.
    fn is_identified(&mut self, decoded: &DecodedObject<'d>, object: ObjectRef<'d>) -> bool {
        if !decoded.has_metadata {
            self.resources.lost_kinds.insert(object.kind);
            return false;
        }
        if self.hidden.contains(&object) {
            return false;
        }
        let is_named = !object.name.is_empty() || (object.kind.is_custom() && self.is_tolerant);
        if !is_named {
            self.resources.lost_kinds.insert(object.kind);
            if self.is_tolerant {
                self.resources.rejected_objects.insert(object);
            }
        }
        is_named
    }

    /// Whether the object is the first with its name, or is an observed object that replaces a manifest. Reports all
    /// other copies.
    fn is_first(&mut self, header: &ResourceHeader<'d>, object: ObjectRef<'d>) -> bool {
        let is_observed = is_observed(object.kind, header.root);
        match self.objects.get(&object).filter(|_| !object.name.is_empty()) {
            Some((_, true)) => return false,
            Some((first, false)) if !is_observed => {
                let (first_span, second_span) = (first.name_span(), header.name_span());
                let is_copy = first_span.source != second_span.source && first.equals(header.root);
                let finding = duplicate_resource(object, first_span, second_span);
                self.diagnostics.push(if is_copy { finding.severity(Severity::Note) } else { finding });
                return false;
            }
            _ => {}
        }
        self.objects.insert(object, (header.root, is_observed));
        true
    }

    /// Records the fields that were rejected or dropped, or that cannot be decoded.
    fn reject_fields(&mut self, rejected: &'d FoundObject, object: ObjectRef<'d>, failures: Vec<Diagnostic>) {
        if !rejected.rejected_fields.is_empty() {
            // Even an invalid name can be used to identify the object.
            let is_known = |path: &&String| *path != "metadata.name" || object.name.is_empty();
            let rejected_paths = rejected.rejected_fields.iter().filter(is_known).cloned();
            self.resources.rejected_fields.add(object, rejected_paths);
        }
        if !rejected.dropped_fields.is_empty() && self.is_tolerant {
            self.resources.rejected_fields.add_dropped(object, &rejected.dropped_fields);
            let has_data = matches!(object.kind, Kind::Secret | Kind::ConfigMap);
            if has_data
                && rejected.dropped_fields.iter().any(|dropped_field| dropped_field.path == "metadata.namespace")
            {
                self.resources.rejected_objects.insert(ObjectRef { namespace: "", ..object });
            }
        }
        for failure in failures {
            let path = failure.path.clone().unwrap_or_default();
            if !self.resources.rejected_fields.overlap(object, &path) {
                self.diagnostics.push(failure);
            }
            if self.is_tolerant {
                self.resources.rejected_fields.add(object, [path]);
            }
        }
    }

    fn finish(mut self) -> Warned<Resources<'d>> {
        self.resources.sort();
        // If the input contains both a manifest and the object returned by the cluster, the latter is used. It comes
        // after the manifest in the sorted list.
        self.resources.namespaces.dedup_by(|later, earlier| {
            let have_same_name = later.meta.name == earlier.meta.name;
            if have_same_name {
                mem::swap(later, earlier);
            }
            have_same_name
        });
        Warned { output: self.resources, diagnostics: self.diagnostics }
    }
}

/// Returns the entries in the base64 field `encoded`, overridden by the entries in the field `text`.
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

/// Finding for an object that is defined twice.
fn duplicate_resource(object: ObjectRef<'_>, first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateResource, format!("`{object}` is defined twice"))
        .label(second, "defined again here")
        .label(first, "first defined here")
        .resource(object)
        .path("metadata.name")
        .help("remove one of the two")
}

/// Finding for a value that the API server accepts but the operator cannot decode.
fn decode_failed(header: &ResourceHeader<'_>, mut error: DecodeError) -> Diagnostic {
    error.path.push_front(Step::Key("spec"));
    let path = error.path.to_string();
    let span = error.span.unwrap_or_else(|| header.locate(&FieldPath::parse("spec")));
    let message = match path.rsplit('.').next() {
        Some(field) => format!("the operator cannot read `{field}`: {}", error.message),
        None => error.message,
    };
    Diagnostic::new(Code::DecodeFailed, message).label(span, "").resource(header.object_ref()).path(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admit::{AdmitOptions, admit_document};
    use crate::testing;

    fn documents(text: &str) -> Vec<AdmittedDocument<'_>> {
        let documents = testing::documents(text).into_iter();
        let options = AdmitOptions::default();
        let admit = |document| admit_document(document, true, &options, |_, _| false, &mut Vec::new());
        documents.map(admit).collect()
    }

    /// Decodes an object both strictly and tolerantly, and lists the fields that are decoded, lost, rejected and
    /// dropped in each mode.
    fn describe_resources(text: &str) -> [String; 2] {
        let documents = documents(text);
        [decode, decode_tolerantly].map(|decode| {
            let decoded = decode(&documents, "default");
            let resources = &decoded.output;
            let decoded_count = Kind::ALL.iter().map(|kind| resources.list(*kind).len()).sum::<usize>();
            let rejected_objects =
                resources.rejected_objects.iter().map(|object| format!(" -{}/{}", object.namespace, object.name));
            let messages = decoded.diagnostics.iter().map(|finding| format!(" {}", finding.code));
            let monitor = ObjectRef { kind: Kind::ServiceMonitor, namespace: "default", name: "m" };
            let is_known = |path| !resources.rejected_fields.overlap(monitor, path);
            let paths =
                ["metadata.name", "spec.endpoints[0].interval", "spec.selector", "spec.namespaceSelector.matchNames"];
            let rejected_paths = paths.into_iter().filter(|path| !is_known(path)).map(|path| format!(" ?{path}"));
            let lost_kinds = resources.lost_kinds.iter().map(|kind| format!(" lost {kind}"));
            let details: String = lost_kinds.chain(rejected_objects).chain(rejected_paths).chain(messages).collect();
            format!("{decoded_count}{details}")
        })
    }

    #[test]
    fn decodes_objects_in_strict_and_lenient_mode() {
        let monitor = |meta: &str, spec: &str| {
            format!("apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {meta}\nspec: {{{spec}}}\n")
        };
        let valid_spec = "selector: {}, endpoints: [{interval: 30s}]";
        for (text, expected) in [
            (monitor("{name: m}", valid_spec), ["1", "1"]),
            (monitor("x", valid_spec), ["0 lost ServiceMonitor"; 2]),
            (monitor("{}", valid_spec), ["0 lost ServiceMonitor", "1"]),
            ("apiVersion: v1\nkind: Secret\nmetadata: {}\n".to_owned(), ["0 lost Secret", "0 lost Secret -default/"]),
            (
                monitor("{name: m}", "selector: {}, endpoints: [{intervall: 30s}]"),
                ["1", "1 ?spec.endpoints[0].interval"],
            ),
            (
                monitor("{name: m}", "selector: {}, endpoints: [], namespaceSelector: {matchName: [a]}"),
                ["1", "1 ?spec.namespaceSelector.matchNames"],
            ),
            (
                monitor("{name: m}", "selector: {}, endpoints: [{interval: x}]"),
                ["0 -default/m ?spec.endpoints[0].interval", "1 ?spec.endpoints[0].interval"],
            ),
            ("apiVersion: v1\nkind: Secret\nmetadata: {name: s, namspace: b}\n".to_owned(), ["1", "1 -/s"]),
            ("apiVersion: v1\nkind: Secret\nmetadata: {name: s, lables: {}}\n".to_owned(), ["1", "1"]),
            (
                format!("{}---\n{}", monitor("{name: m}", valid_spec), monitor("{name: m}", valid_spec)),
                ["1 duplicate-resource"; 2],
            ),
            (
                "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, uid: x}\n---\n\
                 apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n"
                    .to_owned(),
                ["1"; 2],
            ),
            (
                "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n---\n\
                 apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n"
                    .to_owned(),
                ["1 duplicate-resource"; 2],
            ),
        ] {
            assert_eq!(describe_resources(&text), expected, "{text}");
        }
    }

    /// Tests that a duplicate causes a note if it is in another file, but an error if it is in the same file.
    #[test]
    fn copies_in_one_file_are_errors() {
        let text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n";
        let decoded = decode(&documents(&format!("{text}---\n{text}")), "default").diagnostics;
        assert_eq!(decoded.iter().map(|finding| finding.severity).collect::<Vec<_>>(), [Severity::Error]);
    }

    #[test]
    fn prefers_exported_namespaces() {
        let documents = documents(
            "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, labels: {a: old}}\n---\n\
             apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, uid: x, labels: {a: new}}\n",
        );
        let decoded = decode(&documents, "default");
        let namespaces = &decoded.output.namespaces;
        let labels: Vec<_> = namespaces.iter().map(|namespace| namespace.root.text("metadata.labels.a")).collect();
        assert_eq!((labels.as_slice(), decoded.diagnostics.as_slice()), (&["new"][..], &[][..]));
    }

    #[test]
    fn string_data_overrides_encoded_data() {
        let documents = documents(
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: aGk=, b: '!', c: aGk=}\nstringData: {c: d}\n",
        );
        let decoded = decode(&documents, "default");
        assert_eq!(decoded.output.secrets.len(), 0, "`!` is not base64");
        let decoded = decode_tolerantly(&documents, "default");
        let values = &decoded.output.secrets[0].spec.values;
        let expected = [("a", Data::Bytes(b"hi".to_vec())), ("b", Data::Bytes(Vec::new())), ("c", Data::Text("d"))];
        assert!(*values == BTreeMap::from(expected));
    }

    #[test]
    fn skips_excluded_objects() {
        let documents = documents(
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: t}\n",
        );
        let secret = |name| ObjectRef { kind: Kind::Secret, namespace: "default", name };
        let decoded = decode_without(&documents, "default", &BTreeSet::from([secret("s")]));
        let names: Vec<_> = decoded.output.secrets.iter().map(|secret| secret.meta.name).collect();
        assert_eq!(names, ["t"]);
    }

    #[test]
    fn keeps_one_of_duplicate_objects() {
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
        let mut text: String = (0..800).map(|name| monitor(name, "30s")).collect();
        text += &monitor(5, "60s");
        let mut diagnostics = Vec::new();
        let documents = testing::documents(&text).into_iter();
        let options = AdmitOptions::default();
        let documents: Vec<_> = documents
            .map(|document| admit_document(document, true, &options, |_, _| false, &mut diagnostics))
            .collect();
        let decoded = decode(&documents, "default");
        assert_eq!(diagnostics, []);
        let messages: Vec<_> = decoded.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, ["`ServiceMonitor/a/m5` is defined twice"]);
        let monitors = &decoded.output.service_monitors;
        assert_eq!(monitors.len(), 800);
        assert!(monitors.iter().all(|monitor| monitor.spec.endpoints[0].interval == "30s"));
        assert!(monitors.is_sorted_by_key(|monitor| monitor.meta.name));
    }
}
