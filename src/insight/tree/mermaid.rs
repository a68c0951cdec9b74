//! `mermaid`: a flowchart for Markdown, each resource once.

use std::fmt::Write;

use super::label::all_keys;
use super::model::{Class, Entry, Tree};
use crate::printable::{Text, printable};

const CLASSES: &str = "  \
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
        let class = class(entry);
        text.line(format!("  n{}[\"{}\"]:::{class}", id.0, label(entry, keys)));
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
    text.append(&Text::of_lines(CLASSES));
    text
}

fn class(entry: &Entry<'_>) -> &'static str {
    match entry.class() {
        Class::Problem => "problem",
        Class::Paused | Class::Unselected => "idle",
        Class::Agent => "agent",
        Class::Instance => "instance",
        Class::Data => "data",
        Class::Selected => "selected",
    }
}

fn label(entry: &Entry<'_>, keys: &[(&str, bool)]) -> String {
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
    fn what_ends_a_label_is_escaped() {
        assert_eq!(escaped("ca.crt"), "ca.crt");
        assert_eq!(escaped("a\"]<b>#\n"), "a#34;#93;#60;b#62;#35;#92;n");
    }
}
