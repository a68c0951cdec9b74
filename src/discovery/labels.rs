//! Labels of the metadata of objects.

use crate::go::text::label_name;
use crate::observed::Meta;
use crate::relabel::Labels;

/// The label of an object's namespace.
pub(super) const NAMESPACE: &str = "__meta_kubernetes_namespace";
/// The label of an address.
pub(super) const ADDRESS: &str = "__address__";

/// The name of the label for a label (`label`) or an annotation (`annotation`) of an object, or for its presence.
pub(super) fn meta_label(role: &str, what: &str, name: &str) -> String {
    ["__meta_kubernetes_", role, "_", what, "_", &label_name(name)].concat()
}

/// Name, labels and annotations of an object (`addObjectMetaLabels`).
pub(super) fn add_meta<'d>(labels: &mut Labels<'d>, role: &'static str, meta: &Meta<'d>) {
    labels.set(format!("__meta_kubernetes_{role}_name"), meta.name);
    for (what, entries) in [("label", &meta.labels), ("annotation", &meta.annotations)] {
        let present = format!("{what}present");
        labels.extend(entries.iter().flat_map(|(name, value)| {
            [
                (meta_label(role, what, name), *value),
                (meta_label(role, &present, name), "true"),
            ]
        }));
    }
}

/// Host and port (`net.JoinHostPort`).
pub(super) fn join(host: &str, port: impl std::fmt::Display) -> String {
    if host.contains(':') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    }
}

/// A port as Go writes one that it takes for a number without a sign.
pub(super) fn port(number: i32) -> u64 {
    i64::from(number).cast_unsigned()
}
