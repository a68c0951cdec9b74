//! ExternalSecrets of external-secrets.io: what makes `<agent>-secrets` and configurations in the cluster
//! (`--secrets=external`).

use serde_json::{Map, Value, json};

use super::metadata::{Labels, MANAGED_BY, Metadata, Options, labels, merge, object};
use super::object::{EXTERNAL_SECRET, Object};
use super::role::Role;
use crate::api::{Kind, Resources};
use crate::go::base64;
use crate::plan::ConfigKind;
use crate::resolve::{AssetKey, Hierarchy, Place, Remote, place};

/// The ExternalSecret that makes the `<agent>-secrets` of a hierarchy; none where it is not known where each of its values
/// is kept. It holds no secret value.
pub fn external_secret(hierarchy: &Hierarchy<'_, '_>, resources: &Resources<'_>, remote: &Remote) -> Option<Object> {
    let is_secret = |key: &AssetKey<'_>| key.kind == Kind::Secret;
    let keys = hierarchy.secrets.iter().map(|(key, _)| *key).filter(is_secret);
    let kept = kept(keys, hierarchy, resources, remote)?;
    let open = hierarchy.secrets.iter().filter(|(key, _)| !is_secret(key));
    let open: Map<_, _> = open
        .map(|(key, value)| (key.sanitized(), json!(template(value))))
        .collect();
    // The Secret gets its labels too.
    let labels = labels([MANAGED_BY]);
    let template = || json!({ "data": open, "mergePolicy": "Merge", "metadata": { "labels": &labels } });
    let template = (!open.is_empty()).then(template);
    Some(external(hierarchy, Role::Values, labels, kept, template))
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
    let kept = kept(values.iter().copied(), hierarchy, resources, remote)?;
    let labels = merge(labels([MANAGED_BY]), &options.labels);
    let file = options.target.file();
    let template = json!({ "data": { file: text }, "engineVersion": "v2", "metadata": { "labels": &labels } });
    let role = Role::Configuration(part);
    Some(external(hierarchy, role, labels, kept, Some(template)))
}

/// The store of the first value, and where each value is kept; none where that is not known of one of them.
fn kept<'k>(
    keys: impl Iterator<Item = AssetKey<'k>>,
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
) -> Option<(Value, Vec<Value>)> {
    let places = keys.map(|key| Some((key.sanitized(), place(&key, hierarchy, resources, remote)?)));
    let places: Vec<_> = places.collect::<Option<_>>()?;
    let store = places.first()?.1.store.clone();
    let entry = |(secret_key, place): (String, Place)| {
        let source = (place.store != store).then(|| json!({ "storeRef": place.store }));
        object([
            ("secretKey", Some(json!(secret_key))),
            ("remoteRef", Some(place.remote)),
            ("sourceRef", source),
        ])
    };
    let data = places.into_iter().map(entry).collect();
    Some((store, data))
}

fn external(
    hierarchy: &Hierarchy<'_, '_>,
    role: Role,
    labels: Labels,
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

/// A value of a ConfigMap as a template that gives it: braces would be read as an action, and other bytes than text cannot
/// are in YAML.
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
    fn a_value_comes_out_of_its_template_as_it_is() {
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
