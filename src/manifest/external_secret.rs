//! ExternalSecrets of external-secrets.io: what makes `<agent>-secrets` and configurations in the cluster
//! (`--secrets=external`).

use serde_json::{Map, Value, json};

use super::metadata::{MANAGED_BY, Metadata, Options, labels, merge, object};
use super::object::{EXTERNAL_SECRET, Object};
use super::role::Role;
use crate::api::{Kind, Resources};
use crate::go::base64;
use crate::plan::ConfigKind;
use crate::resolve::{AssetKey, Hierarchy, Place, Remote, place};

/// The ExternalSecret that makes the `<agent>-secrets` of a hierarchy; none where it is not known where each of its values
/// is kept. It holds no secret value.
pub fn external_secret(hierarchy: &Hierarchy<'_, '_>, resources: &Resources<'_>, remote: &Remote) -> Option<Object> {
    let mut places = Vec::new();
    let mut open = Map::new();
    for (key, value) in hierarchy.secrets.iter() {
        match key.kind {
            Kind::Secret => places.push((key.sanitized(), place(key, hierarchy, resources, remote)?)),
            _ => drop(open.insert(key.sanitized(), json!(template(value)))),
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
    let metadata = Metadata::new(Role::Values.name(meta.name), meta.namespace, labels);
    let fields = json!({ "spec": spec });
    Some(Object::new(Role::Values, EXTERNAL_SECRET, metadata, fields))
}

/// The ExternalSecret that makes the Secret of a configuration from a template, `text`, with these values; none where it is
/// not known where each is kept. The Secret gets the labels that the operator gives it.
pub fn external_configuration(
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
    part: ConfigKind,
    (text, values): (String, &[AssetKey<'_>]),
    options: &Options,
) -> Option<Object> {
    let places = values.iter().map(|key| place(key, hierarchy, resources, remote));
    let places = places.collect::<Option<Vec<_>>>()?;
    let store = places.first()?.store.clone();
    let data = values.iter().zip(places);
    let data: Vec<_> = data.map(|(key, place)| entry(key.sanitized(), place, &store)).collect();
    let labels = merge(labels([MANAGED_BY]), &options.labels);
    let file = options.target.file();
    let template = json!({ "data": { file: text }, "engineVersion": "v2", "metadata": { "labels": &labels } });
    let meta = &hierarchy.agent.meta;
    let role = Role::Configuration(part);
    let metadata = Metadata::new(role.name(meta.name), meta.namespace, labels);
    let spec = json!({ "data": data, "secretStoreRef": store, "target": { "template": template } });
    Some(Object::new(role, EXTERNAL_SECRET, metadata, json!({"spec": spec})))
}

fn entry(secret_key: String, place: Place, store: &Value) -> Value {
    let source = (place.store != *store).then(|| json!({ "storeRef": place.store }));
    object([
        ("secretKey", Some(json!(secret_key))),
        ("remoteRef", Some(place.remote)),
        ("sourceRef", source),
    ])
}

/// A value of a ConfigMap as a template that gives it: braces would be read as an action, and other bytes than text cannot
/// are in YAML.
fn template(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if !text.contains("{{") => text.to_owned(),
        _ => format!("{{{{ \"{}\" | b64dec }}}}", base64::encode(value)),
    }
}
