//! Labels derived from object metadata.

use crate::plan::DiscoveryRole;
use crate::targets::observed::ClusterObject;
use crate::targets::relabel::Labels;

/// Label that contains the namespace of an object.
pub(super) const NAMESPACE: &str = "__meta_kubernetes_namespace";
/// Label that contains the address of a target.
pub(super) const ADDRESS: &str = "__address__";

/// Adds the name, labels and annotations of an object as labels (`addObjectMetaLabels`).
pub(super) fn add_meta<'d>(labels: &mut Labels<'d>, role: DiscoveryRole, object: &ClusterObject<'d>) {
    labels.set(format!("__meta_kubernetes_{}_name", role.as_str()), object.name);
    for (metadata_kind, entries) in [("label", &object.labels), ("annotation", &object.annotations)] {
        let present_label = format!("{metadata_kind}present");
        labels.extend(entries.iter().flat_map(|(name, value)| {
            [(role.meta_label(metadata_kind, name), *value), (role.meta_label(&present_label, name), "true")]
        }));
    }
}

/// Joins a host and a port (`net.JoinHostPort`).
pub(super) fn join(host: &str, port: impl std::fmt::Display) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// Converts a port number to an unsigned integer as Go does.
pub(super) fn port(number: i32) -> u64 {
    i64::from(number).cast_unsigned()
}
