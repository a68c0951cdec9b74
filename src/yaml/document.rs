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
        self.behind(0, arena)
    }

    /// The stretch of the end of an arena, of which so many came before.
    pub(super) fn behind<T>(self, before: usize, arena: &[T]) -> &[T] {
        let start = (self.start as usize).checked_sub(before);
        start
            .and_then(|start| arena.get(start..start + self.len()))
            .unwrap_or_default()
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

impl<'s> MapEntry<'s> {
    pub(super) fn new(key: Cow<'s, str>, at: Span, value: NodeId) -> Self {
        let (start, end) = (at.start, at.end);
        Self { key, start, end, value }
    }
}

/// One document of an input: its tree, by the rules Kubernetes reads YAML with (scalars resolved, aliases and merge
/// keys expanded, keys converted to strings as JSON has them). It is built from the inside out: children first, then the
/// collection that holds them.
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
    /// A document of this input, with no nodes yet.
    pub(super) fn new(source: SourceId, text: &'s str) -> Self {
        Self {
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
        }
    }

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

    #[inline]
    pub(super) fn slot(&self, node: NodeId) -> Option<&NodeData<'s>> {
        self.slots.get(node.0 as usize)
    }

    /// The bytes of a node.
    pub(super) fn span(&self, node: NodeId) -> Span {
        let (start, end) = self.slot(node).map_or((0, 0), |slot| (slot.start, slot.end));
        let source = self.source;
        Span { source, start, end }
    }

    /// The entries of a mapping; `None` for another node.
    #[inline]
    pub(super) fn entries_of(&self, mapping: NodeId) -> Option<&[MapEntry<'s>]> {
        match self.slot(mapping)?.content {
            Content::Mapping(slice) => Some(slice.of(&self.pairs)),
            _ => None,
        }
    }

    /// The items of a list; `None` for another node.
    #[inline]
    pub(super) fn items_of(&self, sequence: NodeId) -> Option<&[NodeId]> {
        match self.slot(sequence)?.content {
            Content::Sequence(slice) => Some(slice.of(&self.items)),
            _ => None,
        }
    }

    /// Adds a node.
    pub(super) fn push(&mut self, at: Span, content: Content<'s>) -> NodeId {
        let (start, end) = (at.start, at.end);
        self.slots.push(NodeData { start, end, content });
        NodeId(clamp(self.slots.len() - 1))
    }

    /// Adds a list of nodes added before.
    pub(super) fn sequence(&mut self, at: Span, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        let slice = append(&mut self.items, items);
        self.push(at, Content::Sequence(slice))
    }

    /// Adds a mapping of keys to nodes added before.
    pub(super) fn mapping(&mut self, at: Span, entries: impl IntoIterator<Item = MapEntry<'s>>) -> NodeId {
        let slice = append(&mut self.pairs, entries);
        self.push(at, Content::Mapping(slice))
    }

    /// Adds a copy of a node and of all that it holds, as an alias stands for; it keeps the places of the original.
    pub(super) fn copy(&mut self, node: NodeId) -> NodeId {
        let at = self.span(node);
        if let Some(mut items) = self.items_of(node).map(<[_]>::to_vec) {
            items.iter_mut().for_each(|item| *item = self.copy(*item));
            self.sequence(at, items)
        } else if let Some(mut pairs) = self.entries_of(node).map(<[_]>::to_vec) {
            pairs.iter_mut().for_each(|pair| pair.value = self.copy(pair.value));
            self.mapping(at, pairs)
        } else {
            let content = self.slot(node).map(|slot| slot.content.clone());
            self.push(at, content.unwrap_or(Content::Null))
        }
    }

    /// Hands on what was added, with no more memory than it takes, since it is kept for long; the next document begins.
    pub(super) fn finish(&mut self) -> Self {
        Self {
            has_aliases: mem::take(&mut self.has_aliases),
            slots: hand_on(&mut self.slots),
            pairs: hand_on(&mut self.pairs),
            items: hand_on(&mut self.items),
            unreadable: mem::take(&mut self.unreadable),
            ..Self::new(self.source, self.text)
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

/// A number of bytes, nodes or entries; the limits keep all of them below 4 GiB.
pub(super) fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Number of entries up to which a search goes over all of them.
pub(super) const FEW: usize = 64;

/// The positions of the entries of each large mapping in the order of their keys, by the number of the node; made when
/// one is searched.
pub(super) type Orders = OnceLock<HashMap<NodeId, Vec<u32>>>;

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
