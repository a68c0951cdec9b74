use crate::source::{Sources, Span};
use crate::yaml::{Entry, Node, NodeValue};

/// Fields of an object or of a part of it. A missing part has no fields.
///
/// A field with an unexpected type is treated as missing. Values that are strings in Kubernetes are read as strings
/// even if YAML would read them as another type, because tools other than kubectl leave `y` or `0644` unquoted.
#[derive(Clone, Copy, Debug)]
pub struct ObjectFields<'d> {
    node: Option<Node<'d>>,
    sources: &'d Sources,
}

impl<'d> ObjectFields<'d> {
    pub(super) fn new(node: Node<'d>, sources: &'d Sources) -> Self {
        Self { node: Some(node), sources }
    }

    fn with_node(self, node: Option<Node<'d>>) -> Self {
        Self { node, ..self }
    }

    pub fn part(self, field: &str) -> Self {
        self.with_node(self.node.and_then(|node| node.get(field)))
    }

    pub fn is_mapping(self) -> bool {
        self.node.is_some_and(Node::is_mapping)
    }

    pub fn span(self) -> Option<Span> {
        self.node.map(Node::span)
    }

    pub fn as_text(self) -> Option<&'d str> {
        let node = self.node?;
        match node.value() {
            NodeValue::String(text) => Some(text),
            NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Float(_) => self.written_string(node.span()),
            NodeValue::Null | NodeValue::Sequence | NodeValue::Mapping => None,
        }
    }

    fn written_string(self, span: Span) -> Option<&'d str> {
        self.sources.get(span.source)?.text.get(span.bytes())
    }

    /// Returns the string in a field, if it is set.
    pub fn optional_string(self, field: &str) -> Option<&'d str> {
        self.part(field).as_text()
    }

    /// Returns the string in a field, or an empty string if the field is missing.
    pub fn text(self, field: &str) -> &'d str {
        self.optional_string(field).unwrap_or_default()
    }

    /// Returns the integer in a field, or `None` if Kubernetes cannot read it (`int32`).
    pub fn number(self, field: &str) -> Option<i32> {
        match self.part(field).node?.value() {
            NodeValue::Int(number) => i32::try_from(number).ok(),
            _ => None,
        }
    }

    pub fn boolean(self, field: &str) -> Option<bool> {
        match self.part(field).node?.value() {
            NodeValue::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the items of the list in a field.
    pub fn items(self, field: &str) -> impl Iterator<Item = Self> + use<'d> {
        let items = self.part(field).node.into_iter().flat_map(Node::items);
        items.map(move |node| self.with_node(Some(node)))
    }

    /// Returns the string entries of the mapping in a field.
    pub fn texts(self, field: &str) -> Vec<(&'d str, &'d str)> {
        let entries = self.part(field).node.into_iter().flat_map(Node::entries);
        let entry = |entry: Entry<'d>| Some((self.key(&entry), self.with_node(Some(entry.value)).as_text()?));
        entries.filter_map(entry).collect()
    }

    /// Returns a key as written, even if YAML reads it as a boolean.
    fn key(self, entry: &Entry<'d>) -> &'d str {
        match entry.key {
            "true" | "false" => {
                let written_key = self.written_string(entry.key_span).unwrap_or(entry.key);
                written_key.trim_matches(['"', '\''])
            }
            key => key,
        }
    }
}
