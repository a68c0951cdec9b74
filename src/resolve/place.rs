//! Where the store of an ExternalSecret keeps a value (`--secrets=external`).

use serde_json::{Value, json};

use super::{AssetKey, Hierarchy, Remote};
use crate::api::{Promise, PromisedSecret, Resources};
use crate::yaml::{self, Node};

/// Where one value is kept.
pub struct Place {
    /// The store, as `secretStoreRef` has it.
    pub store: Value,
    /// The value in the store, as `remoteRef` has it.
    pub remote: Value,
}

/// As the ExternalSecret of the input says that makes the Secret, or else as the flags say.
pub fn place(
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
    let mut entries = root.items_at("spec.data");
    let (entry, remote) = match entries.find(|entry| entry.get("secretKey").and_then(Node::as_str) == Some(key)) {
        Some(entry) => (entry, yaml::to_json(entry.get("remoteRef")?)),
        None => extracted(root, key)?,
    };
    let mut store = entry
        .at("sourceRef.storeRef")
        .or_else(|| root.at("spec.secretStoreRef"))
        .map(yaml::to_json)?;
    let fields = store.as_object_mut()?;
    fields.entry("kind").or_insert_with(|| json!("SecretStore"));
    Some(Place { store, remote })
}

/// A property of the one entry of the store that all keys are taken from as they are.
fn extracted<'d>(root: Node<'d>, key: &str) -> Option<(Node<'d>, Value)> {
    let mut sources = root.at("spec.dataFrom")?.items();
    let (source, None) = (sources.next()?, sources.next()) else {
        return None;
    };
    let is_changed = source.get("rewrite").is_some() || root.at("spec.target.template").is_some();
    let mut remote = yaml::to_json(source.get("extract").filter(|_| !is_changed)?);
    remote.as_object_mut()?.insert("property".to_owned(), json!(key));
    Some((source, remote))
}

fn by_flags(key: &AssetKey<'_>, remote: &Remote) -> Option<Place> {
    let store = remote.store.as_ref()?;
    let property = (!remote.key.names_the_key()).then(|| json!(key.key));
    Some(Place {
        store: json!({ "kind": store.kind, "name": store.name }),
        remote: match property {
            Some(property) => json!({ "key": remote.key.of(key), "property": property }),
            None => json!({ "key": remote.key.of(key) }),
        },
    })
}
