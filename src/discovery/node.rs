//! Role `node`: the kubelet of a node (`buildNode`).

use super::labels::{ADDRESS, add_meta, join};
use crate::go::text::label_name;
use crate::observed::Node;
use crate::relabel::Labels;

/// The types of addresses, the best first (`nodeAddress`).
const ADDRESS_TYPES: [&str; 6] = [
    "InternalIP",
    "InternalDNS",
    "ExternalIP",
    "ExternalDNS",
    "LegacyHostIP",
    "Hostname",
];

pub(super) fn targets<'d>(node: &Node<'d>) -> Vec<Labels<'d>> {
    let of_type = |wanted: &&str| node.addresses.iter().find(|(of_type, _)| of_type == wanted);
    let Some((_, address)) = ADDRESS_TYPES.iter().find_map(of_type) else {
        return Vec::new();
    };
    let mut labels = Labels::with_capacity(32);
    labels.set("__meta_kubernetes_node_provider_id", node.provider_id);
    add_meta(&mut labels, "node", &node.meta);
    labels.set(ADDRESS, join(address, node.kubelet_port));
    labels.set("instance", node.meta.name);
    // The first of each type counts.
    for (of_type, address) in node.addresses.iter().rev() {
        labels.set(
            format!("__meta_kubernetes_node_address_{}", label_name(of_type)),
            *address,
        );
    }
    vec![labels]
}
