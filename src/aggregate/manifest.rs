//! The registry as manifests: defaults set, remote services expanded, bundles embedded.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::object::{AggregateKind, ApiServiceSpec, ObjectName, Origin};
use super::registry::Registry;
use crate::api::core::SERVER_FIELDS;
use crate::diagnostic::ObjectKey;
use crate::emit;
use crate::go::base64;
use crate::yaml::{Style, to_json, write};

/// An object to be written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Manifest<'r> {
    #[serde(skip)]
    pub kind: AggregateKind,
    /// Its namespace; empty if the kind has none.
    #[serde(skip)]
    pub namespace: &'r str,
    #[serde(skip)]
    pub name: &'r str,
    pub value: Value,
}

/// ExternalNames, then the APIServices that lead to them, each by namespace and name. Core Services are read only.
pub fn manifests<'r>(registry: &'r Registry<'_>) -> Vec<Manifest<'r>> {
    let names = registry
        .external_names
        .iter()
        .map(|external| manifest(external.object(), external.origin, json!({"host": external.spec.host})));
    let services = registry.api_services.iter();
    let services = services.map(|service| manifest(service.object(), service.origin, api_service_spec(&service.spec)));
    let mut manifests: Vec<_> = names.chain(services).collect();
    let order = |m: &Manifest<'r>| (m.kind == AggregateKind::ApiService, m.namespace, m.name);
    manifests.sort_by(|a, b| order(a).cmp(&order(b)));
    manifests
}

fn manifest<'r>(object: ObjectName<'r>, origin: Origin<'r>, spec: Value) -> Manifest<'r> {
    let ObjectName { kind, namespace, name } = object;
    let metadata = metadata(origin, namespace, name);
    Manifest {
        kind,
        namespace,
        name,
        value: json!({
            "apiVersion": kind.api_version(),
            "kind": kind.as_str(),
            "metadata": metadata,
            "spec": spec,
        }),
    }
}

/// The fields that Go's `omitempty` keeps.
fn api_service_spec(spec: &ApiServiceSpec<'_>) -> Value {
    let service = spec.service.as_ref();
    let bundle = &spec.ca_bundle;
    let mut fields = json!({
        "service": service.map(|to| json!({"namespace": to.namespace, "name": to.name, "port": to.port})),
        "group": (!spec.group.is_empty()).then_some(spec.group),
        "version": spec.version,
        "insecureSkipTLSVerify": spec.insecure_skip_tls_verify.then_some(true),
        "caBundle": (!bundle.is_empty()).then(|| base64::encode(bundle)),
        "groupPriorityMinimum": spec.group_priority_minimum,
        "versionPriority": spec.version_priority,
    });
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    fields
}

/// What the text has, but for what a server adds.
fn metadata(origin: Origin<'_>, namespace: &str, name: &str) -> Map<String, Value> {
    let manifest = origin.manifest().into_iter();
    let given = manifest.flat_map(|root| root.entries_at("metadata"));
    let given = given.filter(|entry| !SERVER_FIELDS.contains(&entry.key) && !entry.value.is_null());
    let mut metadata: Map<_, _> = given
        .map(|entry| (entry.key.to_owned(), to_json(entry.value)))
        .collect();
    metadata.insert("name".to_owned(), name.into());
    if !namespace.is_empty() {
        metadata.insert("namespace".to_owned(), namespace.into());
    }
    metadata
}

impl emit::Manifest for Manifest<'_> {
    fn key(&self) -> ObjectKey {
        ObjectKey::new(self.kind.as_str(), self.namespace, self.name)
    }

    fn group(&self) -> &str {
        let api_version = self.kind.api_version();
        api_version.split_once('/').map_or("", |(group, _)| group)
    }

    fn is_secret(&self) -> bool {
        false
    }

    fn to_yaml(&self) -> String {
        write(&self.value.clone().into(), Style::Kubernetes)
    }
}
