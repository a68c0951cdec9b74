//! Sizes of nodes, for limits on output that repeats parts of the input. They are measured while a document is being
//! read, because its nodes are then in the processor's cache.

use super::document::{Document, NodeContent, NodeData, NodeId, Slice, clamp};
use super::node::{Entry, Node};

/// Number of bytes in a string that count as one field.
pub const FIELD_BYTES: usize = 32;

/// Minimum size of a mapping in a list, such as a rule, because omitted fields also produce output.
const MIN_ITEM_SIZE: u32 = 8;

impl Document<'_> {
    /// Returns the size of a list with these items.
    pub(super) fn sequence_size(&self, items: Slice) -> u32 {
        let sizes = items.get(&self.items).iter().map(|item| match self.slot(*item) {
            Some(item) if matches!(item.content, NodeContent::Mapping(..)) => item.size().max(MIN_ITEM_SIZE),
            Some(item) => item.size(),
            None => 0,
        });
        sizes.fold(1, u32::saturating_add)
    }

    /// Returns the size of a mapping with these entries.
    pub(super) fn mapping_size(&self, entries: Slice) -> u32 {
        let entries = entries.get(&self.pairs).iter();
        let sizes = entries.map(|entry| string_size(&entry.key).saturating_add(self.size(entry.value)));
        sizes.fold(1, u32::saturating_add)
    }

    fn size(&self, node: NodeId) -> u32 {
        self.slot(node).map_or(0, NodeData::size)
    }
}

impl NodeData<'_> {
    fn size(&self) -> u32 {
        match &self.content {
            NodeContent::Sequence(_, size) | NodeContent::Mapping(_, size) => *size,
            NodeContent::String(text) => string_size(text).saturating_add(1),
            _ => 1,
        }
    }
}

fn string_size(text: &str) -> u32 {
    clamp(text.len() / FIELD_BYTES)
}

impl Node<'_> {
    /// Returns the number of fields in the node as it was read, including the node itself. Later edits to nested
    /// collections are not reflected. A long string counts as several fields.
    pub fn size(self) -> u64 {
        self.data().map_or(0, |data| data.size().into())
    }
}

impl Entry<'_> {
    /// Returns the size of the entry: that of its value and, if the key is long, that of its key.
    pub fn size(&self) -> u64 {
        u64::from(string_size(self.key)) + self.value.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::yaml::Edits;

    fn size(text: &str) -> u64 {
        testing::documents(text)[0].root().size()
    }

    #[test]
    fn size_depends_on_string_length_and_item_count() {
        let (shorter_text, whole_text) = ("a".repeat(FIELD_BYTES - 1), "a".repeat(FIELD_BYTES));
        for (text, expected) in [
            ("a", 1),
            ("5", 1),
            ("[]", 1),
            ("{}", 1),
            (shorter_text.as_str(), 1),
            (whole_text.as_str(), 2),
            (&whole_text.repeat(2), 3),
            ("[a, b]", 3),
            // An item that is a mapping counts as at least eight fields.
            ("[a, {}]", 10),
            ("[{a: [b, c, d, e, f, g, h, i]}]", 11),
            ("{a: b, c: {}}", 3),
            (&format!("{{{whole_text}: b}}"), 3),
            ("{a: &x [b, c], d: *x, e: {<<: {f: g}}}", 1 + 3 + 3 + 2),
        ] {
            assert_eq!(size(text), expected, "{text}");
        }
    }

    #[test]
    fn edits_change_the_size_of_their_mapping() {
        let text = "{a: b, c: d}";
        let mut document = testing::document(text);
        let mut edits = Edits::default();
        edits.remove(document.root(), "a");
        edits.set(document.root(), "e", serde_json::json!([1, 2, 3]));
        document.apply(edits);
        assert_eq!(document.root().size(), 1 + 1 + 4);
    }
}
