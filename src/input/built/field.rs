//! A field in an object, and its counterpart in another document.

use crate::diagnostic::Step;
use crate::source::{Sources, Span};
use crate::yaml::{Node, NodeValue};

/// Maximum number of list items to compare with a built item.
const MAX_COMPARED_ITEMS: usize = 100;

/// Position in an object: a key or a value.
pub(super) struct FieldPosition<'d> {
    sources: &'d Sources,
    pub(super) steps: Vec<Step<'d>>,
    /// Nodes on the path to the position.
    nodes: Vec<Node<'d>>,
    pub(super) node: Node<'d>,
    /// Whether the position is the key rather than the value.
    pub(super) is_key: bool,
    key_span: Option<Span>,
    span: Span,
}

impl<'d> FieldPosition<'d> {
    /// Returns the field at a span in the object.
    pub(super) fn at_span(root: Node<'d>, span: Span, sources: &'d Sources) -> Self {
        let (mut node, mut steps, mut nodes) = (root, Vec::new(), Vec::new());
        let contains_span = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        let (mut is_key, mut key_span) = (false, None);
        while !is_key && node.span() != span {
            let entry = node.entries().find(|entry| contains_span(entry.key_span) || contains_span(entry.value.span()));
            let item = || node.items().enumerate().find(|(_, item)| contains_span(item.span()));
            let next = match entry {
                Some(entry) => {
                    is_key = contains_span(entry.key_span);
                    key_span = Some(entry.key_span);
                    Some((Step::Key(entry.key), entry.value))
                }
                None => item().map(|(index, item)| (Step::Index(index), item)),
            };
            let Some((step, child)) = next else { break };
            steps.push(step);
            nodes.push(child);
            node = child;
        }
        Self { sources, steps, nodes, node, is_key, key_span, span }
    }

    /// Returns the span of the key or scalar at the position, or `None` for a collection.
    pub(super) fn written_span(&self) -> Option<Span> {
        match self.is_key {
            true => self.key_span,
            false => Some(self.node.span()).filter(|_| !self.is_collection()),
        }
    }

    /// Whether the field is a mapping or a list.
    pub(super) fn is_collection(&self) -> bool {
        matches!(self.node.value(), NodeValue::Mapping | NodeValue::Sequence)
    }

    /// Whether the field belongs to the object's metadata.
    pub(super) fn is_metadata(&self) -> bool {
        self.steps.first().and_then(|step| step.key()) == Some("metadata")
    }

    /// Whether the field identifies the object: its type, name or namespace.
    pub(super) fn is_identity(&self) -> bool {
        let keys: Vec<_> = self.steps.iter().map(|step| step.key().unwrap_or_default()).collect();
        matches!(keys.as_slice(), ["apiVersion" | "kind"] | ["metadata", "name" | "namespace"])
    }

    /// Whether the field's path contains one of `keys`.
    pub(super) fn is_below(&self, keys: &[&str]) -> bool {
        self.steps.iter().any(|step| step.key().is_some_and(|key| keys.contains(&key)))
    }

    /// Returns the name of the field, or of the list that contains it.
    pub(super) fn name(&self) -> &'d str {
        self.steps.iter().rev().find_map(|step| step.key()).unwrap_or_default()
    }

    /// Returns the span of the corresponding field below another root, if that field has the same value.
    pub(super) fn find(&self, root: Node<'_>) -> Option<Span> {
        self.find_last(root, self.steps.len())
    }

    /// Returns the span of the field that is reached by the last `count` steps below another root, if that field has
    /// the same value.
    pub(super) fn find_last(&self, root: Node<'_>, count: usize) -> Option<Span> {
        self.span_below(root, None, self.steps.len().checked_sub(count)?)
    }

    /// Returns the span of the field that is reached by the steps from index `number` onward.
    fn span_below(&self, root: Node<'_>, key: Option<Span>, number: usize) -> Option<Span> {
        match self.steps.get(number) {
            None if !are_similar(root, self.node) => None,
            None => Some(key.filter(|_| self.is_key).unwrap_or_else(|| self.span_within(root))),
            Some(Step::Key(key)) => {
                let entry = root.entry(key)?;
                self.span_below(entry.value, Some(entry.key_span), number + 1)
            }
            Some(Step::Index(index)) => {
                let mut items = self.items(root, number, *index);
                items.find_map(|item| self.span_below(item, None, number + 1))
            }
        }
    }

    /// Returns the items that may correspond to a step, starting with the most likely one. The index alone is not
    /// enough, because patches insert and remove items.
    fn items<'n>(&self, list: Node<'n>, number: usize, index: usize) -> impl Iterator<Item = Node<'n>> {
        let built_node = self.nodes.get(number).copied();
        let compared_items = || list.items().take(MAX_COMPARED_ITEMS);
        let equal_item = compared_items().find(|item| built_node.is_some_and(|built_node| item.equals(built_node)));
        let is_open = equal_item.is_none() && !self.is_collection();
        let other_items = compared_items().filter(move |_| is_open);
        equal_item.into_iter().chain(list.item(index)).chain(other_items)
    }

    /// Returns the closest key or item below another root that corresponds to the field or one of its ancestors.
    pub(super) fn closest_span(&self, root: Node<'_>) -> Span {
        let (mut node, mut span) = (root, first_key(root));
        for step in &self.steps {
            let Some((key, below)) = follow(node, *step) else {
                return span;
            };
            span = key.unwrap_or_else(|| below.span());
            node = below;
        }
        if self.is_key { span } else { self.span_within(node) }
    }

    /// Returns the start and end offsets of the position in the decoded value, or `None` if the position is the entire
    /// value. The value must be base64-encoded, possibly on several lines.
    pub(super) fn base64_offsets(&self) -> Option<[usize; 2]> {
        let (whole_span, raw_value) = (self.node.span(), self.raw_text(self.node));
        let offset = |at: u32| {
            let before = raw_value.get(..at.checked_sub(whole_span.start)? as usize)?;
            let digits =
                before.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
            let digits = digits.count();
            Some(digits / 4 * 3 + digits % 4)
        };
        (self.span != whole_span && !self.is_key).then_some([offset(self.span.start)?, offset(self.span.end)?])
    }

    /// Returns the source text of a node.
    pub(super) fn raw_text<'n>(&'n self, node: Node<'n>) -> &'n str {
        raw_text(node, self.sources)
    }

    /// Returns the span in `node` that corresponds to this field's span in its own node.
    fn span_within(&self, node: Node<'_>) -> Span {
        let (other_span, own_span) = (node.span(), self.node.span());
        if self.is_key || self.span == own_span {
            return other_span;
        }
        let offset = self.span.start.saturating_sub(own_span.start);
        let (from, to) = (self.raw_text(self.node), self.raw_text(node));
        let offset = match from == to {
            true => Some(offset),
            false => offset_in_block(from, offset as usize, to).and_then(|offset| u32::try_from(offset).ok()),
        };
        let start = offset.map(|offset| other_span.start + offset);
        start.map_or(other_span, |start| other_span.with(start, start + (self.span.end - self.span.start)))
    }
}

/// Returns the source text of a node, which is available only for nodes of an inline patch.
fn raw_text<'n>(node: Node<'n>, sources: &'n Sources) -> &'n str {
    let in_source = || sources.get(node.span().source)?.text.get(node.span().bytes());
    Some(node.raw()).filter(|text| !text.is_empty()).or_else(in_source).unwrap_or_default()
}

/// Returns the offset in the block scalar `to` that corresponds to an offset in the block scalar `from`, or `None` if
/// their lines differ. The scalars may be indented differently.
fn offset_in_block(from: &str, offset: usize, to: &str) -> Option<usize> {
    let is_block = from.starts_with('|') && to.starts_with('|');
    let before = from.get(..offset).filter(|_| is_block)?;
    let number = before.matches('\n').count();
    let start = before.rfind('\n')? + 1;
    let indentation = |block: &str| {
        let first = block.lines().skip(1).find(|line| !line.trim().is_empty())?;
        Some(first.len() - first.trim_start_matches(' ').len())
    };
    let (from_indentation, to_indentation) = (indentation(from)?, indentation(to)?);
    let line = to.split_inclusive('\n').nth(number)?;
    let is_same = from.get(start..)?.lines().next()?.get(from_indentation..) == line.trim_end().get(to_indentation..);
    let to_start: usize = to.split_inclusive('\n').take(number).map(str::len).sum();
    let column = offset.checked_sub(start + from_indentation).filter(|_| is_same)?;
    Some(to_start + to_indentation + column)
}

fn follow<'d>(node: Node<'d>, step: Step<'_>) -> Option<(Option<Span>, Node<'d>)> {
    match step {
        Step::Key(key) => node.entry(key).map(|entry| (Some(entry.key_span), entry.value)),
        Step::Index(index) => node.item(index).map(|item| (None, item)),
    }
}

/// Returns the spans of the key and value of the field that covers exactly `span`, or `None` if no field covers it.
pub(super) fn entry_spans(root: Node<'_>, span: Span) -> Option<(Span, Span)> {
    let mut node = root;
    loop {
        let contains_span = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        if let Some(entry) = node.entries().find(|entry| entry.key_span.start == span.start) {
            let value = entry.value.span();
            return (value.end == span.end && value.start > span.start).then_some((entry.key_span, value));
        }
        let below =
            node.entries().map(|entry| entry.value).chain(node.items()).find(|below| contains_span(below.span()));
        node = below?;
    }
}

/// Returns the span of a mapping's first key, because the span of the entire object would be too large to show.
pub(super) fn first_key(root: Node<'_>) -> Span {
    root.entries().next().map_or(root.span(), |entry| entry.key_span)
}

/// Whether two scalars are equal, or two collections have the same type.
fn are_similar(a: Node<'_>, b: Node<'_>) -> bool {
    // The built value may result from variable substitution.
    let is_template = || {
        b.entries().next().is_none() && b.items().next().is_none() && a.as_str().is_some_and(|text| text.contains("${"))
    };
    a.value() == b.value() || is_template()
}

#[cfg(test)]
mod tests {
    use super::offset_in_block;

    #[test]
    fn maps_offsets_between_block_scalars() {
        let (from, to) = ("|-\n    a: b\n\n      c: d", "|\n  a: b\n\n    c: d\n");
        let c = from.find('c').unwrap();
        assert_eq!(offset_in_block(from, c, to), to.find('c'));
        assert_eq!(offset_in_block(from, c, "|\n  a: b\n\n    x: d\n"), None);
        assert_eq!(offset_in_block(from, c, "\"a: b\""), None);
        assert_eq!(offset_in_block("|\n  a", 0, "|\n a"), None);
    }
}
