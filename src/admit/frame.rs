//! The way to the value at hand, linked on the stack: nothing is written unless there is something to say.

use std::fmt;

use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::yaml::{Entry, Node, NodeValue};

/// One step of the way from the resource down, with the steps before it.
#[derive(Clone, Copy)]
pub(super) enum Frame<'f> {
    /// The resource itself.
    Resource { kind: Kind, node: Node<'f> },
    /// A field of an object.
    Field {
        parent: &'f Frame<'f>,
        name: &'f str,
        key_span: Span,
    },
    /// A key of a Go map, which the API server writes in brackets where its Go code checks it.
    Key {
        parent: &'f Frame<'f>,
        name: &'f str,
        key_span: Span,
    },
    /// An item of a list.
    Item {
        parent: &'f Frame<'f>,
        index: usize,
        node: Node<'f>,
    },
}

impl<'f> Frame<'f> {
    /// The step to an entry of an object.
    pub(super) fn field(&'f self, entry: Entry<'f>) -> Frame<'f> {
        Frame::Field {
            parent: self,
            name: entry.key,
            key_span: entry.key_span,
        }
    }

    /// The step to an entry of a Go map.
    pub(super) fn key(&'f self, entry: Entry<'f>) -> Frame<'f> {
        Frame::Key {
            parent: self,
            name: entry.key,
            key_span: entry.key_span,
        }
    }

    /// The step to an item of a list.
    pub(super) fn item(&'f self, index: usize, node: Node<'f>) -> Frame<'f> {
        Frame::Item {
            parent: self,
            index,
            node,
        }
    }

    /// The place that stands for the value as a whole: its key, or the head of an item.
    pub(super) fn head(&self) -> Span {
        match self {
            Frame::Field { key_span, .. } | Frame::Key { key_span, .. } => *key_span,
            Frame::Item { node, .. } => node.entries().next().map_or(node.span(), |first| first.key_span),
            Frame::Resource { node, .. } => node
                .get("kind")
                .map(Node::span)
                .or_else(|| node.entries().next().map(|first| first.key_span))
                .unwrap_or(node.span()),
        }
    }

    /// The place of the value: a scalar itself, a collection at its head.
    pub(super) fn place(&self, node: Node<'_>) -> Span {
        match node.value() {
            NodeValue::Null => self.head(),
            NodeValue::Mapping if node.entries().len() > 0 => self.head(),
            NodeValue::Sequence if node.items().len() > 0 => self.head(),
            _ => node.span(),
        }
    }

    /// A finding at the value, with a word about the place in the text.
    pub(super) fn diagnostic(
        &self,
        code: Code,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(code, message).path(self).label(span, label)
    }

    /// The path of a field of the value that is not there.
    pub(super) fn missing(&self, name: &str) -> String {
        match self {
            Frame::Resource { .. } => name.to_owned(),
            _ => format!("{self}.{name}"),
        }
    }

    /// What people call the value: its key, with the numbers of items after it.
    pub(super) fn name(&self) -> Name<'_> {
        Name(self)
    }
}

impl fmt::Display for Frame<'_> {
    /// Writes the path as the API server does: `spec.endpoints[0].port`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Frame::Resource { .. } => Ok(()),
            Frame::Field {
                parent: Frame::Resource { .. },
                name,
                ..
            } => f.write_str(name),
            Frame::Field { parent, name, .. } => write!(f, "{parent}.{name}"),
            Frame::Key { parent, name, .. } => write!(f, "{parent}[{name}]"),
            Frame::Item { parent, index, .. } => write!(f, "{parent}[{index}]"),
        }
    }
}

/// Writes the end of a path, from the last key on.
pub(super) struct Name<'f>(&'f Frame<'f>);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Frame::Resource { kind, .. } => f.write_str(kind.as_str()),
            Frame::Field { name, .. } | Frame::Key { name, .. } => f.write_str(name),
            Frame::Item { parent, index, .. } => write!(f, "{}[{index}]", Name(parent)),
        }
    }
}
