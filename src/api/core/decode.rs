//! What a Go struct holds after JSON was decoded into it.
//!
//! Unknown fields are dropped, `null` leaves a field as it was, quantities become canonical, numbers must fit. The rules
//! are those of sigs.k8s.io/json (names in exact case, whole numbers only) and of the `UnmarshalJSON` methods of
//! `Quantity` and `IntOrString`. Zero values stay: what is not written is decided by [`super::encode`].

use serde_json::{Map, Number, Value};

use super::invalid::Invalid;
use super::quantity;
use super::shape::{Kind, Shape};

/// Reduces `value` to what a Go value of this kind holds.
///
/// # Errors
///
/// Where Go's decoder would fail: a value of another type, a number out of range, a text that is no quantity.
pub fn decode(kind: &Kind, value: &mut Value) -> Result<(), Invalid> {
    if value.is_null() {
        *value = zero(kind);
        return Ok(());
    }
    match (kind, &mut *value) {
        (Kind::Any, _) | (Kind::Bool, Value::Bool(_)) | (Kind::String | Kind::Time, Value::String(_)) => Ok(()),
        (Kind::Int32 | Kind::IntOrString, Value::Number(number)) => {
            decode_integer(number, i32::MIN.into(), i32::MAX.into())
        }
        (Kind::Int64, Value::Number(number)) => decode_integer(number, i64::MIN, i64::MAX),
        (Kind::IntOrString, Value::String(_)) => Ok(()),
        (Kind::Quantity, _) => decode_quantity(value),
        (Kind::List(item), Value::Array(items)) => decode_list(item, items),
        (Kind::Map(item), Value::Object(entries)) => decode_map(item, entries),
        (Kind::Struct(shape), Value::Object(entries)) => decode_struct(shape, entries),
        (kind, value) => Err(Invalid::new(format!(
            "found {}, expected {}",
            found(value),
            expected(kind)
        ))),
    }
}

fn decode_struct(shape: &Shape, entries: &mut Map<String, Value>) -> Result<(), Invalid> {
    entries.retain(|name, value| !value.is_null() && shape.field(name).is_some());
    for (name, value) in entries {
        if let Some(field) = shape.field(name) {
            decode(&field.kind, value).map_err(|invalid| invalid.under_field(name))?;
        }
    }
    Ok(())
}

fn decode_list(item: &Kind, items: &mut [Value]) -> Result<(), Invalid> {
    for (index, value) in items.iter_mut().enumerate() {
        decode(item, value).map_err(|invalid| invalid.under_index(index))?;
    }
    Ok(())
}

fn decode_map(item: &Kind, entries: &mut Map<String, Value>) -> Result<(), Invalid> {
    for (key, value) in entries {
        decode(item, value).map_err(|invalid| invalid.under_index(key))?;
    }
    Ok(())
}

/// A whole number; the API server hands on `2.0` as `2`.
fn decode_integer(number: &mut Number, min: i64, max: i64) -> Result<(), Invalid> {
    let Some(integer) = number.as_i64().or_else(|| whole(number.as_f64()?)) else {
        return Err(Invalid::new(format!("found {number}, expected an integer")));
    };
    if integer < min || integer > max {
        return Err(Invalid::new(format!(
            "{integer} is out of range, expected {min} to {max}"
        )));
    }
    *number = integer.into();
    Ok(())
}

/// The double as an integer, if it is one.
#[allow(clippy::cast_possible_truncation, clippy::float_cmp)]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9.0e18).then_some(number as i64)
}

fn decode_quantity(value: &mut Value) -> Result<(), Invalid> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => go_number(number),
        other => {
            return Err(Invalid::new(format!("found {}, expected a quantity", found(other))));
        }
    };
    let canonical = quantity::canonical(&text).map_err(|error| Invalid::new(error.to_string()))?;
    *value = Value::String(canonical);
    Ok(())
}

/// A number as Go's JSON encoder writes it, which is what the quantity is parsed from.
fn go_number(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| !number.is_i64() && !number.is_u64()) else {
        return number.to_string();
    };
    if float != 0.0 && !(1e-6..1e21).contains(&float.abs()) {
        let text = format!("{float:e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
            _ => text,
        };
    }
    float.to_string()
}

/// What Go holds where nothing was decoded.
pub(super) fn zero(kind: &Kind) -> Value {
    match kind {
        Kind::Any | Kind::Time | Kind::List(_) | Kind::Map(_) => Value::Null,
        Kind::Bool => Value::Bool(false),
        Kind::Int32 | Kind::Int64 | Kind::IntOrString => 0.into(),
        Kind::Quantity => Value::String("0".to_owned()),
        Kind::String => Value::String(String::new()),
        Kind::Struct(_) => Value::Object(Map::new()),
    }
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

fn expected(kind: &Kind) -> &'static str {
    match kind {
        Kind::Any => "a value",
        Kind::Bool => "a boolean",
        Kind::Int32 | Kind::Int64 => "an integer",
        Kind::IntOrString => "an integer or a string",
        Kind::List(_) => "a list",
        Kind::Map(_) | Kind::Struct(_) => "a mapping",
        Kind::Quantity => "a quantity",
        Kind::String => "a string",
        Kind::Time => "a time",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::shapes::{CONTAINER, VOLUME};
    use super::*;

    const CONTAINERS: Kind = Kind::List(&Kind::Struct(&CONTAINER));

    #[test]
    fn keeps_what_go_holds() {
        let mut value = json!([{
            "name": "a", "Image": "b", "unknown": 1, "stdin": false, "args": null, "command": [null],
            "resources": {"limits": {"cpu": 0.5, "memory": "1024Mi", "x": null, "y": 1e21, "z": 1e-9}},
            "ports": [{"containerPort": 80.0}],
            "livenessProbe": {"httpGet": {"port": 80.0}},
        }, null]);
        decode(&CONTAINERS, &mut value).unwrap();
        assert_eq!(
            value,
            json!([{
                "name": "a", "stdin": false, "command": [""],
                "resources": {"limits": {"cpu": "500m", "memory": "1Gi", "x": "0", "y": "1e+21", "z": "1e-9"}},
                "ports": [{"containerPort": 80}],
                "livenessProbe": {"httpGet": {"port": 80}},
            }, {}])
        );
    }

    #[test]
    fn refuses_what_go_refuses() {
        let cases = [
            (json!([{"name": 1}]), "[0].name: found a number, expected a string"),
            (
                json!([{}, {"args": ["a", true]}]),
                "[1].args[1]: found a boolean, expected a string",
            ),
            (
                json!([{"ports": [{"containerPort": 1.5}]}]),
                "[0].ports[0].containerPort: found 1.5, expected an integer",
            ),
            (
                json!([{"ports": [{"hostPort": 2147483648_i64}]}]),
                "[0].ports[0].hostPort: 2147483648 is out of range, expected -2147483648 to 2147483647",
            ),
            (
                json!([{"resources": {"limits": {"cpu": "1K"}}}]),
                "[0].resources.limits[cpu]: unable to parse quantity's suffix",
            ),
            (json!({}), "found a mapping, expected a list"),
        ];
        for (mut value, message) in cases {
            assert_eq!(decode(&CONTAINERS, &mut value).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn inlined_structs_are_found() {
        let mut value = json!({"name": "v", "emptyDir": {"sizeLimit": "0.5Gi"}});
        decode(&Kind::Struct(&VOLUME), &mut value).unwrap();
        assert_eq!(value, json!({"name": "v", "emptyDir": {"sizeLimit": "512Mi"}}));
    }
}
