use super::selector::Selectors;
use crate::plan::Role;

/// Discovery of a job (`SDConfig`).
#[derive(Clone, Debug)]
pub struct Watch {
    /// Role of the objects that are targets.
    pub role: Role,
    /// Namespaces to search, each separately, or `None` for all together. Nodes have none.
    pub namespaces: Option<Vec<String>>,
    /// Whether targets get the labels of their node.
    pub attach_node: bool,
    pub selectors: Selectors,
}
