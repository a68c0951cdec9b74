//! The `node` role: the kubelet of a node (`buildNode`).

use super::labels::{ADDRESS, add_meta, join};
use crate::go::text::label_name;
use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObjectFields};
use crate::targets::relabel::{Labels, PrometheusVersion};

/// Address types in order of preference (`nodeAddress`).
const ADDRESS_TYPES: &str = "InternalIP InternalDNS ExternalIP ExternalDNS LegacyHostIP Hostname";

fn addresses<'d>(node: &ClusterObject<'d>) -> impl Iterator<Item = ObjectFields<'d>> + use<'d> {
    node.body.part("status").items("addresses")
}

/// Returns the conditions of a node. Only Prometheus 3 converts them to labels.
fn conditions<'d>(node: &ClusterObject<'d>) -> impl Iterator<Item = ObjectFields<'d>> + use<'d> {
    node.body.part("status").items("conditions")
}

/// Returns the number of labels for a node's addresses and conditions.
pub(super) fn width(node: &ClusterObject<'_>) -> usize {
    addresses(node).count() + conditions(node).count()
}

pub(super) fn targets<'d>(node: &ClusterObject<'d>, version: PrometheusVersion) -> Vec<Labels<'d>> {
    let addresses: Vec<_> = addresses(node).map(|address| (address.text("type"), address.text("address"))).collect();
    let address_of_type = |requested_type| addresses.iter().find(|(address_type, _)| *address_type == requested_type);
    let Some((_, address)) = ADDRESS_TYPES.split(' ').find_map(address_of_type) else {
        return Vec::new();
    };
    let kubelet_port = node.body.part("status").part("daemonEndpoints").part("kubeletEndpoint");
    let mut labels = Labels::with_capacity(32);
    labels.set("__meta_kubernetes_node_provider_id", node.body.part("spec").text("providerID"));
    add_meta(&mut labels, DiscoveryRole::Node, node);
    labels.set(ADDRESS, join(address, kubelet_port.number("Port").unwrap_or_default()));
    labels.set("instance", node.name);
    // The order is reversed because the first address of each type takes precedence.
    for (address_type, address) in addresses.iter().rev() {
        labels.set(format!("__meta_kubernetes_node_address_{}", label_name(address_type)), *address);
    }
    if version == PrometheusVersion::V3 {
        for condition in conditions(node) {
            let name = condition.text("type").to_lowercase();
            let label = format!("__meta_kubernetes_node_condition_{}", label_name(&name));
            labels.set(label, condition.text("status").to_lowercase());
        }
    }
    vec![labels]
}
