//! Pruning of objects while they are read, because only a small part of a cluster export is used.

use super::document::{Document, MapEntry, NodeContent, NodeData, NodeId};
use crate::source::Span;

/// A field to keep, and the fields to keep below it. If no fields are listed, the entire field is kept. For a list,
/// these are the fields of its items.
#[derive(Debug)]
pub struct KeptField(pub &'static str, pub &'static [KeptField]);

/// Function that returns the fields to keep in an object with this `apiVersion` and `kind`, or `None` to keep the
/// entire object.
pub type FieldFilter = fn(&str, &str) -> Option<&'static [KeptField]>;

impl<'s> Document<'s> {
    /// Returns the current number of nodes, entries and items.
    pub(super) fn mark(&self) -> [usize; 3] {
        [self.slots.len(), self.pairs.len(), self.items.len()]
    }

    /// Removes all fields except `fields` from a mapping whose nodes were all added after `mark`.
    pub(super) fn prune(&mut self, mapping: NodeId, mark: [usize; 3], fields: &[KeptField]) -> NodeId {
        let [slots, pairs, items] = mark;
        let cut_elements = CutElements {
            mark,
            slots: self.slots.split_off(slots),
            pairs: self.pairs.split_off(pairs),
            items: self.items.split_off(items),
        };
        self.keep(mapping, fields, &cut_elements)
    }

    /// Adds the kept parts of a node.
    fn keep(&mut self, node: NodeId, fields: &[KeptField], whole: &CutElements<'s>) -> NodeId {
        let [slots, pairs, items] = whole.mark;
        let place = (node.0 as usize).checked_sub(slots);
        let Some(NodeData { start, end, content }) = place.and_then(|place| whole.slots.get(place)) else {
            return node;
        };
        let (start, end, source) = (*start, *end, self.source);
        let at = Span { source, start, end };
        match content {
            NodeContent::Mapping(slice, _) => {
                let mut kept_entries = Vec::with_capacity(slice.len().min(fields.len().max(8)));
                for pair in slice.get_after(pairs, &whole.pairs) {
                    let field = fields.iter().find(|field| pair.key == field.0);
                    if let Some(KeptField(_, below)) = field.or(fields.is_empty().then_some(&KeptField("", &[]))) {
                        let value = self.keep(pair.value, below, whole);
                        kept_entries.push(MapEntry { value, ..pair.clone() });
                    }
                }
                self.mapping(at, kept_entries)
            }
            NodeContent::Sequence(slice, _) => {
                let kept_items = slice.get_after(items, &whole.items).iter();
                let kept_items: Vec<_> = kept_items.map(|item| self.keep(*item, fields, whole)).collect();
                self.sequence(at, kept_items)
            }
            content => self.push(at, content.clone()),
        }
    }
}

/// Nodes, entries and items that were split off from the ends of the arenas.
struct CutElements<'s> {
    mark: [usize; 3],
    slots: Vec<NodeData<'s>>,
    pairs: Vec<MapEntry<'s>>,
    items: Vec<NodeId>,
}
