//! Functions that find the objects in documents.

use super::{foreign, suggestions};
use crate::api::{
    AccessKind, DroppedField, Kind, ObjectMeta, ObjectRef, SecretGenerator, UnappliedReason, is_encrypted, observed,
    rendering_function,
};
use crate::diagnostic::{Code, Diagnostic, FieldPath, ObjectKey, Severity};
use crate::source::Span;
use crate::yaml::{self, Document, DocumentObject, Node, NodeId, Templater, for_each_object};

/// An object found in an admitted document.
#[derive(Clone, Debug)]
pub struct FoundObject {
    pub kind: Kind,
    pub root: NodeId,
    /// Fields for which the object was rejected. Empty if it was admitted or is not validated.
    pub rejected_fields: Vec<String>,
    /// Fields that are missing because admission dropped misspelled or misplaced keys.
    pub dropped_fields: Vec<DroppedField>,
}

/// The objects in a document.
#[derive(Debug, Default)]
pub struct Contents {
    /// Objects that agentctl reads.
    pub objects: Vec<FoundObject>,
    /// Objects that create Secrets in the cluster.
    pub generators: Vec<(&'static SecretGenerator, NodeId)>,
    /// RBAC objects, which grant permissions to accounts.
    pub access: Vec<(AccessKind, NodeId)>,
    /// Intended kinds of the objects that are skipped because of a mistake.
    pub lost: Vec<Kind>,
    /// Number of namespaced objects, and the number of namespaced objects that do not set a namespace.
    pub in_namespaces: (usize, usize),
    /// Whether some objects are not custom resources of the operator.
    pub has_others: bool,
    /// Number of skipped objects.
    pub skipped: usize,
    /// Number of objects whose kind agentctl reads.
    pub resources: usize,
    /// Number of objects that are compiled, not counting Secrets and other objects that the compiled objects refer to.
    pub compiled: usize,
}

/// Finds the objects in a document, and unpacks lists. Objects that agentctl itself rendered are skipped. A document
/// that is not an object is an error if `is_explicit` is true, and is skipped otherwise.
pub fn find(
    document: &Document<'_>,
    is_explicit: bool,
    is_read_elsewhere: fn(&str, &str) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Contents {
    // The findings of the parser are already in `diagnostics`.
    let is_template = |finding: &&Diagnostic| finding.code == Code::UnrenderedTemplate;
    let templates = diagnostics.iter().filter(is_template).filter_map(primary_span).collect();
    let templates = Spans::new(templates);
    let mut skipped_spans = Vec::new();
    let mut finder = Finder { is_explicit, is_read_elsewhere, contents: Contents::default(), diagnostics };
    for_each_object(document.root(), &mut |object| match object {
        DocumentObject::Object(root, api_version, kind) => finder.add_object(root, api_version, kind),
        DocumentObject::List(_) => {}
        DocumentObject::Other(root) => {
            finder.contents.skipped += 1;
            let intended_kinds = foreign::find_intended_kinds(root);
            let is_reported =
                is_explicit || intended_kinds.iter().any(|kind| kind.is_custom()) || is_list_of_objects(root);
            if !is_reported && ["apiVersion", "kind"].iter().all(|key| root.get(key).is_none()) {
                skipped_spans.push(root.span());
            }
            if is_reported && !templates.has_span_within(root.span()) {
                finder.diagnostics.push(not_an_object(root));
            }
            finder.contents.lost.extend(intended_kinds);
        }
    });
    let contents = finder.contents;
    if !skipped_spans.is_empty() {
        // YAML findings are dropped for documents that are not objects. For example, a chart's values may contain
        // duplicate keys.
        let skipped_spans = Spans::new(skipped_spans);
        let is_left_alone =
            |finding: &Diagnostic| primary_span(finding).is_some_and(|span| skipped_spans.has_span_enclosing(span));
        diagnostics.retain(|finding| !(finding.code.is_of_yaml() && is_left_alone(finding)));
    }
    contents
}

fn primary_span(finding: &Diagnostic) -> Option<Span> {
    finding.primary().map(|label| label.span)
}

/// Sorted, non-overlapping spans in one source.
struct Spans(Vec<Span>);

impl Spans {
    fn new(mut spans: Vec<Span>) -> Self {
        spans.sort_by_key(|place| place.start);
        Self(spans)
    }

    fn has_span_within(&self, around: Span) -> bool {
        let first = self.0.partition_point(|place| place.start < around.start);
        self.0.get(first).is_some_and(|place| place.source == around.source && place.end <= around.end)
    }

    fn has_span_enclosing(&self, inner: Span) -> bool {
        let end = self.0.partition_point(|place| place.start <= inner.start);
        let last = end.checked_sub(1).and_then(|last| self.0.get(last));
        last.is_some_and(|place| place.source == inner.source && inner.end <= place.end)
    }
}

/// Finder that collects the objects in a document.
struct Finder<'f> {
    is_explicit: bool,
    /// Function that returns whether some other part of agentctl reads objects with this API version and kind.
    is_read_elsewhere: fn(&str, &str) -> bool,
    contents: Contents,
    diagnostics: &'f mut Vec<Diagnostic>,
}

impl Finder<'_> {
    /// Counts an object if it is namespaced, and counts it separately if it does not set a namespace.
    fn count(&mut self, is_namespaced: bool, root: Node<'_>) {
        let (namespaced_objects, objects_without_namespace) = &mut self.contents.in_namespaces;
        *namespaced_objects += usize::from(is_namespaced);
        *objects_without_namespace += usize::from(is_namespaced && root.text("metadata.namespace").is_empty());
    }

    /// Whether agentctl reads objects of a kind.
    fn is_read(&self, api_version: &str, kind: &str) -> bool {
        Kind::from_type(api_version, kind).is_some()
            || SecretGenerator::from_type(api_version, kind).is_some()
            || AccessKind::from_type(api_version, kind).is_some()
            || observed::ObservedKind::from_type(api_version, kind).is_some()
            || (self.is_read_elsewhere)(api_version, kind)
    }

    fn add_object(&mut self, root: Node<'_>, api_version: &str, kind: &str) {
        if let Some(unapplied) = UnappliedReason::new(root).filter(|_| self.is_read(api_version, kind)) {
            self.contents.skipped += 1;
            return self.diagnostics.push(not_applied(root, kind, &unapplied));
        }
        let contents = &mut self.contents;
        let known = Kind::from_type(api_version, kind);
        contents.has_others |= !known.is_some_and(Kind::is_custom);
        if is_encrypted(kind.as_bytes()) {
            contents.skipped += 1;
            return self.diagnostics.push(encrypted_object(root, self.is_explicit));
        }
        let token = || SecretGenerator::of_token(root).filter(|_| known == Some(Kind::Secret));
        if let Some(kind) = SecretGenerator::from_type(api_version, kind).or_else(token) {
            self.count(true, root);
            return self.contents.generators.push((kind, root.id()));
        }
        if let Some(kind) = AccessKind::from_type(api_version, kind) {
            self.count(kind.is_namespaced(), root);
            return self.contents.access.push((kind, root.id()));
        }
        match known {
            Some(Kind::Secret) if rendering_function(root).is_some() => contents.skipped += 1,
            Some(kind) => {
                contents.lost.extend(has_templated_name(root).then_some(kind));
                contents.resources += 1;
                contents.compiled += usize::from(kind.is_custom());
                contents.objects.push(FoundObject {
                    kind,
                    root: root.id(),
                    rejected_fields: Vec::new(),
                    dropped_fields: Vec::new(),
                });
                self.count(kind.is_namespaced(), root);
            }
            None if (self.is_read_elsewhere)(api_version, kind) => {
                contents.resources += 1;
                contents.compiled += 1;
            }
            None => {
                // Observed objects, such as Services and pods, are used to discover targets.
                let is_observed = observed::ObservedKind::from_type(api_version, kind).is_some();
                contents.skipped += usize::from(!is_observed);
                if let Some((mistake, intended_kinds)) = foreign::find_mistake(root, api_version, kind) {
                    self.diagnostics.push(mistake);
                    contents.lost.extend(intended_kinds);
                } else if !is_observed {
                    self.diagnostics.extend(foreign::find_contained_resources(root, kind));
                }
            }
        }
    }
}

/// Returns a reference to the object at a node. The object's namespace defaults to `namespace`.
pub fn read_object_ref<'d>(kind: Kind, root: Node<'d>, namespace: &'d str) -> ObjectRef<'d> {
    ObjectRef {
        kind,
        namespace: match root.text("metadata.namespace") {
            _ if !kind.is_namespaced() => "",
            "" => namespace,
            named => named,
        },
        name: root.text("metadata.name"),
    }
}

/// Returns an object's metadata. The object's namespace defaults to `namespace`.
pub(super) fn metadata<'d>(root: Node<'d>, is_namespaced: bool, namespace: &'d str) -> ObjectMeta<'d> {
    let decoded_meta = root.get("metadata").and_then(|node| yaml::decode(node).ok());
    let mut meta: ObjectMeta<'d> = decoded_meta.unwrap_or_default();
    if !is_namespaced {
        meta.namespace = "";
    } else if meta.namespace.is_empty() {
        meta.namespace = namespace;
    }
    meta
}

/// Whether the name or namespace of an object is a template placeholder.
pub(super) fn has_templated_name(root: Node<'_>) -> bool {
    let mut names = ["metadata.name", "metadata.namespace"].iter();
    names.any(|name| root.at(name).is_some_and(is_placeholder))
}

/// Whether a name is a template placeholder, which may expand to any name.
fn is_placeholder(name: Node<'_>) -> bool {
    match name.as_str() {
        Some(name) => Templater::detect_invalid(name).is_some(),
        None => name.is_mapping(),
    }
}

/// Finding for a document in an explicitly named file that is not an object.
fn not_an_object(node: Node<'_>) -> Diagnostic {
    let (message, help) = if is_json_patch(node) {
        ("expected a Kubernetes object, found a JSON patch", suggestions::BUILD_PATCH)
    } else if is_list_of_objects(node) {
        (
            "expected a Kubernetes object, found a list of objects, which kubectl rejects",
            "write each object as its own document, or use `kind: List` with `items`",
        )
    } else {
        (
            "expected a Kubernetes object with `apiVersion` and `kind`",
            "add `apiVersion` and `kind`, or exclude the file",
        )
    };
    Diagnostic::new(Code::NotAnObject, message).label(node.span(), "").help(help)
}

/// Whether a document is a JSON patch (RFC 6902), which a kustomization may list in `patches`.
fn is_json_patch(node: Node<'_>) -> bool {
    let is_operation = |item: Node<'_>| ["op", "path"].iter().all(|key| item.get(key).and_then(Node::as_str).is_some());
    node.items().next().is_some() && node.items().all(is_operation)
}

/// Finding for an object that is skipped because of an annotation.
fn not_applied(root: Node<'_>, kind: &str, unapplied: &UnappliedReason) -> Diagnostic {
    let name = format!("{kind}/{}", root.text("metadata.name"));
    let path = FieldPath::parse("metadata.annotations").key(unapplied.annotation);
    let message = format!("`{name}` is not part of the input: {}", unapplied.reason);
    // If an annotation removes the agent, nothing is collected, so the finding is a warning.
    let is_agent = kind == Kind::GrafanaAgent.to_string() && unapplied.is_hook();
    let severity = if is_agent { Severity::Warning } else { Severity::Note };
    let object = ObjectKey::new(kind, root.text("metadata.namespace"), root.text("metadata.name"));
    Diagnostic::new(Code::NotApplied, message)
        .severity(severity)
        .resource(object)
        .path(&path)
        .label(path.locate(root), "")
        .help("remove the annotation if the object should stay in the cluster")
}

/// Whether a document is a list with objects of kinds that agentctl reads.
fn is_list_of_objects(node: Node<'_>) -> bool {
    node.items().any(|item| Kind::from_type(item.text("apiVersion"), item.text("kind")).is_some())
}

/// Finding for an object that is entirely encrypted, including its kind. The finding is an error if
/// `is_explicit` is true, and a warning otherwise.
fn encrypted_object(node: Node<'_>, is_explicit: bool) -> Diagnostic {
    let severity = if is_explicit { Severity::Error } else { Severity::Warning };
    Diagnostic::new(Code::EncryptedValue, "the whole object is encrypted with SOPS")
        .severity(severity)
        .label(FieldPath::parse("kind").locate(node), "")
        .help("decrypt the file first: `sops -d FILE | agentctl render -f -`, and pass the other files as well")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::testing;

    #[test]
    fn finds_nested_and_enclosing_spans() {
        let mut sources = Sources::default();
        let [id, other] = ["x.yaml", "y.yaml"].map(|name| sources.add(Source::new(name, "", true)));
        let span = |(start, end)| Span::new(id, start, end);
        let spans = Spans::new([(50, 60), (10, 20), (30, 40)].map(span).to_vec());
        for (asked, has_any_in, has_around) in [
            ((0, 100), true, false),
            ((0, 10), false, false),
            ((0, 19), false, false),
            ((0, 20), true, false),
            ((10, 20), true, true),
            ((11, 20), false, true),
            ((12, 15), false, true),
            ((20, 20), false, true),
            ((21, 22), false, false),
            ((30, 40), true, true),
            ((31, 41), false, false),
            ((41, 60), true, false),
            ((51, 100), false, false),
            ((60, 61), false, false),
        ] {
            let results = (spans.has_span_within(span(asked)), spans.has_span_enclosing(span(asked)));
            assert_eq!(results, (has_any_in, has_around), "{asked:?}");
        }
        let other_span = Span::new(other, 10, 20);
        assert!(!spans.has_span_within(other_span) && !spans.has_span_enclosing(other_span));
        let empty_spans = Spans::new(Vec::new());
        assert!(!empty_spans.has_span_within(span((0, 9))) && !empty_spans.has_span_enclosing(span((0, 9))));
    }

    #[test]
    fn determines_the_namespace_of_objects() {
        let namespace = |kind, text: &str| {
            let documents = testing::documents(text);
            let root = documents[0].root();
            let meta = metadata(root, kind != Kind::Node, "ours");
            assert_eq!(
                (read_object_ref(kind, root, "ours").namespace, read_object_ref(kind, root, "ours").name),
                (meta.namespace, meta.name)
            );
            meta.namespace.to_owned()
        };
        assert_eq!(namespace(Kind::Probe, "metadata: {name: a, namespace: b}"), "b");
        assert_eq!(namespace(Kind::Probe, "metadata: {name: a}"), "ours");
        assert_eq!(namespace(Kind::Probe, "a: b"), "ours");
        assert_eq!(namespace(Kind::Node, "metadata: {name: a, namespace: b}"), "");
    }

    /// Summarizes the contents of a YAML string: the kinds of its objects, the numbers of Secret generators and RBAC
    /// objects, kinds lost because of mistakes, object counts, and the codes of findings.
    fn contents(text: &str, is_explicit: bool) -> String {
        let mut document_list = testing::read(text);
        let document = document_list.output.remove(0);
        let is_read_elsewhere: fn(&str, &str) -> bool = |_, kind| kind == "APIService";
        let admitted = find(&document, is_explicit, is_read_elsewhere, &mut document_list.diagnostics);
        let kinds: Vec<_> = admitted.objects.iter().map(|object| object.kind).collect();
        let codes = document_list.diagnostics.iter().map(|finding| format!("{} {:?}", finding.code, finding.severity));
        let counts = (admitted.in_namespaces, admitted.skipped, admitted.resources, admitted.compiled);
        let other_counts = (admitted.generators.len(), admitted.access.len());
        format!(
            "{kinds:?} {other_counts:?} lost {:?} {counts:?} {}",
            admitted.lost,
            codes.collect::<Vec<_>>().join(", ")
        )
    }

    #[test]
    fn distinguishes_patches_from_other_documents() {
        for (text, is_patch) in [
            ("[{op: add, path: /a}, {op: remove, path: /b, value: 1}]\n", true),
            ("[{op: add, path: /a}, {op: remove}]\n", false),
            ("[{op: add, path: 1}]\n", false),
            ("[]\n", false),
            ("{op: add, path: /a}\n", false),
        ] {
            let documents = testing::documents(text);
            let finding = not_an_object(documents[0].root());
            assert_eq!(finding.help.as_deref() == Some(suggestions::BUILD_PATCH), is_patch, "{text}");
            assert_eq!(finding.message.ends_with("found a JSON patch"), is_patch, "{text}");
        }
    }

    #[test]
    fn distinguishes_custom_resources_from_other_objects() {
        let probe = "{apiVersion: monitoring.coreos.com/v1, kind: Probe}";
        for (text, expected) in [
            (probe.to_owned(), false),
            (format!("{{apiVersion: v1, kind: List, items: [{probe}]}}"), false),
            ("{a: b}".to_owned(), false),
            (format!("{{apiVersion: v1, kind: List, items: [{probe}, {{apiVersion: v1, kind: Pod}}]}}"), true),
            ("{apiVersion: v1, kind: Secret}".to_owned(), true),
            ("{apiVersion: v1, kind: Node}".to_owned(), true),
            // `aggregate` reports versions that are not served.
            ("{apiVersion: v2, kind: Service}".to_owned(), true),
        ] {
            let documents = testing::documents(&text);
            let contents = find(&documents[0], false, |_, _| false, &mut Vec::new());
            assert_eq!(contents.has_others, expected, "{text}");
        }
    }

    #[test]
    fn finds_objects_in_documents() {
        let rendered_metadata = "metadata: {name: a, annotations: {agentctl.dev/rendered-by: b}}";
        let probe = "apiVersion: monitoring.coreos.com/v1, kind: Probe";
        let twice = "a: b\na: c\n";
        let objects = [
            ("a: b\n", "[] (0, 0) lost [] ((0, 0), 1, 0, 0) not-an-object Error"),
            (twice, "[] (0, 0) lost [] ((0, 0), 1, 0, 0) duplicate-key Error, not-an-object Error"),
            ("a: {{ b }}\n", "[] (0, 0) lost [] ((0, 0), 1, 0, 0) unrendered-template Error"),
            ("{apiVersion: apps/v1, kind: ReplicaSet}\n", "[] (0, 0) lost [] ((0, 0), 1, 0, 0) "),
            // A Deployment is used to discover targets, so it is not counted as skipped.
            ("{apiVersion: apps/v1, kind: Deployment}\n", "[] (0, 0) lost [] ((0, 0), 0, 0, 0) "),
            (
                "{apiVersion: v1, kind: Template, a: {apiVersion: monitoring.coreos.com/v1, kind: Probe, spec: {}}}\n",
                "[] (0, 0) lost [] ((0, 0), 1, 0, 0) not-rendered Warning",
            ),
            (
                "{apiVersion: monitoring.coreos.com/v2, kind: Probe}\n",
                "[] (0, 0) lost [Probe] ((0, 0), 1, 0, 0) unknown-version Error",
            ),
            (
                "{apiVersion: b, kind: 'ENC[AES256_GCM,a]'}\n",
                "[] (0, 0) lost [] ((0, 0), 1, 0, 0) encrypted-value Error",
            ),
        ];
        for (text, expected) in objects {
            assert_eq!(contents(text, true), expected, "{text}");
        }
        let found = [
            // A document without `apiVersion` and `kind` may contain a chart's values.
            (twice.to_owned(), "[] (0, 0) lost [] ((0, 0), 1, 0, 0) "),
            (format!("kind: A\n{twice}"), "[] (0, 0) lost [] ((0, 0), 1, 0, 0) duplicate-key Error"),
            (format!("apiVersion: A\n{twice}"), "[] (0, 0) lost [] ((0, 0), 1, 0, 0) duplicate-key Error"),
            (
                format!("kid: Probe\n{twice}"),
                "[] (0, 0) lost [Probe] ((0, 0), 1, 0, 0) duplicate-key Error, not-an-object Error",
            ),
            (format!("[{{{probe}}}]\n"), "[] (0, 0) lost [] ((0, 0), 1, 0, 0) not-an-object Error"),
            ("[{apiVersion: v1, kind: Pod}, {a: b}]\n".to_owned(), "[] (0, 0) lost [] ((0, 0), 1, 0, 0) "),
            ("kind: Secret\n".to_owned(), "[] (0, 0) lost [Secret] ((0, 0), 1, 0, 0) "),
            (
                "{apiVersion: b, kind: 'ENC[AES256_GCM,a]'}\n".to_owned(),
                "[] (0, 0) lost [] ((0, 0), 1, 0, 0) encrypted-value Warning",
            ),
            (format!("{{{probe}}}\n"), "[Probe] (0, 0) lost [] ((1, 1), 0, 1, 1) "),
            (
                format!("{{{probe}, metadata: {{name: a, namespace: '${{B}}'}}}}\n"),
                "[Probe] (0, 0) lost [Probe] ((1, 0), 0, 1, 1) ",
            ),
            (
                format!("{{{probe}, metadata: {{name: {{b: c}}, namespace: d}}}}\n"),
                "[Probe] (0, 0) lost [Probe] ((1, 0), 0, 1, 1) ",
            ),
            ("{apiVersion: v1, kind: Node}\n".to_owned(), "[Node] (0, 0) lost [] ((0, 0), 0, 1, 0) "),
            ("{apiVersion: v1, kind: Secret}\n".to_owned(), "[Secret] (0, 0) lost [] ((1, 1), 0, 1, 0) "),
            (
                format!("{{apiVersion: v1, kind: Secret, {rendered_metadata}}}\n"),
                "[] (0, 0) lost [] ((0, 0), 1, 0, 0) ",
            ),
            (
                format!("{{apiVersion: v1, kind: ConfigMap, {rendered_metadata}}}\n"),
                "[ConfigMap] (0, 0) lost [] ((1, 1), 0, 1, 0) ",
            ),
            ("{apiVersion: bitnami.com/v1, kind: SealedSecret}\n".to_owned(), "[] (1, 0) lost [] ((1, 1), 0, 0, 0) "),
            ("{apiVersion: v1, kind: ServiceAccount}\n".to_owned(), "[] (0, 1) lost [] ((1, 1), 0, 0, 0) "),
            (
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}\n".to_owned(),
                "[] (0, 1) lost [] ((0, 0), 0, 0, 0) ",
            ),
            ("{apiVersion: v1, kind: APIService}\n".to_owned(), "[] (0, 0) lost [] ((0, 0), 0, 1, 1) "),
            (
                format!(
                    "{{apiVersion: v1, kind: List, items: [{{a: b}}, {{{probe}}}, {{apiVersion: v1, kind: Pod, a: b, a: c}}]}}\n"
                ),
                "[Probe] (0, 0) lost [] ((1, 1), 1, 1, 1) duplicate-key Error",
            ),
        ];
        for (text, expected) in found {
            assert_eq!(contents(&text, false), expected, "{text}");
        }
    }
}
