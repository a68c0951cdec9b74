//! Objects of which only some fields are kept while they are read: an export of a cluster is many times as large as what is used of
//! it.

use super::document::{Content, DocumentBuilder, MapEntry, Mark, NodeData, NodeId, Slice};

/// A field that is kept, with the fields below it; without any, all of it is kept. The items of a list have the fields of the list.
#[derive(Debug)]
pub struct Kept(pub &'static str, pub &'static [Kept]);

/// The fields that are kept of an object of this `apiVersion` and `kind`; `None` for an object that is kept as it is.
pub type Keep = fn(&str, &str) -> Option<&'static [Kept]>;

/// What is kept, with numbers from 0.
#[derive(Default)]
struct Rest<'s> {
    slots: Vec<NodeData<'s>>,
    pairs: Vec<MapEntry<'s>>,
    items: Vec<NodeId>,
}

impl<'s> DocumentBuilder<'s> {
    /// Leaves of a mapping, whose nodes are all behind `mark`, only the fields that are kept.
    pub(super) fn prune(&mut self, mapping: NodeId, mark: Mark, fields: &[Kept]) -> NodeId {
        let mut rest = Rest::default();
        let Some(root) = self.keep(mapping, fields, mark, &mut rest) else {
            return mapping;
        };
        self.cut_back(mark, rest.slots, rest.pairs, rest.items);
        root
    }

    /// Moves a node to what is kept.
    fn keep(&mut self, node: NodeId, fields: &[Kept], mark: Mark, rest: &mut Rest<'s>) -> Option<NodeId> {
        let slot = self.take(node)?;
        let content = match slot.content {
            Content::Mapping(slice) => {
                let pairs = self.pairs_of(slice);
                let mut kept = Vec::with_capacity(pairs.len().min(fields.len().max(8)));
                for pair in pairs {
                    let below = match fields {
                        [] => &[],
                        fields => match fields.iter().find(|field| pair.key == field.0) {
                            Some(field) => field.1,
                            None => continue,
                        },
                    };
                    if let Some(value) = self.keep(pair.value, below, mark, rest) {
                        kept.push(MapEntry { value, ..pair });
                    }
                }
                Content::Mapping(Slice::append(&mut rest.pairs, kept, mark.pairs))
            }
            Content::Sequence(slice) => {
                let items = self.items_of(slice);
                let kept: Vec<_> = items
                    .into_iter()
                    .filter_map(|item| self.keep(item, fields, mark, rest))
                    .collect();
                Content::Sequence(Slice::append(&mut rest.items, kept, mark.items))
            }
            content => content,
        };
        rest.slots.push(NodeData { content, ..slot });
        NodeId::new(mark.slots + rest.slots.len() - 1)
    }
}
