//! Pruning of objects while they are read, because only a small part of a cluster export is used.

use super::document::{Document, MapEntry, NodeContent, NodeData, NodeId};
use crate::source::Span;

/// A field to keep, and the fields to keep below it. If no nested fields are listed, the entire field is kept. The
/// nested fields of a list are the fields of its items.
#[derive(Debug)]
pub struct KeptField(pub &'static str, pub &'static [KeptField]);

/// Function that returns the fields to keep in an object with this `apiVersion` and `kind`, or `None` to keep the
/// entire object.
pub type FieldFilter = fn(&str, &str) -> Option<&'static [KeptField]>;

impl<'s> Document<'s> {
    /// Returns the current number of nodes, entries and items.
    pub(super) fn arena_sizes(&self) -> [usize; 3] {
        [self.slots.len(), self.pairs.len(), self.items.len()]
    }

    /// Removes all fields except `fields` from a mapping whose nodes were all added after `arena_sizes`.
    pub(super) fn prune(&mut self, mapping: NodeId, arena_sizes: [usize; 3], fields: &[KeptField]) -> NodeId {
        let [slots, pairs, items] = arena_sizes;
        let tails = ArenaTails {
            arena_sizes,
            slots: self.slots.split_off(slots),
            pairs: self.pairs.split_off(pairs),
            items: self.items.split_off(items),
        };
        self.keep(mapping, fields, &tails)
    }

    /// Adds the kept parts of a node.
    fn keep(&mut self, node: NodeId, fields: &[KeptField], tails: &ArenaTails<'s>) -> NodeId {
        let [slots, pairs, items] = tails.arena_sizes;
        let slot_index = (node.0 as usize).checked_sub(slots);
        let Some(NodeData { start, end, content }) = slot_index.and_then(|place| tails.slots.get(place)) else {
            return node;
        };
        let (start, end, source) = (*start, *end, self.source);
        let span = Span { source, start, end };
        match content {
            NodeContent::Mapping(slice, _) => {
                let mut kept_entries = Vec::with_capacity(slice.len().min(fields.len().max(8)));
                for pair in slice.get_after(pairs, &tails.pairs) {
                    let field = fields.iter().find(|field| pair.key == field.0);
                    if let Some(KeptField(_, kept_below)) = field.or(fields.is_empty().then_some(&KeptField("", &[]))) {
                        let value = self.keep(pair.value, kept_below, tails);
                        kept_entries.push(MapEntry { value, ..pair.clone() });
                    }
                }
                self.mapping(span, kept_entries)
            }
            NodeContent::Sequence(slice, _) => {
                let kept_items = slice.get_after(items, &tails.items).iter();
                let kept_items: Vec<_> = kept_items.map(|item| self.keep(*item, fields, tails)).collect();
                self.sequence(span, kept_items)
            }
            content => self.push(span, content.clone()),
        }
    }
}

/// Nodes, entries and items that were split off from the ends of the arenas.
struct ArenaTails<'s> {
    arena_sizes: [usize; 3],
    slots: Vec<NodeData<'s>>,
    pairs: Vec<MapEntry<'s>>,
    items: Vec<NodeId>,
}
