//! The tree of a document: an arena of nodes, each with the bytes it was read from.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::mem;

use super::order::{FEW, Orders};
use crate::source::{SourceId, Span};

/// The place of a node in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// A stretch of the arena's entries or items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stretch {
    start: u32,
    len: u32,
}

impl Stretch {
    fn of<T>(self, arena: &[T]) -> &[T] {
        let start = self.start as usize;
        arena.get(start..start + self.len as usize).unwrap_or_default()
    }
}

/// What a node holds.
#[derive(Clone, PartialEq)]
pub(super) enum Content<'s> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Cow<'s, str>),
    Sequence(Stretch),
    Mapping(Stretch),
}

impl Content<'_> {
    /// A scalar of JSON; a list or a mapping counts as null.
    fn of_scalar(scalar: &serde_json::Value) -> Self {
        match scalar {
            serde_json::Value::Bool(value) => Content::Bool(*value),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(whole) => Content::Int(whole),
                None => Content::Float(number.as_f64().unwrap_or_default()),
            },
            serde_json::Value::String(text) => Content::String(Cow::Owned(text.clone())),
            _ => Content::Null,
        }
    }
}

#[derive(Clone, PartialEq)]
struct Slot<'s> {
    start: u32,
    end: u32,
    content: Content<'s>,
}

#[derive(Clone, PartialEq)]
struct Pair<'s> {
    key: Cow<'s, str>,
    start: u32,
    end: u32,
    value: NodeId,
}

/// One document of an input: its tree, by the rules Kubernetes reads YAML with (scalars resolved, aliases and merge
/// keys expanded, keys converted to strings as JSON has them).
///
/// It can hold secret values, so its `Debug` leaves out the text.
#[derive(Clone, PartialEq)]
pub struct Document<'s> {
    source: SourceId,
    slots: Vec<Slot<'s>>,
    pairs: Vec<Pair<'s>>,
    items: Vec<NodeId>,
    root: NodeId,
    /// The places of what could not be read: an alias without an anchor, a key that is a collection.
    unreadable: BTreeSet<(u32, u32)>,
    orders: Orders,
}

impl<'s> Document<'s> {
    /// Whether there is only something in a node that could not be read: what it holds is not known.
    pub fn is_unknown(&self, node: Node<'_>) -> bool {
        let Span { start, end, .. } = node.span();
        let is_inside = || {
            let mut behind = self.unreadable.range((start, 0)..);
            behind.next().is_some_and(|(_, unreadable)| *unreadable <= end)
        };
        !self.unreadable.is_empty() && node.entries().len() == 0 && node.items().len() == 0 && is_inside()
    }

    /// Whether there is something in it that could not be read.
    pub fn has_unknown(&self) -> bool {
        !self.unreadable.is_empty()
    }

    /// The outermost node.
    pub fn root(&self) -> Node<'_> {
        self.node(self.root)
    }

    /// The node of this number.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node { document: self, id }
    }

    /// Its source.
    pub fn source(&self) -> SourceId {
        self.source
    }

    fn entry<'d>(&'d self, pair: &'d Pair<'_>) -> Entry<'d> {
        Entry {
            key: &pair.key,
            key_span: Span {
                source: self.source,
                start: pair.start,
                end: pair.end,
            },
            value: self.node(pair.value),
        }
    }

    /// Takes out what admission prunes and puts in what it defaults.
    pub fn apply(&mut self, mut edits: Edits) {
        self.orders = Orders::default();
        for (node, scalar) in edits.replaced {
            if let Some(slot) = self.slots.get_mut(node.0 as usize) {
                slot.content = Content::of_scalar(&scalar);
            }
        }
        edits.removed.sort_unstable();
        for removed in edits.removed.chunk_by(|a, b| a.0 == b.0) {
            let Some((mapping, _)) = removed.first() else { continue };
            let is_removed = |pair: &Pair| removed.binary_search_by(|(_, key)| (**key).cmp(&*pair.key)).is_ok();
            self.rebuild(*mapping, |pairs| pairs.retain(|pair| !is_removed(pair)));
        }
        for (mapping, key, default) in edits.added {
            let (start, end) = self
                .slots
                .get(mapping.0 as usize)
                .map_or((0, 0), |slot| (slot.start, slot.end));
            let value = self.copy_in(&default, start, end);
            self.rebuild(mapping, |pairs| {
                pairs.retain(|pair| pair.key != key);
                pairs.push(Pair {
                    key: Cow::Owned(key),
                    start,
                    end,
                    value,
                });
            });
        }
    }

    /// Replaces the entries of a mapping by what `change` makes of them, at the end of the arena.
    fn rebuild(&mut self, mapping: NodeId, change: impl FnOnce(&mut Vec<Pair<'s>>)) {
        let Some(Slot {
            content: Content::Mapping(stretch),
            ..
        }) = self.slots.get(mapping.0 as usize)
        else {
            return;
        };
        let mut pairs = stretch.of(&self.pairs).to_vec();
        change(&mut pairs);
        let stretch = append(&mut self.pairs, pairs);
        if let Some(slot) = self.slots.get_mut(mapping.0 as usize) {
            slot.content = Content::Mapping(stretch);
        }
    }

    /// Builds nodes for a JSON value that no text has: they get the span of the mapping they are put into.
    fn copy_in(&mut self, value: &serde_json::Value, start: u32, end: u32) -> NodeId {
        let content = match value {
            serde_json::Value::Array(values) => {
                let items: Vec<_> = values.iter().map(|v| self.copy_in(v, start, end)).collect();
                Content::Sequence(append(&mut self.items, items))
            }
            serde_json::Value::Object(entries) => {
                let pairs: Vec<_> = entries
                    .iter()
                    .map(|(key, v)| Pair {
                        key: Cow::Owned(key.clone()),
                        start,
                        end,
                        value: self.copy_in(v, start, end),
                    })
                    .collect();
                Content::Mapping(append(&mut self.pairs, pairs))
            }
            scalar => Content::of_scalar(scalar),
        };
        push_slot(&mut self.slots, Slot { start, end, content })
    }
}

fn append<T>(arena: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Stretch {
    let start = arena.len();
    arena.extend(items);
    Stretch {
        start: clamp(start),
        len: clamp(arena.len() - start),
    }
}

fn push_slot<'s>(slots: &mut Vec<Slot<'s>>, slot: Slot<'s>) -> NodeId {
    slots.push(slot);
    NodeId(clamp(slots.len() - 1))
}

fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// What admission changes in a document: it prunes unknown fields, sets defaults, and replaces what it refuses.
#[derive(Debug, Default)]
pub struct Edits {
    replaced: Vec<(NodeId, serde_json::Value)>,
    removed: Vec<(NodeId, String)>,
    added: Vec<(NodeId, String, serde_json::Value)>,
}

impl Edits {
    /// Takes a key out of a mapping.
    pub fn remove(&mut self, mapping: Node<'_>, key: impl Into<String>) {
        self.removed.push((mapping.id, key.into()));
    }

    /// Sets a key of a mapping.
    pub fn set(&mut self, mapping: Node<'_>, key: impl Into<String>, value: serde_json::Value) {
        self.added.push((mapping.id, key.into(), value));
    }

    /// Puts a scalar in the place of a node.
    pub fn replace(&mut self, node: Node<'_>, scalar: serde_json::Value) {
        self.replaced.push((node.id, scalar));
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.replaced.is_empty()
    }
}

/// A node of a document.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    id: NodeId,
}

/// What a node holds. A number that JSON would write without a fraction and that fits is an `Int`, as the API server
/// decodes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeValue<'d> {
    /// `null`, `~`, or nothing.
    Null,
    /// A boolean of YAML 1.1.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    String(&'d str),
    /// A list: see [`Node::items`].
    Sequence,
    /// A mapping: see [`Node::entries`].
    Mapping,
}

/// A key and its value.
#[derive(Clone, Copy)]
pub struct Entry<'d> {
    /// The key as JSON has it.
    pub key: &'d str,
    /// The place of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node<'d>,
}

impl<'d> Node<'d> {
    /// What it holds.
    pub fn value(self) -> NodeValue<'d> {
        match self.content() {
            None | Some(Content::Null) => NodeValue::Null,
            Some(Content::Bool(b)) => NodeValue::Bool(*b),
            Some(Content::Int(i)) => NodeValue::Int(*i),
            Some(Content::Float(f)) => NodeValue::Float(*f),
            Some(Content::String(s)) => NodeValue::String(s),
            Some(Content::Sequence(_)) => NodeValue::Sequence,
            Some(Content::Mapping(_)) => NodeValue::Mapping,
        }
    }

    /// Its number.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Its place. A block scalar's span includes its indicator.
    pub fn span(self) -> Span {
        let (start, end) = self.slot().map_or((0, 0), |slot| (slot.start, slot.end));
        Span {
            source: self.document.source,
            start,
            end,
        }
    }

    /// The text of a string node.
    pub fn as_str(self) -> Option<&'d str> {
        match self.value() {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.value() == NodeValue::Null
    }

    /// Whether it is a mapping.
    pub fn is_mapping(self) -> bool {
        self.value() == NodeValue::Mapping
    }

    /// The entries of a mapping, in the order of the text; none for another node.
    pub fn entries(self) -> impl ExactSizeIterator<Item = Entry<'d>> + Clone {
        let document = self.document;
        self.pairs().iter().map(move |pair| document.entry(pair))
    }

    /// The items of a list; none for another node.
    pub fn items(self) -> impl ExactSizeIterator<Item = Node<'d>> + Clone {
        let document = self.document;
        self.item_ids().iter().map(move |&id| document.node(id))
    }

    /// The item of a list at this index, without walking those in front of it.
    pub fn item(self, index: usize) -> Option<Node<'d>> {
        let id = self.item_ids().get(index)?;
        Some(self.document.node(*id))
    }

    fn item_ids(self) -> &'d [NodeId] {
        match self.content() {
            Some(Content::Sequence(stretch)) => stretch.of(&self.document.items),
            _ => &[],
        }
    }

    /// The value of a key of a mapping.
    pub fn get(self, key: &str) -> Option<Node<'d>> {
        self.entry(key).map(|entry| entry.value)
    }

    /// The entry of a key of a mapping.
    pub fn entry(self, key: &str) -> Option<Entry<'d>> {
        let pairs = self.pairs();
        let key_at = |at: &u32| pairs.get(*at as usize).map(|pair| &*pair.key);
        let sorted = || {
            let mut positions: Vec<_> = (0..clamp(pairs.len())).collect();
            positions.sort_by_key(key_at);
            positions
        };
        let order = (pairs.len() > FEW).then(|| self.document.orders.of(self.id.0, sorted));
        let pair = match order.flatten() {
            Some(order) => {
                let place = order.partition_point(|at| key_at(at) < Some(key));
                pairs.get(*order.get(place)? as usize).filter(|pair| pair.key == key)
            }
            None => pairs.iter().find(|pair| pair.key == key),
        };
        pair.map(|pair| self.document.entry(pair))
    }

    fn slot(self) -> Option<&'d Slot<'d>> {
        self.document.slots.get(self.id.0 as usize)
    }

    fn content(self) -> Option<&'d Content<'d>> {
        self.slot().map(|slot| &slot.content)
    }

    fn pairs(self) -> &'d [Pair<'d>] {
        match self.content() {
            Some(Content::Mapping(stretch)) => stretch.of(&self.document.pairs),
            _ => &[],
        }
    }
}

impl std::fmt::Debug for Node<'_> {
    /// Writes the kind and place only: a node may hold a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.value() {
            NodeValue::Null => "null",
            NodeValue::Bool(_) => "boolean",
            NodeValue::Int(_) => "integer",
            NodeValue::Float(_) => "number",
            NodeValue::String(_) => "string",
            NodeValue::Sequence => "array",
            NodeValue::Mapping => "object",
        };
        let span = self.span();
        write!(f, "{kind}@{}..{}", span.start, span.end)
    }
}

impl std::fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Document({:?}, {} nodes)", self.root(), self.slots.len())
    }
}

/// Builds a document from the inside out: children first, then the collection that holds them.
#[derive(Debug)]
pub(super) struct DocumentBuilder<'s>(Document<'s>);

impl<'s> DocumentBuilder<'s> {
    /// A builder for a document of this input.
    pub(super) fn new(source: SourceId) -> Self {
        Self(Document {
            source,
            slots: Vec::new(),
            pairs: Vec::new(),
            items: Vec::new(),
            root: NodeId(0),
            unreadable: BTreeSet::new(),
            orders: Orders::default(),
        })
    }

    /// Marks what could not be read.
    pub(super) fn unreadable(&mut self, at: Span) {
        self.0.unreadable.insert((at.start, at.end));
    }

    /// Adds a scalar.
    pub(super) fn scalar(&mut self, span: Span, content: Content<'s>) -> NodeId {
        let (start, end) = (span.start, span.end);
        push_slot(&mut self.0.slots, Slot { start, end, content })
    }

    /// Adds a list of nodes added before.
    pub(super) fn sequence(&mut self, span: Span, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        let stretch = append(&mut self.0.items, items);
        self.scalar(span, Content::Sequence(stretch))
    }

    /// Adds a mapping of keys (with their places) to nodes added before.
    pub(super) fn mapping(
        &mut self,
        span: Span,
        entries: impl IntoIterator<Item = (Cow<'s, str>, Span, NodeId)>,
    ) -> NodeId {
        let pairs = entries.into_iter().map(|(key, at, value)| Pair {
            key,
            start: at.start,
            end: at.end,
            value,
        });
        let stretch = append(&mut self.0.pairs, pairs);
        self.scalar(span, Content::Mapping(stretch))
    }

    /// Adds a copy of a node and of all that it holds, as an alias stands for; it keeps the places of the original.
    pub(super) fn copy(&mut self, node: NodeId) -> NodeId {
        let Some(slot) = self.0.slots.get(node.0 as usize).cloned() else {
            return node;
        };
        let content = match slot.content {
            Content::Sequence(stretch) => {
                let mut items = stretch.of(&self.0.items).to_vec();
                for item in &mut items {
                    *item = self.copy(*item);
                }
                Content::Sequence(append(&mut self.0.items, items))
            }
            Content::Mapping(stretch) => {
                let mut pairs = stretch.of(&self.0.pairs).to_vec();
                for pair in &mut pairs {
                    pair.value = self.copy(pair.value);
                }
                Content::Mapping(append(&mut self.0.pairs, pairs))
            }
            content => content,
        };
        push_slot(&mut self.0.slots, Slot { content, ..slot })
    }

    /// The entries of a mapping added before; `None` for another node.
    pub(super) fn entries(&self, mapping: NodeId) -> Option<impl Iterator<Item = (Cow<'s, str>, Span, NodeId)>> {
        let Content::Mapping(stretch) = self.0.slots.get(mapping.0 as usize)?.content else {
            return None;
        };
        let source = self.0.source;
        let entry = move |pair: &Pair<'s>| {
            let (start, end) = (pair.start, pair.end);
            (pair.key.clone(), Span { source, start, end }, pair.value)
        };
        Some(stretch.of(&self.0.pairs).iter().map(entry))
    }

    /// The items of a list added before; `None` for another node.
    pub(super) fn items(&self, sequence: NodeId) -> Option<&[NodeId]> {
        match self.0.slots.get(sequence.0 as usize)?.content {
            Content::Sequence(stretch) => Some(stretch.of(&self.0.items)),
            _ => None,
        }
    }

    /// The place of a node added before.
    pub(super) fn span(&self, node: NodeId) -> Span {
        self.0.node(node).span()
    }

    /// The finished document, with no more memory than it takes, since it is kept for long. The builder begins anew.
    pub(super) fn finish(&mut self, root: NodeId) -> Document<'s> {
        Document {
            source: self.0.source,
            slots: self.0.slots.drain(..).collect(),
            pairs: self.0.pairs.drain(..).collect(),
            items: self.0.items.drain(..).collect(),
            unreadable: mem::take(&mut self.0.unreadable),
            orders: Orders::default(),
            root,
        }
    }

    /// Drops what was added.
    pub(super) fn clear(&mut self) {
        self.0.slots.clear();
        self.0.pairs.clear();
        self.0.items.clear();
        self.0.unreadable.clear();
    }
}
