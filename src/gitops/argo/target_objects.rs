//! Namespaces and duplicates of an Application's objects (`NormalizeTargetObjects`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::gitops::object::{Object, ObjectId, identity, namespace, set_text, text};

/// Cluster-scoped Kubernetes kinds, by API group.
const CLUSTER_SCOPED: &[(&str, &str)] = &[
    ("", "ComponentStatus Namespace Node PersistentVolume"),
    (
        "admissionregistration.k8s.io",
        "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration \
         ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
    ),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("apiregistration.k8s.io", "APIService"),
    ("authentication.k8s.io", "SelfSubjectReview TokenReview"),
    ("authorization.k8s.io", "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview"),
    ("certificates.k8s.io", "CertificateSigningRequest ClusterTrustBundle"),
    ("flowcontrol.apiserver.k8s.io", "FlowSchema PriorityLevelConfiguration"),
    ("networking.k8s.io", "IPAddress IngressClass ServiceCIDR"),
    ("node.k8s.io", "RuntimeClass"),
    ("policy", "PodSecurityPolicy"),
    ("rbac.authorization.k8s.io", "ClusterRole ClusterRoleBinding"),
    ("resource.k8s.io", "DeviceClass ResourceSlice"),
    ("scheduling.k8s.io", "PriorityClass"),
    ("storage.k8s.io", "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass"),
];

fn group(object: &Object) -> &str {
    text(object, "apiVersion").rsplit_once('/').map_or("", |(group, _)| group)
}

fn is_cluster_scoped(object: &Object) -> bool {
    let kinds = CLUSTER_SCOPED.iter().find(|(known, _)| *known == group(object));
    kinds.is_some_and(|(_, kinds)| kinds.split(' ').any(|kind| kind == text(object, "kind")))
}

/// Sets the namespace of an object without a namespace to the destination's namespace, and removes the namespace of a
/// cluster-scoped object. Unknown kinds are treated as namespaced.
pub fn set_namespace(object: &mut Object, destination: &str) {
    if is_cluster_scoped(object) {
        let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
        metadata.into_iter().for_each(|metadata| drop(metadata.remove("namespace")));
    } else if namespace(object).is_empty() && !destination.is_empty() {
        set_text(object, &["metadata", "namespace"], destination);
    }
}

/// Returns the objects that Argo CD drops because a later object has the same group, kind, namespace and name, each
/// with its index and identity.
pub fn repeated_objects<'o>(objects: impl Iterator<Item = &'o Object>) -> Vec<(usize, ObjectId)> {
    let mut last_indices: BTreeMap<(String, ObjectId), usize> = BTreeMap::new();
    let mut repeated_objects = Vec::new();
    for (index, object) in objects.enumerate() {
        let id = identity(object);
        if id.name.is_empty() {
            continue;
        }
        let earlier_index = last_indices.insert((group(object).to_owned(), id.clone()), index);
        repeated_objects.extend(earlier_index.map(|earlier| (earlier, id)));
    }
    repeated_objects
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(version: &str, kind: &str, namespace: &str) -> Object {
        let mut object = json!({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}});
        if !namespace.is_empty() {
            set_text(&mut object, &["metadata", "namespace"], namespace);
        }
        object
    }

    #[test]
    fn sets_the_namespace_of_the_destination() {
        for (version, kind, before, after) in [
            ("v1", "ConfigMap", "", "shop"),
            ("v1", "ConfigMap", "own", "own"),
            ("v1", "Namespace", "own", ""),
            ("rbac.authorization.k8s.io/v1", "ClusterRole", "", ""),
            ("example.com/v1", "ClusterRole", "", "shop"),
            ("monitoring.coreos.com/v1", "ServiceMonitor", "", "shop"),
        ] {
            let mut actual = object(version, kind, before);
            set_namespace(&mut actual, "shop");
            assert_eq!(namespace(&actual), after, "{kind}");
        }
    }

    #[test]
    fn keeps_the_last_duplicate_object() {
        let objects =
            [object("v1", "A", "x"), object("v1", "A", "y"), object("v2", "A", "x"), object("g/v1", "A", "x")];
        assert_eq!(repeated_objects(objects.iter()), [(0, ObjectId::new("A", "x", "a"))]);
    }
}
