//! Positions of a value's nodes in the written text.

use std::ops::Range;

use crate::diagnostic::Step;
use crate::yaml::{Secret, SecretSource};

/// A node in the written text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutNode<'v> {
    /// Index of the parent collection and the step from it to this node, or `None` for the root.
    pub parent: Option<(usize, Step<'v>)>,
    /// Byte range of the node, from its key or dash to the end of its last character.
    pub bytes: Range<usize>,
}

/// Nodes of a written value in output order. A collection precedes its entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout<'v> {
    /// Nodes in output order.
    pub nodes: Vec<LayoutNode<'v>>,
    /// Secret values from keys of Secrets, with their byte ranges.
    pub secrets: Vec<(Range<usize>, SecretSource<'v>)>,
    /// Indices of the collections being written. The innermost collection is last.
    open: Vec<usize>,
}

impl<'v> Layout<'v> {
    /// Returns the path from the root to the node at this index.
    pub fn path(&self, number: usize) -> Vec<Step<'v>> {
        let mut path = Vec::new();
        let mut node = self.nodes.get(number);
        while let Some((parent, step)) = node.and_then(|node| node.parent) {
            path.push(step);
            node = self.nodes.get(parent);
        }
        path.reverse();
        path
    }

    /// Creates a layout that contains only the root, which has not been written yet.
    pub(super) fn new() -> Self {
        let outermost = LayoutNode { parent: None, bytes: 0..0 };
        // Initial capacity, which is sufficient for most scrape jobs.
        let (mut nodes, mut open) = (Vec::with_capacity(64), Vec::with_capacity(8));
        nodes.push(outermost);
        open.push(0);
        Self { nodes, secrets: Vec::new(), open }
    }

    /// Records that a node starts at this byte offset.
    pub(super) fn enter(&mut self, step: Step<'v>, offset: usize) {
        let number = self.nodes.len();
        self.nodes.push(LayoutNode { parent: self.open.last().map(|&parent| (parent, step)), bytes: offset..offset });
        self.open.push(number);
    }

    /// Records that a secret occupies this byte range.
    pub(super) fn record_secret(&mut self, secret: &'v Secret<'_>, bytes: Range<usize>) {
        if let SecretSource::Key { .. } = secret.source {
            self.secrets.push((bytes, secret.source));
        }
    }

    /// Records that the innermost open node ends at this byte offset.
    pub(super) fn leave(&mut self, offset: usize) {
        if let Some(node) = self.open.pop().and_then(|number| self.nodes.get_mut(number)) {
            node.bytes.end = offset;
        }
    }
}
