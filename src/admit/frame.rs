//! A value of a resource while it is admitted: the way to it, and the place that stands for it.

use std::fmt;

use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Step, Trail, shown_in_path};
use crate::source::Span;
use crate::yaml::{Entry, Node, NodeValue};

/// A value of a resource.
#[derive(Clone, Copy)]
pub(super) struct Frame<'f> {
    kind: Kind,
    trail: Trail<'f>,
    head: Head<'f>,
}

/// What stands for a value as a whole.
#[derive(Clone, Copy)]
enum Head<'f> {
    /// The resource itself, or an item of a list.
    Node(Node<'f>),
    /// The key of a field of an object.
    Field(Span),
    /// A key of a Go map, which the API server writes in brackets where its Go code checks it.
    MapKey(Span),
}

impl<'f> Frame<'f> {
    /// The resource itself.
    pub(super) fn resource(kind: Kind, node: Node<'f>) -> Self {
        Self {
            kind,
            trail: Trail::Root,
            head: Head::Node(node),
        }
    }

    /// Whether the value is the resource itself.
    pub(super) fn is_resource(&self) -> bool {
        matches!(self.trail, Trail::Root)
    }

    /// The key that leads to the value, or to the list that it is in; none for the resource itself.
    pub(super) fn last_key(&self) -> Option<&str> {
        let mut trail = &self.trail;
        while let Trail::Below(parent, step) = trail {
            match step {
                Step::Key(key) => return Some(key),
                Step::Index(_) => trail = parent,
            }
        }
        None
    }

    /// The kind of the resource that the value is in.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// The step to an entry of an object.
    pub(super) fn field(&'f self, entry: Entry<'f>) -> Frame<'f> {
        self.step(Step::Key(entry.key), Head::Field(entry.key_span))
    }

    /// The step to an entry of a Go map.
    pub(super) fn key(&'f self, entry: Entry<'f>) -> Frame<'f> {
        self.step(Step::Key(entry.key), Head::MapKey(entry.key_span))
    }

    /// The step to an item of a list.
    pub(super) fn item(&'f self, index: usize, node: Node<'f>) -> Frame<'f> {
        self.step(Step::Index(index), Head::Node(node))
    }

    fn step(&'f self, step: Step<'f>, head: Head<'f>) -> Frame<'f> {
        Frame {
            kind: self.kind,
            trail: self.trail.step(step),
            head,
        }
    }

    /// The place that stands for the value as a whole: its key, or the head of an item.
    pub(super) fn head(&self) -> Span {
        let node = match self.head {
            Head::Field(span) | Head::MapKey(span) => return span,
            Head::Node(node) => node,
        };
        let kind = node.get("kind").filter(|_| self.is_resource());
        let first = || node.entries().next().map(|first| first.key_span);
        kind.map(Node::span).or_else(first).unwrap_or(node.span())
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

    /// A finding about the value, with a labelled span.
    pub(super) fn diagnostic(
        &self,
        code: Code,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(code, message).path(self).label(span, label)
    }

    /// The path of a missing field of the value.
    pub(super) fn missing(&self, name: &str) -> String {
        self.trail.step(Step::Key(name)).to_path().to_string()
    }

    /// The way to the value.
    pub(super) fn path(&self) -> FieldPath<'static> {
        self.trail.to_path()
    }

    /// What people call the value: its key, with the numbers of items after it.
    pub(super) fn name(&self) -> String {
        name(self.kind, &self.trail)
    }
}

impl fmt::Display for Frame<'_> {
    /// Writes the path as the API server does: `spec.endpoints[0].port`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.trail, self.head) {
            (Trail::Below(parent, Step::Key(key)), Head::MapKey(_)) => {
                let parent = parent.to_path();
                let key = shown_in_path(parent.last_key().or(Some("")), key);
                write!(f, "{parent}[{key}]")
            }
            (trail, _) => trail.to_path().fmt(f),
        }
    }
}

/// The end of a path, from the last key on.
fn name(kind: Kind, trail: &Trail<'_>) -> String {
    match trail {
        Trail::Root => kind.to_string(),
        Trail::Below(parent, Step::Key(key)) => {
            let parent = parent.to_path();
            shown_in_path(parent.last_key().or(Some("")), key).to_owned()
        }
        Trail::Below(parent, Step::Index(index)) => format!("{}[{index}]", name(kind, parent)),
    }
}

/// The mistake behind all that is found of such a key.
pub fn misread_at(key: Span) -> String {
    format!("key misread at {key:?}")
}
