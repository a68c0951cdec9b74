//! The agent's configuration without the secret values that the operator writes into it.

use std::collections::BTreeMap;

use super::identity;
use crate::diagnostic::sensitive::{is_secret_key, tells_a_secret, url_without_secrets};
use crate::yaml::Value;

/// What stands for a value that is the same on both sides, or on one side only.
pub const SAME: &str = "***";
/// What stands for a value that changes, on the old side.
pub(super) const BEFORE: &str = "*** (before)";
/// What stands for a value that changes, on the new side.
pub(super) const AFTER: &str = "*** (after)";

/// Both sides with their secret values masked; a value is compared with the one at the same place on the other side, where
/// items of lists are known by their names.
pub(super) fn mask<'d>(before: Option<Value<'d>>, after: Option<Value<'d>>) -> (Option<Value<'d>>, Option<Value<'d>>) {
    let old = before.as_ref().map(secrets).unwrap_or_default();
    let new = after.as_ref().map(secrets).unwrap_or_default();
    let before = before.map(|value| masked(value, &new, BEFORE));
    let after = after.map(|value| masked(value, &old, AFTER));
    (before, after)
}

/// A configuration whose secret scalars `mask` replaces.
pub fn mask_with<'d>(value: Value<'d>, mask: &mut dyn FnMut(Value<'d>) -> Value<'d>) -> Value<'d> {
    walk(value, "", false, &mut |_, _, value| mask(value))
}

type Secrets = BTreeMap<String, Value<'static>>;

fn secrets(value: &Value<'_>) -> Secrets {
    let mut found = Secrets::new();
    walk(value.clone(), "", false, &mut |path, _, value| {
        found.insert(path.to_owned(), value.clone().into_owned());
        value
    });
    found
}

fn masked<'d>(value: Value<'d>, other: &Secrets, changed: &'static str) -> Value<'d> {
    walk(value, "", false, &mut |path, by_key, value| {
        let differs = other.get(path).is_some_and(|other| *other != value);
        let mask = if differs { changed } else { SAME };
        let url = match &value {
            Value::String(text) if !by_key => url_without_secrets(text, mask),
            _ => None,
        };
        url.map_or_else(|| Value::from(mask), Value::from)
    })
}

/// Hands each secret scalar to `visit`, with the path to it, and whether it is secret because of what it stands under: then
/// all of it is.
fn walk<'d>(
    value: Value<'d>,
    path: &str,
    secret: bool,
    visit: &mut dyn FnMut(&str, bool, Value<'d>) -> Value<'d>,
) -> Value<'d> {
    match value {
        Value::Mapping(fields) => {
            let fields = fields.into_iter().map(|(key, value)| {
                let secret = secret || is_secret(&key, &value);
                let value = walk(value, &format!("{path}/{key}"), secret, visit);
                (key, value)
            });
            Value::Mapping(fields.collect())
        }
        Value::Sequence(items) => {
            let names = identity::of_items(&items).into_iter();
            let items = names
                .zip(items)
                .map(|(name, item)| walk(item, &format!("{path}/{name}"), secret, visit));
            Value::Sequence(items.collect())
        }
        Value::Null => Value::Null,
        scalar if secret || tells(&scalar) => visit(path, secret, scalar),
        scalar => scalar,
    }
}

/// `authorization` with fields has its secret in one of them.
pub(crate) fn is_secret(key: &str, value: &Value<'_>) -> bool {
    let has_fields = key.to_ascii_lowercase().ends_with("authorization") && matches!(value, Value::Mapping(_));
    is_secret_key(key) && !has_fields
}

fn tells(value: &Value<'_>) -> bool {
    matches!(value, Value::String(text) if tells_a_secret(text))
}
