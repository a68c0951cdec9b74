//! Copies unchanged parts of a ResourceList, including their comments and notation. A value is serialized instead if
//! the copied text would have a different meaning, for example if it contains an alias for an anchor elsewhere or a
//! multi-line flow collection.

use std::iter;

use super::ResourceList;
use crate::yaml::{LibraryStyle, Limits, Mapping, Node, Value, read, to_value, write};

/// Indentation of the lines in items and fields.
const INDENT: usize = 2;

pub(super) fn document_text(list: &ResourceList<'_>, item: Node<'_>) -> String {
    copied_or_written(source_text(list, item, 0), item, to_value(item))
}

/// Returns an item in the list as YAML, with a leading `- `.
pub(super) fn item_text(list: &ResourceList<'_>, item: Node<'_>) -> String {
    let copied = source_text(list, item, INDENT).map(|text| format!("- {text}"));
    copied_or_written(copied, item, vec![to_value(item)].into())
}

/// Returns a field whose value is a mapping.
pub(super) fn field_text(list: &ResourceList<'_>, key: &'static str, node: Node<'_>) -> String {
    let copied = source_text(list, node, INDENT).map(|text| format!("{key}:\n{:INDENT$}{text}", ""));
    let value = Mapping::from_iter([(key.into(), to_value(node))]);
    copied_or_written(copied, node, value.into())
}

/// Returns a node's copied text if it parses as the same value. Otherwise, serializes the value.
fn copied_or_written(copied: Option<String>, node: Node<'_>, value: Value<'_>) -> String {
    let reads_as_value = |text: &String| {
        let read = read(node.span().source, text, &Limits::default());
        let is_sound = read.diagnostics.is_empty();
        is_sound && matches!(read.output.as_slice(), [document] if to_value(document.root()) == value)
    };
    let copied = copied.filter(reads_as_value);
    copied.unwrap_or_else(|| write(&value, LibraryStyle::Kubernetes))
}

/// Returns a node's source text up to the line on which the next node starts, reindented to `depth`, or `None` if the
/// node does not consist of whole lines.
fn source_text(list: &ResourceList<'_>, node: Node<'_>, depth: usize) -> Option<String> {
    let text = list.text;
    let start = node.span().start as usize;
    if !node.is_mapping() || text.get(start..)?.starts_with(['{', '&', '*', '!']) {
        return None;
    }
    let end = list.item_end(node).map_or(text.len(), |end| line_start(text, end as usize));
    let indent = start - line_start(text, start);
    let mut lines = text.get(start..end)?.lines().take_while(|line| !line.starts_with("---"));
    let mut copied = format!("{}\n", lines.next()?);
    for line in lines {
        let unindented = line.trim_start_matches(' ');
        let depth = (line.len() - unindented.len() + depth).saturating_sub(indent);
        if !unindented.is_empty() {
            copied.extend(iter::repeat_n(' ', depth));
            copied.push_str(unindented);
        }
        copied.push('\n');
    }
    Some(copied)
}

fn line_start(text: &str, offset: usize) -> usize {
    text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |line_break| line_break + 1)
}
