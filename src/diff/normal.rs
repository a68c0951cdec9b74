//! Normalization of both states of an object to the form that the API server stores.

use serde_json::{Map, Value};

use super::defaults::{self, Default};
use crate::api::core::is_zero;
use crate::api::core::shape::{FieldType, GoStruct, OmitRule, StructField};
use crate::api::core::strategic_merge::match_items;
use crate::go::quantity;

/// Removes zero values that Go omits, canonicalizes quantities, and sets a default on one side if the other side sets
/// the field. Any remaining difference is a difference on the server.
pub(super) fn normalize(shape: &GoStruct, a: &mut Value, b: &mut Value) {
    if let (Value::Object(a), Value::Object(b)) = (a, b) {
        normalize_struct(shape, a, b);
    }
}

fn normalize_struct(shape: &GoStruct, a: &mut Map<String, Value>, b: &mut Map<String, Value>) {
    for field in shape.fields.iter() {
        omit_zero(field, a);
        omit_zero(field, b);
    }
    for (field, default) in defaults::fields(shape) {
        let is_value = field.omit_rule != OmitRule::WhenPresent;
        set_default(field.name, default, is_value, a, b);
        set_default(field.name, default, is_value, b, a);
    }
    for field in shape.fields.iter() {
        match (a.get_mut(field.name), b.get_mut(field.name)) {
            (Some(a), Some(b)) => normalize_field(field, a, b),
            // A manifest may omit a struct or string that Go always writes.
            (Some(zero), None) if field.omit_rule == OmitRule::Always && is_zero(zero) => {
                b.insert(field.name.to_owned(), zero.clone());
            }
            (None, Some(zero)) if field.omit_rule == OmitRule::Always && is_zero(zero) => {
                a.insert(field.name.to_owned(), zero.clone());
            }
            _ => {}
        }
    }
}

/// Removes a zero value that Go omits.
fn omit_zero(field: &StructField, fields: &mut Map<String, Value>) {
    if field.omit_rule == OmitRule::UnlessZero && fields.get(field.name).is_some_and(is_zero) {
        fields.remove(field.name);
    }
}

/// Sets a default for a field that is set on the other side. `is_value` is true for a Go value, which is considered
/// unset if it is zero, and false for a pointer.
fn set_default(
    name: &str,
    default: Default,
    is_value: bool,
    fields: &mut Map<String, Value>,
    other: &Map<String, Value>,
) {
    let is_set = fields.get(name).is_some_and(|value| !(is_value && is_zero(value)));
    let Some(live) = other.get(name).filter(|_| !is_set || matches!(default, Default::Follows(_))) else {
        return;
    };
    if let Some(value) = default.value(fields, live) {
        fields.insert(name.to_owned(), value);
    }
}

fn normalize_field(field: &StructField, a: &mut Value, b: &mut Value) {
    match (&field.kind, a, b) {
        (FieldType::List(item), Value::Array(a), Value::Array(b)) => {
            let Some(shape) = item.shape() else { return };
            match field.list_map_keys {
                [] => a.iter_mut().zip(b).for_each(|(a, b)| normalize(shape, a, b)),
                keys => normalize_items(shape, keys, a, b),
            }
        }
        (FieldType::Map(FieldType::Quantity), Value::Object(a), Value::Object(b)) => {
            a.values_mut().chain(b.values_mut()).for_each(|amount| canonicalize(amount, quantity::canonicalize_amount));
        }
        (FieldType::Quantity, a, b) => {
            [a, b].into_iter().for_each(|amount| canonicalize(amount, quantity::canonicalize))
        }
        (FieldType::Struct(shape), a, b) => normalize(shape, a, b),
        _ => {}
    }
}

/// Normalizes items that have the same keys.
fn normalize_items(shape: &GoStruct, keys: &[&str], a: &mut [Value], b: &mut [Value]) {
    let matches = match_items(keys, a, b);
    for (a, index) in a.iter_mut().zip(matches) {
        if let Some(b) = index.and_then(|index| b.get_mut(index)) {
            normalize(shape, a, b);
        }
    }
}

fn canonicalize(amount: &mut Value, canonical: fn(&str) -> Result<String, quantity::QuantityError>) {
    let text = match &amount {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return,
    };
    if let Ok(text) = canonical(&text) {
        *amount = text.into();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn compares_quantities_with_numbers() {
        let shape = GoStruct::find_object("StatefulSet").unwrap();
        let limit = |cpu: Value| {
            let container = json!({"name": "a", "resources": {"limits": {"cpu": cpu}}});
            json!({"spec": {"template": {"spec": {"containers": [container]}}}})
        };
        for (first, second, is_same) in [
            (json!(1), json!("1"), true),
            (json!("1000m"), json!(1), true),
            (json!(1), json!(2), false),
            (json!(1), json!(true), false),
        ] {
            let (mut a, mut b) = (limit(first), limit(second));
            normalize(shape, &mut a, &mut b);
            assert_eq!(a == b, is_same, "{a} {b}");
        }
    }

    #[test]
    fn ignores_empty_values_that_go_always_writes() {
        let shape = GoStruct::find_object("StatefulSet").unwrap();
        let set = |container: Value| json!({"spec": {"template": {"spec": {"containers": [container]}}}});
        let without_resources = set(json!({"name": "a"}));
        for (resources, is_same) in [(json!({}), true), (json!({"limits": {"cpu": "1"}}), false)] {
            let with_resources = set(json!({"name": "a", "resources": resources}));
            for (mut a, mut b) in
                [(with_resources.clone(), without_resources.clone()), (without_resources.clone(), with_resources)]
            {
                normalize(shape, &mut a, &mut b);
                assert_eq!(a == b, is_same, "{a} {b}");
            }
        }
    }
}
