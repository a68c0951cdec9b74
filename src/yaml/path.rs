//! Paths in documents.

use super::node::Node;
use crate::diagnostic::{FieldPath, Step};
use crate::source::Span;

impl FieldPath<'_> {
    /// Where the field stands below `root`; where it is missing, the key of the nearest parent that is there.
    pub fn locate(&self, root: Node<'_>) -> Span {
        let (mut node, mut span) = (root, root.span());
        for step in self.steps() {
            let next = match step {
                Step::Key(key) => node.entry(key).map(|entry| (entry.value, entry.key_span)),
                Step::Index(index) => node.items().nth(index).map(|item| (item, item.span())),
            };
            let Some(next) = next else { return span };
            (node, span) = next;
        }
        if node.is_mapping() || node.items().len() > 0 {
            span
        } else {
            node.span()
        }
    }

    /// The field's value below `root`, where it is there.
    pub fn find<'d>(&self, root: Node<'d>) -> Option<Node<'d>> {
        self.steps().try_fold(root, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.items().nth(index),
        })
    }
}
