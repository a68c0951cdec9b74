//! `dot`: a graph for Graphviz, each resource once.

use std::fmt::Write;

use super::label::all_keys;
use super::model::{Class, Entry, Tree};
use crate::printable::{Text, printable};

/// The tree in the DOT language: `agentctl tree … -o dot | dot -Tsvg`.
pub fn dot(tree: &Tree<'_>) -> Text {
    let mut text = Text::of_lines(
        "digraph agentctl {\n  rankdir=LR;\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=\"#f6f8fa\", color=\"#8c959f\", fontname=\"Helvetica\", fontsize=11];\n  \
         edge [color=\"#8c959f\", arrowsize=0.7];\n",
    );
    let keys = all_keys(tree);
    for ((_, entry), keys) in tree.iter().zip(&keys) {
        let attributes = attributes(entry, keys);
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

fn attributes(entry: &Entry<'_>, keys: &[(&str, bool)]) -> String {
    let mut lines = vec![entry.object.kind.to_string(), name(entry)];
    if !keys.is_empty() {
        let keys: Vec<_> = keys
            .iter()
            .map(|&(key, is_missing)| match is_missing {
                true => format!("{key} (missing)"),
                false => key.to_owned(),
            })
            .collect();
        lines.push(keys.join(", "));
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

fn name(entry: &Entry<'_>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_text_is_escaped() {
        let lines = ["a\"b\\c", "d\r<e>"].map(str::to_owned);
        assert_eq!(quoted(lines), r#""a\"b\\c\nd\\r<e>""#);
    }
}
