//! Nodes → JSON, and values to be written.

use super::node::{Node, NodeValue};
use super::value::{Mapping, Value};

/// The node as JSON.
pub fn to_json(node: Node<'_>) -> serde_json::Value {
    match node.value() {
        NodeValue::Null => serde_json::Value::Null,
        NodeValue::Bool(value) => value.into(),
        NodeValue::Int(value) => value.into(),
        NodeValue::Float(value) => value.into(),
        NodeValue::String(text) => text.into(),
        NodeValue::Sequence => node.items().map(to_json).collect(),
        NodeValue::Mapping => node
            .entries()
            .map(|entry| (entry.key.to_owned(), to_json(entry.value)))
            .collect(),
    }
}

/// The node as a value to be written.
pub fn to_value<'d>(node: Node<'d>) -> Value<'d> {
    value_of(node, Value::Int)
}

/// The node as a value in which every number is a double, as in Go's untyped JSON and so in the operator's templates.
pub fn to_value_of_doubles<'d>(node: Node<'d>) -> Value<'d> {
    value_of(node, |value| Value::Float(value as f64))
}

fn value_of<'d>(node: Node<'d>, whole: fn(i64) -> Value<'d>) -> Value<'d> {
    match node.value() {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => Value::Bool(value),
        NodeValue::Int(value) => whole(value),
        NodeValue::Float(value) => Value::Float(value),
        NodeValue::String(text) => Value::from(text),
        NodeValue::Sequence => Value::Sequence(node.items().map(|item| value_of(item, whole)).collect()),
        NodeValue::Mapping => {
            let entries = node
                .entries()
                .map(|entry| (entry.key.into(), value_of(entry.value, whole)));
            Value::Mapping(entries.collect::<Mapping<'d>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read};

    #[test]
    fn values_keep_their_order_and_numbers() {
        let source = Sources::default().add(Source::new("x.yaml", "", true));
        let tree = read(source, "b: 1\na: [x, 1.5, yes, ~]\n", &Limits::default())
            .output
            .remove(0);
        assert_eq!(to_json(tree.root()).to_string(), r#"{"a":["x",1.5,true,null],"b":1}"#);
        let Value::Mapping(value) = to_value(tree.root()) else {
            panic!()
        };
        assert_eq!(value.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(value.get("b"), Some(&Value::Int(1)));
        let Value::Mapping(value) = to_value_of_doubles(tree.root()) else {
            panic!()
        };
        assert_eq!(value.get("b"), Some(&Value::Float(1.0)));
    }
}
