//! `dot` and `mermaid`: a graph in which each resource is once.

use std::fmt::Write;

use super::model::{Class, Entry, Tree, shown_keys};
use crate::printable::{Text, printable};

/// All keys of an entry that anything in the tree refers to, for formats that show an entry once; by entry.
fn all_keys<'d>(tree: &Tree<'d>) -> Vec<Vec<(&'d str, bool)>> {
    let mut keys = vec![Vec::new(); tree.iter().len()];
    for edge in tree.iter().flat_map(|(_, entry)| &entry.edges) {
        if let Some(keys) = keys.get_mut(edge.to.0) {
            keys.extend(edge.keys());
        }
    }
    for keys in &mut keys {
        keys.sort_unstable();
        keys.dedup();
    }
    keys
}

/// The tree in the DOT language: `agentctl tree … -o dot | dot -Tsvg`.
pub fn dot(tree: &Tree<'_>) -> Text {
    let mut text = Text::of_lines(
        "digraph agentctl {\n  rankdir=LR;\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=\"#f6f8fa\", color=\"#8c959f\", fontname=\"Helvetica\", fontsize=11];\n  \
         edge [color=\"#8c959f\", arrowsize=0.7];\n",
    );
    let keys = all_keys(tree);
    for ((_, entry), keys) in tree.iter().zip(&keys) {
        let attributes = dot_attributes(entry, keys);
        text.line(format!("  {} [{attributes}];", quoted([entry.object.to_string()])));
    }
    for (_, entry) in tree.iter() {
        for edge in &entry.edges {
            let Some(child) = tree.get(edge.to) else { continue };
            let style = match tree.names(&edge.denied_by).join(", ") {
                agents if agents.is_empty() => String::new(),
                agents => format!(
                    " [style=dashed, color=\"#cf222e\", fontcolor=\"#cf222e\", fontname=\"Helvetica\", fontsize=9, label={}]",
                    quoted([format!("left out of {agents}")])
                ),
            };
            let (from, to) = (entry.object.to_string(), child.object.to_string());
            text.line(format!("  {} -> {}{style};", quoted([from]), quoted([to])));
        }
    }
    text.line("}");
    text
}

fn dot_attributes(entry: &Entry<'_>, keys: &[(&str, bool)]) -> String {
    let mut lines = vec![entry.object.kind.to_string(), dot_name(entry)];
    if !keys.is_empty() {
        lines.push(shown_keys(keys));
    }
    let mut attributes = format!("label={}", quoted(lines));
    if let Some((file, line)) = entry.place {
        let _ = write!(attributes, ", tooltip={}", quoted([format!("{file}:{line}")]));
    }
    let fill = match entry.class() {
        Class::Problem => "#ffebe9\", color=\"#cf222e\", style=\"rounded,filled,dashed",
        Class::Paused => "#eaeef2",
        Class::Unselected => "#fff8c5\", color=\"#9a6700",
        Class::Agent => "#ffd8b5",
        Class::Instance => "#ddf4ff",
        Class::Data => "#fbefff",
        Class::Selected => "#dafbe1",
    };
    let _ = write!(attributes, ", fillcolor=\"{fill}\"");
    attributes
}

fn dot_name(entry: &Entry<'_>) -> String {
    let name = format!("{}/{}", entry.object.namespace, entry.object.name);
    match entry.state.remark() {
        Some(remark) => format!("{name} ({remark})"),
        None => name,
    }
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
    let keys = all_keys(tree);
    for ((id, entry), keys) in tree.iter().zip(&keys) {
        let class = mermaid_class(entry);
        text.line(format!("  n{}[\"{}\"]:::{class}", id.0, mermaid_label(entry, keys)));
    }
    for (id, entry) in tree.iter() {
        for edge in &entry.edges {
            let arrow = match tree.names(&edge.denied_by).join(", ") {
                agents if agents.is_empty() => "-->".to_owned(),
                agents => format!("-. \"left out of {}\" .->", escaped(&agents)),
            };
            text.line(format!("  n{} {arrow} n{}", id.0, edge.to.0));
        }
    }
    text.append(&Text::of_lines(MERMAID_CLASSES));
    text
}

fn mermaid_class(entry: &Entry<'_>) -> &'static str {
    match entry.class() {
        Class::Problem => "problem",
        Class::Paused | Class::Unselected => "idle",
        Class::Agent => "agent",
        Class::Instance => "instance",
        Class::Data => "data",
        Class::Selected => "selected",
    }
}

fn mermaid_label(entry: &Entry<'_>, keys: &[(&str, bool)]) -> String {
    let object = &entry.object;
    let mut label = format!(
        "{}<br/>{}/{}",
        object.kind,
        escaped(object.namespace),
        escaped(object.name)
    );
    for &(key, is_missing) in keys {
        let missing = if is_missing { " (missing)" } else { "" };
        let _ = write!(label, "<br/>{}{missing}", escaped(key));
    }
    if let Some(remark) = entry.state.remark() {
        let _ = write!(label, "<br/>{}", escaped(&remark));
    }
    label
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
