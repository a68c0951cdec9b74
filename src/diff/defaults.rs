//! Defaults that the API server sets for missing fields.
//!
//! They come from `pkg/apis/core/v1/defaults.go` and `pkg/apis/apps/v1/defaults.go` in Kubernetes, including the
//! corresponding conversions, limited to structs that a GrafanaAgent can produce, and from the CustomResourceDefinition
//! of external-secrets.io.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use self::Default::{Allocated, Constant, Follows, When};
use crate::api::core::shape::{FieldType, GoStruct, StructField};

#[derive(Clone, Copy)]
pub(super) enum Default {
    /// A constant default from the table of structs.
    Constant(FieldType, &'static str),
    /// A default that depends on the struct's other fields and may not exist.
    When(fn(&Map<String, Value>) -> Option<Value>),
    /// A value that depends on the struct's other fields and overrides the manifest.
    Follows(fn(&Map<String, Value>) -> Option<Value>),
    /// A value that is known only to the cluster.
    Allocated,
}

/// Defaults that depend on other values. Each row contains a struct, a field and the field's default.
static COMPUTED: &[(&str, &str, Default)] = &[
    ("Container", "imagePullPolicy", When(pull_policy)),
    ("DaemonSetUpdateStrategy", "rollingUpdate", When(rolling_update)),
    ("DeploymentStrategy", "rollingUpdate", When(rolling_update)),
    ("PersistentVolumeClaim", "apiVersion", Follows(|_| Some("v1".into()))),
    ("PersistentVolumeClaim", "kind", Follows(|_| Some("PersistentVolumeClaim".into()))),
    ("PodSpec", "serviceAccount", Follows(service_account)),
    ("ServicePort", "targetPort", When(|port| port.get("port").cloned())),
    ("ServiceSpec", "clusterIPs", Allocated),
    ("ServiceSpec", "ipFamilies", Allocated),
    ("ServiceSpec", "ipFamilyPolicy", Allocated),
    ("StatefulSetUpdateStrategy", "rollingUpdate", When(rolling_update)),
    ("Volume", "emptyDir", When(empty_dir)),
];

/// Returns each field of a struct that has a default, along with the default.
pub(super) fn fields(shape: &GoStruct) -> impl Iterator<Item = (&StructField, Default)> {
    shape.fields.iter().filter_map(|field| {
        let mut computed =
            COMPUTED.iter().filter(|(name, candidate, _)| *candidate == field.name && *name == shape.name);
        let constant = || Some(Constant(field.kind, field.default?));
        Some((field, computed.next().map(|(.., default)| *default).or_else(constant)?))
    })
}

impl Default {
    /// Returns the default for a struct with these `fields`, or `None` if the server sets none. `live` is the value in
    /// the cluster.
    pub(super) fn value(self, fields: &Map<String, Value>, live: &Value) -> Option<Value> {
        match self {
            Constant(FieldType::Struct(_), _) => Some(Value::Object(Map::new())),
            Constant(FieldType::Bool, text) => Some((text == "true").into()),
            Constant(FieldType::String, text) => Some(text.into()),
            Constant(_, text) => Some(text.parse::<i64>().map_or_else(|_| text.into(), Value::from)),
            When(value) | Follows(value) => value(fields),
            Allocated => Some(live.clone()),
        }
    }
}

fn text<'f>(fields: &'f Map<String, Value>, key: &str) -> &'f str {
    fields.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns an empty `rollingUpdate` for a rolling update, or `None` for any other type of update.
fn rolling_update(strategy: &Map<String, Value>) -> Option<Value> {
    matches!(text(strategy, "type"), "" | "RollingUpdate").then(|| Value::Object(Map::new()))
}

/// Returns the value for `serviceAccount`, the deprecated alias of `serviceAccountName`.
fn service_account(pod: &Map<String, Value>) -> Option<Value> {
    pod.get("serviceAccountName").cloned()
}

/// Returns an empty `emptyDir` for a volume that has no source, or `None` if the volume has a source.
fn empty_dir(volume: &Map<String, Value>) -> Option<Value> {
    volume.keys().all(|key| key == "name").then(|| Value::Object(Map::new()))
}

/// Grammar of image names: domain, path, tag and digest (`distribution/reference`).
static IMAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let label = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    let component = "[a-z0-9]+(?:(?:[._]|__|-*)[a-z0-9]+)*";
    let tag = "[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}";
    let digest = "sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}";
    let name = format!(r"(?:(?P<domain>{label}(?:\.{label})*(?::[0-9]+)?)/)?{component}(?:/{component})*");
    Regex::new(&format!("^{name}(?::(?P<tag>{tag}))?(?:@(?P<digest>{digest}))?$")).ok()
});

/// Returns `Always` if the image has the `latest` tag or has neither a tag nor a digest, and `IfNotPresent` otherwise.
/// A name that cannot be parsed is treated as tagged (`SetDefaults_Container` and `parsers.ParseImageName` in
/// Kubernetes).
fn pull_policy(container: &Map<String, Value>) -> Option<Value> {
    let image = text(container, "image");
    let is_latest = IMAGE.as_ref().and_then(|grammar| grammar.captures(image)).is_some_and(|parts| {
        let part = |name| parts.name(name).map(|part| part.as_str());
        part("tag").map_or(part("digest").is_none(), |tag| tag == "latest") && !is_identifier(image)
    });
    Some(if is_latest { "Always" } else { "IfNotPresent" }.into())
}

/// Whether the string is an image ID, which is not a valid name.
fn is_identifier(image: &str) -> bool {
    image.len() == 64 && image.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_defaults_refer_to_existing_fields() {
        for (shape, field, _) in COMPUTED {
            assert!(
                GoStruct::lookup(shape).field(field).is_some_and(|field| field.default.is_none()),
                "{shape} {field}"
            );
        }
    }

    #[test]
    fn constants_have_the_type_of_their_field() {
        for (shape, field, expected) in [
            ("PodSpec", "securityContext", Value::Object(Map::new())),
            ("AzureDiskVolumeSource", "readOnly", false.into()),
            ("ConfigMapVolumeSource", "defaultMode", 0o644.into()),
            ("RollingUpdateDaemonSet", "maxUnavailable", 1.into()),
            ("RollingUpdateDeployment", "maxSurge", "25%".into()),
            ("GRPCAction", "service", "".into()),
        ] {
            let default = fields(GoStruct::lookup(shape)).find(|(candidate, _)| candidate.name == field).unwrap().1;
            assert_eq!(default.value(&Map::new(), &Value::Null), Some(expected), "{shape} {field}");
        }
    }

    #[test]
    fn pull_policy_depends_on_the_tag() {
        let digest = format!("@sha256:{}", "a".repeat(64));
        let (latest, tagged) = (format!("busybox:latest{digest}"), format!("busybox:1{digest}"));
        for (image, expected) in [
            ("busybox", "Always"),
            ("busybox:latest", "Always"),
            ("busybox:1", "IfNotPresent"),
            ("localhost:5000/busybox", "Always"),
            ("localhost:5000/busybox:1", "IfNotPresent"),
            ("localhost/busybox", "Always"),
            ("a.example/b/c", "Always"),
            ("A.example/b/c", "Always"),
            ("team/busybox", "Always"),
            // Only the domain may contain uppercase letters.
            ("Team/busybox", "Always"),
            ("Team/busybox:1", "IfNotPresent"),
            (&format!("busybox{digest}"), "IfNotPresent"),
            (&latest, "Always"),
            (&tagged, "IfNotPresent"),
            // The remaining strings are not valid names.
            ("", "IfNotPresent"),
            ("Busybox", "IfNotPresent"),
            ("Team/Busybox", "IfNotPresent"),
            ("a/Team/busybox", "IfNotPresent"),
            ("busybox@sha256:aaaa", "IfNotPresent"),
            (&"a".repeat(64), "IfNotPresent"),
            ("busy box", "IfNotPresent"),
        ] {
            let container = Map::from_iter([("image".to_owned(), image.into())]);
            assert_eq!(pull_policy(&container), Some(expected.into()), "{image}");
        }
    }
}
