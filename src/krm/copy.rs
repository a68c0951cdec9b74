//! Parts of the list that stay as they are: their text is copied, with its comments and its notation, wherever it means
//! the same at its new place. Where it does not (an alias of an anchor outside of it, a flow collection over several
//! lines), the value is written anew.

use std::iter;

use crate::yaml::{Limits, Mapping, Node, NodeValue, Style, Value, read, to_value, write};

/// Indentation of the lines of an item and of a field.
const INDENT: usize = 2;

/// Appends a document.
pub(super) fn document(out: &mut String, node: Node<'_>, end: Option<u32>, text: &str) {
    let copied = source_text(node, end, text, 0);
    append(out, copied, node, |root| Some(root), |value| value);
}

/// Appends an item of a list.
pub(super) fn item(out: &mut String, node: Node<'_>, end: Option<u32>, text: &str) {
    let copied = source_text(node, end, text, INDENT).map(|text| format!("- {text}"));
    append(
        out,
        copied,
        node,
        |root| root.items().next().filter(|_| root.items().len() == 1),
        |value| vec![value].into(),
    );
}

/// Appends a field with a mapping.
pub(super) fn field(out: &mut String, key: &'static str, node: Node<'_>, end: Option<u32>, text: &str) {
    let copied = source_text(node, end, text, INDENT).map(|text| format!("{key}:\n{:INDENT$}{text}", ""));
    append(
        out,
        copied,
        node,
        |root| root.get(key).filter(|_| root.entries().len() == 1),
        |value| Mapping::from_iter([(key.into(), value)]).into(),
    );
}

/// Appends the copied text of a node, if the part of it that `find` finds reads as the node; or else the node's value
/// with what `wrap` puts around it.
fn append<'d>(
    out: &mut String,
    copied: Option<String>,
    node: Node<'d>,
    find: impl FnOnce(Node<'_>) -> Option<Node<'_>>,
    wrap: impl FnOnce(Value<'d>) -> Value<'d>,
) {
    match copied.filter(|text| reads_as(text, node, find)) {
        Some(text) => out.push_str(&text),
        None => out.push_str(&write(&wrap(to_value(node)), Style::Kubernetes)),
    }
}

/// The text from a node to the line of what follows it, with the indentation of its new place; `None` of a node whose
/// text is not lines of its own.
fn source_text(node: Node<'_>, end: Option<u32>, text: &str, depth: usize) -> Option<String> {
    let start = node.span().start as usize;
    if !node.is_mapping() || text.get(start..)?.starts_with(['{', '&', '*', '!']) {
        return None;
    }
    let end = end.map_or(text.len(), |end| line_start(text, end as usize));
    let indent = start - line_start(text, start);
    let mut lines = text
        .get(start..end)?
        .lines()
        .take_while(|line| !line.starts_with("---"));
    let mut copied = format!("{}\n", lines.next()?);
    for line in lines {
        let rest = line.trim_start_matches(' ');
        let depth = (line.len() - rest.len() + depth).saturating_sub(indent);
        match rest {
            "" => copied.push('\n'),
            rest => {
                copied.extend(iter::repeat_n(' ', depth));
                copied.push_str(rest);
                copied.push('\n');
            }
        }
    }
    Some(copied)
}

fn line_start(text: &str, offset: usize) -> usize {
    text.get(..offset)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |line_break| line_break + 1)
}

/// Whether the part of a text that `find` finds has the value of a node.
fn reads_as(text: &str, node: Node<'_>, find: impl FnOnce(Node<'_>) -> Option<Node<'_>>) -> bool {
    let read = read(node.span().source, text, &Limits::default());
    match (read.output.as_slice(), read.diagnostics.is_empty()) {
        ([document], true) => find(document.root()).is_some_and(|copy| same(copy, node)),
        _ => false,
    }
}

fn same(a: Node<'_>, b: Node<'_>) -> bool {
    match (a.value(), b.value()) {
        (NodeValue::Sequence, NodeValue::Sequence) => {
            a.items().len() == b.items().len() && a.items().zip(b.items()).all(|(a, b)| same(a, b))
        }
        (NodeValue::Mapping, NodeValue::Mapping) => {
            let mut pairs = a.entries().zip(b.entries());
            a.entries().len() == b.entries().len() && pairs.all(|(a, b)| a.key == b.key && same(a.value, b.value))
        }
        (a, b) => a == b,
    }
}
