//! A field in an object, and its counterpart in another document.

use crate::diagnostic::Step;
use crate::source::{Sources, Span};
use crate::yaml::{Node, NodeValue};

/// Maximum number of list items to compare with a built item.
const FEW: usize = 100;

/// A position in an object.
pub(super) struct FieldPosition<'d> {
    sources: &'d Sources,
    pub(super) steps: Vec<Step<'d>>,
    /// Nodes along the path.
    nodes: Vec<Node<'d>>,
    pub(super) node: Node<'d>,
    /// Whether the position is the key rather than the value.
    pub(super) is_key: bool,
    key_span: Option<Span>,
    span: Span,
}

impl<'d> FieldPosition<'d> {
    /// Returns the field at a span in the object.
    pub(super) fn at(root: Node<'d>, span: Span, sources: &'d Sources) -> Self {
        let (mut node, mut steps, mut nodes) = (root, Vec::new(), Vec::new());
        let is_around = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        let (mut is_key, mut key_span) = (false, None);
        while !is_key && node.span() != span {
            let entry = node.entries().find(|entry| is_around(entry.key_span) || is_around(entry.value.span()));
            let item = || node.items().enumerate().find(|(_, item)| is_around(item.span()));
            let next = match entry {
                Some(entry) => {
                    is_key = is_around(entry.key_span);
                    key_span = Some(entry.key_span);
                    Some((Step::Key(entry.key), entry.value))
                }
                None => item().map(|(index, item)| (Step::Index(index), item)),
            };
            let Some((step, below)) = next else { break };
            steps.push(step);
            nodes.push(below);
            node = below;
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

    /// Whether the field's path contains one of `keys`.
    pub(super) fn is_below(&self, keys: &[&str]) -> bool {
        self.steps.iter().any(|step| step.key().is_some_and(|key| keys.contains(&key)))
    }

    /// Returns the name of the field, or of the list that contains it.
    pub(super) fn name(&self) -> &'d str {
        self.steps.iter().rev().find_map(|step| step.key()).unwrap_or_default()
    }

    /// Returns the span of the field below another root if the field has the same value there.
    pub(super) fn find(&self, root: Node<'_>) -> Option<Span> {
        self.find_last(root, self.steps.len())
    }

    /// Returns the span of the field that the last `count` steps lead to below another root, if it has the same value
    /// there.
    pub(super) fn find_last(&self, root: Node<'_>, count: usize) -> Option<Span> {
        self.below(root, None, self.steps.len().checked_sub(count)?)
    }

    /// Returns the span of the field that the steps from index `number` onward lead to.
    fn below(&self, root: Node<'_>, key: Option<Span>, number: usize) -> Option<Span> {
        match self.steps.get(number) {
            None if !is_same(root, self.node) => None,
            None => Some(key.filter(|_| self.is_key).unwrap_or_else(|| self.within(root))),
            Some(Step::Key(key)) => {
                let entry = root.entry(key)?;
                self.below(entry.value, Some(entry.key_span), number + 1)
            }
            Some(Step::Index(index)) => {
                let mut items = self.items(root, number, *index);
                items.find_map(|item| self.below(item, None, number + 1))
            }
        }
    }

    /// Returns the items that may correspond to a step, the most likely first. The index alone is not enough, because
    /// patches insert and remove items.
    fn items<'n>(&self, list: Node<'n>, number: usize, index: usize) -> impl Iterator<Item = Node<'n>> {
        let built = self.nodes.get(number).copied();
        let few = || list.items().take(FEW);
        let equal = few().find(|item| built.is_some_and(|built| item.equals(built)));
        let is_open = equal.is_none() && !self.is_collection();
        let others = few().filter(move |_| is_open);
        equal.into_iter().chain(list.item(index)).chain(others)
    }

    /// Returns the key or item of the closest ancestor of the field, or of the field itself, that exists below another
    /// root.
    pub(super) fn closest(&self, root: Node<'_>) -> Span {
        let (mut node, mut span) = (root, first_key(root));
        for step in &self.steps {
            let Some((key, below)) = follow(node, *step) else {
                return span;
            };
            span = key.unwrap_or_else(|| below.span());
            node = below;
        }
        if self.is_key { span } else { self.within(node) }
    }

    /// Returns the offsets in the decoded value of the position's start and end, or `None` if the position is the whole
    /// value. The value must be written in base64, possibly on several lines.
    pub(super) fn base64_offsets(&self) -> Option<[usize; 2]> {
        let (whole, raw) = (self.node.span(), self.raw(self.node));
        let offset = |at: u32| {
            let before = raw.get(..at.checked_sub(whole.start)? as usize)?;
            let digits =
                before.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
            let digits = digits.count();
            Some(digits / 4 * 3 + (digits % 4).min(2))
        };
        (self.span != whole && !self.is_key).then_some([offset(self.span.start)?, offset(self.span.end)?])
    }

    /// Returns the source text of a node.
    pub(super) fn raw<'n>(&'n self, node: Node<'n>) -> &'n str {
        raw(node, self.sources)
    }

    /// Returns the span in `node` that corresponds to this field's span in its own node.
    fn within(&self, node: Node<'_>) -> Span {
        let (there, here) = (node.span(), self.node.span());
        if self.is_key || self.span == here || self.raw(node) != self.raw(self.node) {
            return there;
        }
        let start = there.start + self.span.start.saturating_sub(here.start);
        there.with(start, start + (self.span.end - self.span.start))
    }
}

/// Returns the source text of a node. Only the nodes of an inline patch contain it themselves.
fn raw<'n>(node: Node<'n>, sources: &'n Sources) -> &'n str {
    let in_source = || sources.get(node.span().source)?.text.get(node.span().bytes());
    Some(node.raw()).filter(|text| !text.is_empty()).or_else(in_source).unwrap_or_default()
}

fn follow<'d>(node: Node<'d>, step: Step<'_>) -> Option<(Option<Span>, Node<'d>)> {
    match step {
        Step::Key(key) => node.entry(key).map(|entry| (Some(entry.key_span), entry.value)),
        Step::Index(index) => node.item(index).map(|item| (None, item)),
    }
}

/// Returns the spans of the key and value of the field that covers exactly `span`, or `None` if there is no such field.
pub(super) fn entry_spans(root: Node<'_>, span: Span) -> Option<(Span, Span)> {
    let mut node = root;
    loop {
        let is_around = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        if let Some(entry) = node.entries().find(|entry| entry.key_span.start == span.start) {
            let value = entry.value.span();
            return (value.end == span.end && value.start > span.start).then_some((entry.key_span, value));
        }
        let below = node.entries().map(|entry| entry.value).chain(node.items()).find(|below| is_around(below.span()));
        node = below?;
    }
}

/// Returns the span of a mapping's first key, because an entire object is too much to show.
pub(super) fn first_key(root: Node<'_>) -> Span {
    root.entries().next().map_or(root.span(), |entry| entry.key_span)
}

/// Whether two scalars are equal, or two collections have the same type.
fn is_same(a: Node<'_>, b: Node<'_>) -> bool {
    // The built value may be the result of substituting variables.
    let is_template = || {
        b.entries().next().is_none() && b.items().next().is_none() && a.as_str().is_some_and(|text| text.contains("${"))
    };
    a.value() == b.value() || is_template()
}
