//! Encodes structs the way Go's JSON encoder does.
//!
//! With `omitempty`, `false`, 0 and empty values are omitted. A non-nil pointer is written regardless of what it points
//! to. Structs, and fields without `omitempty`, are always written (`isEmptyValue` in encoding/json).

use serde_json::{Map, Value};

use super::decode::zero;
use super::shape::{FieldType, GoStruct, OmitRule};

/// Replaces a struct value with its encoded form.
pub fn encode(kind: &FieldType, value: &mut Value) {
    match (kind, value) {
        (FieldType::Struct(shape), Value::Object(entries)) => encode_struct(shape, entries),
        (FieldType::List(item), Value::Array(items)) => items.iter_mut().for_each(|value| encode(item, value)),
        (FieldType::Map(item), Value::Object(entries)) => entries.values_mut().for_each(|value| encode(item, value)),
        _ => {}
    }
}

fn encode_struct(shape: &GoStruct, entries: &mut Map<String, Value>) {
    for field in shape.fields.iter() {
        let value = entries.get_mut(field.name).filter(|value| !value.is_null());
        let is_missing = value.is_none();
        let is_empty = value.is_none_or(|value| {
            encode(&field.kind, value);
            is_zero(value)
        });
        match field.omit_rule {
            OmitRule::UnlessZero if is_empty => {
                entries.remove(field.name);
            }
            OmitRule::WhenPresent if is_missing => {
                entries.remove(field.name);
            }
            OmitRule::OrNull if is_missing => {
                entries.insert(field.name.to_owned(), Value::Null);
            }
            OmitRule::Always if is_missing => {
                let mut value = zero(&field.kind);
                encode(&field.kind, &mut value);
                entries.insert(field.name.to_owned(), value);
            }
            _ => {}
        }
    }
}

/// Whether Go would omit the value with `omitempty`.
pub(crate) fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn omits_and_adds_fields_like_go() {
        let mut value = json!({
            "image": "", "stdin": false, "args": [], "env": [{}],
            "securityContext": {"privileged": false, "runAsUser": 0, "capabilities": {}},
            "livenessProbe": {"periodSeconds": 0, "grpc": {}, "tcpSocket": {}, "terminationGracePeriodSeconds": 0},
        });
        let container = FieldType::Struct(GoStruct::lookup("Container"));
        let mut containers_by_name = json!({"a": {"image": ""}});
        encode(&FieldType::Map(Box::leak(Box::new(container))), &mut containers_by_name);
        assert_eq!(containers_by_name, json!({"a": {"name": "", "resources": {}}}));
        encode(&container, &mut value);
        assert_eq!(
            value,
            json!({
                "name": "", "env": [{"name": ""}], "resources": {},
                "securityContext": {"privileged": false, "runAsUser": 0, "capabilities": {}},
                "livenessProbe": {
                    "grpc": {"port": 0, "service": null}, "tcpSocket": {"port": 0}, "terminationGracePeriodSeconds": 0,
                },
            })
        );
    }

    #[test]
    fn lists_without_omitempty_are_null_or_empty() {
        let mut value = json!({"containers": [], "volumes": [
            {"name": "a", "projected": {}},
            {"name": "b", "projected": {"sources": []}},
            {"name": "c", "ephemeral": {"volumeClaimTemplate": {}}},
        ]});
        encode(&FieldType::Struct(GoStruct::lookup("PodSpec")), &mut value);
        assert_eq!(
            value,
            json!({"containers": [], "volumes": [
                {"name": "a", "projected": {"sources": null}},
                {"name": "b", "projected": {"sources": []}},
                {"name": "c", "ephemeral": {"volumeClaimTemplate": {
                    "metadata": {"creationTimestamp": null}, "spec": {"resources": {}},
                }}},
            ]})
        );
    }

    #[test]
    fn writes_zero_quantities() {
        let mut value = json!({"name": "v", "downwardAPI": {"items": [{"path": "p", "resourceFieldRef": {}}]}});
        encode(&FieldType::Struct(GoStruct::lookup("Volume")), &mut value);
        assert_eq!(
            value,
            json!({"name": "v", "downwardAPI": {"items": [
                {"path": "p", "resourceFieldRef": {"resource": "", "divisor": "0"}}
            ]}})
        );
    }

    #[test]
    fn recognizes_go_zero_values() {
        for (value, expected) in [
            (json!(null), true),
            (json!(false), true),
            (json!(true), false),
            (json!(0), true),
            (json!(1), false),
            (json!(0.5), false),
            (json!(""), true),
            (json!("0"), false),
            (json!([]), true),
            (json!([0]), false),
            (json!({}), true),
            (json!({"a": null}), false),
        ] {
            assert_eq!(is_zero(&value), expected, "{value}");
        }
    }
}
