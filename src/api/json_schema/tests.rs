//! Tests that CustomResourceDefinitions meet the API server's requirements for schemas: `ValidateStructural` in
//! `apiextensions-apiserver/pkg/apiserver/schema/validation.go`, and `ValidateCustomResourceDefinitionOpenAPISchema` in
//! `pkg/apis/apiextensions/validation/validation.go`.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::{Map, Value, json};

use super::{crd, kinds};

/// A schema nested in another schema.
struct Part<'s> {
    path: String,
    schema: &'s Map<String, Value>,
    position: Position<'s>,
}

#[derive(Clone, Copy)]
enum Position<'s> {
    Root,
    /// A field, the items of a list, or the values of a map.
    Nested,
    /// A schema below `allOf`, `anyOf`, `oneOf` or `not`, with the enclosing schema for the same value, if any.
    Junctor(Option<&'s Map<String, Value>>),
}

/// A rule, worded like the API server's message, and a predicate that checks it.
type Rule = (&'static str, fn(&Part<'_>) -> bool);

/// Rules for each nested schema.
const RULES: &[Rule] = &[
    ("only known keywords", |part| part.schema.keys().all(|keyword| KEYWORDS.contains(&keyword.as_str()))),
    ("type must be one of OpenAPI v3", |part| {
        part.schema.get("type").is_none_or(|_| TYPES.contains(&part.text("type")))
    }),
    ("type must not be empty", |part| {
        let has_other_types = part.is("x-kubernetes-int-or-string") || part.is("x-kubernetes-preserve-unknown-fields");
        part.is_junctor() || has_other_types || !part.text("type").is_empty()
    }),
    ("type must be object at the root", |part| !part.is_root() || part.text("type") == "object"),
    ("nullable cannot be true at the root", |part| !part.is_root() || !part.is("nullable")),
    ("apiVersion and kind must be strings", |part| {
        let has_type = |name| part.property(name).is_none_or(|field| field["type"] == "string");
        !part.is_root() || (has_type("apiVersion") && has_type("kind"))
    }),
    ("metadata must not specify anything but name and generateName", |part| {
        let Some(metadata) = part.property("metadata").and_then(Value::as_object) else {
            return true;
        };
        let fields = metadata.get("properties").and_then(Value::as_object);
        let mut names = fields.into_iter().flat_map(Map::keys);
        !part.is_root()
            || (metadata.get("type") == Some(&json!("object"))
                && metadata.keys().all(|keyword| ["type", "properties"].contains(&keyword.as_str()))
                && names.all(|name| ["name", "generateName"].contains(&name.as_str())))
    }),
    ("additionalProperties must not be used at the root", |part| !part.is_root() || !part.has("additionalProperties")),
    ("additionalProperties and properties are mutually exclusive", |part| {
        !part.has("additionalProperties") || part.schema.get("properties").is_none_or(|fields| *fields == json!({}))
    }),
    ("items must be specified", |part| part.is_junctor() || part.text("type") != "array" || part.has("items")),
    ("items must be a schema, not a list", |part| part.schema.get("items").is_none_or(Value::is_object)),
    ("uniqueItems cannot be true", |part| !part.is("uniqueItems")),
    ("pattern must be a valid regular expression", |part| Regex::new(part.text("pattern")).is_ok()),
    ("int-or-string preserves no unknown fields and embeds no resource", |part| {
        let other = ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"];
        !part.is("x-kubernetes-int-or-string") || !other.into_iter().any(|keyword| part.is(keyword))
    }),
    ("preserve-unknown-fields must be true or undefined", |part| {
        let keyword = "x-kubernetes-preserve-unknown-fields";
        !part.has(keyword) || part.is(keyword)
    }),
    ("an embedded resource is an object with fields or with unknown ones", |part| {
        let fields = part.has("properties") || part.is("x-kubernetes-preserve-unknown-fields");
        let object = part.text("type") == "object" && !part.has("additionalProperties");
        !part.is("x-kubernetes-embedded-resource") || (object && fields && !part.in_type_or_object_meta())
    }),
    ("map-type is atomic or granular, of an object", |part| {
        let keyword = "x-kubernetes-map-type";
        let known = ["atomic", "granular"].contains(&part.text(keyword));
        !part.has(keyword) || (known && part.text("type") == "object")
    }),
    ("list-type is atomic, set or map, of an array", |part| {
        let keyword = "x-kubernetes-list-type";
        let known = ["atomic", "set", "map"].contains(&part.text(keyword));
        !part.has(keyword) || (known && part.text("type") == "array")
    }),
    ("items of a set must be atomic", |part| {
        let Some(items) = part.items_of(&["set"]) else {
            return true;
        };
        match items["type"].as_str() {
            Some("array") => items.get("x-kubernetes-list-type").is_none_or(|kind| kind == "atomic"),
            Some("object") => items["x-kubernetes-map-type"] == "atomic",
            _ => true,
        }
    }),
    ("items of a set or map cannot be nullable", |part| {
        let items = part.items_of(&["set", "map"]);
        items.is_none_or(|items| items["nullable"] != true)
    }),
    ("list-map-keys go with list-type map", |part| {
        part.list_map_keys().is_empty() != (part.text("x-kubernetes-list-type") == "map")
    }),
    ("list-map-keys must not contain duplicates", |part| {
        let keys = part.list_map_keys();
        keys.iter().map(Value::to_string).collect::<BTreeSet<_>>().len() == keys.len()
    }),
    ("items of a map must be objects", |part| part.items_of(&["map"]).is_none_or(|items| items["type"] == "object")),
    ("list-map-keys must be scalar fields", |part| {
        part.key_fields().iter().all(|(_, field, _)| {
            let kind = field["type"].as_str();
            kind.is_some_and(|kind| !["array", "object"].contains(&kind)) && field["nullable"] != true
        })
    }),
    ("list-map-keys must be required or have a default", |part| {
        let has_default = |field: &Value, required: bool| required || field.get("default").is_some();
        part.key_fields().iter().all(|(_, field, required)| has_default(field, *required))
    }),
    ("no default in metadata, kind and apiVersion", |part| !part.has("default") || !part.in_type_or_object_meta()),
    ("a default must be valid", |part| part.schema.get("default").is_none_or(|default| part.admits(default))),
    ("below a junctor only value validation", |part| {
        let Position::Junctor(_) = part.position else {
            return true;
        };
        let forbidden_keywords = ["type", "additionalProperties", "default", "title", "description", "nullable"];
        let mut keywords = part.schema.keys();
        !keywords.any(|keyword| forbidden_keywords.contains(&keyword.as_str()) || keyword.starts_with("x-kubernetes-"))
            && part.property("metadata").is_none()
    }),
    ("below a junctor only what is specified outside", |part| !matches!(part.position, Position::Junctor(None))),
];

/// Keywords in `JSONSchemaProps`, except those that `specStandardValidatorV3.validate` forbids: `id`, `$ref`,
/// `additionalItems`, `patternProperties`, `definitions` and `dependencies`.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "$schema", "additionalProperties", "allOf", "anyOf", "default", "description", "enum", "example", "exclusiveMaximum",
    "exclusiveMinimum", "externalDocs", "format", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems",
    "minLength", "minProperties", "minimum", "multipleOf", "not", "nullable", "oneOf", "pattern", "properties", "required",
    "title", "type", "uniqueItems", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
];

const TYPES: &[&str] = &["array", "boolean", "integer", "number", "object", "string"];

impl<'s> Part<'s> {
    fn is_root(&self) -> bool {
        matches!(self.position, Position::Root)
    }

    /// Whether the schema is for the root's `metadata`, `kind` or `apiVersion`, or for a value inside them.
    fn in_type_or_object_meta(&self) -> bool {
        let field = self.path.split('.').next();
        field.is_some_and(|field| ["apiVersion", "kind", "metadata"].contains(&field))
    }

    fn is_junctor(&self) -> bool {
        matches!(self.position, Position::Junctor(_))
    }

    fn has(&self, keyword: &str) -> bool {
        self.schema.contains_key(keyword)
    }

    fn is(&self, keyword: &str) -> bool {
        self.schema.get(keyword) == Some(&json!(true))
    }

    fn text(&self, keyword: &str) -> &'s str {
        self.schema.get(keyword).and_then(Value::as_str).unwrap_or_default()
    }

    fn property(&self, name: &str) -> Option<&'s Value> {
        self.schema.get("properties")?.get(name)
    }

    /// Returns the schema for the items if this is a list whose `x-kubernetes-list-type` is one of `types`.
    fn items_of(&self, types: &[&str]) -> Option<&'s Value> {
        self.schema.get("items").filter(|_| types.contains(&self.text("x-kubernetes-list-type")))
    }

    fn list_map_keys(&self) -> &'s [Value] {
        let keys = self.schema.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
        keys.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the key fields of a list with the `map` type, each with its schema (`null` if missing) and whether it is
    /// required.
    fn key_fields(&self) -> Vec<(&'s str, &'s Value, bool)> {
        let Some(items) = self.items_of(&["map"]) else {
            return Vec::new();
        };
        let keys = self.list_map_keys().iter().filter_map(Value::as_str);
        let required = |key: &str| items["required"].as_array().is_some_and(|required| required.contains(&json!(key)));
        keys.map(|key| (key, &items["properties"][key], required(key))).collect()
    }

    /// Whether the schema accepts `value`, which must be a scalar. Values of other types are rejected, because all
    /// defaults are strings, booleans or integers so far.
    fn admits(&self, value: &Value) -> bool {
        let kind = match value {
            Value::String(_) => "string",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_i64() => "integer",
            _ => return false,
        };
        let listed = self.schema.get("enum").and_then(Value::as_array);
        let matches = |text| Regex::new(self.text("pattern")).is_ok_and(|pattern| pattern.is_match(text));
        self.text("type") == kind
            && listed.is_none_or(|listed| listed.contains(value))
            && value.as_str().is_none_or(matches)
    }
}

/// Collects a schema and all schemas nested in it.
fn collect_parts<'s>(path: &str, schema: &'s Map<String, Value>, position: Position<'s>, parts: &mut Vec<Part<'s>>) {
    let position_below = |name: &str, field: Option<&str>| match position {
        Position::Root | Position::Nested => Position::Nested,
        Position::Junctor(outer) => {
            let outer_schema = outer.and_then(|outer| outer.get(name));
            let outer_field = field.map_or(outer_schema, |field| outer_schema.and_then(|fields| fields.get(field)));
            Position::Junctor(outer_field.and_then(Value::as_object))
        }
    };
    let junctor = match position {
        Position::Root | Position::Nested => Position::Junctor(Some(schema)),
        Position::Junctor(outer) => Position::Junctor(outer),
    };
    let mut children = Vec::new();
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(fields)) => {
                children.extend(fields.iter().map(|(name, field)| (name, field, position_below(keyword, Some(name)))));
            }
            ("items" | "additionalProperties", _) => children.push((keyword, value, position_below(keyword, None))),
            ("anyOf", _) if is_int_or_string(schema) => {}
            ("allOf" | "anyOf" | "oneOf", Value::Array(list)) => {
                children.extend(list.iter().map(|value| (keyword, value, junctor)));
            }
            ("not", _) => children.push((keyword, value, junctor)),
            _ => {}
        }
    }
    let path_of = |name: &str| {
        if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
    };
    for (name, child, position) in children {
        if let Some(child) = child.as_object() {
            collect_parts(&path_of(name), child, position, parts);
        }
    }
    parts.push(Part { path: path.to_owned(), schema, position });
}

/// Whether the schema contains `x-kubernetes-int-or-string` and the equivalent `anyOf`, which is the only `anyOf` that
/// may contain `type`.
fn is_int_or_string(schema: &Map<String, Value>) -> bool {
    schema.get("x-kubernetes-int-or-string") == Some(&json!(true))
        && schema.get("anyOf") == Some(&json!([{"type": "integer"}, {"type": "string"}]))
}

/// Returns the rules that a schema violates, each prefixed with the path of the violation.
fn broken_rules(schema: &Value) -> Vec<String> {
    let mut parts = Vec::new();
    collect_parts("", schema.as_object().unwrap(), Position::Root, &mut parts);
    let checks = parts.iter().flat_map(|part| RULES.iter().map(move |rule| (part, rule)));
    let failed_checks = checks.filter(|(part, (_, holds))| !holds(part));
    failed_checks.map(|(part, (rule, _))| format!("{}: {rule}", part.path)).collect()
}

#[test]
fn schemas_are_structural() {
    for kind in kinds() {
        let crd = crd(kind);
        let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        assert_eq!(broken_rules(schema), Vec::<String>::new(), "{kind}");
    }
}

/// Tests each rule with a schema for a field, or with an entire schema if the rule applies to the root. The API server
/// rejects each of these schemas.
#[test]
fn every_rule_rejects_an_invalid_schema() {
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let field = |field: Value| object(json!({"spec": field}));
    let map = |keys: Value, items: Value| {
        field(json!({
            "type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
        }))
    };
    let strings = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
    let cases = [
        ("only known keywords", field(json!({"type": "string", "$ref": "#"}))),
        ("type must be one of OpenAPI v3", field(json!({"type": "null"}))),
        ("type must not be empty", field(json!({}))),
        ("type must be object at the root", json!({"type": "string"})),
        ("nullable cannot be true at the root", json!({"type": "object", "nullable": true})),
        ("apiVersion and kind must be strings", object(json!({"kind": {"type": "integer"}}))),
        (
            "metadata must not specify anything but name and generateName",
            object(json!({"metadata": {"type": "object", "description": "Its name."}})),
        ),
        (
            "metadata must not specify anything but name and generateName",
            object(json!({"metadata": {"type": "object", "properties": {"labels": {"type": "object"}}}})),
        ),
        (
            "additionalProperties must not be used at the root",
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
        ),
        (
            "additionalProperties and properties are mutually exclusive",
            field(
                json!({"type": "object", "additionalProperties": {"type": "string"}, "properties": {"a": {"type": "string"}}}),
            ),
        ),
        ("items must be specified", field(json!({"type": "array"}))),
        ("items must be a schema, not a list", field(json!({"type": "array", "items": [{"type": "string"}]}))),
        (
            "uniqueItems cannot be true",
            field(json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true})),
        ),
        ("pattern must be a valid regular expression", field(json!({"type": "string", "pattern": "("}))),
        (
            "int-or-string preserves no unknown fields and embeds no resource",
            field(json!({"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true})),
        ),
        (
            "preserve-unknown-fields must be true or undefined",
            field(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": false})),
        ),
        (
            "an embedded resource is an object with fields or with unknown ones",
            field(json!({"type": "object", "x-kubernetes-embedded-resource": true})),
        ),
        (
            "map-type is atomic or granular, of an object",
            field(json!({"type": "object", "x-kubernetes-map-type": "set"})),
        ),
        (
            "list-type is atomic, set or map, of an array",
            field(json!({"type": "object", "x-kubernetes-list-type": "set"})),
        ),
        (
            "items of a set must be atomic",
            field(json!({"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "set"})),
        ),
        (
            "items of a set or map cannot be nullable",
            field(json!({
                "type": "array", "items": {"type": "string", "nullable": true}, "x-kubernetes-list-type": "set",
            })),
        ),
        ("list-map-keys go with list-type map", map(json!([]), strings.clone())),
        ("list-map-keys must not contain duplicates", map(json!(["a", "a"]), strings.clone())),
        ("items of a map must be objects", map(json!(["a"]), json!({"type": "string"}))),
        ("list-map-keys must be scalar fields", map(json!(["b"]), strings)),
        (
            "list-map-keys must be required or have a default",
            map(json!(["a"]), json!({"type": "object", "properties": {"a": {"type": "string"}}})),
        ),
        (
            "no default in metadata, kind and apiVersion",
            object(json!({"kind": {"type": "string", "default": "PodLogs"}})),
        ),
        ("a default must be valid", field(json!({"type": "integer", "default": "TCP"}))),
        ("a default must be valid", field(json!({"type": "string", "enum": ["a"], "default": "b"}))),
        ("below a junctor only value validation", field(json!({"type": "string", "anyOf": [{"type": "string"}]}))),
        (
            "below a junctor only what is specified outside",
            json!({"type": "object", "oneOf": [{"properties": {"spec": {"minLength": 1}}}]}),
        ),
    ];
    let rules: BTreeSet<_> = RULES.iter().map(|(rule, _)| rule).collect();
    assert_eq!(cases.iter().map(|(rule, _)| rule).collect::<BTreeSet<_>>(), rules);
    for (rule, schema) in cases {
        let actual = broken_rules(&schema);
        assert!(actual.iter().any(|found| found.ends_with(rule)), "{rule}: {actual:?}");
    }
}
