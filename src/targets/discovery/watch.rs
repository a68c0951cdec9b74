use super::selector::RoleSelectors;
use crate::plan::DiscoveryRole;

/// Service discovery configuration of a job (`SDConfig`).
#[derive(Clone, Debug)]
pub struct DiscoveryWatch {
    pub role: DiscoveryRole,
    /// Namespaces to search separately, or `None` to search all of them together. Nodes have no namespace.
    pub namespaces: Option<Vec<String>>,
    /// Whether targets also get the labels of their node.
    pub attach_node: bool,
    pub selectors: RoleSelectors,
}
