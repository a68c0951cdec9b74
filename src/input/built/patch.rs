//! Strategic merge patches and JSON Patch operations.

use std::borrow::Cow;

use super::field::FieldPosition;
use super::object::BuiltObject;
use crate::diagnostic::Step;
use crate::source::Span;
use crate::yaml::{Limits, Node, read};

/// Maximum size of an inline patch, which is parsed again for every finding.
const MAX_BYTES: usize = 64 << 10;

/// Returns the span in a patch that sets a field. `is_meant` is true if the patch has a target that matches this
/// object.
pub(super) fn patch_field_span(
    root: Node<'_>,
    is_meant: bool,
    object: &BuiltObject<'_>,
    field: &FieldPosition<'_>,
) -> Option<Span> {
    if root.items().len() > 0 {
        let operations: Vec<_> = root.items().filter(|_| is_meant).collect();
        return operations.into_iter().rev().find_map(|operation| operation_field_span(operation, field));
    }
    // A patch identifies the object that it changes.
    if field.is_identity() {
        return None;
    }
    let is_own = object.is_referred_to_by(root.text("kind"), root.text("metadata.name"));
    (is_meant || is_own).then(|| field.find(root)).flatten()
}

/// Returns the span in an inline patch that sets a field.
pub(super) fn inline_patch_field_span(
    node: Node<'_>,
    is_meant: bool,
    object: &BuiltObject<'_>,
    field: &FieldPosition<'_>,
) -> Option<Span> {
    let text = node.as_str().filter(|text| text.len() <= MAX_BYTES && text.contains(field.name()))?;
    let documents = read(node.span().source, text, &Limits::default()).output;
    let mut spans = documents.iter().filter_map(|document| patch_field_span(document.root(), is_meant, object, field));
    spans.next().map(|inner| outer_span(node.span(), field.raw_text(node), text, inner))
}

/// Maps a span in a string to a span in the source, where the string is written as `raw` and may be indented. Returns
/// `whole`, the span of the string, if the position is unknown.
fn outer_span(whole: Span, raw: &str, text: &str, inner: Span) -> Span {
    let before = text.get(..inner.start as usize).unwrap_or_default();
    let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.lines().nth(before.matches('\n').count()).unwrap_or_default();
    let at = raw.split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line))
    });
    // The first line of a block scalar is its header.
    let mut lines = at.skip(usize::from(raw.starts_with(['|', '>'])));
    let written_line = lines.nth(before.matches('\n').count());
    let start = written_line.and_then(|(start, written)| Some(start + written.find(line)? + column));
    match start.and_then(|start| u32::try_from(start).ok()) {
        Some(start) if !line.is_empty() => {
            let start = whole.start + start;
            let length = (inner.end - inner.start).min(u32::try_from(line.len() - column).unwrap_or_default());
            whole.with(start, start + length)
        }
        _ => whole,
    }
}

/// Returns the span in an operation that adds, replaces or tests the field or one of its ancestors.
fn operation_field_span(operation: Node<'_>, field: &FieldPosition<'_>) -> Option<Span> {
    let is_set = matches!(operation.text("op"), "add" | "replace" | "test");
    let value = operation.get("value").filter(|_| is_set)?;
    let mut count = 0;
    for part in operation.text("path").split('/').skip(1) {
        if !matches_step(*field.steps.get(count)?, part) {
            return None;
        }
        count += 1;
    }
    let set = field.find_last(value, field.steps.len() - count)?;
    // The key of the value being set appears only in the operation's `path`.
    let path = operation.get("path").filter(|_| field.is_key && count == field.steps.len());
    Some(path.map_or(set, Node::span))
}

/// Whether a part of a JSON Pointer matches a step. List indices are not compared, because added items shift subsequent
/// items.
fn matches_step(step: Step<'_>, part: &str) -> bool {
    match step {
        Step::Key(key) => unescape(part) == key,
        Step::Index(_) => part == "-" || part.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

fn unescape(part: &str) -> Cow<'_, str> {
    match part.contains('~') {
        true => part.replace("~1", "/").replace("~0", "~").into(),
        false => part.into(),
    }
}
