//! Role `node`: the kubelet of a node (`buildNode`).

use super::labels::{ADDRESS, add_meta, join};
use super::view::{Discovered, View};
use crate::go::text::label_name;
use crate::observed::Node;
use crate::plan::Role;
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

impl<'d> Discovered<'d> for Node<'d> {
    fn count(&self) -> usize {
        1
    }

    fn targets(&self, _: View<'_, 'd>) -> Vec<Labels<'d>> {
        let of_type = |wanted: &&str| self.addresses.iter().find(|(of_type, _)| of_type == wanted);
        let Some((_, address)) = ADDRESS_TYPES.iter().find_map(of_type) else {
            return Vec::new();
        };
        let mut labels = Labels::with_capacity(32);
        labels.set("__meta_kubernetes_node_provider_id", self.provider_id);
        add_meta(&mut labels, Role::Node, &self.meta);
        labels.set(ADDRESS, join(address, self.kubelet_port));
        labels.set("instance", self.meta.name);
        // The first of each type counts.
        for (of_type, address) in self.addresses.iter().rev() {
            labels.set(
                format!("__meta_kubernetes_node_address_{}", label_name(of_type)),
                *address,
            );
        }
        vec![labels]
    }
}
