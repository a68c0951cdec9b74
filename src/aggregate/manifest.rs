//! Manifests for a registry, with defaults set, remote services expanded and bundles embedded.

use serde_json::{Map, Value, json};

use super::object::{AggregateKind, ApiServiceSpec, ObjectName, RegistrySource};
use super::registry::Registry;
use crate::api::core::SERVER_FIELDS;
use crate::go::base64;
use crate::manifest::Object;
use crate::yaml::to_json;

/// Returns the ExternalNames followed by the APIServices, each sorted by namespace and name. Core Services are only
/// read, never written.
pub fn manifests(registry: &Registry<'_>) -> Vec<Object> {
    let names = registry
        .external_names
        .iter()
        .map(|external| build_manifest(external.object(), external.origin, json!({"host": external.spec.host})));
    let services = registry.api_services.iter();
    let services =
        services.map(|service| build_manifest(service.object(), service.origin, api_service_spec(&service.spec)));
    let mut manifests: Vec<_> = names.chain(services).collect();
    let is_service = |object: &Object| object.kind() == AggregateKind::ApiService.as_str();
    manifests.sort_by_key(|object| {
        let key = object.key();
        (is_service(object), key.namespace, key.name)
    });
    manifests
}

fn build_manifest(object: ObjectName<'_>, origin: RegistrySource<'_>, spec: Value) -> Object {
    let ObjectName { kind, namespace, name } = object;
    let object_type = (kind.api_version(), kind.as_str());
    let metadata = metadata(origin, namespace, name);
    let manifest = json!({"apiVersion": object_type.0, "kind": object_type.1, "metadata": metadata, "spec": spec});
    Object::other(object_type, namespace, name, &manifest)
}

/// Returns the fields that Go's `omitempty` keeps.
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

/// Returns the metadata as written, except for fields set by a server.
fn metadata(origin: RegistrySource<'_>, namespace: &str, name: &str) -> Map<String, Value> {
    let manifest = origin.manifest().into_iter();
    let fields = manifest.flat_map(|root| root.entries_at("metadata"));
    let fields =
        fields.filter(|entry| SERVER_FIELDS.split(' ').all(|field| field != entry.key) && !entry.value.is_null());
    let mut metadata: Map<_, _> = fields.map(|entry| (entry.key.to_owned(), to_json(entry.value))).collect();
    metadata.insert("name".to_owned(), name.into());
    if !namespace.is_empty() {
        metadata.insert("namespace".to_owned(), namespace.into());
    }
    metadata
}
