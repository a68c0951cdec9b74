//! Structural schemas, which describe the fields that the API server recognizes.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

use crate::yaml::NodeValue;

/// Largest integer below which a double can represent all integers exactly.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Schema for a value. Keywords that the CustomResourceDefinitions do not use are rejected.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub struct Schema {
    /// JSON type, or `None` if the value may be either an integer or a string, or may have any type.
    #[serde(rename = "type")]
    pub value_type: Option<ValueType>,
    /// Whether the value may be an integer or a string.
    #[serde(rename = "x-kubernetes-int-or-string")]
    pub int_or_string: bool,
    /// Whether `null` is a distinct value. Otherwise a null field is treated as missing.
    pub nullable: bool,
    /// Fields of an object.
    pub properties: BTreeMap<&'static str, Schema>,
    #[serde(skip)]
    has_defaults: OnceLock<bool>,
    /// Required fields of an object.
    pub required: Vec<String>,
    /// Schema for all fields that are not listed in `properties`.
    #[serde(rename = "additionalProperties")]
    pub additional: Option<Box<Schema>>,
    /// Whether fields without a schema are kept.
    #[serde(rename = "x-kubernetes-preserve-unknown-fields")]
    pub preserve_unknown: bool,
    /// Schema for the items in a list.
    pub items: Option<Box<Schema>>,
    /// Rule for identifying list items.
    #[serde(rename = "x-kubernetes-list-type")]
    pub list_type: ListType,
    /// Fields that identify the items in a [`ListType::Map`].
    #[serde(rename = "x-kubernetes-list-map-keys")]
    pub list_map_keys: Vec<String>,
    /// Allowed strings; empty if any string is allowed.
    #[serde(rename = "enum")]
    pub allowed: Vec<String>,
    /// Pattern that a string must match.
    pub pattern: Option<Box<Pattern>>,
    /// Minimum length of a string, in code points.
    #[serde(rename = "minLength")]
    pub min_length: usize,
    /// Constraint on a number or string in addition to its type.
    pub format: Option<ValueFormat>,
    /// Default for a missing field.
    pub default: Option<serde_json::Value>,
    /// Repeats `int_or_string` in another form, and is therefore ignored.
    #[serde(rename = "anyOf")]
    any_of: serde::de::IgnoredAny,
    /// Type of a map; relevant only to server-side apply.
    #[serde(rename = "x-kubernetes-map-type")]
    map_type: serde::de::IgnoredAny,
}

/// A JSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// Type `object`: a mapping in YAML.
    Object,
    /// Type `array`: a list in YAML.
    Array,
    /// Type `string`.
    String,
    /// Type `integer`. The CustomResourceDefinitions contain no other numeric types.
    Integer,
    /// Type `boolean`: `true` or `false`.
    Boolean,
}

/// A constraint on a number or string in addition to its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueFormat {
    /// Integer that fits in 32 bits.
    Int32,
    /// Integer that fits in 64 bits.
    Int64,
    /// RFC 3339 date-time.
    DateTime,
    /// Base64-encoded bytes.
    Byte,
}

/// Rule for identifying list items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListType {
    /// List whose items are identified by their positions.
    #[default]
    Atomic,
    /// List whose items are identified by their values.
    Set,
    /// List whose items are identified by the values of some of their fields.
    Map,
}

impl Schema {
    /// Returns the schema for a field, or `None` if the object must not contain the field.
    pub fn field(&self, name: &str) -> Option<&Schema> {
        self.properties.get(name).or(self.additional.as_deref())
    }

    /// Returns the fields that have a default, with their defaults.
    pub fn defaults(&self) -> impl Iterator<Item = (&'static str, &serde_json::Value)> {
        let defaults = || self.properties.iter().filter_map(|(name, field)| Some((*name, field.default.as_ref()?)));
        let has_any = *self.has_defaults.get_or_init(|| defaults().next().is_some());
        has_any.then(defaults).into_iter().flatten()
    }

    /// Whether objects have a field with this name that accepts the value. Null counts as accepted, because the value is
    /// still missing.
    pub fn has_field_for(&self, name: &str, value: NodeValue<'_>) -> bool {
        self.properties.get(name).is_some_and(|field| value == NodeValue::Null || field.accepts(value))
    }

    /// Returns the path of the only object below this schema that has a field for the value with this name, such as
    /// `endpoints[].tlsConfig`, or `None` if there is no such object or more than one.
    pub fn find_only_parent(&self, name: &str, value: NodeValue<'_>) -> Option<String> {
        let mut parents = Vec::new();
        self.find_parents((name, value), &mut parents);
        let [path] = parents.as_slice() else { return None };
        let mut text = String::new();
        for step in path.iter().rev() {
            let dot = if text.is_empty() || *step == "[]" { "" } else { "." };
            text.extend([dot, step]);
        }
        Some(text)
    }

    /// Returns the fields of an object that contain a field for the value with this name.
    pub fn parents_with_field<'s>(&'s self, name: &str, value: NodeValue<'_>) -> impl Iterator<Item = &'s str> {
        let parents = self.properties.iter().filter(move |(_, field)| field.has_field_for(name, value));
        parents.map(|(parent, _)| *parent)
    }

    /// Searches below the schema until two parents are found, and adds the steps of their paths in reverse order.
    fn find_parents<'s>(&'s self, (name, value): (&str, NodeValue<'_>), parents: &mut Vec<Vec<&'s str>>) {
        let mut search = |step: &'s str, schema: &'s Schema| {
            let known_count = parents.len();
            if schema.has_field_for(name, value) {
                parents.push(Vec::new());
            }
            if parents.len() < 2 {
                schema.find_parents((name, value), parents);
            }
            parents.iter_mut().skip(known_count).for_each(|path| path.push(step));
        };
        for (field, schema) in &self.properties {
            search(field, schema);
        }
        if let Some(items) = &self.items {
            search("[]", items);
        }
    }

    /// Whether a value has the right type. As in kube-openapi's `typeValidator`, whole numbers are integers regardless
    /// of their notation.
    pub fn accepts(&self, value: NodeValue<'_>) -> bool {
        match (self.value_type, value) {
            (_, NodeValue::Null) => self.nullable,
            (Some(ValueType::Object), NodeValue::Mapping)
            | (Some(ValueType::Array), NodeValue::Sequence)
            | (Some(ValueType::String), NodeValue::String(_))
            | (Some(ValueType::Boolean), NodeValue::Bool(_)) => true,
            (Some(ValueType::Integer), number) => is_integer(number),
            (Some(_), _) => false,
            (None, NodeValue::String(_)) => true,
            (None, other) => !self.int_or_string || is_integer(other),
        }
    }
}

fn is_integer(value: NodeValue<'_>) -> bool {
    match value {
        NodeValue::Int(_) => true,
        NodeValue::Float(f) => f.trunc() == f && f.abs() <= SAFE_INTEGER,
        _ => false,
    }
}

/// A regular expression, compiled on first use. It matches anywhere in a string unless it is anchored.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub struct Pattern {
    text: String,
    regex: OnceLock<Option<Regex>>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self { text, regex: OnceLock::new() }
    }
}

impl Pattern {
    /// Whether a string matches. A pattern that does not compile would match every string, but a test ensures that all
    /// patterns compile.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.get_or_init(|| Regex::new(&self.text).ok()).as_ref().is_none_or(|regex| regex.is_match(text))
    }

    /// Returns the pattern as written in the schema.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(json: &'static str) -> Schema {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn distinguishes_types_like_kube_openapi() {
        let integer = schema(r#"{"type": "integer"}"#);
        assert!(integer.accepts(NodeValue::Int(1)));
        assert!(integer.accepts(NodeValue::Float(2.0)), "a whole number is an integer");
        assert!(!integer.accepts(NodeValue::Float(1.5)));
        assert!(!integer.accepts(NodeValue::Float(1e19)), "beyond what a double holds exactly");
        assert!(!integer.accepts(NodeValue::String("1")));
        let int_or_string =
            schema(r#"{"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true}"#);
        assert!(int_or_string.accepts(NodeValue::Int(1)));
        assert!(int_or_string.accepts(NodeValue::String("http")));
        assert!(!int_or_string.accepts(NodeValue::Bool(true)));
        assert!(!int_or_string.accepts(NodeValue::Float(0.5)));
        assert!(!int_or_string.accepts(NodeValue::Null));
        assert!(schema(r#"{"type": "string", "nullable": true}"#).accepts(NodeValue::Null));
    }

    #[test]
    fn rejects_unsupported_keywords() {
        assert!(serde_json::from_str::<Schema>(r#"{"maxLength": 3}"#).is_err());
    }

    #[test]
    fn finds_fields_and_additional_properties() {
        let object = schema(r#"{"properties": {"a": {"default": 1}, "b": {"type": "string"}}}"#);
        assert!(object.properties.keys().eq(&["a", "b"]));
        assert!(object.field("b").is_some());
        assert!(object.field("c").is_none());
        assert!(schema(r#"{"additionalProperties": {"type": "string"}}"#).field("c").is_some());
    }

    #[test]
    fn patterns_match_anywhere_in_a_string() {
        let pattern = Pattern::from("b+".to_owned());
        assert!(pattern.matches("abbc"));
        assert!(!pattern.matches("ac"));
    }

    #[test]
    fn accepts_values_of_the_right_type() {
        let values = [
            NodeValue::Null,
            NodeValue::Bool(true),
            NodeValue::Int(1),
            NodeValue::Float(9_007_199_254_740_991.0),
            NodeValue::Float(-9_007_199_254_740_992.0),
            NodeValue::String("a"),
            NodeValue::Sequence,
            NodeValue::Mapping,
        ];
        for (json, expected) in [
            (r#"{"type": "object"}"#, [false, false, false, false, false, false, false, true]),
            (r#"{"type": "array"}"#, [false, false, false, false, false, false, true, false]),
            (r#"{"type": "string"}"#, [false, false, false, false, false, true, false, false]),
            (r#"{"type": "boolean"}"#, [false, true, false, false, false, false, false, false]),
            (r#"{"type": "integer"}"#, [false, false, true, true, false, false, false, false]),
            (r#"{"nullable": true}"#, [true; 8]),
            (r#"{}"#, [false, true, true, true, true, true, true, true]),
        ] {
            assert_eq!(values.map(|value| schema(json).accepts(value)), expected, "{json}");
        }
    }

    #[test]
    fn finds_the_only_parent_of_a_field() {
        let one = r#"{"properties": {"a": {"items": {"properties": {"b": {"properties": {"x": {}, "y": {"type": "integer"}}}}}}, "c": {"properties": {"y": {}}}}}"#;
        let single_parent = schema(one);
        assert_eq!(single_parent.find_only_parent("y", NodeValue::Int(1)), None);
        assert_eq!(single_parent.find_only_parent("y", NodeValue::Mapping).as_deref(), Some("c"));
        for (name, expected) in [("x", Some("a[].b")), ("b", Some("a[]")), ("y", None), ("z", None), ("a", None)] {
            assert_eq!(single_parent.find_only_parent(name, NodeValue::Null).as_deref(), expected, "{name}");
        }
        for (name, expected) in [("y", &["c"][..]), ("x", &[]), ("b", &[])] {
            assert_eq!(single_parent.parents_with_field(name, NodeValue::Null).collect::<Vec<_>>(), expected, "{name}");
        }
        let defaults: Vec<_> = single_parent.defaults().collect();
        assert_eq!(defaults, []);
        let with_default = schema(r#"{"properties": {"a": {"default": 1}, "b": {}}}"#);
        let names: Vec<_> = with_default.defaults().map(|(name, _)| name).collect();
        assert_eq!(names, ["a"]);
    }
}
