//! The arena of a document: its nodes, each with the bytes it was read from, their entries and their items. Of generated
//! documents, thousands of keys of a large mapping are looked up one after the other, so it also keeps the order of such keys.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::mem;
use std::sync::OnceLock;

use crate::source::{SourceId, Span};

/// The place of a node in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// A stretch of the arena's entries or items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slice {
    start: u32,
    len: u32,
}

impl Slice {
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    pub(super) fn of<T>(self, arena: &[T]) -> &[T] {
        let start = self.start as usize;
        arena.get(start..start + self.len as usize).unwrap_or_default()
    }
}

impl Slice {
    /// Adds items at the end of an arena of which `before` are elsewhere.
    pub(super) fn append<T>(arena: &mut Vec<T>, items: impl IntoIterator<Item = T>, before: usize) -> Self {
        let Slice { start, len } = append(arena, items);
        Self {
            start: clamp(start as usize + before),
            len,
        }
    }
}

impl NodeId {
    /// The node at this place; `None` beyond what can be numbered.
    pub(super) fn new(place: usize) -> Option<Self> {
        u32::try_from(place).ok().map(Self)
    }
}

#[derive(Clone, PartialEq)]
pub(super) enum Content<'s> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Cow<'s, str>),
    Sequence(Slice),
    Mapping(Slice),
}

/// A node: its bytes and what it holds.
#[derive(Clone, PartialEq)]
pub(super) struct NodeData<'s> {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) content: Content<'s>,
}

/// An entry of a mapping, with the bytes of its key.
#[derive(Clone, PartialEq)]
pub(super) struct MapEntry<'s> {
    pub(super) key: Cow<'s, str>,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) value: NodeId,
}

/// One document of an input: its tree, by the rules Kubernetes reads YAML with (scalars resolved, aliases and merge
/// keys expanded, keys converted to strings as JSON has them).
///
/// It can hold secret values, so its `Debug` leaves out the text.
#[derive(Clone, PartialEq)]
pub struct Document<'s> {
    pub(super) source: SourceId,
    /// What it was read from, with all else in its source.
    pub(super) text: &'s str,
    /// Whether one of its texts says several of its values.
    pub(super) has_aliases: bool,
    pub(super) slots: Vec<NodeData<'s>>,
    pub(super) pairs: Vec<MapEntry<'s>>,
    pub(super) items: Vec<NodeId>,
    pub(super) root: NodeId,
    /// The places of what could not be read: an alias without an anchor, a key that is a collection.
    pub(super) unreadable: BTreeSet<(u32, u32)>,
    /// The keys with null that were taken out, by their mapping.
    pub(super) dropped_nulls: Vec<(NodeId, MapEntry<'s>)>,
    pub(super) orders: Orders,
}

impl<'s> Document<'s> {
    /// Whether there is something in it that could not be read.
    pub fn has_unknown(&self) -> bool {
        !self.unreadable.is_empty()
    }

    /// The same tree with another root.
    pub(super) fn with_root(&self, root: NodeId) -> Self {
        Self { root, ..self.clone() }
    }

    pub fn source(&self) -> SourceId {
        self.source
    }

    pub(super) fn slot(&self, node: NodeId) -> Option<&NodeData<'s>> {
        self.slots.get(node.0 as usize)
    }

    /// The bytes of a node.
    pub(super) fn span(&self, node: NodeId) -> Span {
        let (start, end) = self.slot(node).map_or((0, 0), |slot| (slot.start, slot.end));
        Span {
            source: self.source,
            start,
            end,
        }
    }
}

/// Adds items at the end of an arena.
pub(super) fn append<T>(arena: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Slice {
    let start = arena.len();
    arena.extend(items);
    Slice {
        start: clamp(start),
        len: clamp(arena.len() - start),
    }
}

/// Empties an arena. A large one is handed on as it is; a small one is copied, for the next document fills it again.
#[expect(clippy::drain_collect, reason = "a small arena keeps its room")]
fn hand_on<T>(arena: &mut Vec<T>) -> Vec<T> {
    const LARGE: usize = 16 * 1024;
    if arena.len() < LARGE {
        return arena.drain(..).collect();
    }
    let mut all = mem::take(arena);
    all.shrink_to_fit();
    all
}

pub(super) fn push_node<'s>(slots: &mut Vec<NodeData<'s>>, slot: NodeData<'s>) -> NodeId {
    slots.push(slot);
    NodeId(clamp(slots.len() - 1))
}

/// A number of bytes, nodes or entries; the limits keep all of them below 4 GiB.
pub(super) fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Number of entries up to which a search goes over all of them.
pub(super) const FEW: usize = 64;

/// The positions of the entries of each large mapping in the order of their keys, by the number of the node; made when
/// one is searched.
pub(super) type Orders = OnceLock<HashMap<NodeId, Vec<u32>>>;

/// Builds a document from the inside out: children first, then the collection that holds them.
#[derive(Debug)]
pub(super) struct DocumentBuilder<'s>(Document<'s>);

/// How much of the arena there was when a collection was opened.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub slots: usize,
    pub pairs: usize,
    pub items: usize,
}

impl<'s> DocumentBuilder<'s> {
    /// A builder for a document of this input.
    pub(super) fn new(source: SourceId, text: &'s str) -> Self {
        Self(Document {
            source,
            text,
            has_aliases: false,
            slots: Vec::new(),
            pairs: Vec::new(),
            items: Vec::new(),
            root: NodeId(0),
            unreadable: BTreeSet::new(),
            dropped_nulls: Vec::new(),
            orders: Orders::new(),
        })
    }

    pub(super) fn text(&self) -> &'s str {
        self.0.text
    }

    /// Marks what could not be read.
    pub(super) fn unreadable(&mut self, at: Span) {
        self.0.unreadable.insert((at.start, at.end));
    }

    pub(super) fn scalar(&mut self, span: Span, content: Content<'s>) -> NodeId {
        let (start, end) = (span.start, span.end);
        push_node(&mut self.0.slots, NodeData { start, end, content })
    }

    /// Adds a list of nodes added before.
    pub(super) fn sequence(&mut self, span: Span, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        let slice = append(&mut self.0.items, items);
        self.scalar(span, Content::Sequence(slice))
    }

    /// Adds a mapping of keys (with their places) to nodes added before.
    pub(super) fn mapping(
        &mut self,
        span: Span,
        entries: impl IntoIterator<Item = (Cow<'s, str>, Span, NodeId)>,
    ) -> NodeId {
        let pairs = entries.into_iter().map(|(key, at, value)| MapEntry {
            key,
            start: at.start,
            end: at.end,
            value,
        });
        let slice = append(&mut self.0.pairs, pairs);
        self.scalar(span, Content::Mapping(slice))
    }

    /// Adds a copy of a node and of all that it holds, as an alias stands for; it keeps the places of the original.
    pub(super) fn alias(&mut self, node: NodeId) -> NodeId {
        self.0.has_aliases = true;
        self.copy(node)
    }

    fn copy(&mut self, node: NodeId) -> NodeId {
        let Some(slot) = self.0.slots.get(node.0 as usize).cloned() else {
            return node;
        };
        let content = match slot.content {
            Content::Sequence(slice) => {
                let mut items = slice.of(&self.0.items).to_vec();
                for item in &mut items {
                    *item = self.copy(*item);
                }
                Content::Sequence(append(&mut self.0.items, items))
            }
            Content::Mapping(slice) => {
                let mut pairs = slice.of(&self.0.pairs).to_vec();
                for pair in &mut pairs {
                    pair.value = self.copy(pair.value);
                }
                Content::Mapping(append(&mut self.0.pairs, pairs))
            }
            content => content,
        };
        push_node(&mut self.0.slots, NodeData { content, ..slot })
    }

    /// The entries of a mapping added before; `None` for another node.
    pub(super) fn entries(&self, mapping: NodeId) -> Option<impl Iterator<Item = (Cow<'s, str>, Span, NodeId)>> {
        let Content::Mapping(slice) = self.0.slots.get(mapping.0 as usize)?.content else {
            return None;
        };
        let source = self.0.source;
        let entry = move |pair: &MapEntry<'s>| {
            let (start, end) = (pair.start, pair.end);
            (pair.key.clone(), Span { source, start, end }, pair.value)
        };
        Some(slice.of(&self.0.pairs).iter().map(entry))
    }

    /// The items of a list added before; `None` for another node.
    pub(super) fn items(&self, sequence: NodeId) -> Option<&[NodeId]> {
        match self.0.slots.get(sequence.0 as usize)?.content {
            Content::Sequence(slice) => Some(slice.of(&self.0.items)),
            _ => None,
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            slots: self.0.slots.len(),
            pairs: self.0.pairs.len(),
            items: self.0.items.len(),
        }
    }

    /// Takes what a node holds.
    pub(super) fn take(&mut self, node: NodeId) -> Option<NodeData<'s>> {
        let slot = self.0.slots.get_mut(node.0 as usize)?;
        let content = mem::replace(&mut slot.content, Content::Null);
        Some(NodeData { content, ..*slot })
    }

    pub(super) fn pairs_of(&self, slice: Slice) -> Vec<MapEntry<'s>> {
        slice.of(&self.0.pairs).to_vec()
    }

    pub(super) fn items_of(&self, slice: Slice) -> Vec<NodeId> {
        slice.of(&self.0.items).to_vec()
    }

    /// Replaces what was added since a mark.
    pub(super) fn cut_back(
        &mut self,
        mark: Mark,
        slots: Vec<NodeData<'s>>,
        pairs: Vec<MapEntry<'s>>,
        items: Vec<NodeId>,
    ) {
        self.0.slots.truncate(mark.slots);
        self.0.slots.extend(slots);
        self.0.pairs.truncate(mark.pairs);
        self.0.pairs.extend(pairs);
        self.0.items.truncate(mark.items);
        self.0.items.extend(items);
    }

    /// The text of a scalar added before.
    pub(super) fn text_at(&self, node: NodeId) -> Option<&str> {
        match &self.0.slots.get(node.0 as usize)?.content {
            Content::String(text) => Some(text),
            _ => None,
        }
    }

    /// The place of a node added before.
    pub(super) fn span(&self, node: NodeId) -> Span {
        self.0.span(node)
    }

    /// Number of nodes that were added.
    pub(super) fn len(&self) -> usize {
        self.0.slots.len()
    }

    /// The finished document, with no more memory than it takes, since it is kept for long. The builder begins anew.
    pub(super) fn finish(&mut self, root: NodeId) -> Document<'s> {
        Document {
            source: self.0.source,
            text: self.0.text,
            has_aliases: mem::take(&mut self.0.has_aliases),
            slots: hand_on(&mut self.0.slots),
            pairs: hand_on(&mut self.0.pairs),
            items: hand_on(&mut self.0.items),
            unreadable: mem::take(&mut self.0.unreadable),
            dropped_nulls: Vec::new(),
            orders: Orders::new(),
            root,
        }
    }

    /// Drops what was added.
    pub(super) fn clear(&mut self) {
        self.0.slots.clear();
        self.0.pairs.clear();
        self.0.items.clear();
        self.0.unreadable.clear();
        self.0.has_aliases = false;
    }
}

#[cfg(test)]
mod tests {
    use crate::source::{Source, Sources};
    use crate::yaml::{Edits, Limits, read};

    #[test]
    fn keys_of_large_mappings_are_found_however_often_they_are_searched() {
        let text: String = (0..300).rev().map(|i| format!("k{i}: {i}\n")).collect();
        let mut sources = Sources::default();
        let id = sources.add(Source::new("a.yaml", text.as_str(), true));
        let mut document = read(id, &text, &Limits::default()).output.remove(0);
        let found = |document: &crate::yaml::Document<'_>, key: &str| {
            let entry = document.root().entry(key)?;
            Some(text[entry.key_span.start as usize..entry.key_span.end as usize].to_owned())
        };
        for _ in 0..3 {
            for key in (0..300).map(|i| format!("k{i}")) {
                assert_eq!(found(&document, &key), Some(key));
            }
            for key in ["", "k", "k300", "z"] {
                assert_eq!(found(&document, key), None, "{key}");
            }
        }
        let mut edits = Edits::default();
        edits.remove(document.root(), "k7");
        document.apply(edits);
        assert_eq!(found(&document, "k7"), None);
        assert_eq!(found(&document, "k8").as_deref(), Some("k8"));
    }
}
