//! Replacements for secrets in the output.

use crate::api::Kind;
use crate::plan::SecretRepresentation;
use crate::resolve::references::Usage;
use crate::resolve::{AssetKey, SecretStore, placeholder};
use crate::secrecy::{MASK, contains_secret, mask_url};
use crate::yaml::{self, LibraryStyle, Secret, SecretSource, Value};

/// Replaces secrets with text that may be shown and has the same number of lines. Returns whether any secrets were
/// replaced.
pub(super) fn hide(value: &mut Value<'_>, secrets: SecretRepresentation, store: &SecretStore<'_, '_>) -> bool {
    if secrets == SecretRepresentation::Values {
        return false;
    }
    let mut has_hidden = false;
    value.for_each_leaf(&mut |leaf| {
        let hidden_value = match &*leaf {
            Value::Secret(secret) => replacement(secret, secrets, store),
            // Any user-defined string may contain a secret.
            Value::String(text) if secrets.are_hidden() && contains_secret(text) => Some(mask_value(leaf, false)),
            _ => None,
        };
        if let Some(hidden_value) = hidden_value {
            *leaf = hidden_value;
            has_hidden = true;
        }
    });
    has_hidden
}

fn replacement(
    secret: &Secret<'_>,
    secrets: SecretRepresentation,
    store: &SecretStore<'_, '_>,
) -> Option<Value<'static>> {
    match (secrets, key(secret.source)) {
        (SecretRepresentation::Values, _) | (SecretRepresentation::Placeholders, None) => None,
        (SecretRepresentation::Placeholders, Some(key)) => {
            let is_known = store.bytes(&key).is_some();
            is_known.then(|| placeholder(&key, Usage::Value).into())
        }
        (SecretRepresentation::Named, Some(AssetKey { kind, namespace, name, key })) => {
            Some(format!("{MASK} ({kind} {namespace}/{name}, key {key})").into())
        }
        (SecretRepresentation::Masked | SecretRepresentation::Named, _) => Some(mask_value(&secret.value, true)),
    }
}

/// Returns the Secret key that a value comes from.
pub fn key(source: SecretSource<'_>) -> Option<AssetKey<'_>> {
    match source {
        SecretSource::Key { namespace, name, key } => Some(AssetKey { kind: Kind::Secret, namespace, name, key }),
        SecretSource::Credential(_) | SecretSource::Field => None,
    }
}

/// Masks a value, keeping its number of lines. A URL that is not entirely secret keeps its host. A multi-line value
/// becomes a literal block, whose indicator occupies one of the lines.
pub fn mask_value(value: &Value<'_>, is_whole: bool) -> Value<'static> {
    let url = value.as_str().filter(|_| !is_whole).and_then(|text| mask_url(text, MASK));
    match (url, yaml::write(value, LibraryStyle::V3).lines().count()) {
        (Some(url), _) => Value::from(url),
        (None, 0 | 1) => Value::from(MASK),
        (None, lines) => Value::from(format!("{MASK}\n").repeat(lines - 1)),
    }
}
