//! Labels that Kubernetes discovery sets, by role.

use super::values::Values;
use super::values::alphabet::{ANY, DIGITS, NAME, VISIBLE};
use crate::diagnostic::suggest::ComparedName;
use crate::go::regexp::CharRange;
use crate::plan::DiscoveryRole;

/// Families of discovery labels that contain an object's labels and annotations, as the part of the label name after
/// the object's kind.
pub const LABEL_FAMILIES: [&str; 4] = ["_label_", "_labelpresent_", "_annotation_", "_annotationpresent_"];

/// Values that a discovered label can have.
#[derive(Clone, Copy)]
enum Discovered {
    /// One of these values, separated by `|`. An empty value means that the label may be missing.
    OneOf(&'static str),
    /// String of these characters, which every target has.
    Always(&'static [CharRange]),
    /// String of these characters, which may be missing.
    Maybe(&'static [CharRange]),
}
use Discovered::{Always, Maybe, OneOf};

const PROTOCOL: Discovered = OneOf("|TCP|UDP|SCTP");
const PHASE: Discovered = OneOf("|Pending|Running|Succeeded|Failed|Unknown");
const READY: Discovered = OneOf("|true|false|unknown");

/// Labels of a pod and its container, without the prefix (`podLabels`, `podContainerLabels`).
const POD_LABELS: &[(&str, Discovered)] = &[
    ("pod_name", Maybe(NAME)),
    ("pod_ip", Maybe(VISIBLE)),
    ("pod_ready", READY),
    ("pod_phase", PHASE),
    ("pod_node_name", Maybe(NAME)),
    ("pod_host_ip", Maybe(VISIBLE)),
    ("pod_uid", Maybe(NAME)),
    ("pod_controller_kind", Maybe(NAME)),
    ("pod_controller_name", Maybe(VISIBLE)),
    ("pod_container_name", Maybe(NAME)),
    ("pod_container_image", Maybe(VISIBLE)),
    ("pod_container_port_name", Maybe(NAME)),
    ("pod_container_port_number", Maybe(DIGITS)),
    ("pod_container_port_protocol", PROTOCOL),
];

/// Labels that only the `pod` role sets, or that it always sets (`buildPod`).
const POD_ROLE: &[(&str, Discovered)] = &[
    ("namespace", Always(NAME)),
    ("pod_name", Always(NAME)),
    ("pod_container_name", Always(NAME)),
    ("pod_container_id", Maybe(VISIBLE)),
    ("pod_container_init", OneOf("true|false")),
];

/// Labels of the `endpoints` role (`buildEndpoints`).
const ENDPOINTS: &[(&str, Discovered)] = &[
    ("namespace", Always(NAME)),
    ("service_name", Maybe(NAME)),
    ("endpoints_name", Always(NAME)),
    ("endpoint_ready", OneOf("|true|false")),
    ("endpoint_port_name", Maybe(NAME)),
    ("endpoint_port_protocol", PROTOCOL),
    ("endpoint_address_target_kind", Maybe(NAME)),
    ("endpoint_address_target_name", Maybe(VISIBLE)),
    ("endpoint_node_name", Maybe(NAME)),
    ("endpoint_hostname", Maybe(NAME)),
];

/// Labels of the `ingress` role (`buildIngress`).
const INGRESS: &[(&str, Discovered)] = &[
    ("namespace", Always(NAME)),
    ("ingress_name", Always(NAME)),
    ("ingress_scheme", OneOf("http|https")),
    ("ingress_host", Maybe(VISIBLE)),
    ("ingress_path", Always(ANY)),
    ("ingress_class_name", Maybe(NAME)),
];

const PREFIX: &str = "__meta_kubernetes_";

/// Labels of any role, without the prefix, that only unusual targets lack, such as Endpoints without a Service or a
/// pod, or pods without a node.
const USUAL_LABELS: [&str; 7] =
    ["namespace", "pod_name", "pod_node_name", "pod_uid", "service_name", "ingress_name", "node_name"];

/// Whether only unusual targets lack the label.
pub(super) fn is_usual(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|name| USUAL_LABELS.contains(&name))
}

/// Labels with fixed names, without the prefix.
type Table = &'static [(&'static str, Discovered)];

/// Returns a role's tables and kinds of objects, or `None` if the operator does not use the role.
fn tables(role: DiscoveryRole) -> Option<(&'static [Table], &'static [&'static str])> {
    Some(match role {
        DiscoveryRole::Endpoints => (&[ENDPOINTS, POD_LABELS], &["service", "endpoints", "pod"]),
        DiscoveryRole::Pod => (&[POD_ROLE, POD_LABELS], &["pod"]),
        DiscoveryRole::Ingress => (&[INGRESS], &["ingress"]),
        DiscoveryRole::EndpointSlice | DiscoveryRole::Node | DiscoveryRole::Service => return None,
    })
}

/// Returns the values of a `__meta_` label, or `None` if the role never sets it.
pub(super) fn values(role: DiscoveryRole, name: &str) -> Option<Values> {
    let Some((tables, kinds)) = tables(role) else {
        return Some(Values::unknown(ANY, true));
    };
    let rest = name.strip_prefix(PREFIX)?;
    let mut known_labels = tables.iter().copied().flatten();
    if let Some((_, discovered)) = known_labels.find(|(name, _)| *name == rest) {
        return Some(match *discovered {
            OneOf(values) => Values::known(values.split('|')),
            Always(alphabet) => Values::unknown(alphabet, false),
            Maybe(alphabet) => Values::unknown(alphabet, true),
        });
    }
    let family = kinds.iter().filter_map(|kind| rest.strip_prefix(kind)).find_map(|rest| {
        LABEL_FAMILIES.iter().find(|family| rest.strip_prefix(**family).is_some_and(|key| !key.is_empty()))
    })?;
    Some(match *family {
        "_label_" => Values::unknown(NAME, true),
        "_annotation_" => Values::unknown(ANY, true),
        _ => Values::known(["", "true"]),
    })
}

/// Whether the role can set a label whose name starts with `prefix`.
pub(super) fn has_prefix(role: DiscoveryRole, prefix: &str) -> bool {
    let Some((tables, kinds)) = tables(role) else { return true };
    if PREFIX.starts_with(prefix) {
        return true;
    }
    let Some(prefix) = prefix.strip_prefix(PREFIX) else { return false };
    let is_fixed = tables.iter().copied().flatten().any(|(name, _)| name.starts_with(prefix));
    is_fixed
        || kinds.iter().any(|kind| {
            LABEL_FAMILIES.iter().any(|family| {
                let name = format!("{kind}{family}");
                name.starts_with(prefix) || prefix.starts_with(&name)
            })
        })
}

/// Corrects a misspelled label prefix, so that `__meta_kubernetes_pod_labels_team` becomes
/// `__meta_kubernetes_pod_label_team`, or returns `None` if no known prefix is close.
pub fn suggest_label(role: DiscoveryRole, name: &str) -> Option<String> {
    let (_, kinds) = tables(role)?;
    let families =
        kinds.iter().flat_map(|kind| LABEL_FAMILIES.iter().map(move |family| format!("{PREFIX}{kind}{family}")));
    families.into_iter().find_map(|family| {
        let known_name = ComparedName::new(&family);
        let ends = [family.len() + 1, family.len(), family.len() - 1].into_iter();
        let mut parts = ends.filter_map(|end| name.split_at_checked(end));
        let is_near =
            |start: &str| start.ends_with('_') && known_name.edit_distance(&ComparedName::new(start)) == Some(1);
        let (_, key) = parts.find(|(start, key)| !key.is_empty() && is_near(start))?;
        Some(format!("{family}{key}"))
    })
}

/// Returns the names of the labels that the role sets, excluding those that contain an object's labels and annotations.
pub fn names(role: DiscoveryRole) -> Vec<String> {
    let tables = tables(role).map(|(tables, _)| tables).unwrap_or_default();
    tables.iter().copied().flatten().map(|(name, _)| format!("{PREFIX}{name}")).collect()
}

/// Returns the additional labels that newer versions of discovery, such as Alloy's, set (`buildEndpoints`,
/// `buildEndpointSlice` and `buildNode` in Prometheus 3).
pub fn newer_labels(role: DiscoveryRole) -> &'static [&'static str] {
    match role {
        DiscoveryRole::Endpoints => &["__meta_kubernetes_pod_container_init"],
        DiscoveryRole::EndpointSlice => &[
            "__meta_kubernetes_pod_container_init",
            "__meta_kubernetes_endpointslice_endpoint_node_name",
            "__meta_kubernetes_endpointslice_endpoint_zone",
        ],
        DiscoveryRole::Node => &["__meta_kubernetes_node_condition_ready"],
        DiscoveryRole::Ingress | DiscoveryRole::Pod | DiscoveryRole::Service => &[],
    }
}
