//! Objects of which only some fields are kept while they are read: an export of a cluster is many times as large as what is used of
//! it.

use super::document::{Content, DocumentBuilder, Mark, NodeId, Pair, Slot, Stretch};

/// A field that is kept, with the fields below it; without any, all of it is kept. The items of a list have the fields of the list.
#[derive(Debug)]
pub struct Kept(pub &'static str, pub &'static [Kept]);

/// The fields that are kept of an object of this `apiVersion` and `kind`; `None` for an object that is kept as it is.
pub type Keep = fn(&str, &str) -> Option<&'static [Kept]>;

/// What is kept, with numbers from 0.
#[derive(Default)]
struct Rest<'s> {
    slots: Vec<Slot<'s>>,
    pairs: Vec<Pair<'s>>,
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
            Content::Mapping(stretch) => {
                let pairs = self.pairs_of(stretch);
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
                        kept.push(Pair { value, ..pair });
                    }
                }
                Content::Mapping(Stretch::append(&mut rest.pairs, kept, mark.pairs))
            }
            Content::Sequence(stretch) => {
                let items = self.items_of(stretch);
                let kept: Vec<_> = items
                    .into_iter()
                    .filter_map(|item| self.keep(item, fields, mark, rest))
                    .collect();
                Content::Sequence(Stretch::append(&mut rest.items, kept, mark.items))
            }
            content => content,
        };
        rest.slots.push(Slot { content, ..slot });
        NodeId::new(mark.slots + rest.slots.len() - 1)
    }
}
