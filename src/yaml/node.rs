//! Nodes of documents, and access to their children.

use std::collections::HashMap;

use super::document::{Document, MAX_LINEAR_SEARCH, MapEntry, NodeContent, NodeData, NodeId, clamp};
use crate::source::Span;

impl<'s> Document<'s> {
    /// Whether a node consists only of a value that could not be parsed, so that its content is unknown.
    pub fn is_unknown(&self, node: Node<'_>) -> bool {
        let Span { start, end, .. } = node.span();
        let is_inside = || {
            let mut later_spans = self.unreadable_spans.range((start, 0)..);
            later_spans.next().is_some_and(|(_, unreadable)| *unreadable <= end)
        };
        !self.unreadable_spans.is_empty() && node.entries().len() == 0 && node.items().len() == 0 && is_inside()
    }

    pub fn root(&self) -> Node<'_> {
        self.node(self.root)
    }

    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node { document: self, id }
    }

    fn orders(&self) -> &HashMap<NodeId, Vec<u32>> {
        let large_mapping = |(place, node): (usize, &NodeData<'_>)| match node.content {
            NodeContent::Mapping(slice, _) if slice.len() > MAX_LINEAR_SEARCH => {
                let entries = slice.get(&self.pairs);
                let mut positions: Vec<_> = (0..clamp(entries.len())).collect();
                positions.sort_by_key(|at| entries.get(*at as usize).map(|entry| &*entry.key));
                Some((NodeId(clamp(place)), positions))
            }
            _ => None,
        };
        self.orders.get_or_init(|| self.slots.iter().enumerate().filter_map(large_mapping).collect())
    }

    fn entry<'d>(&'d self, pair: &'d MapEntry<'_>) -> Entry<'d> {
        Entry {
            key: &pair.key,
            key_span: Span { source: self.source, start: pair.start, end: pair.end },
            value: self.node(pair.value),
        }
    }
}

/// A node in a document.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    id: NodeId,
}

/// Value of a node. As in the API server, a number is an `Int` if it fits in 64 bits and JSON would write it without a
/// fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeValue<'d> {
    /// `null`, `~` or an empty value.
    Null,
    /// A YAML 1.1 boolean.
    Bool(bool),
    /// An integer that fits in 64 bits.
    Int(i64),
    /// A number that has a fraction in JSON or does not fit in an `Int`.
    Float(f64),
    String(&'d str),
    /// A list; see [`Node::items`].
    Sequence,
    /// A mapping; see [`Node::entries`].
    Mapping,
}

/// A key and its value.
#[derive(Clone, Copy)]
pub struct Entry<'d> {
    /// Key as a string, as in JSON.
    pub key: &'d str,
    pub key_span: Span,
    pub value: Node<'d>,
}

impl<'d> Node<'d> {
    pub fn value(self) -> NodeValue<'d> {
        match self.content() {
            None | Some(NodeContent::Null) => NodeValue::Null,
            Some(NodeContent::Bool(b)) => NodeValue::Bool(*b),
            Some(NodeContent::Int(i)) => NodeValue::Int(*i),
            Some(NodeContent::Float(f)) => NodeValue::Float(*f),
            Some(NodeContent::String(s)) => NodeValue::String(s),
            Some(NodeContent::Sequence(..)) => NodeValue::Sequence,
            Some(NodeContent::Mapping(..)) => NodeValue::Mapping,
        }
    }

    /// Returns the document that contains the node.
    pub(super) fn document(self) -> &'d Document<'d> {
        self.document
    }

    pub fn id(self) -> NodeId {
        self.id
    }

    /// Returns the span of the node. The span of a block scalar includes its indicator.
    pub fn span(self) -> Span {
        self.document.span(self.id)
    }

    /// Returns the source text of the node.
    pub fn raw(self) -> &'d str {
        self.document.text.get(self.span().bytes()).unwrap_or_default()
    }

    /// Returns the value of a string node.
    pub fn as_str(self) -> Option<&'d str> {
        match self.value() {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_null(self) -> bool {
        self.value() == NodeValue::Null
    }

    pub fn is_mapping(self) -> bool {
        self.value() == NodeValue::Mapping
    }

    /// Whether another node has the same value, regardless of the order of keys.
    pub fn equals(self, other: Node<'_>) -> bool {
        let mut items = self.items().zip(other.items());
        let sizes = |node: Node<'_>| (node.entries().len(), node.items().len());
        let has_equal_entry = |entry: Entry<'_>| other.get(entry.key).is_some_and(|value| entry.value.equals(value));
        sizes(self) == sizes(other)
            && self.value() == other.value()
            && self.entries().all(has_equal_entry)
            && items.all(|(one, other)| one.equals(other))
    }

    /// Returns the entries of a mapping in source order. Empty for other nodes.
    pub fn entries(self) -> impl ExactSizeIterator<Item = Entry<'d>> + Clone {
        let document = self.document;
        self.pairs().iter().map(move |pair| document.entry(pair))
    }

    /// Returns the items of a list. Empty for other nodes.
    pub fn items(self) -> impl ExactSizeIterator<Item = Node<'d>> + Clone {
        let document = self.document;
        self.item_ids().iter().map(move |&id| document.node(id))
    }

    /// Returns the list item at this index in constant time.
    pub fn item(self, index: usize) -> Option<Node<'d>> {
        let id = self.item_ids().get(index)?;
        Some(self.document.node(*id))
    }

    fn item_ids(self) -> &'d [NodeId] {
        self.document.sequence_items(self.id).unwrap_or_default()
    }

    /// Returns the value of a mapping key.
    pub fn get(self, key: &str) -> Option<Node<'d>> {
        self.entry(key).map(|entry| entry.value)
    }

    /// Returns the entry for a mapping key.
    pub fn entry(self, key: &str) -> Option<Entry<'d>> {
        let pairs = self.pairs();
        let order = (pairs.len() > MAX_LINEAR_SEARCH).then(|| self.document.orders().get(&self.id));
        let pair = match order.flatten() {
            Some(order) => {
                let key_at = |at: &u32| pairs.get(*at as usize).map(|pair| &*pair.key);
                let index = order.partition_point(|at| key_at(at) < Some(key));
                pairs.get(*order.get(index)? as usize).filter(|pair| pair.key == key)
            }
            None => pairs.iter().find(|pair| pair.key == key),
        };
        pair.map(|pair| self.document.entry(pair))
    }

    /// Returns the span of a mapping key that was removed because its value is null.
    pub(super) fn find_dropped_null(self, key: &str) -> Option<Span> {
        let mut nulls = self.document.dropped_nulls.iter();
        let (_, pair) = nulls.find(|(mapping, pair)| *mapping == self.id && pair.key == key)?;
        Some(self.document.entry(pair).key_span)
    }

    pub(super) fn data(self) -> Option<&'d NodeData<'d>> {
        self.document.slot(self.id)
    }

    fn content(self) -> Option<&'d NodeContent<'d>> {
        self.data().map(|data| &data.content)
    }

    fn pairs(self) -> &'d [MapEntry<'d>] {
        self.document.mapping_entries(self.id).unwrap_or_default()
    }
}

impl std::fmt::Debug for Node<'_> {
    /// Writes only the kind and span, because a node may contain a secret.
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

#[cfg(test)]
mod tests {

    use crate::testing;

    #[test]
    fn debug_output_has_kind_and_span() {
        let documents = testing::documents("[~, yes, 5, .5, s3cret, [], {a: b}]");
        let items: Vec<_> = documents[0].root().items().collect();
        assert_eq!(
            format!("{items:?}"),
            "[null@1..2, boolean@4..7, integer@9..10, number@12..14, string@16..22, array@24..26, object@28..34]"
        );
        assert_eq!(format!("{:?}", documents[0]), "Document(array@0..35, 9 nodes)");
    }

    #[test]
    fn unparsed_values_are_unknown() {
        let documents = testing::documents("{a: *b, c: 1, d: {e: *f}, g: {? [h] : 1}, i: {}}");
        let root = documents[0].root();
        for (path, expected) in [("a", true), ("c", false), ("d", false), ("d.e", true), ("g", true), ("i", false)] {
            assert_eq!(documents[0].is_unknown(root.at(path).unwrap()), expected, "{path}");
        }
    }
}
