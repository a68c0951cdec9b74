//! The path of a field, written as the API server writes it.

use std::borrow::Cow;
use std::fmt;

use crate::source::Span;
use crate::yaml::Node;

/// One step down into a document.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step<'p> {
    Key(Cow<'p, str>),
    Index(usize),
}

/// The way from the outermost node to a field: `spec.endpoints[0].port`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPath<'p>(Vec<Step<'p>>);

impl<'p> FieldPath<'p> {
    /// The outermost node.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses nothing: splits `spec.metrics.shards` at its dots.
    pub fn of(dotted: &'p str) -> Self {
        Self(dotted.split('.').map(|key| Step::Key(Cow::Borrowed(key))).collect())
    }

    /// One key further.
    #[must_use]
    pub fn key(&self, key: impl Into<Cow<'p, str>>) -> Self {
        let mut path = self.clone();
        path.push_key(key);
        path
    }

    /// One item further.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.push_index(index);
        path
    }

    /// Goes one key further.
    pub fn push_key(&mut self, key: impl Into<Cow<'p, str>>) {
        self.0.push(Step::Key(key.into()));
    }

    /// Goes one item further.
    pub fn push_index(&mut self, index: usize) {
        self.0.push(Step::Index(index));
    }

    /// Goes one step back.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// The key that the path ends with; `None` where it ends with an item.
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last()? {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        }
    }

    /// Where the field stands below `root`; where it is missing, the key of the nearest parent that is there.
    pub fn locate(&self, root: Node<'_>) -> Span {
        let mut node = root;
        let mut span = root.span();
        for step in &self.0 {
            let next = match step {
                Step::Key(key) => node.entry(key).map(|entry| (entry.value, entry.key_span)),
                Step::Index(index) => node.items().nth(*index).map(|item| (item, item.span())),
            };
            let Some((value, at)) = next else {
                return span;
            };
            node = value;
            span = at;
        }
        if node.is_mapping() || node.items().len() > 0 {
            span
        } else {
            node.span()
        }
    }
}

impl FieldPath<'_> {
    /// The field's value below `root`, where it is there.
    pub fn find<'d>(&self, root: Node<'d>) -> Option<Node<'d>> {
        self.0.iter().try_fold(root, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.items().nth(*index),
        })
    }
}

impl fmt::Display for FieldPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if i == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
