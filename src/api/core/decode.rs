//! Decodes JSON into the values that a Go struct would contain.
//!
//! Unknown fields are dropped, a null leaves its field unchanged, quantities are converted to canonical form, and
//! numbers must be in range. The rules are those of sigs.k8s.io/json (case-sensitive names, integers only) and of the
//! `UnmarshalJSON` methods of `Quantity` and `IntOrString`. Zero values are kept. [`super::encode()`] omits the values
//! that Go would omit.

use std::fmt;

use jiff::Timestamp;
use jiff::fmt::strtime;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::{Map, Value};

use super::shape::{FieldType, GoStruct};
use crate::go::number::{json_text, whole_number};
use crate::go::quantity;

/// Deserializer for a Go value of the given type. The result is null if the value must be left unchanged. Errors come
/// from the underlying deserializer, so they include a location.
#[derive(Clone, Copy)]
pub(super) struct Decode<'k>(pub(super) &'k FieldType);

impl Decode<'_> {
    /// Returns an integer, or an error if it is out of range. `2.0` is treated as an integer, because the API server
    /// stores it as `2`.
    fn check_integer<E: Error>(self, number: i64, min: i64, max: i64) -> Result<Value, E> {
        if number < min || number > max {
            return Err(E::custom(format_args!("{number} is out of range, expected {min} to {max}")));
        }
        Ok(number.into())
    }

    fn check_quantity<E: Error>(self, text: &str) -> Result<Value, E> {
        quantity::canonicalize(text.trim()).map(Value::String).map_err(E::custom)
    }

    fn mismatch_error<T, E: Error>(&self, found: Unexpected<'_>) -> Result<T, E> {
        Err(E::invalid_type(found, self))
    }
}

impl<'de> DeserializeSeed<'de> for Decode<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Decode<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            FieldType::Any => "a value",
            FieldType::Bool => "a boolean",
            FieldType::Int32 | FieldType::Int64 => "an integer",
            FieldType::IntOrString => "an integer or a string",
            FieldType::List(_) => "a list",
            FieldType::Map(_) | FieldType::Struct(_) => "a mapping",
            FieldType::Quantity => "a quantity",
            FieldType::String => "a string",
            FieldType::Time => "a time",
        })
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        match self.0 {
            FieldType::Any | FieldType::Bool => Ok(flag.into()),
            _ => self.mismatch_error(Unexpected::Bool(flag)),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        match self.0 {
            FieldType::Any | FieldType::Int64 => Ok(number.into()),
            FieldType::Int32 | FieldType::IntOrString => self.check_integer(number, i32::MIN.into(), i32::MAX.into()),
            FieldType::Quantity => self.check_quantity(&number.to_string()),
            _ => self.mismatch_error(Unexpected::Signed(number)),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => self.visit_f64(number as f64),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        match (self.0, whole_number(number)) {
            (FieldType::Any, _) => Ok(number.into()),
            (FieldType::Quantity, _) => self.check_quantity(&json_text(number)),
            (FieldType::Int32 | FieldType::Int64 | FieldType::IntOrString, Some(number)) => self.visit_i64(number),
            _ => self.mismatch_error(Unexpected::Float(number)),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        match self.0 {
            FieldType::Any | FieldType::IntOrString | FieldType::String => Ok(text.into()),
            FieldType::Quantity => self.check_quantity(text),
            FieldType::Time => parse_time(text).map(Value::String).map_err(E::custom),
            _ => self.mismatch_error(Unexpected::Str(text)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let item = match self.0 {
            FieldType::Any => self.0,
            FieldType::List(item) => item,
            _ => return self.mismatch_error(Unexpected::Seq),
        };
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Decode(item))? {
            values.push(or_zero(item, value));
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let item = match self.0 {
            FieldType::Struct(shape) => return decode_struct(shape, entries),
            FieldType::Map(item) => item,
            FieldType::Any => self.0,
            _ => return self.mismatch_error(Unexpected::Map),
        };
        let mut values = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            values.insert(key, or_zero(item, entries.next_value_seed(Decode(item))?));
        }
        Ok(Value::Object(values))
    }
}

/// Converts a time to UTC and whole seconds, as `metav1.Time` stores it.
fn parse_time(text: &str) -> Result<String, jiff::Error> {
    let time: Timestamp = text.parse()?;
    strtime::format("%Y-%m-%dT%H:%M:%SZ", time)
}

fn decode_struct<'de, A: MapAccess<'de>>(shape: &GoStruct, mut entries: A) -> Result<Value, A::Error> {
    let mut values = Map::new();
    while let Some(name) = entries.next_key::<String>()? {
        match shape.field(&name) {
            Some(field) => {
                let value = entries.next_value_seed(Decode(&field.kind))?;
                values.extend((!value.is_null()).then_some((name, value)));
            }
            None => drop(entries.next_value::<IgnoredAny>()?),
        }
    }
    Ok(Value::Object(values))
}

/// Returns a decoded list item, or the type's zero value if the item is `null`, as in Go.
pub(super) fn or_zero(kind: &FieldType, value: Value) -> Value {
    if value.is_null() { zero(kind) } else { value }
}

/// Returns Go's zero value for a type, as JSON.
pub(super) fn zero(kind: &FieldType) -> Value {
    match kind {
        FieldType::Any | FieldType::Time | FieldType::List(_) | FieldType::Map(_) => Value::Null,
        FieldType::Bool => Value::Bool(false),
        FieldType::Int32 | FieldType::Int64 | FieldType::IntOrString => 0.into(),
        FieldType::Quantity => Value::String("0".to_owned()),
        FieldType::String => Value::String(String::new()),
        FieldType::Struct(_) => Value::Object(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn container_list() -> FieldType {
        FieldType::List(Box::leak(Box::new(FieldType::Struct(GoStruct::lookup("Container")))))
    }

    fn decode(kind: &FieldType, value: Value) -> Result<Value, String> {
        Decode(kind).deserialize(value).map_err(|error| error.to_string())
    }

    #[test]
    fn decodes_like_go() {
        let value = json!([{
            "name": "a", "Image": "b", "unknown": 1, "stdin": false, "args": null, "command": [null],
            "resources": {"limits": {"cpu": 0.5, "memory": "1024Mi", "x": null, "y": 1e21, "z": 1e-9}},
            "ports": [{"containerPort": 80.0}],
            "livenessProbe": {"httpGet": {"port": 80.0}},
        }, null]);
        assert_eq!(
            decode(&container_list(), value).unwrap(),
            json!([{
                "name": "a", "stdin": false, "command": [""],
                "resources": {"limits": {"cpu": "500m", "memory": "1Gi", "x": "0", "y": "1e+21", "z": "1e-9"}},
                "ports": [{"containerPort": 80}],
                "livenessProbe": {"httpGet": {"port": 80}},
            }, {}])
        );
    }

    #[test]
    fn rejects_the_same_values_as_go() {
        let cases = [
            (json!([{"name": 1}]), "invalid type: integer `1`, expected a string"),
            (json!([{}, {"args": ["a", true]}]), "invalid type: boolean `true`, expected a string"),
            (json!([{"ports": [{"containerPort": 1.5}]}]), "invalid type: floating point `1.5`, expected an integer"),
            (
                json!([{"ports": [{"hostPort": 2147483648_i64}]}]),
                "2147483648 is out of range, expected -2147483648 to 2147483647",
            ),
            (json!([{"resources": {"limits": {"cpu": "1K"}}}]), "unable to parse quantity's suffix"),
            (json!({}), "invalid type: map, expected a list"),
        ];
        for (value, message) in cases {
            assert_eq!(decode(&container_list(), value).unwrap_err(), message);
        }
    }

    #[test]
    fn decodes_fields_of_inlined_structs() {
        let value = json!({"name": "v", "emptyDir": {"sizeLimit": "0.5Gi"}});
        assert_eq!(
            decode(&FieldType::Struct(GoStruct::lookup("Volume")), value).unwrap(),
            json!({"name": "v", "emptyDir": {"sizeLimit": "512Mi"}})
        );
    }

    #[test]
    fn accepts_any_value_for_untyped_fields() {
        let values =
            [json!(true), json!(5), json!(1.5), json!(2.0), json!("a"), json!([1.5, null]), json!({"a": {"b": 0.5}})];
        for value in &values {
            assert_eq!(decode(&FieldType::Any, value.clone()).as_ref(), Ok(value));
        }
        assert_eq!(decode(&FieldType::Any, json!(null)), Ok(json!(null)));
        let map = FieldType::Map(Box::leak(Box::new(FieldType::String)));
        for (kind, accepted) in [
            (FieldType::Bool, &[json!(true)][..]),
            (FieldType::Int32, &[json!(5), json!(2.0), json!(i32::MIN), json!(i32::MAX)]),
            (FieldType::Int64, &[json!(5), json!(2.0), json!(i64::MAX)]),
            (FieldType::IntOrString, &[json!(5), json!(2.0), json!("a")]),
            (FieldType::String, &[json!("a")]),
            (FieldType::Quantity, &[json!(5), json!(2.0), json!(1.5), json!("1Gi")]),
            (map, &[json!({"a": "b"})]),
            (FieldType::Time, &[json!("2026-01-02T03:04:05Z")]),
        ] {
            for value in accepted {
                assert!(decode(&kind, value.clone()).is_ok(), "{kind:?} {value}");
            }
            let rejected = values.iter().filter(|value| !accepted.contains(value) && *value != &json!(1.5));
            for value in
                rejected.filter(|value| !(value.is_string() && matches!(kind, FieldType::Quantity | FieldType::Time)))
            {
                let error = decode(&kind, value.clone()).unwrap_err();
                assert!(error.starts_with("invalid type: "), "{kind:?} {value}: {error}");
            }
        }
        for (number, expected) in [(i64::from(i32::MAX) + 1, false), (i64::from(i32::MIN) - 1, false)] {
            assert_eq!(decode(&FieldType::Int32, json!(number)).is_ok(), expected, "{number}");
            assert_eq!(decode(&FieldType::IntOrString, json!(number)).is_ok(), expected, "{number}");
        }
        // A time is converted to UTC and loses its fractional seconds.
        let time = decode(&FieldType::Time, json!("2026-01-02T03:04:05.678+01:00"));
        assert_eq!(time, Ok(json!("2026-01-02T02:04:05Z")));
        assert!(decode(&FieldType::Time, json!("yesterday")).is_err());
        assert!(decode(&FieldType::Int64, json!(u64::MAX)).is_err());
    }
}
