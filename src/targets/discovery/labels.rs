//! Labels from the metadata of objects.

use crate::observed::Object;
use crate::plan::Role;
use crate::targets::relabel::Labels;

/// Label with the namespace of an object.
pub(super) const NAMESPACE: &str = "__meta_kubernetes_namespace";
/// Label with an address.
pub(super) const ADDRESS: &str = "__address__";

/// Adds the name, labels and annotations of an object (`addObjectMetaLabels`).
pub(super) fn add_meta<'d>(labels: &mut Labels<'d>, role: Role, object: &Object<'d>) {
    labels.set(format!("__meta_kubernetes_{}_name", role.as_str()), object.name);
    for (what, entries) in [("label", &object.labels), ("annotation", &object.annotations)] {
        let present = format!("{what}present");
        labels.extend(entries.iter().flat_map(|(name, value)| {
            [
                (role.meta_label(what, name), *value),
                (role.meta_label(&present, name), "true"),
            ]
        }));
    }
}

/// Joins host and port (`net.JoinHostPort`).
pub(super) fn join(host: &str, port: impl std::fmt::Display) -> String {
    if host.contains(':') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    }
}

/// Returns a port number as Go prints it after conversion to an unsigned integer.
pub(super) fn port(number: i32) -> u64 {
    i64::from(number).cast_unsigned()
}
