//! JSON Schemas for editors, written in draft 7, which every editor supports.
//!
//! The schemas accept what admission accepts, so `null` is treated as missing. They reject fields that admission drops,
//! because nobody writes such fields on purpose.

use serde_json::{Map, Value, json};

use super::described::{kind_schema, kinds, metadata_schema, property, set};
use crate::api::Kind;

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Returns the JSON Schema for a kind.
pub fn json_schema(kind: Kind) -> Value {
    let mut schema = object(kind);
    set(&mut schema, "$schema", DRAFT);
    schema
}

/// Returns the JSON Schema for a file that contains objects of several kinds, including unknown kinds, and Lists of
/// them.
///
/// An object is validated only against the schema for its own kind, so that one mistake causes only one error. This
/// schema also applies if the case of the kind or the version is wrong. In that case, it reports the mistake.
pub fn json_schema_of_all() -> Value {
    let definitions: Map<String, Value> = kinds().map(|kind| (kind.to_string(), object(kind))).collect();
    let kind_schemas = kinds().map(|kind| {
        let is_of_kind_schema = json!({
            "apiVersion": {"type": "string", "pattern": COMPILED_GROUPS_PATTERN},
            "kind": {"type": "string", "pattern": case_insensitive_pattern(kind.as_str())},
        });
        rule(is_of_kind_schema, json!({"$ref": format!("#/definitions/{kind}")}))
    });
    let list = rule(
        json!({"apiVersion": {"const": "v1"}, "kind": {"const": "List"}}),
        json!({"properties": {"items": {"type": "array", "items": {"$ref": "#"}}}}),
    );
    json!({
        "$schema": DRAFT,
        "title": "Resources of the Grafana Agent Operator",
        "definitions": definitions,
        "type": "object",
        "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}},
        "required": ["apiVersion", "kind"],
        "allOf": kind_schemas.chain([list]).collect::<Vec<_>>(),
    })
}

/// Pattern that matches an `apiVersion` with one of the operator's API groups or without a group. Kinds in other groups
/// may have the same names.
const COMPILED_GROUPS_PATTERN: &str = r"^([^/]*$|monitoring\.(coreos|grafana)\.com/)";

/// Returns a rule that applies the `then` schema to objects whose properties match `properties`.
fn rule(properties: Value, then: Value) -> Value {
    json!({"if": {"properties": properties, "required": ["apiVersion", "kind"]}, "then": then})
}

/// Returns a pattern that matches an ASCII name in any case.
fn case_insensitive_pattern(name: &str) -> String {
    let letters = name.chars().map(|c| format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase()));
    format!("^{}$", letters.collect::<String>())
}

/// Returns the schema for an object, including constraints that the object's definition leaves to the API server.
fn object(kind: Kind) -> Value {
    let mut schema = kind_schema(kind);
    if let Some(metadata) = property(&mut schema, "metadata") {
        *metadata = metadata_schema();
        set(metadata, "required", json!(["name"]));
    }
    require(&mut schema, &["apiVersion", "kind", "metadata"]);
    translate(&mut schema);
    for (name, value) in [("apiVersion", kind.api_version()), ("kind", kind.as_str())] {
        if let Some(field) = property(&mut schema, name) {
            set(field, "const", value);
        }
    }
    set(&mut schema, "title", kind.as_str());
    schema
}

fn require(schema: &mut Value, names: &[&str]) {
    let mut required = string_list(schema, "required");
    required.extend(names.iter().map(|&name| name.to_owned()));
    set(schema, "required", required);
}

/// Returns the strings in the list under a schema keyword.
fn string_list(schema: &Value, keyword: &str) -> Vec<String> {
    let list = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Translates a structural schema into JSON Schema.
fn translate(schema: &mut Value) {
    forbid_unknown_fields(schema);
    translate_format(schema);
    if schema["x-kubernetes-list-type"] == "set" {
        set(schema, "uniqueItems", true);
    }
    translate_fields(schema);
    for keyword in ["items", "additionalProperties"] {
        if let Some(nested) = schema.get_mut(keyword).filter(|nested| nested.is_object()) {
            translate(nested);
        }
    }
    if schema["nullable"] == true {
        allow_null(schema);
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.retain(|keyword, value| {
            !(keyword.starts_with("x-kubernetes-") || keyword == "nullable" || value.is_null())
        });
    }
}

/// Makes an object's schema reject fields that it does not define.
fn forbid_unknown_fields(schema: &mut Value) {
    let is_open =
        schema.get("additionalProperties").is_some() || schema["x-kubernetes-preserve-unknown-fields"] == true;
    if schema["type"] == "object" && !is_open {
        set(schema, "additionalProperties", false);
    }
}

fn translate_format(schema: &mut Value) {
    let format = schema["format"].as_str().map(str::to_owned);
    match format.as_deref() {
        Some("int32") => {
            set(schema, "minimum", i32::MIN);
            set(schema, "maximum", i32::MAX);
        }
        Some("byte") => set(schema, "contentEncoding", "base64"),
        Some("int64") => {}
        _ => return,
    }
    // The keywords above replace the format.
    set(schema, "format", Value::Null);
}

/// Makes fields that have a default optional, and allows `null` in optional fields.
fn translate_fields(schema: &mut Value) {
    let mut required = string_list(schema, "required");
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        translate(field);
        if field.get("default").is_some() {
            required.retain(|other| other != name);
        }
        if !required.contains(name) {
            allow_null(field);
        }
    }
    if schema.get("required").is_some() {
        set(schema, "required", required);
    }
}

fn allow_null(schema: &mut Value) {
    if let Some(name) = schema["type"].as_str() {
        let nullable_type = json!([name, "null"]);
        set(schema, "type", nullable_type);
    }
    for (keyword, null) in [("enum", Value::Null), ("anyOf", json!({"type": "null"}))] {
        if let Some(alternatives) = schema.get_mut(keyword).and_then(Value::as_array_mut) {
            alternatives.push(null);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translates_structural_keywords() {
        for (structural, expected) in [
            (json!({"type": "object"}), json!({"type": "object", "additionalProperties": false})),
            (json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}), json!({"type": "object"})),
            (
                json!({"type": "object", "additionalProperties": {"type": "string", "nullable": true}}),
                json!({"type": "object", "additionalProperties": {"type": ["string", "null"]}}),
            ),
            (
                json!({"type": "integer", "format": "int32"}),
                json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX}),
            ),
            (json!({"type": "integer", "format": "int64"}), json!({"type": "integer"})),
            (json!({"type": "string", "format": "byte"}), json!({"type": "string", "contentEncoding": "base64"})),
            (json!({"type": "string", "format": "date-time"}), json!({"type": "string", "format": "date-time"})),
            (
                json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}),
                json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true}),
            ),
        ] {
            let mut schema = structural;
            translate(&mut schema);
            assert_eq!(schema, expected);
        }
    }

    #[test]
    fn optional_fields_may_be_null() {
        let mut schema = json!({
            "type": "object",
            "required": ["a", "b"],
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "string", "default": "x", "enum": ["x"]},
                "c": {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": true},
            },
        });
        translate(&mut schema);
        let expected = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["a"],
            "properties": {
                "a": {"type": "string"},
                "b": {"type": ["string", "null"], "default": "x", "enum": ["x", null]},
                "c": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
            },
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn matches_kinds_by_api_version_and_kind() {
        for kind in kinds() {
            let schema = json_schema(kind);
            assert_eq!(schema["properties"]["apiVersion"]["const"], kind.api_version());
            assert_eq!(schema["properties"]["kind"]["const"], kind.as_str());
            assert_eq!(schema["properties"]["metadata"]["required"], json!(["name"]));
            let required = string_list(&schema, "required");
            assert!(["apiVersion", "kind", "metadata"].iter().all(|name| required.iter().any(|other| other == name)));
            assert!(!schema.to_string().contains("x-kubernetes"), "{kind}");
        }
        let combined_schema = json_schema_of_all();
        assert_eq!(combined_schema["allOf"].as_array().map(Vec::len), Some(kinds().count() + 1));
        assert_eq!(combined_schema["definitions"].as_object().map(Map::len), Some(kinds().count()));
    }

    /// Whether an object's properties satisfy a rule's condition.
    fn rule_applies(rule: &Value, object: &Value) -> bool {
        let conditions = rule["if"]["properties"].as_object().unwrap();
        conditions.iter().all(|(name, condition)| {
            let value = object[name].as_str();
            match condition["pattern"].as_str() {
                Some(pattern) => value.is_some_and(|value| regex::Regex::new(pattern).unwrap().is_match(value)),
                None => value == condition["const"].as_str(),
            }
        })
    }

    #[test]
    fn validates_objects_against_one_schema() {
        let combined_schema = json_schema_of_all();
        for (api_version, kind, expected) in [
            ("monitoring.coreos.com/v1", "ServiceMonitor", Some("ServiceMonitor")),
            ("monitoring.coreos.com/v1", "servicemonitor", Some("ServiceMonitor")),
            ("monitoring.coreos.com/v1beta1", "Probe", Some("Probe")),
            ("monitoring.grafana.com/v1", "Probe", Some("Probe")),
            ("v1", "GrafanaAgent", Some("GrafanaAgent")),
            ("example.com/v1", "Probe", None),
            ("apps/v1", "Deployment", None),
            ("monitoring.coreos.com/v1", "PrometheusRule", None),
        ] {
            let object = json!({"apiVersion": api_version, "kind": kind});
            let rules = combined_schema["allOf"].as_array().unwrap().iter();
            let schemas: Vec<_> =
                rules.filter(|rule| rule_applies(rule, &object)).map(|rule| rule["then"]["$ref"].as_str()).collect();
            let expected = expected.map(|kind| Some(format!("#/definitions/{kind}")));
            let expected: Vec<_> = expected.iter().map(|name| name.as_deref()).collect();
            assert_eq!(schemas, expected, "{object}");
        }
        let list = json!({"apiVersion": "v1", "kind": "List"});
        let applicable_rules =
            combined_schema["allOf"].as_array().unwrap().iter().filter(|rule| rule_applies(rule, &list));
        assert_eq!(applicable_rules.count(), 1);
    }
}
