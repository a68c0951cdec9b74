//! The agent's configuration without the secret values that the operator writes into it.

use std::collections::BTreeMap;

use super::identity;
use crate::yaml::Value;

/// What stands for a value that is the same on both sides, or on one side only.
pub(super) const SAME: &str = "***";
/// What stands for a value that changes, on the old side.
pub(super) const BEFORE: &str = "*** (before)";
/// What stands for a value that changes, on the new side.
pub(super) const AFTER: &str = "*** (after)";

/// The last words of keys with secret values. A key that ends otherwise, such as `password_file` or `token_url`, has none.
const WORDS: [&str; 25] = [
    "access_key",
    "access_key_id",
    "account_key",
    "api_key",
    "apikey",
    "authorization",
    "client_id",
    "connection_string",
    "cookie",
    "credential",
    "credentials",
    "data_source_name",
    "data_source_names",
    "dsn",
    "headers",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "secret",
    "secret_key",
    "token",
    "user",
    "username",
];

/// Both sides with their secret values masked; a value is compared with the one at the same place on the other side, where
/// items of lists are known by their names.
pub(super) fn mask<'d>(before: Option<Value<'d>>, after: Option<Value<'d>>) -> (Option<Value<'d>>, Option<Value<'d>>) {
    let old = before.as_ref().map(secrets).unwrap_or_default();
    let new = after.as_ref().map(secrets).unwrap_or_default();
    let before = before.map(|value| masked(value, &new, BEFORE));
    let after = after.map(|value| masked(value, &old, AFTER));
    (before, after)
}

type Secrets = BTreeMap<String, Value<'static>>;

fn secrets(value: &Value<'_>) -> Secrets {
    let mut found = Secrets::new();
    walk(value.clone(), "", false, &mut |path, value| {
        found.insert(path.to_owned(), value.clone().into_owned());
        value
    });
    found
}

fn masked<'d>(value: Value<'d>, other: &Secrets, changed: &'static str) -> Value<'d> {
    walk(value, "", false, &mut |path, value| {
        let differs = other.get(path).is_some_and(|other| *other != value);
        Value::from(if differs { changed } else { SAME })
    })
}

/// Hands each secret scalar to `visit`, with the path to it.
fn walk<'d>(
    value: Value<'d>,
    path: &str,
    secret: bool,
    visit: &mut dyn FnMut(&str, Value<'d>) -> Value<'d>,
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
        scalar if secret || tells(&scalar) => visit(path, scalar),
        scalar => scalar,
    }
}

/// Whether a key has secret values. `authorization` with fields has its secret in one of them.
pub(crate) fn is_secret(key: &str, value: &Value<'_>) -> bool {
    let key = snake(key);
    let ends = |word: &&str| {
        key.strip_suffix(*word)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    match WORDS.iter().find(|word| ends(word)) {
        Some(&"authorization") => !matches!(value, Value::Mapping(_)),
        Some(_) => true,
        None => false,
    }
}

/// `saslPassword` and `sasl-password` as `sasl_password`.
fn snake(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 4);
    let mut after_lower = false;
    for c in key.chars() {
        if c.is_ascii_uppercase() && after_lower {
            snake.push('_');
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        snake.push(if c == '-' || c == '.' {
            '_'
        } else {
            c.to_ascii_lowercase()
        });
    }
    snake
}

fn tells(value: &Value<'_>) -> bool {
    matches!(value, Value::String(text) if shows_a_secret(text))
}

/// Whether a text shows a secret whatever its key is: a private key, or a URL with a password or a token in it.
pub(crate) fn shows_a_secret(text: &str) -> bool {
    text.contains("PRIVATE KEY-----") || text.split("://").skip(1).any(url_tells)
}

/// What follows the scheme of a URL.
fn url_tells(rest: &str) -> bool {
    let rest = rest.split([' ', '\n', '"', '\'']).next().unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let query = rest.split_once('?').map(|(_, query)| query).unwrap_or_default();
    let parameter = |pair: &str| {
        let name = pair.split('=').next().unwrap_or_default();
        is_secret(name, &Value::Null)
    };
    // A password may hold what would end the authority.
    authority.contains('@')
        || rest.split('?').next().is_some_and(|rest| rest.contains('@'))
        || query.split('&').any(parameter)
}
