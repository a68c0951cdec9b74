//! The registry as manifests: defaults set, remote services expanded, bundles embedded.

use serde::ser::{Error, Serialize, Serializer};

use super::object::{AggregateKind, ApiService, ObjectName, Origin};
use super::registry::Registry;
use crate::api::core::SERVER_FIELDS;
use crate::emit;
use crate::go::base64;
use crate::yaml::{Mapping, Style, Value, to_value, write};

/// An object to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest<'r> {
    /// Its kind.
    pub kind: AggregateKind,
    /// Its namespace; empty if the kind has none.
    pub namespace: &'r str,
    /// Its name.
    pub name: &'r str,
    /// All of it.
    pub value: Value<'r>,
}

impl Serialize for Manifest<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Through a map with sorted keys, as kubectl writes them.
        let sorted = serde_json::to_value(&self.value).map_err(Error::custom)?;
        sorted.serialize(serializer)
    }
}

/// ExternalNames, then the APIServices that lead to them, each by namespace and name. Core Services are read only.
pub fn manifests<'r>(registry: &'r Registry<'_>) -> Vec<Manifest<'r>> {
    let names = registry.external_names.iter().map(|external| {
        let mut spec = Mapping::new();
        spec.push("host", external.host);
        manifest(external.object(), external.origin, spec)
    });
    let services = registry.api_services.iter();
    let services = services.map(|service| manifest(service.object(), service.origin, api_service_spec(service)));
    let mut manifests: Vec<_> = names.chain(services).collect();
    let order = |m: &Manifest<'r>| (m.kind == AggregateKind::ApiService, m.namespace, m.name);
    manifests.sort_by(|a, b| order(a).cmp(&order(b)));
    manifests
}

fn manifest<'r>(object: ObjectName<'r>, origin: Origin<'r>, spec: Mapping<'r>) -> Manifest<'r> {
    let ObjectName { kind, namespace, name } = object;
    let mut value = Mapping::new();
    value.push("apiVersion", kind.api_version());
    value.push("kind", kind.as_str());
    value.push("metadata", metadata(origin, namespace, name));
    value.push("spec", spec);
    Manifest {
        kind,
        namespace,
        name,
        value: Value::Mapping(value),
    }
}

/// The fields that Go's `omitempty` keeps.
fn api_service_spec<'r>(service: &'r ApiService<'_>) -> Mapping<'r> {
    let mut spec = Mapping::new();
    if let Some(reference) = &service.service {
        let mut mapping = Mapping::new();
        mapping.push("namespace", reference.namespace.as_ref());
        mapping.push("name", reference.name.as_ref());
        mapping.push("port", Value::Int(reference.port.into()));
        spec.push("service", mapping);
    }
    if !service.group.is_empty() {
        spec.push("group", service.group);
    }
    spec.push("version", service.version);
    if service.insecure_skip_tls_verify {
        spec.push("insecureSkipTLSVerify", true);
    }
    if !service.ca_bundle.is_empty() {
        spec.push("caBundle", base64::encode(&service.ca_bundle));
    }
    spec.push(
        "groupPriorityMinimum",
        Value::Int(service.group_priority_minimum.into()),
    );
    spec.push("versionPriority", Value::Int(service.version_priority.into()));
    spec
}

/// What the text has, but for what a server adds.
fn metadata<'r>(origin: Origin<'r>, namespace: &'r str, name: &'r str) -> Mapping<'r> {
    let mut metadata = Mapping::new();
    for entry in origin
        .manifest()
        .into_iter()
        .flat_map(|root| root.entries_at("metadata"))
    {
        if !SERVER_FIELDS.contains(&entry.key) && !entry.value.is_null() {
            metadata.push(entry.key, to_value(entry.value));
        }
    }
    metadata.set("name", name);
    if !namespace.is_empty() {
        metadata.set("namespace", namespace);
    }
    metadata
}

impl emit::Manifest for Manifest<'_> {
    fn kind(&self) -> &str {
        self.kind.as_str()
    }

    fn namespace(&self) -> &str {
        self.namespace
    }

    fn name(&self) -> &str {
        self.name
    }

    fn is_secret(&self) -> bool {
        false
    }

    fn to_yaml(&self) -> String {
        write(&self.value, Style::Kubernetes)
    }
}
