use serde_json::Value;

use crate::source::{Sources, Span};
use crate::yaml::{Entry, Node, NodeValue};

/// Fields of an object or of a part of it. A missing part has no fields.
///
/// A field with an unexpected type is treated as missing. Values that are strings in Kubernetes are read as strings
/// even if YAML would read them as another type, because tools other than kubectl leave `y` or `0644` unquoted.
#[derive(Clone, Copy, Debug)]
pub struct ObjectFields<'d>(Option<FieldValue<'d>>);

#[derive(Clone, Copy, Debug)]
enum FieldValue<'d> {
    /// Value in the input.
    Input(Node<'d>, &'d Sources),
    /// Value in an object that the operator creates.
    Created(&'d Value),
}

impl<'d> FieldValue<'d> {
    fn get(self, field: &str) -> Option<Self> {
        match self {
            Self::Input(node, sources) => Some(Self::Input(node.get(field)?, sources)),
            Self::Created(value) => Some(Self::Created(value.get(field)?)),
        }
    }

    fn as_text(self) -> Option<&'d str> {
        match self {
            Self::Input(node, sources) => match node.value() {
                NodeValue::String(text) => Some(text),
                NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Float(_) => written_string(sources, node.span()),
                NodeValue::Null | NodeValue::Sequence | NodeValue::Mapping => None,
            },
            Self::Created(value) => value.as_str(),
        }
    }
}

fn written_string(sources: &Sources, span: Span) -> Option<&str> {
    sources.get(span.source)?.text.get(span.bytes())
}

/// Returns a key as written, even if YAML reads it as a boolean.
fn written_key<'d>(sources: &'d Sources, entry: &Entry<'d>) -> &'d str {
    match entry.key {
        "true" | "false" => {
            let written_key = written_string(sources, entry.key_span).unwrap_or(entry.key);
            written_key.trim_matches(['"', '\''])
        }
        key => key,
    }
}

impl<'d> ObjectFields<'d> {
    pub(super) fn new(node: Node<'d>, sources: &'d Sources) -> Self {
        Self(Some(FieldValue::Input(node, sources)))
    }

    pub(super) fn created(object: &'d Value) -> Self {
        Self(Some(FieldValue::Created(object)))
    }

    pub fn part(self, field: &str) -> Self {
        Self(self.0.and_then(|value| value.get(field)))
    }

    pub fn is_mapping(self) -> bool {
        self.0.is_some_and(|value| match value {
            FieldValue::Input(node, _) => node.is_mapping(),
            FieldValue::Created(value) => value.is_object(),
        })
    }

    /// Returns the span of the fields, or `None` if they are missing or not in the input.
    pub fn span(self) -> Option<Span> {
        match self.0? {
            FieldValue::Input(node, _) => Some(node.span()),
            FieldValue::Created(_) => None,
        }
    }

    pub fn as_text(self) -> Option<&'d str> {
        self.0?.as_text()
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
        let number = match self.part(field).0? {
            FieldValue::Input(node, _) => match node.value() {
                NodeValue::Int(number) => number,
                _ => return None,
            },
            FieldValue::Created(value) => value.as_i64()?,
        };
        i32::try_from(number).ok()
    }

    pub fn boolean(self, field: &str) -> Option<bool> {
        match self.part(field).0? {
            FieldValue::Input(node, _) => match node.value() {
                NodeValue::Bool(value) => Some(value),
                _ => None,
            },
            FieldValue::Created(value) => value.as_bool(),
        }
    }

    /// Returns the items of the list in a field.
    pub fn items(self, field: &str) -> impl Iterator<Item = Self> + use<'d> {
        let (input, created) = self.part(field).split();
        let items =
            input.into_iter().flat_map(|(node, sources)| node.items().map(move |item| Self::new(item, sources)));
        items.chain(created.and_then(Value::as_array).into_iter().flatten().map(Self::created))
    }

    /// Returns the string entries of the mapping in a field.
    pub fn texts(self, field: &str) -> Vec<(&'d str, &'d str)> {
        let (input, created) = self.part(field).split();
        let entries = input.into_iter().flat_map(|(node, sources)| {
            let entry = move |entry: Entry<'d>| (written_key(sources, &entry), Self::new(entry.value, sources));
            node.entries().map(entry)
        });
        let created = created.and_then(Value::as_object).into_iter().flatten();
        let entries = entries.chain(created.map(|(key, value)| (key.as_str(), Self::created(value))));
        entries.filter_map(|(key, value)| Some((key, value.as_text()?))).collect()
    }

    fn split(self) -> (Option<(Node<'d>, &'d Sources)>, Option<&'d Value>) {
        match self.0 {
            Some(FieldValue::Input(node, sources)) => (Some((node, sources)), None),
            Some(FieldValue::Created(value)) => (None, Some(value)),
            None => (None, None),
        }
    }
}
