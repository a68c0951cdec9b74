//! What the command line says about manifests.

use std::collections::BTreeMap;

/// Options of all manifests.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The operator's `--labels`: they win over the operator's own labels and selectors.
    pub labels: BTreeMap<String, String>,
    /// Name the GrafanaAgent as owner, where it has a UID.
    pub owner_references: bool,
}
