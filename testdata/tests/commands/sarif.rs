//! Checks SARIF output against the published schema in `testdata/sarif`.

use std::sync::LazyLock;

use crate::support;
use regex::Regex;
use serde_json::{Value, json};

/// A JSON Schema validator for the keywords in SARIF's schema. Any other keyword makes the test fail.
struct Schema(Value);

impl Schema {
    fn load() -> Self {
        let path = support::root().join("testdata/sarif/sarif-schema-2.1.0.json");
        Self(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    }

    /// Returns the errors in a document, each with its JSON pointer.
    fn errors(&self, document: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.check(&self.0, document, "", &mut errors);
        errors
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        for (keyword, argument) in schema.as_object().unwrap() {
            let is_valid = match keyword.as_str() {
                "$ref" => {
                    let target = argument.as_str().unwrap().strip_prefix('#').unwrap();
                    self.check(self.0.pointer(target).unwrap(), value, at, errors);
                    true
                }
                "properties" | "items" => {
                    self.descend(keyword, argument, value, at, errors);
                    true
                }
                "additionalProperties" => self.has_additional(schema, argument, value, at, errors),
                "anyOf" => self.count_matching(argument, value) > 0,
                "oneOf" => self.count_matching(argument, value) == 1,
                keyword => holds(keyword, argument, value),
            };
            if !is_valid {
                errors.push(format!("{at}: {keyword} {argument}, found {value}"));
            }
        }
    }

    fn descend(&self, keyword: &str, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        match (keyword, value) {
            ("properties", Value::Object(members)) => {
                for (name, member) in members {
                    if let Some(schema) = schema.get(name) {
                        self.check(schema, member, &format!("{at}/{name}"), errors);
                    }
                }
            }
            ("items", Value::Array(items)) => {
                for (i, item) in items.iter().enumerate() {
                    self.check(schema, item, &format!("{at}/{i}"), errors);
                }
            }
            _ => {}
        }
    }

    /// Checks the members that are not listed in `properties`. Depending on the schema, they must match another schema
    /// or must be absent.
    fn has_additional(
        &self,
        schema: &Value,
        allowed: &Value,
        value: &Value,
        at: &str,
        errors: &mut Vec<String>,
    ) -> bool {
        let is_known = |name: &str| schema.get("properties").is_some_and(|named| named.get(name).is_some());
        let members = value.as_object().into_iter().flatten();
        let mut additional_members = members.filter(|(name, _)| !is_known(name));
        if let Some(allowed) = allowed.as_bool() {
            return allowed || additional_members.next().is_none();
        }
        additional_members.for_each(|(name, member)| self.check(allowed, member, &format!("{at}/{name}"), errors));
        true
    }

    fn count_matching(&self, schemas: &Value, value: &Value) -> usize {
        let matches = |schema: &&Value| {
            let mut errors = Vec::new();
            self.check(schema, value, "", &mut errors);
            errors.is_empty()
        };
        schemas.as_array().unwrap().iter().filter(matches).count()
    }
}

/// Whether a value satisfies a keyword that does not depend on other values. A keyword for a different type is always
/// satisfied.
fn holds(keyword: &str, argument: &Value, value: &Value) -> bool {
    let list = value.as_array();
    match keyword {
        "$schema" | "$id" | "title" | "description" | "default" | "definitions" => true,
        "type" => match argument {
            Value::Array(names) => names.iter().any(|name| is_of_type(name, value)),
            name => is_of_type(name, value),
        },
        "enum" => argument.as_array().unwrap().contains(value),
        "required" => {
            let has_member = |name: &Value| value.get(name.as_str().unwrap()).is_some();
            !value.is_object() || argument.as_array().unwrap().iter().all(has_member)
        }
        "minItems" => list.is_none_or(|list| list.len() as u64 >= argument.as_u64().unwrap()),
        "uniqueItems" => {
            let first = |(i, item): (usize, &Value)| list.unwrap().iter().position(|other| other == item) == Some(i);
            argument != &json!(true) || list.is_none_or(|list| list.iter().enumerate().all(first))
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= argument.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= argument.as_f64().unwrap()),
        "pattern" => {
            let pattern = Regex::new(argument.as_str().unwrap()).unwrap();
            value.as_str().is_none_or(|text| pattern.is_match(text))
        }
        "format" => value.as_str().is_none_or(|text| is_of_format(argument.as_str().unwrap(), text)),
        other => panic!("the schema has the keyword `{other}`"),
    }
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the schema has the type `{other}`"),
    }
}

/// Whether a string matches `format`: it contains only characters that RFC 3986 permits and, for `uri`, starts with a
/// scheme.
fn is_of_format(format: &str, text: &str) -> bool {
    static REFERENCE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-F]{2})*$").unwrap());
    static SCHEME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[A-Za-z][A-Za-z0-9+.\-]*:").unwrap());
    match format {
        "uri" => REFERENCE.is_match(text) && SCHEME.is_match(text),
        "uri-reference" => REFERENCE.is_match(text),
        other => panic!("the schema has the format `{other}`"),
    }
}

/// Returns the SARIF log of `check` for all cases at once.
fn log() -> &'static Value {
    static LOG: LazyLock<Value> = LazyLock::new(|| {
        let args = ["check", "testdata/cases", "--no-follow", "--message-format", "sarif", "--verbose"];
        let run = support::run(support::root(), args, b"");
        assert_eq!(run.status, Some(1), "{}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap()
    });
    &LOG
}

#[test]
fn output_matches_the_schema() {
    let log = log();
    let results = log.pointer("/runs/0/results").unwrap().as_array().unwrap();
    assert!(results.len() > 100, "found only {} results", results.len());
    assert_eq!(Schema::load().errors(log), Vec::<String>::new());
}

#[test]
fn every_result_refers_to_its_rule() {
    let log = log();
    let rules = log.pointer("/runs/0/tool/driver/rules").unwrap();
    for result in log.pointer("/runs/0/results").unwrap().as_array().unwrap() {
        let index = usize::try_from(result.get("ruleIndex").unwrap().as_u64().unwrap()).unwrap();
        assert_eq!(rules.get(index).unwrap().get("id"), result.get("ruleId"));
    }
}

#[test]
fn schema_rejects_invalid_documents() {
    let schema = Schema::load();
    for (pointer, wrong) in [
        ("/version", json!("2.0.0")),
        ("/runs/0/tool", json!({})),
        ("/runs/0/columnKind", json!("bytes")),
        ("/runs/0/results/0/level", json!("fatal")),
        ("/runs/0/results/0/message", json!({})),
        ("/runs/0/results/0/message", json!("text")),
        ("/runs/0/results/0/ruleIndex", json!(-2)),
        ("/runs/0/results/0/locations/0/physicalLocation", json!({ "uri": "x" })),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", json!("a b.yaml")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
    ] {
        let mut log = log().clone();
        *log.pointer_mut(pointer).unwrap() = wrong;
        assert!(!schema.errors(&log).is_empty(), "{pointer}");
    }
}
