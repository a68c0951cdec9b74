//! `dot` and `mermaid`: a graph in which each resource is once.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use super::model::{Edge, Entry, State, Tree, names, shown_keys};
use crate::api::{Kind, ObjectRef, RELATIONS};
use crate::printable::{Text, printable};

/// All keys of each entry that anything in the tree refers to, for formats that show an entry once.
fn all_keys<'d>(tree: &Tree<'d>) -> HashMap<ObjectRef<'d>, BTreeSet<(&'d str, bool)>> {
    let mut keys: HashMap<_, BTreeSet<_>> = HashMap::new();
    for edge in tree.iter().flat_map(|(_, entry)| &entry.edges) {
        keys.entry(edge.to).or_default().extend(edge.keys());
    }
    keys
}

/// What an entry looks like: its class for Mermaid, and its colours for Graphviz.
fn look(entry: &Entry<'_>) -> (&'static str, &'static str) {
    let kind = entry.object.kind;
    match entry.state {
        State::Missing | State::Refused => ("problem", "#ffebe9\", color=\"#cf222e\", style=\"rounded,filled,dashed"),
        State::Paused => ("idle", "#eaeef2"),
        State::Unselected => ("idle", "#fff8c5\", color=\"#9a6700"),
        _ if kind == Kind::GrafanaAgent => ("agent", "#ffd8b5"),
        _ if kind.is_data() => ("data", "#fbefff"),
        _ if RELATIONS.iter().any(|relation| relation.parent == kind) => ("instance", "#ddf4ff"),
        _ => ("selected", "#dafbe1"),
    }
}

/// Each edge with the resource above it, and the agents that leave out what is below it.
fn edges<'t, 'd>(tree: &'t Tree<'d>) -> impl Iterator<Item = (ObjectRef<'d>, &'t Edge<'d>, String)> {
    let all = tree.iter();
    let all = all.flat_map(|(above, entry)| entry.edges.iter().map(move |edge| (above, edge)));
    all.map(|(above, edge)| (above, edge, names(&edge.denied_by).join(", ")))
}

/// The tree in the DOT language: `agentctl tree … -o dot | dot -Tsvg`.
pub fn dot(tree: &Tree<'_>) -> Text {
    let mut text = Text::of_lines(
        "digraph agentctl {\n  rankdir=LR;\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=\"#f6f8fa\", color=\"#8c959f\", fontname=\"Helvetica\", fontsize=11];\n  \
         edge [color=\"#8c959f\", arrowsize=0.7];\n",
    );
    let mut keys = all_keys(tree);
    for (object, entry) in tree.iter() {
        let keys = keys.remove(&object).unwrap_or_default();
        let ObjectRef { kind, namespace, name } = entry.object;
        let remark = entry.state.remark().map(|remark| format!(" ({remark})"));
        let mut lines = vec![
            kind.to_string(),
            format!("{namespace}/{name}{}", remark.unwrap_or_default()),
        ];
        lines.extend((!keys.is_empty()).then(|| shown_keys(keys)));
        let place = entry.place.map(|(file, line)| quoted([format!("{file}:{line}")]));
        let tooltip = place.map(|place| format!(", tooltip={place}")).unwrap_or_default();
        let (object, label, (_, fill)) = (quoted([entry.object.to_string()]), quoted(lines), look(entry));
        text.line(format!("  {object} [label={label}{tooltip}, fillcolor=\"{fill}\"];"));
    }
    for (above, edge, agents) in edges(tree) {
        let style = match agents.is_empty() {
            true => String::new(),
            false => format!(
                " [style=dashed, color=\"#cf222e\", fontcolor=\"#cf222e\", fontname=\"Helvetica\", fontsize=9, label={}]",
                quoted([format!("left out of {agents}")])
            ),
        };
        let [from, to] = [above, edge.to].map(|object| quoted([object.to_string()]));
        text.line(format!("  {from} -> {to}{style};"));
    }
    text.line("}");
    text
}

/// A quoted text: a backslash or quote escaped, and `\n` between its lines.
fn quoted(lines: impl IntoIterator<Item = String>) -> String {
    let lines = lines
        .into_iter()
        .map(|line| printable(&line).replace('\\', "\\\\").replace('"', "\\\""));
    format!("\"{}\"", lines.collect::<Vec<_>>().join("\\n"))
}

const MERMAID_CLASSES: &str = "  \
classDef agent fill:#ffd8b5,stroke:#bc4c00,color:#1f2328
  classDef instance fill:#ddf4ff,stroke:#0969da,color:#1f2328
  classDef selected fill:#dafbe1,stroke:#1a7f37,color:#1f2328
  classDef data fill:#fbefff,stroke:#8250df,color:#1f2328
  classDef problem fill:#ffebe9,stroke:#cf222e,color:#1f2328,stroke-dasharray:4 3
  classDef idle fill:#fff8c5,stroke:#9a6700,color:#1f2328
";

/// The tree as a Mermaid flowchart. GitHub and others show some hundred edges at most.
pub fn mermaid(tree: &Tree<'_>) -> Text {
    let mut text = Text::of_lines("flowchart LR\n");
    let mut keys = all_keys(tree);
    let number = |object| tree.entries.get_index_of(&object).unwrap_or_default();
    for (object, entry) in tree.iter() {
        let ObjectRef { kind, namespace, name } = object;
        let mut label = format!("{kind}<br/>{}/{}", escaped(namespace), escaped(name));
        for (key, is_missing) in keys.remove(&object).into_iter().flatten() {
            let missing = if is_missing { " (missing)" } else { "" };
            let _ = write!(label, "<br/>{}{missing}", escaped(key));
        }
        if let Some(remark) = entry.state.remark() {
            let _ = write!(label, "<br/>{}", escaped(&remark));
        }
        text.line(format!("  n{}[\"{label}\"]:::{}", number(object), look(entry).0));
    }
    for (above, edge, agents) in edges(tree) {
        let arrow = match agents.is_empty() {
            true => "-->".to_owned(),
            false => format!("-. \"left out of {}\" .->", escaped(&agents)),
        };
        text.line(format!("  n{} {arrow} n{}", number(above), number(edge.to)));
    }
    text.append(&Text::of_lines(MERMAID_CLASSES));
    text
}

/// All but letters, digits and what is common in names as a character code, which Mermaid writes `#35;`.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable(text).chars() {
        if c.is_alphanumeric() || "-._/ ".contains(c) {
            escaped.push(c);
        } else {
            let _ = write!(escaped, "#{};", u32::from(c));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_text_is_escaped() {
        let lines = ["a\"b\\c", "d\r<e>"].map(str::to_owned);
        assert_eq!(quoted(lines), r#""a\"b\\c\nd\\r<e>""#);
    }

    #[test]
    fn what_ends_a_label_is_escaped() {
        assert_eq!(escaped("ca.crt"), "ca.crt");
        assert_eq!(escaped("a\"]<b>#\n"), "a#34;#93;#60;b#62;#35;#92;n");
    }
}
