//! Defaults that the API server sets for missing fields.
//!
//! They come from `pkg/apis/core/v1/defaults.go` and `pkg/apis/apps/v1/defaults.go` in Kubernetes, including the
//! corresponding conversions, limited to structs that a GrafanaAgent can produce, and from the CustomResourceDefinition
//! of external-secrets.io.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use self::Default::{Allocated, Empty, False, Follows, Number, Text, When};

#[derive(Clone, Copy)]
pub(super) enum Default {
    /// `{}`, for a struct whose own fields have defaults.
    Empty,
    /// `false`.
    False,
    Number(i64),
    Text(&'static str),
    /// A default that depends on the struct's other fields. There may be none.
    When(fn(&Map<String, Value>) -> Option<Value>),
    /// A value that depends on the struct's other fields and overrides the manifest.
    Follows(fn(&Map<String, Value>) -> Option<Value>),
    /// A value that is known only to the cluster.
    Allocated,
}

/// Defaults, sorted by struct and field. Each row contains a struct, a field and the field's default.
static DEFAULTS: &[(&str, &str, Default)] = &[
    ("AzureDiskVolumeSource", "cachingMode", Text("ReadWrite")),
    ("AzureDiskVolumeSource", "fsType", Text("ext4")),
    ("AzureDiskVolumeSource", "kind", Text("Shared")),
    ("AzureDiskVolumeSource", "readOnly", False),
    ("ConfigMapVolumeSource", "defaultMode", Number(0o644)),
    ("Container", "imagePullPolicy", When(pull_policy)),
    ("Container", "terminationMessagePath", Text("/dev/termination-log")),
    ("Container", "terminationMessagePolicy", Text("File")),
    ("ContainerPort", "protocol", Text("TCP")),
    ("DaemonSetSpec", "revisionHistoryLimit", Number(10)),
    ("DaemonSetSpec", "updateStrategy", Empty),
    ("DaemonSetUpdateStrategy", "rollingUpdate", When(rolling_update)),
    ("DaemonSetUpdateStrategy", "type", Text("RollingUpdate")),
    ("DeploymentSpec", "progressDeadlineSeconds", Number(600)),
    ("DeploymentSpec", "replicas", Number(1)),
    ("DeploymentSpec", "revisionHistoryLimit", Number(10)),
    ("DeploymentSpec", "strategy", Empty),
    ("DeploymentStrategy", "rollingUpdate", When(rolling_update)),
    ("DeploymentStrategy", "type", Text("RollingUpdate")),
    ("DownwardAPIVolumeSource", "defaultMode", Number(0o644)),
    ("EndpointPort", "protocol", Text("TCP")),
    ("ExternalSecretDataRemoteRef", "conversionStrategy", Text("Default")),
    ("ExternalSecretDataRemoteRef", "decodingStrategy", Text("None")),
    ("ExternalSecretDataRemoteRef", "metadataPolicy", Text("None")),
    ("ExternalSecretSpec", "refreshInterval", Text("1h")),
    ("ExternalSecretSpec", "target", Empty),
    ("ExternalSecretTarget", "creationPolicy", Text("Owner")),
    ("ExternalSecretTarget", "deletionPolicy", Text("Retain")),
    ("ExternalSecretTemplate", "engineVersion", Text("v2")),
    ("ExternalSecretTemplate", "mergePolicy", Text("Replace")),
    ("GRPCAction", "service", Text("")),
    ("HTTPGetAction", "path", Text("/")),
    ("HTTPGetAction", "scheme", Text("HTTP")),
    ("HostPathVolumeSource", "type", Text("")),
    ("ISCSIVolumeSource", "iscsiInterface", Text("default")),
    ("ObjectFieldSelector", "apiVersion", Text("v1")),
    ("PersistentVolumeClaim", "apiVersion", Follows(|_| Some("v1".into()))),
    ("PersistentVolumeClaim", "kind", Follows(|_| Some("PersistentVolumeClaim".into()))),
    ("PersistentVolumeClaimSpec", "volumeMode", Text("Filesystem")),
    ("PodSpec", "dnsPolicy", Text("ClusterFirst")),
    ("PodSpec", "restartPolicy", Text("Always")),
    ("PodSpec", "schedulerName", Text("default-scheduler")),
    ("PodSpec", "securityContext", Empty),
    ("PodSpec", "serviceAccount", Follows(service_account)),
    ("PodSpec", "terminationGracePeriodSeconds", Number(30)),
    ("Probe", "failureThreshold", Number(3)),
    ("Probe", "periodSeconds", Number(10)),
    ("Probe", "successThreshold", Number(1)),
    ("Probe", "timeoutSeconds", Number(1)),
    ("ProjectedVolumeSource", "defaultMode", Number(0o644)),
    ("RBDVolumeSource", "keyring", Text("/etc/ceph/keyring")),
    ("RBDVolumeSource", "pool", Text("rbd")),
    ("RBDVolumeSource", "user", Text("admin")),
    ("RollingUpdateDaemonSet", "maxSurge", Number(0)),
    ("RollingUpdateDaemonSet", "maxUnavailable", Number(1)),
    ("RollingUpdateDeployment", "maxSurge", Text("25%")),
    ("RollingUpdateDeployment", "maxUnavailable", Text("25%")),
    ("RollingUpdateStatefulSetStrategy", "maxUnavailable", Number(1)),
    ("RollingUpdateStatefulSetStrategy", "partition", Number(0)),
    ("ScaleIOVolumeSource", "fsType", Text("xfs")),
    ("ScaleIOVolumeSource", "storageMode", Text("ThinProvisioned")),
    ("Secret", "type", Text("Opaque")),
    ("SecretVolumeSource", "defaultMode", Number(0o644)),
    ("ServiceAccountTokenProjection", "expirationSeconds", Number(3600)),
    ("ServicePort", "protocol", Text("TCP")),
    ("ServicePort", "targetPort", When(|port| port.get("port").cloned())),
    ("ServiceSpec", "clusterIPs", Allocated),
    ("ServiceSpec", "internalTrafficPolicy", Text("Cluster")),
    ("ServiceSpec", "ipFamilies", Allocated),
    ("ServiceSpec", "ipFamilyPolicy", Allocated),
    ("ServiceSpec", "sessionAffinity", Text("None")),
    ("ServiceSpec", "type", Text("ClusterIP")),
    ("StatefulSetPersistentVolumeClaimRetentionPolicy", "whenDeleted", Text("Retain")),
    ("StatefulSetPersistentVolumeClaimRetentionPolicy", "whenScaled", Text("Retain")),
    ("StatefulSetSpec", "persistentVolumeClaimRetentionPolicy", Empty),
    ("StatefulSetSpec", "podManagementPolicy", Text("OrderedReady")),
    ("StatefulSetSpec", "replicas", Number(1)),
    ("StatefulSetSpec", "revisionHistoryLimit", Number(10)),
    ("StatefulSetSpec", "updateStrategy", Empty),
    ("StatefulSetUpdateStrategy", "rollingUpdate", When(rolling_update)),
    ("StatefulSetUpdateStrategy", "type", Text("RollingUpdate")),
    ("Volume", "emptyDir", When(empty_dir)),
];

/// Returns each field of a struct that has a default, along with the default.
pub(super) fn fields(shape: &str) -> impl Iterator<Item = (&'static str, Default)> {
    let start = DEFAULTS.partition_point(|(name, ..)| *name < shape);
    let rows = DEFAULTS.iter().skip(start).take_while(move |(name, ..)| *name == shape);
    rows.map(|(_, field, default)| (*field, *default))
}

impl Default {
    /// Returns the default for a struct with these `fields`, or `None` if the server sets none. `live` is the value in
    /// the cluster.
    pub(super) fn value(self, fields: &Map<String, Value>, live: &Value) -> Option<Value> {
        match self {
            Empty => Some(Value::Object(Map::new())),
            False => Some(false.into()),
            Number(number) => Some(number.into()),
            Text(text) => Some(text.into()),
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

/// Returns an empty `emptyDir` for a volume that has no source, or `None` if the volume has one.
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
    fn table_is_sorted() {
        assert!(DEFAULTS.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1)));
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
            // None of these is a valid name.
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
