//! JSON values in an input document or in a rendered object.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::go::envsubst::may_have_variable;
use crate::yaml::{self, Node, NodeValue, steps};

/// A JSON value in a resource or in a rendered object.
#[derive(Clone, Copy)]
pub enum Json<'v> {
    Read(Node<'v>),
    Built(&'v Value),
}

impl<'v> Json<'v> {
    pub const NULL: Json<'static> = Json::Built(&Value::Null);

    pub fn value(self) -> NodeValue<'v> {
        match self {
            Json::Read(node) => node.value(),
            Json::Built(Value::Null) => NodeValue::Null,
            Json::Built(Value::Bool(value)) => NodeValue::Bool(*value),
            Json::Built(Value::Number(number)) => match number.as_i64() {
                Some(whole) => NodeValue::Int(whole),
                None => NodeValue::Float(number.as_f64().unwrap_or_default()),
            },
            Json::Built(Value::String(text)) => NodeValue::String(text),
            Json::Built(Value::Array(_)) => NodeValue::Sequence,
            Json::Built(Value::Object(_)) => NodeValue::Mapping,
        }
    }

    pub fn get(self, field: &str) -> Option<Self> {
        match self {
            Json::Read(node) => node.get(field).map(Json::Read),
            Json::Built(value) => value.get(field).map(Json::Built),
        }
    }

    /// Returns the value at a field path, such as `oauth2.clientId`.
    pub fn at(self, path: &str) -> Option<Self> {
        steps(path, b'.').try_fold(self, Json::get)
    }

    /// Returns the value at a path, unless it is null.
    pub fn non_null(self, path: &str) -> Option<Self> {
        self.at(path).filter(|value| !value.is_null())
    }

    /// Returns the string in a field; empty if the field is missing.
    pub fn text(self, field: &str) -> &'v str {
        self.get(field).and_then(Json::as_str).unwrap_or_default()
    }

    /// Returns the items of the list at a path; empty if there is no list.
    pub fn list(self, path: &str) -> impl Iterator<Item = Self> + Clone + use<'v> {
        self.at(path).unwrap_or(Json::NULL).items()
    }

    /// Returns the items if the value is a list, or nothing otherwise.
    pub fn items(self) -> impl Iterator<Item = Self> + Clone + use<'v> {
        let (node, built) = self.parts();
        let built = built.and_then(Value::as_array).into_iter().flatten();
        node.into_iter().flat_map(Node::items).map(Json::Read).chain(built.map(Json::Built))
    }

    /// Returns the fields if the value is a mapping, or nothing otherwise.
    pub fn entries(self) -> impl Iterator<Item = (&'v str, Self)> + use<'v> {
        let (node, built) = self.parts();
        let read = node.into_iter().flat_map(Node::entries);
        let built = built.and_then(Value::as_object).into_iter().flatten();
        let built = built.map(|(key, value)| (key.as_str(), Json::Built(value)));
        read.map(|entry| (entry.key, Json::Read(entry.value))).chain(built)
    }

    fn parts(self) -> (Option<Node<'v>>, Option<&'v Value>) {
        match self {
            Json::Read(node) => (Some(node), None),
            Json::Built(value) => (None, Some(value)),
        }
    }

    pub fn as_str(self) -> Option<&'v str> {
        match self.value() {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_i64(self) -> Option<i64> {
        match self.value() {
            NodeValue::Int(whole) => Some(whole),
            _ => None,
        }
    }

    /// Returns the string that the agent reads for a scalar.
    pub fn scalar(self) -> Option<Cow<'v, str>> {
        Some(match self.value() {
            NodeValue::String(text) => Cow::Borrowed(text),
            NodeValue::Float(number) => Cow::Owned(number.to_string()),
            NodeValue::Bool(_) | NodeValue::Int(_) => Cow::Owned(self.to_string()),
            NodeValue::Null | NodeValue::Sequence | NodeValue::Mapping => return None,
        })
    }

    /// Returns the string that the agent reads for a scalar, with `$$` replaced with `$`, or `None` if the string is
    /// unknown because it contains a variable.
    pub fn constant_text(self) -> Option<Cow<'v, str>> {
        let text = self.scalar().filter(|text| !may_have_variable(text))?;
        Some(if text.contains("$$") { text.replace("$$", "$").into() } else { text })
    }

    pub fn is_null(self) -> bool {
        self.value() == NodeValue::Null
    }

    pub fn is_mapping(self) -> bool {
        self.value() == NodeValue::Mapping
    }

    /// Whether the value is a Boolean equal to `expected`.
    pub fn is(self, expected: bool) -> bool {
        self.value() == NodeValue::Bool(expected)
    }

    /// Whether the field at a path is `true`.
    pub fn is_true(self, path: &str) -> bool {
        self.at(path).is_some_and(|value| value.is(true))
    }

    /// Whether the field at a path is set to anything but an empty string or an empty list.
    pub fn has(self, path: &str) -> bool {
        self.at(path).is_some_and(|value| !value.is_empty())
    }

    /// Whether the value is null, an empty string or an empty list. An empty mapping does not count as empty.
    pub fn is_empty(self) -> bool {
        match self.value() {
            NodeValue::Null | NodeValue::String("") => true,
            NodeValue::Sequence => self.items().next().is_none(),
            _ => false,
        }
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Read(node) => yaml::to_json(*node).fmt(f),
            Json::Built(value) => value.fmt(f),
        }
    }
}
