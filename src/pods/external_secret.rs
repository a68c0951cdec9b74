//! ExternalSecret of external-secrets.io: what makes `<agent>-secrets` in the cluster (`--secrets=external`).

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::metadata::{Labels, MANAGED_BY, Metadata, labels, object};
use super::object::{EXTERNAL_SECRET, Object};
use super::role::Role;
use crate::api::{Promise, PromisedSecret, Resources};
use crate::diagnostic::FieldPath;
use crate::go::base64;
use crate::resolve::{AssetKey, AssetKind, Hierarchy, Remote};
use crate::yaml::{self, Node};

/// Where one value is kept.
struct Place {
    store: Value,
    remote: Value,
}

/// The ExternalSecret that makes the `<agent>-secrets` of a hierarchy; none where it is not known where each of its values
/// is kept. It holds no secret value.
pub fn external_secret(hierarchy: &Hierarchy<'_, '_>, resources: &Resources<'_>, remote: &Remote) -> Option<Object> {
    let mut places = Vec::new();
    let mut open = Map::new();
    for (key, value) in hierarchy.secrets.iter() {
        match key.kind {
            AssetKind::Secret => places.push((key.sanitized(), place(key, hierarchy, resources, remote)?)),
            AssetKind::ConfigMap => drop(open.insert(key.sanitized(), json!(template(value)))),
        }
    }
    let store = places.first().map(|(_, place)| place.store.clone())?;
    let data: Vec<_> = places
        .into_iter()
        .map(|(secret_key, place)| entry(secret_key, place, &store))
        .collect();
    // The Secret gets its labels too.
    let labels = labels([MANAGED_BY]);
    let template = || json!({ "data": open, "mergePolicy": "Merge", "metadata": { "labels": &labels } });
    let target = (!open.is_empty()).then(|| json!({ "template": template() }));
    let spec = object([
        ("data", Some(json!(data))),
        ("secretStoreRef", Some(store)),
        ("target", target),
    ]);
    let meta = &hierarchy.agent.meta;
    let metadata = Metadata {
        name: Role::Values.name(meta.name),
        namespace: Arc::from(meta.namespace),
        labels,
        annotations: Labels::new(),
        owners: None,
    };
    Some(Object::new(
        Role::Values,
        EXTERNAL_SECRET,
        metadata,
        json!({"spec": spec}),
    ))
}

fn entry(secret_key: String, place: Place, store: &Value) -> Value {
    let source = (place.store != *store).then(|| json!({ "storeRef": place.store }));
    object([
        ("secretKey", Some(json!(secret_key))),
        ("remoteRef", Some(place.remote)),
        ("sourceRef", source),
    ])
}

/// As the ExternalSecret of the input says that makes the Secret, or else as the flags say.
fn place(
    key: &AssetKey<'_>,
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
) -> Option<Place> {
    let promised = resources.promised(key.namespace, key.name);
    let promised = promised.filter(|promised| promised.promise == Promise::ExternalSecret);
    let told = promised.and_then(|promised| told(promised, key.key));
    // A SecretStore serves its own namespace only.
    let is_own_namespace = key.namespace == hierarchy.agent.meta.namespace;
    let is_of_cluster = |place: &Place| place.store.get("kind").and_then(Value::as_str) == Some("ClusterSecretStore");
    let is_within_reach = |place: &Place| is_own_namespace || is_of_cluster(place);
    told.filter(is_within_reach).or_else(|| by_flags(key, remote))
}

fn told(promised: &PromisedSecret<'_>, key: &str) -> Option<Place> {
    let root = promised.root;
    let mut entries = field(root, "spec.data").into_iter().flat_map(Node::items);
    let (entry, remote) = match entries.find(|entry| entry.get("secretKey").and_then(Node::as_str) == Some(key)) {
        Some(entry) => (entry, yaml::to_json(entry.get("remoteRef")?)),
        None => extracted(root, key)?,
    };
    let mut store = field(entry, "sourceRef.storeRef")
        .or_else(|| field(root, "spec.secretStoreRef"))
        .map(yaml::to_json)?;
    let fields = store.as_object_mut()?;
    fields.entry("kind").or_insert_with(|| json!("SecretStore"));
    Some(Place { store, remote })
}

/// A property of the one entry of the store that all keys are taken from as they are.
fn extracted<'d>(root: Node<'d>, key: &str) -> Option<(Node<'d>, Value)> {
    let mut sources = field(root, "spec.dataFrom")?.items();
    let (source, None) = (sources.next()?, sources.next()) else {
        return None;
    };
    let is_changed = source.get("rewrite").is_some() || field(root, "spec.target.template").is_some();
    let mut remote = yaml::to_json(source.get("extract").filter(|_| !is_changed)?);
    remote.as_object_mut()?.insert("property".to_owned(), json!(key));
    Some((source, remote))
}

fn field<'d>(node: Node<'d>, path: &str) -> Option<Node<'d>> {
    FieldPath::of(path).find(node)
}

fn by_flags(key: &AssetKey<'_>, remote: &Remote) -> Option<Place> {
    let store = remote.store.as_ref()?;
    let property = (!remote.key.names_the_key()).then(|| json!(key.key));
    Some(Place {
        store: json!({ "kind": store.kind, "name": store.name }),
        remote: object([("key", Some(json!(remote.key.of(key)))), ("property", property)]),
    })
}

/// A value of a ConfigMap as a template that gives it: braces would be read as an action, and other bytes than text cannot
/// stand in YAML.
fn template(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if !text.contains("{{") => text.to_owned(),
        _ => format!("{{{{ \"{}\" | b64dec }}}}", base64::encode(value)),
    }
}
