//! Structural schemas: what the API server knows of a kind's fields.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

use crate::yaml::NodeValue;

/// The integers that a double holds exactly reach this far.
const SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// The schema of one value. Keywords that the CustomResourceDefinitions do not use are refused.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub struct Schema {
    /// The JSON type; none where the value is an integer or a string, or anything.
    #[serde(rename = "type")]
    pub value_type: Option<ValueType>,
    /// Whether it is an integer or a string.
    #[serde(rename = "x-kubernetes-int-or-string")]
    pub int_or_string: bool,
    /// Whether `null` is a value of its own. Otherwise a field that is `null` counts as missing.
    pub nullable: bool,
    /// The fields of an object.
    pub properties: BTreeMap<&'static str, Schema>,
    #[serde(skip)]
    has_defaults: OnceLock<bool>,
    /// The fields an object must have.
    pub required: Vec<String>,
    /// The value of every field that `properties` does not name.
    #[serde(rename = "additionalProperties")]
    pub additional: Option<Box<Schema>>,
    /// Whether fields without a schema are kept.
    #[serde(rename = "x-kubernetes-preserve-unknown-fields")]
    pub preserve_unknown: bool,
    /// The items of a list.
    pub items: Option<Box<Schema>>,
    /// The identity of the items of a list.
    #[serde(rename = "x-kubernetes-list-type")]
    pub list_type: ListType,
    /// The fields that tell the items of a [`ListType::Map`] apart.
    #[serde(rename = "x-kubernetes-list-map-keys")]
    pub list_map_keys: Vec<String>,
    /// The strings allowed; empty where any is.
    #[serde(rename = "enum")]
    pub allowed: Vec<String>,
    /// What a string must match.
    pub pattern: Option<Box<Pattern>>,
    /// The shortest string allowed, in code points.
    #[serde(rename = "minLength")]
    pub min_length: usize,
    /// A constraint on a number or string beyond its type.
    pub format: Option<Format>,
    /// What a missing field is set to.
    pub default: Option<serde_json::Value>,
    /// Spells `int_or_string` out.
    #[serde(rename = "anyOf")]
    any_of: serde::de::IgnoredAny,
    /// Matters to server-side apply only.
    #[serde(rename = "x-kubernetes-map-type")]
    map_type: serde::de::IgnoredAny,
}

/// A JSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// A mapping.
    Object,
    /// A list.
    Array,
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
}

/// A constraint on a number or string beyond its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Fits in 32 bits.
    Int32,
    /// Fits in 64 bits.
    Int64,
    /// A point in time of RFC 3339.
    DateTime,
    /// Bytes as base64.
    Byte,
}

/// The identity of the items of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListType {
    /// By their position.
    #[default]
    Atomic,
    /// By their value.
    Set,
    /// By some of their fields.
    Map,
}

impl Schema {
    /// The schema of a field, if the object knows it.
    pub fn field(&self, name: &str) -> Option<&Schema> {
        self.properties.get(name).or(self.additional.as_deref())
    }

    /// The fields that have a default, with it.
    pub fn defaults(&self) -> impl Iterator<Item = (&'static str, &serde_json::Value)> {
        let of = || {
            self.properties
                .iter()
                .filter_map(|(name, field)| Some((*name, field.default.as_ref()?)))
        };
        let has = *self.has_defaults.get_or_init(|| of().next().is_some());
        has.then(of).into_iter().flatten()
    }

    /// The one place below this schema where an object has a field of this name, as a path such as
    /// `endpoints[].tlsConfig`; none where there are several.
    pub fn only_parent_of(&self, name: &str) -> Option<String> {
        let mut found = Vec::new();
        self.find_parents(name, &mut Vec::new(), &mut found);
        match <[String; 1]>::try_from(found) {
            Ok([path]) => Some(path),
            Err(_) => None,
        }
    }

    /// The fields of an object that have a field of this name themselves.
    pub fn parents_of<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s str> {
        let parents = self
            .properties
            .iter()
            .filter(move |(_, field)| field.properties.contains_key(name));
        parents.map(|(parent, _)| *parent)
    }

    /// Looks below the schema at `path` until two are found.
    fn find_parents<'s>(&'s self, name: &str, path: &mut Vec<&'s str>, found: &mut Vec<String>) {
        let fields = self.properties.iter().map(|(field, schema)| (*field, ".", schema));
        let items = self.items.iter().map(|items| ("[]", "", &**items));
        for (step, dot, schema) in fields.chain(items) {
            let depth = path.len();
            path.extend(if depth == 0 { ["", step] } else { [dot, step] });
            if schema.properties.contains_key(name) {
                found.push(path.concat());
            }
            if found.len() < 2 {
                schema.find_parents(name, path, found);
            }
            path.truncate(depth);
        }
    }

    /// Whether the type of a value is right, as `typeValidator` of kube-openapi decides it: a whole number is an
    /// integer however it is written.
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

/// A regular expression that matches anywhere in a string unless it is anchored. Compiled when it is first needed.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub struct Pattern {
    text: String,
    regex: OnceLock<Option<Regex>>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self {
            text,
            regex: OnceLock::new(),
        }
    }
}

impl Pattern {
    /// Whether a string matches. A pattern that does not compile matches everything; a test compiles each.
    pub fn matches(&self, text: &str) -> bool {
        self.regex
            .get_or_init(|| Regex::new(&self.text).ok())
            .as_ref()
            .is_none_or(|regex| regex.is_match(text))
    }

    /// The expression.
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
    fn types_are_told_as_kube_openapi_tells_them() {
        let integer = schema(r#"{"type": "integer"}"#);
        assert!(integer.accepts(NodeValue::Int(1)));
        assert!(integer.accepts(NodeValue::Float(2.0)), "a whole number is an integer");
        assert!(!integer.accepts(NodeValue::Float(1.5)));
        assert!(
            !integer.accepts(NodeValue::Float(1e19)),
            "beyond what a double holds exactly"
        );
        assert!(!integer.accepts(NodeValue::String("1")));
        let either =
            schema(r#"{"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true}"#);
        assert!(either.accepts(NodeValue::Int(1)));
        assert!(either.accepts(NodeValue::String("http")));
        assert!(!either.accepts(NodeValue::Bool(true)));
        assert!(!either.accepts(NodeValue::Float(0.5)));
        assert!(!either.accepts(NodeValue::Null));
        assert!(schema(r#"{"type": "string", "nullable": true}"#).accepts(NodeValue::Null));
    }

    #[test]
    fn a_keyword_without_a_rule_is_refused() {
        assert!(serde_json::from_str::<Schema>(r#"{"maxLength": 3}"#).is_err());
    }

    #[test]
    fn fields_are_found_and_the_rest_is_additional() {
        let object = schema(r#"{"properties": {"a": {"default": 1}, "b": {"type": "string"}}}"#);
        assert!(object.properties.keys().eq(&["a", "b"]));
        assert!(object.field("b").is_some());
        assert!(object.field("c").is_none());
        assert!(
            schema(r#"{"additionalProperties": {"type": "string"}}"#)
                .field("c")
                .is_some()
        );
    }

    #[test]
    fn a_pattern_matches_anywhere() {
        let pattern = Pattern::from("b+".to_owned());
        assert!(pattern.matches("abbc"));
        assert!(!pattern.matches("ac"));
    }

    #[test]
    fn a_value_has_the_type_of_its_schema() {
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
            (
                r#"{"type": "object"}"#,
                [false, false, false, false, false, false, false, true],
            ),
            (
                r#"{"type": "array"}"#,
                [false, false, false, false, false, false, true, false],
            ),
            (
                r#"{"type": "string"}"#,
                [false, false, false, false, false, true, false, false],
            ),
            (
                r#"{"type": "boolean"}"#,
                [false, true, false, false, false, false, false, false],
            ),
            (
                r#"{"type": "integer"}"#,
                [false, false, true, true, false, false, false, false],
            ),
            (r#"{"nullable": true}"#, [true; 8]),
            (r#"{}"#, [false, true, true, true, true, true, true, true]),
        ] {
            assert_eq!(values.map(|value| schema(json).accepts(value)), expected, "{json}");
        }
    }

    #[test]
    fn the_one_parent_of_a_field_is_found() {
        let one = r#"{"properties": {"a": {"items": {"properties": {"b": {"properties": {"x": {}, "y": {}}}}}}, "c": {"properties": {"y": {}}}}}"#;
        let one = schema(one);
        for (name, expected) in [
            ("x", Some("a[].b")),
            ("b", Some("a[]")),
            ("y", None),
            ("z", None),
            ("a", None),
        ] {
            assert_eq!(one.only_parent_of(name).as_deref(), expected, "{name}");
        }
        for (name, expected) in [("y", &["c"][..]), ("x", &[]), ("b", &[])] {
            assert_eq!(one.parents_of(name).collect::<Vec<_>>(), expected, "{name}");
        }
        let defaults: Vec<_> = one.defaults().collect();
        assert_eq!(defaults, []);
        let with = schema(r#"{"properties": {"a": {"default": 1}, "b": {}}}"#);
        let names: Vec<_> = with.defaults().map(|(name, _)| name).collect();
        assert_eq!(names, ["a"]);
    }
}
