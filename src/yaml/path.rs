//! Paths in documents.

use super::node::{Entry, Node};
use crate::diagnostic::{FieldPath, Step};
use crate::source::Span;

impl FieldPath<'_> {
    /// The place of the field below `root`; if it is missing, the key of the nearest parent that exists.
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

    /// The field's value below `root`, if it exists.
    pub fn find<'d>(&self, root: Node<'d>) -> Option<Node<'d>> {
        self.steps().try_fold(root, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.items().nth(index),
        })
    }
}

/// Keys one below the other, written as `metadata.name`: names of fields, which have no dots.
impl<'d> Node<'d> {
    /// The value at these keys.
    pub fn at(self, path: &str) -> Option<Node<'d>> {
        path.split('.').try_fold(self, Node::get)
    }

    /// The text at these keys, unless it is empty.
    pub fn filled(self, path: &str) -> Option<&'d str> {
        self.at(path)?.as_str().filter(|text| !text.is_empty())
    }

    /// The text at these keys; empty where there is none.
    pub fn text(self, path: &str) -> &'d str {
        self.filled(path).unwrap_or_default()
    }

    /// The items of the list at these keys.
    pub fn items_at(self, path: &str) -> impl Iterator<Item = Node<'d>> + use<'d> {
        self.at(path).into_iter().flat_map(Node::items)
    }

    /// The entries of the mapping at these keys.
    pub fn entries_at(self, path: &str) -> impl Iterator<Item = Entry<'d>> + use<'d> {
        self.at(path).into_iter().flat_map(Node::entries)
    }
}
