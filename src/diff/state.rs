//! Objects to be compared, which are either read from documents or rendered.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::api::AccessKind;
use crate::diagnostic::{Code, Diagnostic, ObjectKey};
use crate::manifest::{Object, RIGHTS, RIGHTS_LABEL};
use crate::output::Language;
use crate::yaml::{Document, DocumentObject, Node, for_each_object, to_json};

/// State of an object on one side. It is converted to JSON only for the comparison, so that few JSON values are in
/// memory at a time.
#[derive(Clone)]
pub struct ObjectState<'s> {
    /// Key of the object. The version is not included, because each kind is created in only one version.
    pub key: ObjectKey,
    pub(super) manifest: ObjectContents<'s>,
}

#[derive(Clone, Copy)]
pub(super) enum ObjectContents<'s> {
    /// An object read from a document.
    Read(Node<'s>),
    Rendered(&'s Object),
}

impl fmt::Debug for ObjectState<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

impl<'s> ObjectContents<'s> {
    /// Converts the whole object to JSON.
    pub(super) fn to_json(self) -> Value {
        match self {
            ObjectContents::Read(node) => to_json(node),
            ObjectContents::Rendered(object) => object.to_json(),
        }
    }

    /// Returns the masked configuration rendered into the object, if any.
    pub(super) fn masked_configuration(self) -> Option<(Language, &'s [u8])> {
        match self {
            ObjectContents::Read(_) => None,
            ObjectContents::Rendered(object) => object.masked_configuration(),
        }
    }
}

impl<'s> ObjectState<'s> {
    pub fn from_rendered(object: &'s Object) -> Self {
        let key = object.key();
        let manifest = ObjectContents::Rendered(object);
        Self { key, manifest }
    }

    /// Returns the pod template if the object is a workload that was read from a document, or `None` otherwise.
    pub(super) fn pod_template(&self) -> Option<Value> {
        let ObjectContents::Read(root) = self.manifest else {
            return None;
        };
        root.get("spec")?.get("template").map(to_json)
    }

    /// Whether the operator created the object (`app.kubernetes.io/managed-by`). An export also contains other objects,
    /// which are not expected to be rendered. Kubernetes copies the labels of a Service to its Endpoints, so only the
    /// kubelet Endpoints are considered the operator's.
    pub fn is_managed(&self) -> bool {
        self.has_label("app.kubernetes.io/managed-by", "grafana-agent-operator")
            && (self.key.kind != "Endpoints" || self.has_label("k8s-app", "kubelet"))
    }

    /// Whether the object was rendered by agentctl to grant permissions to a service account.
    pub fn grants_rights(&self) -> bool {
        let (label, value) = RIGHTS_LABEL;
        RIGHTS.contains(&self.key.kind.as_str()) && self.has_label(label, value)
    }

    fn has_label(&self, name: &str, value: &str) -> bool {
        let label = |root: Node<'s>| root.get("metadata")?.get("labels")?.get(name)?.as_str();
        match self.manifest {
            ObjectContents::Read(root) => label(root) == Some(value),
            ObjectContents::Rendered(_) => true,
        }
    }
}

/// Returns the objects in `documents`, with lists unpacked. Objects that do not set a namespace are placed in
/// `namespace`, and objects of other kinds are skipped. Reports documents that are not objects, objects without a name,
/// and objects that are defined twice.
pub fn read<'d>(
    documents: &'d [Document<'_>],
    namespace: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ObjectState<'d>> {
    let mut states = Vec::new();
    let mut nodes: BTreeMap<ObjectKey, Node<'d>> = BTreeMap::new();
    let mut visit = |object: DocumentObject<'d>| match object {
        DocumentObject::Object(root, api_version, kind) if is_created(api_version, kind) => {
            let metadata = |key| root.get("metadata")?.get(key)?.as_str().filter(|text| !text.is_empty());
            let Some(name) = metadata("name") else {
                return diagnostics.push(missing_name(root, kind));
            };
            let is_namespaced = AccessKind::from_type(api_version, kind).is_none_or(AccessKind::is_namespaced);
            let default = if is_namespaced { namespace } else { "" };
            let key = ObjectKey::new(kind, metadata("namespace").unwrap_or(default), name);
            if let Some(first) = nodes.get(&key) {
                return diagnostics.push(duplicate_object(&key, *first, root));
            }
            nodes.insert(key.clone(), root);
            let manifest = ObjectContents::Read(root);
            states.push(ObjectState { key, manifest });
        }
        DocumentObject::Object(..) | DocumentObject::List(_) => {}
        DocumentObject::Other(root) => diagnostics.push(not_an_object(root)),
    };
    for document in documents {
        for_each_object(document.root(), &mut visit);
    }
    states
}

/// Whether agentctl renders objects of this kind: objects that the operator creates, ExternalSecrets that replace a
/// Secret, or RBAC objects.
fn is_created(api_version: &str, kind: &str) -> bool {
    match api_version {
        "v1" if matches!(kind, "ConfigMap" | "Endpoints" | "Secret" | "Service") => true,
        "apps/v1" => matches!(kind, "DaemonSet" | "Deployment" | "StatefulSet"),
        "external-secrets.io/v1" | "external-secrets.io/v1beta1" => kind == "ExternalSecret",
        _ => AccessKind::from_type(api_version, kind).is_some(),
    }
}

/// Finding for a document that is not an object.
fn not_an_object(node: Node<'_>) -> Diagnostic {
    Diagnostic::new(Code::NotAnObject, "expected a Kubernetes object with `apiVersion` and `kind`")
        .label(node.span(), "")
        .help("compare with manifests, such as the output of `kubectl get -o yaml` or `agentctl render`")
}

/// Finding for an object that cannot be matched because it has no name.
fn missing_name(node: Node<'_>, kind: &str) -> Diagnostic {
    Diagnostic::new(Code::MissingField, format!("{kind} has no `metadata.name`"))
        .label(node.span(), "")
        .path("metadata.name")
        .help("add the object's name, which is needed for the comparison")
}

/// Finding for an object that is defined twice on one side.
fn duplicate_object(key: &ObjectKey, first: Node<'_>, second: Node<'_>) -> Diagnostic {
    Diagnostic::new(Code::DuplicateResource, format!("`{key}` is defined twice"))
        .label(second.span(), "defined again here")
        .label(first.span(), "first defined here")
        .resource(key)
        .help("pass each object only once")
}
