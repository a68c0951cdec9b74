//! Values to be written, which have no spans, and conversions from nodes to JSON and to these values.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::node::{Node, NodeValue};

/// Content of a YAML or JSON document. It can contain secret values, so `Debug` shows no strings other than keys,
/// except in tests of this crate.
#[derive(Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(Debug))]
pub enum Value<'d> {
    /// `null` value.
    Null,
    /// A boolean, written as `true` or `false`.
    Bool(bool),
    /// An integer, written with all its digits.
    Int(i64),
    /// A double, written as in Go (`1e+06`). All numbers that pass through the operator's templates are doubles.
    Float(f64),
    String(Cow<'d, str>),
    /// Items of a list, in order.
    Sequence(Vec<Value<'d>>),
    /// Keys and values of a mapping. The writer sorts them in Go's order.
    Mapping(Mapping<'d>),
    /// A secret value. It is written like any other value.
    Secret(Box<Secret<'d>>),
}

/// A secret value and its source.
#[derive(Clone, PartialEq)]
#[cfg_attr(test, derive(Debug))]
pub struct Secret<'d> {
    pub value: Value<'d>,
    /// Source of the value.
    pub source: SecretSource<'d>,
}

/// Source of a secret value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretSource<'d> {
    /// Key of a Secret.
    Key {
        /// Namespace of the Secret.
        namespace: &'d str,
        name: &'d str,
        key: &'d str,
    },
    /// A credential in YAML from a Secret, identified by its index among all such credentials.
    Credential(usize),
    /// A field that contains a plain-text credential.
    Field,
}

/// Keys and values of a mapping, in insertion order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping<'d>(Vec<(Cow<'d, str>, Value<'d>)>);

impl<'d> Mapping<'d> {
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty mapping with the given capacity.
    pub fn with_capacity(entries: usize) -> Self {
        Self(Vec::with_capacity(entries))
    }

    /// Appends a key that does not exist yet.
    pub fn push(&mut self, key: impl Into<Cow<'d, str>>, value: impl Into<Value<'d>>) {
        self.0.push((key.into(), value.into()));
    }

    /// Sets a key, replacing its previous value.
    pub fn set(&mut self, key: impl Into<Cow<'d, str>>, value: impl Into<Value<'d>>) {
        let (key, value) = (key.into(), value.into());
        match self.0.iter_mut().find(|(k, _)| *k == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    pub fn get(&self, key: &str) -> Option<&Value<'d>> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// Returns keys and values in insertion order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value<'d>)> {
        self.0.iter().map(|(k, v)| (k.as_ref(), v))
    }

    /// Returns keys and mutable values in insertion order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&str, &mut Value<'d>)> {
        self.0.iter_mut().map(|(k, v)| (&**k, v))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(not(test))]
impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(_) => f.write_str("boolean"),
            Value::Int(_) | Value::Float(_) => f.write_str("number"),
            Value::String(_) => f.write_str("string"),
            Value::Sequence(items) => f.debug_list().entries(items).finish(),
            Value::Mapping(entries) => f.debug_map().entries(entries.iter()).finish(),
            Value::Secret(_) => f.write_str("secret"),
        }
    }
}

impl<'d> IntoIterator for Mapping<'d> {
    type Item = (Cow<'d, str>, Value<'d>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'d> FromIterator<(Cow<'d, str>, Value<'d>)> for Mapping<'d> {
    fn from_iter<I: IntoIterator<Item = (Cow<'d, str>, Value<'d>)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<'d> Value<'d> {
    /// Returns the value of a mapping key, or `None` if this is not a mapping or lacks the key.
    pub fn get(&self, key: &str) -> Option<&Value<'d>> {
        match self {
            Value::Mapping(mapping) => mapping.get(key),
            _ => None,
        }
    }

    /// Returns the string in a mapping field, or an empty string if there is none.
    pub fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the items of a list in a mapping field, or an empty slice if there is none.
    pub fn items(&self, key: &str) -> &[Value<'d>] {
        match self.get(key) {
            Some(Value::Sequence(items)) => items,
            _ => &[],
        }
    }

    /// Returns the text, or `None` if this is not a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            Value::Secret(secret) => secret.value.as_str(),
            _ => None,
        }
    }

    pub fn secret(value: impl Into<Value<'d>>, source: SecretSource<'d>) -> Self {
        let value = value.into();
        Value::Secret(Box::new(Secret { value, source }))
    }

    /// Calls `visit` for each scalar and each secret.
    pub fn for_each_leaf(&mut self, visit: &mut dyn FnMut(&mut Value<'d>)) {
        match self {
            Value::Sequence(items) => items.iter_mut().for_each(|item| item.for_each_leaf(visit)),
            Value::Mapping(entries) => entries.iter_mut().for_each(|(_, value)| value.for_each_leaf(visit)),
            leaf => visit(leaf),
        }
    }

    /// Converts the value to one that borrows nothing.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Bool(b) => Value::Bool(b),
            Value::Int(i) => Value::Int(i),
            Value::Float(f) => Value::Float(f),
            Value::String(s) => Value::String(Cow::Owned(s.into_owned())),
            Value::Sequence(items) => Value::Sequence(items.into_iter().map(Value::into_owned).collect()),
            Value::Mapping(entries) => {
                Value::Mapping(entries.into_iter().map(|(k, v)| (Cow::Owned(k.into_owned()), v.into_owned())).collect())
            }
            // A `Key` borrows from the objects, so it is converted to a `Field`, which borrows nothing.
            Value::Secret(secret) => match secret.source {
                SecretSource::Credential(number) => {
                    Value::secret(secret.value.into_owned(), SecretSource::Credential(number))
                }
                SecretSource::Key { .. } | SecretSource::Field => {
                    Value::secret(secret.value.into_owned(), SecretSource::Field)
                }
            },
        }
    }
}

macro_rules! from {
    ($($from:ty => $variant:ident)+) => {
        $(impl<'d> From<$from> for Value<'d> {
            fn from(value: $from) -> Self {
                Value::$variant(value.into())
            }
        })+
    };
}
from! {
    &'d str => String
    String => String
    Cow<'d, str> => String
    bool => Bool
    f64 => Float
    Mapping<'d> => Mapping
    Vec<Value<'d>> => Sequence
}

impl<'d, const N: usize> From<[(&'d str, Value<'d>); N]> for Value<'d> {
    fn from(entries: [(&'d str, Value<'d>); N]) -> Self {
        let entries = entries.into_iter();
        Value::Mapping(entries.map(|(key, value)| (key.into(), value)).collect())
    }
}

impl From<serde_json::Value> for Value<'_> {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(b) => Value::Bool(b),
            serde_json::Value::Number(n) => match n.as_i64() {
                Some(i) => Value::Int(i),
                None => Value::Float(n.as_f64().unwrap_or_default()),
            },
            serde_json::Value::String(s) => Value::String(Cow::Owned(s)),
            serde_json::Value::Array(items) => Value::Sequence(items.into_iter().map(Value::from).collect()),
            serde_json::Value::Object(entries) => {
                Value::Mapping(entries.into_iter().map(|(k, v)| (Cow::Owned(k), Value::from(v))).collect())
            }
        }
    }
}

impl Serialize for Secret<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl Serialize for Mapping<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

pub fn to_json(node: Node<'_>) -> serde_json::Value {
    match node.value() {
        NodeValue::Null => serde_json::Value::Null,
        NodeValue::Bool(value) => value.into(),
        NodeValue::Int(value) => value.into(),
        NodeValue::Float(value) => value.into(),
        NodeValue::String(text) => text.into(),
        NodeValue::Sequence => node.items().map(to_json).collect(),
        NodeValue::Mapping => node.entries().map(|entry| (entry.key.to_owned(), to_json(entry.value))).collect(),
    }
}

/// Converts a node to a value.
pub fn to_value<'d>(node: Node<'d>) -> Value<'d> {
    convert_node(node, Value::Int)
}

/// Converts a node to a value with all numbers as doubles, as in Go's untyped JSON and therefore in the operator's
/// templates.
pub fn to_value_of_doubles<'d>(node: Node<'d>) -> Value<'d> {
    convert_node(node, |value| Value::Float(value as f64))
}

fn convert_node<'d>(node: Node<'d>, whole: fn(i64) -> Value<'d>) -> Value<'d> {
    match node.value() {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => Value::Bool(value),
        NodeValue::Int(value) => whole(value),
        NodeValue::Float(value) => Value::Float(value),
        NodeValue::String(text) => Value::from(text),
        NodeValue::Sequence => Value::Sequence(node.items().map(|item| convert_node(item, whole)).collect()),
        NodeValue::Mapping => {
            let entries = node.entries().map(|entry| (entry.key.into(), convert_node(entry.value, whole)));
            Value::Mapping(entries.collect::<Mapping<'d>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn conversions_preserve_order_and_numbers() {
        let tree = testing::document("b: 1\na: [x, 1.5, yes, ~]\n");
        assert_eq!(to_json(tree.root()).to_string(), r#"{"a":["x",1.5,true,null],"b":1}"#);
        let Value::Mapping(value) = to_value(tree.root()) else { panic!() };
        assert_eq!(value.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(value.get("b"), Some(&Value::Int(1)));
        let Value::Mapping(value) = to_value_of_doubles(tree.root()) else { panic!() };
        assert_eq!(value.get("b"), Some(&Value::Float(1.0)));
    }
}
