use super::selector::Selectors;
use crate::plan::Role;

/// What a job watches (`SDConfig`).
#[derive(Clone, Debug)]
pub struct Watch {
    /// The objects that are targets.
    pub role: Role,
    /// The namespaces that are searched, each apart; `None` for all, together. Nodes have none.
    pub namespaces: Option<Vec<String>>,
    /// Whether targets get the labels of their node.
    pub attach_node: bool,
    pub selectors: Selectors,
}
