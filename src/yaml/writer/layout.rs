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

/// Sees where nodes start and end while they are written.
pub(super) trait Observer<'v> {
    /// A node starts at this byte.
    fn enter(&mut self, step: Step<'v>, at: usize);
    /// The node that started last and has not ended ends at this byte.
    fn leave(&mut self, at: usize);
    /// A secret is between these bytes.
    fn secret(&mut self, _: &'v Secret<'_>, _: Range<usize>) {}
    /// The items of an empty list at a key of the outermost mapping, where they are known otherwise: each on lines of its own. Says whether there are any.
    fn items(&mut self, _: &str, _: &mut String) -> bool {
        false
    }
}

/// Observer that ignores every event.
impl<'v> Observer<'v> for () {
    fn enter(&mut self, _: Step<'v>, _: usize) {}
    fn leave(&mut self, _: usize) {}
}

/// Writes items of lists that are known otherwise.
pub(super) struct Items<'f>(pub(super) &'f mut dyn FnMut(&str, &mut String) -> bool);

impl<'v> Observer<'v> for Items<'_> {
    fn enter(&mut self, _: Step<'v>, _: usize) {}
    fn leave(&mut self, _: usize) {}
    fn items(&mut self, key: &str, out: &mut String) -> bool {
        (self.0)(key, out)
    }
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
}

impl<'v> Observer<'v> for Layout<'v> {
    fn enter(&mut self, step: Step<'v>, at: usize) {
        let number = self.nodes.len();
        self.nodes.push(Laid {
            parent: self.open.last().map(|&parent| (parent, step)),
            bytes: at..at,
        });
        self.open.push(number);
    }

    fn secret(&mut self, secret: &'v Secret<'_>, bytes: Range<usize>) {
        if let SecretSource::Key { .. } = secret.source {
            self.secrets.push((bytes, secret.source));
        }
    }

    fn leave(&mut self, at: usize) {
        if let Some(node) = self.open.pop().and_then(|number| self.nodes.get_mut(number)) {
            node.bytes.end = at;
        }
    }
}
