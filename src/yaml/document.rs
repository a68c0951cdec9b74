//! Arena for the nodes of a document, with their source spans, entries and items. In a generated document, thousands of
//! keys may be looked up in one mapping, so the arena also caches the key order of large mappings.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::mem;
use std::sync::OnceLock;

use crate::source::{SourceId, Span};

/// Index of a node in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// A range in an arena of entries or items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slice {
    start: u32,
    len: u32,
}

impl Slice {
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    pub(super) fn get<T>(self, arena: &[T]) -> &[T] {
        self.get_after(0, arena)
    }

    /// Returns the elements in this range. `arena` is the part of an arena after its first `before` elements.
    pub(super) fn get_after<T>(self, before: usize, arena: &[T]) -> &[T] {
        let start = (self.start as usize).checked_sub(before);
        start.and_then(|start| arena.get(start..start + self.len())).unwrap_or_default()
    }
}

#[derive(Clone, PartialEq)]
pub(super) enum NodeContent<'s> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Cow<'s, str>),
    /// Items and size of the list.
    Sequence(Slice, u32),
    /// Entries and size of the mapping.
    Mapping(Slice, u32),
}

/// A node: its source span and its content.
#[derive(Clone, PartialEq)]
pub(super) struct NodeData<'s> {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) content: NodeContent<'s>,
}

impl NodeData<'_> {
    fn into_owned(self) -> NodeData<'static> {
        let content = match self.content {
            NodeContent::Null => NodeContent::Null,
            NodeContent::Bool(value) => NodeContent::Bool(value),
            NodeContent::Int(value) => NodeContent::Int(value),
            NodeContent::Float(value) => NodeContent::Float(value),
            NodeContent::String(text) => NodeContent::String(Cow::Owned(text.into_owned())),
            NodeContent::Sequence(items, size) => NodeContent::Sequence(items, size),
            NodeContent::Mapping(entries, size) => NodeContent::Mapping(entries, size),
        };
        NodeData { start: self.start, end: self.end, content }
    }
}

/// An entry in a mapping, with the span of its key.
#[derive(Clone, PartialEq)]
pub(super) struct MapEntry<'s> {
    pub(super) key: Cow<'s, str>,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) value: NodeId,
}

impl<'s> MapEntry<'s> {
    pub(super) fn new(key: Cow<'s, str>, span: Span, value: NodeId) -> Self {
        let (start, end) = (span.start, span.end);
        Self { key, start, end, value }
    }

    fn into_owned(self) -> MapEntry<'static> {
        MapEntry { key: Cow::Owned(self.key.into_owned()), start: self.start, end: self.end, value: self.value }
    }
}

/// A document in the input as a tree, built according to Kubernetes' rules for YAML: scalars are resolved, aliases and
/// merge keys are expanded, and keys are converted to strings as in JSON. The tree is built bottom-up: children precede
/// the collection that contains them.
///
/// A document can contain secret values, so `Debug` omits its text.
#[derive(Clone, PartialEq)]
pub struct Document<'s> {
    pub(super) source: SourceId,
    /// Entire source that the document was read from.
    pub(super) text: &'s str,
    /// Whether the document has aliases. If so, a part of the source may define several values.
    pub(super) has_aliases: bool,
    pub(super) slots: Vec<NodeData<'s>>,
    pub(super) pairs: Vec<MapEntry<'s>>,
    pub(super) items: Vec<NodeId>,
    pub(super) root: NodeId,
    /// Spans of values that could not be parsed: an alias without an anchor, or a key that is a collection.
    pub(super) unreadable_spans: BTreeSet<(u32, u32)>,
    /// Keys that were removed because of null values, each with its mapping.
    pub(super) dropped_nulls: Vec<(NodeId, MapEntry<'s>)>,
    pub(super) orders: Orders,
}

impl<'s> Document<'s> {
    /// Creates an empty document for an input.
    pub(super) fn new(source: SourceId, text: &'s str) -> Self {
        Self {
            source,
            text,
            has_aliases: false,
            slots: Vec::new(),
            pairs: Vec::new(),
            items: Vec::new(),
            root: NodeId(0),
            unreadable_spans: BTreeSet::new(),
            dropped_nulls: Vec::new(),
            orders: Orders::new(),
        }
    }

    /// Whether the document contains values that could not be parsed.
    pub fn has_unknown(&self) -> bool {
        !self.unreadable_spans.is_empty()
    }

    /// Returns the tree with another node as its root.
    pub(super) fn with_root(&self, root: NodeId) -> Self {
        Self { root, ..self.clone() }
    }

    pub fn source(&self) -> SourceId {
        self.source
    }

    #[inline]
    pub(super) fn slot(&self, node: NodeId) -> Option<&NodeData<'s>> {
        self.slots.get(node.0 as usize)
    }

    pub(super) fn span(&self, node: NodeId) -> Span {
        let (start, end) = self.slot(node).map_or((0, 0), |slot| (slot.start, slot.end));
        let source = self.source;
        Span { source, start, end }
    }

    /// Returns the entries of a mapping, or `None` for other nodes.
    #[inline]
    pub(super) fn mapping_entries(&self, mapping: NodeId) -> Option<&[MapEntry<'s>]> {
        match self.slot(mapping)?.content {
            NodeContent::Mapping(slice, _) => Some(slice.get(&self.pairs)),
            _ => None,
        }
    }

    /// Returns the items of a list, or `None` for other nodes.
    #[inline]
    pub(super) fn sequence_items(&self, sequence: NodeId) -> Option<&[NodeId]> {
        match self.slot(sequence)?.content {
            NodeContent::Sequence(slice, _) => Some(slice.get(&self.items)),
            _ => None,
        }
    }

    /// Adds a node to the document.
    pub(super) fn push(&mut self, span: Span, content: NodeContent<'s>) -> NodeId {
        let (start, end) = (span.start, span.end);
        self.slots.push(NodeData { start, end, content });
        NodeId(clamp(self.slots.len() - 1))
    }

    /// Adds a list of existing nodes.
    pub(super) fn sequence(&mut self, span: Span, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        let slice = append(&mut self.items, items);
        let content = NodeContent::Sequence(slice, self.sequence_size(slice));
        self.push(span, content)
    }

    /// Adds a mapping from keys to existing nodes.
    pub(super) fn mapping(&mut self, span: Span, entries: impl IntoIterator<Item = MapEntry<'s>>) -> NodeId {
        let slice = append(&mut self.pairs, entries);
        let content = NodeContent::Mapping(slice, self.mapping_size(slice));
        self.push(span, content)
    }

    /// Adds a deep copy of a node, for an alias. The copy has the spans of the original.
    pub(super) fn copy(&mut self, node: NodeId) -> NodeId {
        let span = self.span(node);
        if let Some(mut items) = self.sequence_items(node).map(<[_]>::to_vec) {
            items.iter_mut().for_each(|item| *item = self.copy(*item));
            self.sequence(span, items)
        } else if let Some(mut pairs) = self.mapping_entries(node).map(<[_]>::to_vec) {
            pairs.iter_mut().for_each(|pair| pair.value = self.copy(pair.value));
            self.mapping(span, pairs)
        } else {
            let content = self.slot(node).map(|slot| slot.content.clone());
            self.push(span, content.unwrap_or(NodeContent::Null))
        }
    }

    /// Returns the document with its own copies of all strings. It lacks the source's text, so [`Node::raw`] returns an
    /// empty string.
    ///
    /// [`Node::raw`]: super::Node::raw
    pub fn into_owned(self) -> Document<'static> {
        let slots = self.slots.into_iter().map(NodeData::into_owned).collect();
        let pairs = self.pairs.into_iter().map(MapEntry::into_owned).collect();
        Document {
            has_aliases: self.has_aliases,
            slots,
            pairs,
            items: self.items,
            root: self.root,
            unreadable_spans: self.unreadable_spans,
            ..Document::new(self.source, "")
        }
    }

    /// Returns the finished document and starts the next document. The finished document is long-lived, so its excess
    /// capacity is released.
    pub(super) fn finish(&mut self) -> Self {
        Self {
            has_aliases: mem::take(&mut self.has_aliases),
            slots: take_arena(&mut self.slots),
            pairs: take_arena(&mut self.pairs),
            items: take_arena(&mut self.items),
            unreadable_spans: mem::take(&mut self.unreadable_spans),
            ..Self::new(self.source, self.text)
        }
    }
}

pub(super) fn append<T>(arena: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Slice {
    let start = arena.len();
    arena.extend(items);
    Slice { start: clamp(start), len: clamp(arena.len() - start) }
}

/// Empties an arena and returns its contents. A large arena is moved out. A small arena is copied, so that the next
/// document can reuse its capacity.
#[expect(clippy::drain_collect, reason = "draining keeps the capacity of a small arena")]
fn take_arena<T>(arena: &mut Vec<T>) -> Vec<T> {
    const LARGE: usize = 16 * 1024;
    if arena.len() < LARGE {
        return arena.drain(..).collect();
    }
    let mut elements = mem::take(arena);
    elements.shrink_to_fit();
    elements
}

/// Converts a number of bytes, nodes or entries to 32 bits. The limits ensure that it fits.
pub(super) fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Maximum number of entries that are searched linearly.
pub(super) const MAX_LINEAR_SEARCH: usize = 64;

/// Key order of each large mapping, by node, as indices into the mapping's entries. An order is computed when the
/// mapping is first searched.
pub(super) type Orders = OnceLock<HashMap<NodeId, Vec<u32>>>;

#[cfg(test)]
mod tests {

    use crate::testing;
    use crate::yaml::Edits;

    #[test]
    fn finds_keys_in_large_mappings() {
        let text: String = (0..300).rev().map(|i| format!("k{i}: {i}\n")).collect();
        let mut document = testing::document(&text);
        let finds_key = |document: &crate::yaml::Document<'_>, key: &str| {
            let entry = document.root().entry(key)?;
            Some(text[entry.key_span.start as usize..entry.key_span.end as usize].to_owned())
        };
        for _ in 0..3 {
            for key in (0..300).map(|i| format!("k{i}")) {
                assert_eq!(finds_key(&document, &key), Some(key));
            }
            for key in ["", "k", "k300", "z"] {
                assert_eq!(finds_key(&document, key), None, "{key}");
            }
        }
        let mut edits = Edits::default();
        edits.remove(document.root(), "k7");
        document.apply(edits);
        assert_eq!(finds_key(&document, "k7"), None);
        assert_eq!(finds_key(&document, "k8").as_deref(), Some("k8"));
    }
}
