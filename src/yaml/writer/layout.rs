//! The places of the nodes of a value in the text that is written for it.

use std::ops::Range;

use crate::diagnostic::Step;
use crate::yaml::{Secret, SecretSource};

/// A node of a written value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid<'v> {
    /// The number of the collection around it, and how to get from there to this node; `None` for the outermost node.
    pub parent: Option<(usize, Step<'v>)>,
    /// The bytes of its text, from its key or dash to behind its last character.
    pub bytes: Range<usize>,
}

/// The nodes of a written value in the order of their text: a collection comes before its entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout<'v> {
    /// The nodes; their places are their numbers.
    pub nodes: Vec<Laid<'v>>,
    /// The secrets that come from keys of Secrets, and where they are.
    pub secrets: Vec<(Range<usize>, SecretSource<'v>)>,
    /// The numbers of the collections that are being written, the innermost last.
    open: Vec<usize>,
}

impl<'v> Layout<'v> {
    /// The way from the outermost node to the node of this number.
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

    /// Nothing but the outermost node, which is yet to be written.
    pub(super) fn new() -> Self {
        let outermost = Laid {
            parent: None,
            bytes: 0..0,
        };
        // Room for what most scrape jobs take.
        let (mut nodes, mut open) = (Vec::with_capacity(64), Vec::with_capacity(8));
        nodes.push(outermost);
        open.push(0);
        Self {
            nodes,
            secrets: Vec::new(),
            open,
        }
    }

    /// A node starts at this byte.
    pub(super) fn enter(&mut self, step: Step<'v>, at: usize) {
        let number = self.nodes.len();
        self.nodes.push(Laid {
            parent: self.open.last().map(|&parent| (parent, step)),
            bytes: at..at,
        });
        self.open.push(number);
    }

    /// A secret is between these bytes.
    pub(super) fn secret(&mut self, secret: &'v Secret<'_>, bytes: Range<usize>) {
        if let SecretSource::Key { .. } = secret.source {
            self.secrets.push((bytes, secret.source));
        }
    }

    /// The node that started last and has not ended ends at this byte.
    pub(super) fn leave(&mut self, at: usize) {
        if let Some(node) = self.open.pop().and_then(|number| self.nodes.get_mut(number)) {
            node.bytes.end = at;
        }
    }
}
