//! ExternalSecrets (external-secrets.io) that create `<agent>-secrets` and configurations in the cluster
//! (`--secrets=external`).

use serde_json::{Map, Value, json};

use super::metadata::{MANAGED_BY, ManifestOptions, Metadata, MetadataMap, labels, merge, object};
use super::object::{EXTERNAL_SECRET, Object};
use super::role::ObjectRole;
use crate::api::{Kind, Resources};
use crate::go::base64;
use crate::plan::ConfigKind;
use crate::resolve::{AssetKey, Hierarchy, Remote, RemoteRef, remote_ref};

/// Returns the ExternalSecret that creates `<agent>-secrets` for a hierarchy, or `None` if the store of any value is
/// unknown. The ExternalSecret itself contains no secret values.
pub fn external_secret(hierarchy: &Hierarchy<'_, '_>, resources: &Resources<'_>, remote: &Remote) -> Option<Object> {
    let is_secret = |key: &AssetKey<'_>| key.kind == Kind::Secret;
    let keys = hierarchy.secrets.iter().map(|(key, _)| *key).filter(is_secret);
    let references = stored_references(keys, hierarchy, resources, remote)?;
    let plain_values = hierarchy.secrets.iter().filter(|(key, _)| !is_secret(key));
    let plain_values: Map<_, _> =
        plain_values.map(|(key, value)| (key.sanitized_key(), json!(template(value)))).collect();
    // The Secret that the ExternalSecret creates has the same labels.
    let labels = labels([MANAGED_BY]);
    let template = || json!({ "data": plain_values, "mergePolicy": "Merge", "metadata": { "labels": &labels } });
    let template = (!plain_values.is_empty()).then(template);
    Some(external(hierarchy, ObjectRole::Values, labels, references, template))
}

/// Returns the ExternalSecret that creates the Secret for a configuration from the template `text` and these values, or
/// `None` if the store of any value is unknown. The created Secret has the labels that the operator sets.
pub fn external_configuration(
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
    part: ConfigKind,
    (text, values): (String, &[AssetKey<'_>]),
    options: &ManifestOptions,
) -> Option<Object> {
    let references = stored_references(values.iter().copied(), hierarchy, resources, remote)?;
    let labels = merge(labels([MANAGED_BY]), &options.labels);
    let file = options.target.file();
    let template = json!({ "data": { file: text }, "engineVersion": "v2", "metadata": { "labels": &labels } });
    let role = ObjectRole::Configuration(part);
    Some(external(hierarchy, role, labels, references, Some(template)))
}

/// Returns the store of the first value and the remote references of all values, or `None` if any of them is unknown.
fn stored_references<'k>(
    keys: impl Iterator<Item = AssetKey<'k>>,
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
) -> Option<(Value, Vec<Value>)> {
    let remote_refs = keys.map(|key| Some((key.sanitized_key(), remote_ref(&key, hierarchy, resources, remote)?)));
    let remote_refs: Vec<_> = remote_refs.collect::<Option<_>>()?;
    let store = remote_refs.first()?.1.store.clone();
    let entry = |(secret_key, remote_ref): (String, RemoteRef)| {
        let source = (remote_ref.store != store).then(|| json!({ "storeRef": remote_ref.store }));
        object([("secretKey", Some(json!(secret_key))), ("remoteRef", Some(remote_ref.remote)), ("sourceRef", source)])
    };
    let data = remote_refs.into_iter().map(entry).collect();
    Some((store, data))
}

fn external(
    hierarchy: &Hierarchy<'_, '_>,
    role: ObjectRole,
    labels: MetadataMap,
    (store, data): (Value, Vec<Value>),
    template: Option<Value>,
) -> Object {
    let meta = &hierarchy.agent.meta;
    let metadata = Metadata::new(role.name(meta.name), meta.namespace, labels);
    let spec = object([
        ("data", Some(json!(data))),
        ("secretStoreRef", Some(store)),
        ("target", template.map(|template| json!({ "template": template }))),
    ]);
    Object::new(role, EXTERNAL_SECRET, metadata, json!({ "spec": spec }))
}

/// Returns a template that evaluates to a ConfigMap value. Values with braces, which would be parsed as an action, or
/// with bytes that YAML cannot contain are encoded.
fn template(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) if !text.contains("{{") => text.to_owned(),
        _ => format!("{{{{ \"{}\" | b64dec }}}}", base64::encode(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_values_in_templates() {
        for (value, expected) in [
            (&b""[..], ""),
            (b"a { b }} {", "a { b }} {"),
            (b"{{ x }}", r#"{{ "e3sgeCB9fQ==" | b64dec }}"#),
            (b"\xff", r#"{{ "/w==" | b64dec }}"#),
        ] {
            assert_eq!(template(value), expected);
        }
    }
}
