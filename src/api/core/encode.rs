//! What Go's JSON encoder writes of a struct.
//!
//! `omitempty` leaves out false, 0 and what is empty; a pointer is written whatever it points to; a struct, and a field
//! without `omitempty`, is always written (encoding/json, `isEmptyValue`).

use serde_json::{Map, Value};

use super::decode::zero;
use super::shape::{GoStruct, Kind, OmitRule};

/// Turns what a struct holds into what is written of it.
pub fn encode(kind: &Kind, value: &mut Value) {
    match (kind, value) {
        (Kind::Struct(shape), Value::Object(entries)) => encode_struct(shape, entries),
        (Kind::List(item), Value::Array(items)) => items.iter_mut().for_each(|value| encode(item, value)),
        (Kind::Map(item), Value::Object(entries)) => entries.values_mut().for_each(|value| encode(item, value)),
        _ => {}
    }
}

fn encode_struct(shape: &GoStruct, entries: &mut Map<String, Value>) {
    for field in shape.fields.iter() {
        let value = entries.get_mut(field.name).filter(|value| !value.is_null());
        let missing = value.is_none();
        let empty = value.is_none_or(|value| {
            encode(&field.kind, value);
            is_zero(value)
        });
        match field.written {
            OmitRule::UnlessZero if empty => {
                entries.remove(field.name);
            }
            OmitRule::WhenPresent if missing => {
                entries.remove(field.name);
            }
            OmitRule::OrNull if missing => {
                entries.insert(field.name.to_owned(), Value::Null);
            }
            OmitRule::Always if missing => {
                let mut value = zero(&field.kind);
                encode(&field.kind, &mut value);
                entries.insert(field.name.to_owned(), value);
            }
            _ => {}
        }
    }
}

/// At least how many bytes [`encode`] makes of a value as JSON, without making it: text counts without its escapes.
pub fn least_size(kind: &Kind, value: &Value) -> u64 {
    let items = |inside: u64| 1 + inside.max(1);
    match (kind, value) {
        (Kind::Struct(shape), Value::Object(entries)) => {
            let fields = shape.fields.iter().filter_map(|field| {
                let value = entries.get(field.name).filter(|value| !value.is_null());
                let size = match (field.written, value) {
                    (OmitRule::Always | OmitRule::OrNull, None) => 2,
                    (_, None) => return None,
                    (OmitRule::UnlessZero, Some(value)) if is_zero(value) => return None,
                    (written, Some(value)) => match least_size(&field.kind, value) {
                        // What holds nothing but zeros may be left out.
                        0..=2 if written == OmitRule::UnlessZero => return None,
                        size => size,
                    },
                };
                Some(field.name.len() as u64 + "\"\":,".len() as u64 + size)
            });
            items(fields.sum())
        }
        (Kind::List(item), Value::Array(values)) => items(values.iter().map(|value| least_size(item, value) + 1).sum()),
        (Kind::Map(item), Value::Object(entries)) => {
            let entries = entries.iter();
            items(
                entries
                    .map(|(key, value)| key.len() as u64 + 4 + least_size(item, value))
                    .sum(),
            )
        }
        (_, Value::String(text)) => 2 + text.len() as u64,
        _ => 1,
    }
}

/// Whether Go would leave the value out with `omitempty`.
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
    fn leaves_out_and_adds_what_go_does() {
        let mut value = json!({
            "image": "", "stdin": false, "args": [], "env": [{}],
            "securityContext": {"privileged": false, "runAsUser": 0, "capabilities": {}},
            "livenessProbe": {"periodSeconds": 0, "grpc": {}, "tcpSocket": {}, "terminationGracePeriodSeconds": 0},
        });
        encode(&Kind::Struct(GoStruct::named("Container")), &mut value);
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
    fn the_least_size_is_close_to_that_of_what_is_written() {
        let values = [
            json!({"containers": [], "volumes": [{}, {"name": "a", "projected": {"sources": [{}]}}], "priority": 0}),
            json!({"containers": vec![json!({"stdin": false, "resources": {"limits": {"cpu": "1"}}}); 9]}),
            json!({"containers": [{"volumeMounts": vec![json!({}); 99], "env": [{"name": "A", "value": "\n"}, {}]}]}),
        ];
        for mut value in values {
            let kind = Kind::Struct(GoStruct::named("PodSpec"));
            let least = least_size(&kind, &value);
            encode(&kind, &mut value);
            let size = value.to_string().len() as u64;
            assert!(least <= size && size < least + least / 4, "{least} of {size}: {value}");
        }
    }

    #[test]
    fn lists_without_omitempty_are_null_or_empty() {
        let mut value = json!({"containers": [], "volumes": [
            {"name": "a", "projected": {}},
            {"name": "b", "projected": {"sources": []}},
            {"name": "c", "ephemeral": {"volumeClaimTemplate": {}}},
        ]});
        encode(&Kind::Struct(GoStruct::named("PodSpec")), &mut value);
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
    fn a_quantity_value_is_written_even_when_zero() {
        let mut value = json!({"name": "v", "downwardAPI": {"items": [{"path": "p", "resourceFieldRef": {}}]}});
        encode(&Kind::Struct(GoStruct::named("Volume")), &mut value);
        assert_eq!(
            value,
            json!({"name": "v", "downwardAPI": {"items": [
                {"path": "p", "resourceFieldRef": {"resource": "", "divisor": "0"}}
            ]}})
        );
    }
}
