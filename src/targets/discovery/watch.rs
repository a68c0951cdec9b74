use super::selector::RoleSelectors;
use crate::plan::DiscoveryRole;

/// Service discovery configuration of a job (`SDConfig`).
#[derive(Clone, Debug)]
pub struct DiscoveryWatch {
    pub role: DiscoveryRole,
    /// Namespaces to search separately, or `None` to search all namespaces together. Nodes have no namespace.
    pub namespaces: Option<Vec<String>>,
    /// Whether the labels of nodes are added to targets.
    pub attach_node: bool,
    pub selectors: RoleSelectors,
}
