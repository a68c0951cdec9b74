//! A value that is being admitted, along with its path and location.

use std::fmt;

use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Step, Trail, display_path_key};
use crate::source::Span;
use crate::yaml::{Entry, Node, NodeValue};

/// A value in a resource, along with its path and location.
#[derive(Clone, Copy)]
pub(super) struct Frame<'f> {
    kind: Kind,
    trail: Trail<'f>,
    head: Head<'f>,
}

/// The node or key that represents a value as a whole.
#[derive(Clone, Copy)]
enum Head<'f> {
    /// The resource itself, or a list item.
    Node(Node<'f>),
    /// The key of an object field.
    Field(Span),
    /// The key of an entry in a Go map. The API server writes the key in brackets if its Go code validates the map.
    MapKey(Span),
}

impl<'f> Frame<'f> {
    /// Creates the frame for a resource.
    pub(super) fn resource(kind: Kind, node: Node<'f>) -> Self {
        Self { kind, trail: Trail::Root, head: Head::Node(node) }
    }

    /// Whether the value is the resource itself.
    pub(super) fn is_resource(&self) -> bool {
        matches!(self.trail, Trail::Root)
    }

    /// Returns the value's own key or, for a list item, the key of the list. Returns `None` for the resource itself.
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

    /// Returns the kind of the resource that contains the value.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the frame for an object field.
    pub(super) fn field(&'f self, entry: Entry<'f>) -> Frame<'f> {
        self.step(Step::Key(entry.key), Head::Field(entry.key_span))
    }

    /// Returns the frame for an entry in a Go map.
    pub(super) fn key(&'f self, entry: Entry<'f>) -> Frame<'f> {
        self.step(Step::Key(entry.key), Head::MapKey(entry.key_span))
    }

    /// Returns the frame for a list item.
    pub(super) fn item(&'f self, index: usize, node: Node<'f>) -> Frame<'f> {
        self.step(Step::Index(index), Head::Node(node))
    }

    fn step(&'f self, step: Step<'f>, head: Head<'f>) -> Frame<'f> {
        Frame { kind: self.kind, trail: self.trail.step(step), head }
    }

    /// Returns the span that represents the value as a whole: its key or, for a list item, the first part of the item.
    pub(super) fn head(&self) -> Span {
        let node = match self.head {
            Head::Field(span) | Head::MapKey(span) => return span,
            Head::Node(node) => node,
        };
        let kind = node.get("kind").filter(|_| self.is_resource());
        let first = || node.entries().next().map(|first| first.key_span);
        kind.map(Node::span).or_else(first).unwrap_or(node.span())
    }

    /// Returns the span to show for the value: all of a scalar, or the head of a collection.
    pub(super) fn value_span(&self, node: Node<'_>) -> Span {
        match node.value() {
            NodeValue::Null => self.head(),
            NodeValue::Mapping if node.entries().len() > 0 => self.head(),
            NodeValue::Sequence if node.items().len() > 0 => self.head(),
            _ => node.span(),
        }
    }

    /// Creates a finding about the value, with a label on `span`.
    pub(super) fn diagnostic(
        &self,
        code: Code,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(code, message).path(self).label(span, label)
    }

    /// Returns the path of a field that is missing from the value.
    pub(super) fn missing_path(&self, name: &str) -> String {
        self.trail.step(Step::Key(name)).to_path().to_string()
    }

    /// Returns the path of the value.
    pub(super) fn path(&self) -> FieldPath<'static> {
        self.trail.to_path()
    }

    /// Returns the value's name for use in messages: its key, followed by the indices of any list items.
    pub(super) fn name(&self) -> String {
        name(self.kind, &self.trail)
    }
}

impl fmt::Display for Frame<'_> {
    /// Writes the path as the API server does, such as `spec.endpoints[0].port`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.trail, self.head) {
            (Trail::Below(parent, Step::Key(key)), Head::MapKey(_)) => {
                let parent = parent.to_path();
                let key = display_path_key(parent.last_key().or(Some("")), key);
                write!(f, "{parent}[{key}]")
            }
            (trail, _) => trail.to_path().fmt(f),
        }
    }
}

/// Returns the end of a path, starting with the last key.
fn name(kind: Kind, trail: &Trail<'_>) -> String {
    match trail {
        Trail::Root => kind.to_string(),
        Trail::Below(parent, Step::Key(key)) => {
            let parent = parent.to_path();
            display_path_key(parent.last_key().or(Some("")), key).to_owned()
        }
        Trail::Below(parent, Step::Index(index)) => format!("{}[{index}]", name(kind, parent)),
    }
}

/// Returns the cause shared by all findings that result from a misread key.
pub fn misread_key_cause(key: Span) -> String {
    format!("key misread at {key:?}")
}
