use super::selector::Selectors;
use crate::plan::Role;

/// Service discovery configuration of a job (`SDConfig`).
#[derive(Clone, Debug)]
pub struct Watch {
    /// Role of the discovered objects.
    pub role: Role,
    /// Namespaces to search, each separately, or `None` to search all together. Nodes have no namespace.
    pub namespaces: Option<Vec<String>>,
    /// Whether targets also have the labels of their node.
    pub attach_node: bool,
    pub selectors: Selectors,
}
