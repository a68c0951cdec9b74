//! Mermaid flowchart of a tree. Each resource is one node.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use super::model::{Edge, ResourceState, Tree, TreeItem, names};
use crate::api::{Kind, ObjectRef, RELATIONS};
use crate::printable::{Text, printable};

/// Returns the keys of each entry that other resources in the tree refer to.
fn all_keys<'d>(tree: &Tree<'d>) -> HashMap<ObjectRef<'d>, BTreeSet<(&'d str, bool)>> {
    let mut keys: HashMap<_, BTreeSet<_>> = HashMap::new();
    for edge in tree.iter().flat_map(|(_, entry)| &entry.edges) {
        keys.entry(edge.to).or_default().extend(edge.keys());
    }
    keys
}

/// Returns the class in `MERMAID_CLASSES` for an entry.
fn class(entry: &TreeItem<'_>) -> &'static str {
    let kind = entry.object.kind;
    match entry.state {
        ResourceState::Missing | ResourceState::Refused => "problem",
        ResourceState::Paused | ResourceState::Unselected => "idle",
        _ if kind == Kind::GrafanaAgent => "agent",
        _ if kind.is_data() => "data",
        _ if RELATIONS.iter().any(|relation| relation.parent == kind) => "instance",
        _ => "selected",
    }
}

/// Returns all edges, each with its parent and the names of the agents that deny the child.
fn edges<'t, 'd>(tree: &'t Tree<'d>) -> impl Iterator<Item = (ObjectRef<'d>, &'t Edge<'d>, String)> {
    let all_entries = tree.iter();
    let all_edges = all_entries.flat_map(|(above, entry)| entry.edges.iter().map(move |edge| (above, edge)));
    all_edges.map(|(above, edge)| (above, edge, names(&edge.denied_by).join(", ")))
}

const MERMAID_CLASSES: &str = "  \
classDef agent fill:#ffd8b5,stroke:#bc4c00,color:#1f2328
  classDef instance fill:#ddf4ff,stroke:#0969da,color:#1f2328
  classDef selected fill:#dafbe1,stroke:#1a7f37,color:#1f2328
  classDef data fill:#fbefff,stroke:#8250df,color:#1f2328
  classDef problem fill:#ffebe9,stroke:#cf222e,color:#1f2328,stroke-dasharray:4 3
  classDef idle fill:#fff8c5,stroke:#9a6700,color:#1f2328
";

/// Formats the tree as a Mermaid flowchart. GitHub renders at most a few hundred edges.
pub fn mermaid(tree: &Tree<'_>) -> Text {
    let mut text = Text::from_lines("flowchart LR\n");
    let mut keys = all_keys(tree);
    let number = |object| tree.entries.get_index_of(&object).unwrap_or_default();
    for (object, entry) in tree.iter() {
        let ObjectRef { kind, namespace, name } = object;
        let mut label = format!("{kind}<br/>{}/{}", escape(namespace), escape(name));
        for (key, is_missing) in keys.remove(&object).into_iter().flatten() {
            let missing_note = if is_missing { " (missing)" } else { "" };
            let _ = write!(label, "<br/>{}{missing_note}", escape(key));
        }
        if let Some(remark) = entry.state.remark() {
            let _ = write!(label, "<br/>{}", escape(&remark));
        }
        text.line(format!("  n{}[\"{label}\"]:::{}", number(object), class(entry)));
    }
    for (parent, edge, agents) in edges(tree) {
        let arrow = match agents.is_empty() {
            true => "-->".to_owned(),
            false => format!("-. \"excluded from {}\" .->", escape(&agents)),
        };
        text.line(format!("  n{} {arrow} n{}", number(parent), number(edge.to)));
    }
    text.append(&Text::from_lines(MERMAID_CLASSES));
    text
}

/// Escapes characters as Mermaid character codes, such as `#35;`, except for letters, digits and characters that are
/// common in names.
fn escape(text: &str) -> String {
    let mut escaped_text = String::with_capacity(text.len());
    for c in printable(text).chars() {
        if c.is_alphanumeric() || "-._/ ".contains(c) {
            escaped_text.push(c);
        } else {
            let _ = write!(escaped_text, "#{};", u32::from(c));
        }
    }
    escaped_text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_characters_that_end_labels() {
        assert_eq!(escape("ca.crt"), "ca.crt");
        assert_eq!(escape("a\"]<b>#\n"), "a#34;#93;#60;b#62;#35;#92;n");
    }
}
