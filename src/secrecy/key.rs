//! Keys whose values are secret.

use std::collections::HashMap;

use super::table::{ENDINGS, NAMES, NOT_SECRET, OFTEN_MISSPELLED, SUSPICIOUS};
use crate::diagnostic::suggest::closest;

/// Number of bytes to examine at the end of a key. No known word is longer.
const MAX_EXAMINED_BYTES: usize = 128;

/// Whether the values below a key are secret, even if the key is misspelled. Only the end of the key is examined, so
/// that the cost is bounded regardless of the key's length.
pub fn is_secret_key(key: &str) -> bool {
    let key = snake(end(key));
    let last = key.bytes().last();
    let ends = |name: &&str| {
        name.bytes().last() == last && strip_name(&key, name).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    let is_named = NAMES.iter().any(ends) || ENDINGS.iter().any(|end| key.ends_with(end));
    !NOT_SECRET.contains(&key.as_str()) && (is_named || is_misspelled(&key))
}

/// Returns the part of `key` before `name`, or `None` if `key` does not end with `name`. Underscores in `name` may be
/// missing from `key`.
fn strip_name<'k>(key: &'k str, name: &str) -> Option<&'k str> {
    let mut words = name.rsplit('_');
    let rest = key.strip_suffix(words.next()?)?;
    words.try_fold(rest, |rest, word| rest.strip_suffix('_').unwrap_or(rest).strip_suffix(word))
}

fn end(key: &str) -> &str {
    let start = key.len().saturating_sub(MAX_EXAMINED_BYTES);
    (start..=key.len()).find_map(|i| key.get(i..)).unwrap_or_default()
}

fn is_misspelled(key: &str) -> bool {
    let last = key.rsplit('_').next().unwrap_or(key);
    closest(last, OFTEN_MISSPELLED).is_some_and(|word| last.strip_suffix('s') != Some(word))
}

/// Converts `saslPassword` and `sasl-password` to `sasl_password`.
fn snake(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 4);
    let mut after_lower = false;
    for c in key.chars() {
        if c.is_ascii_uppercase() && after_lower {
            snake.push('_');
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        snake.push(if c == '-' || c == '.' { '_' } else { c.to_ascii_lowercase() });
    }
    snake
}

/// Cache of [`is_secret_key`] results for a walk, because many resources have the same keys.
#[derive(Debug, Default)]
pub struct SecretKeys(HashMap<String, bool>);

impl SecretKeys {
    /// Whether the values below a key are secret.
    pub fn is_secret(&mut self, key: &str) -> bool {
        if let Some(&is_secret) = self.0.get(key) {
            return is_secret;
        }
        let is_secret = is_secret_key(key);
        self.0.insert(key.to_owned(), is_secret);
        is_secret
    }
}

/// Fields whose secrecy depends on a sibling: a variable's value, and a relabeling rule's replacement.
pub(super) const SIBLING_FIELDS: [(&str, &[&str]); 2] =
    [("value", &["name"]), ("replacement", &["targetLabel", "target_label"])];

/// Whether a field is secret because of a sibling, such as the value of a variable named `DB_PASSWORD` or the
/// replacement for `__param_token`. `sibling_text` returns the string in a sibling field.
pub fn is_named_secret<'t>(key: &str, sibling_text: impl Fn(&str) -> Option<&'t str>) -> bool {
    let named = SIBLING_FIELDS.iter().find(|(field, _)| *field == key);
    let names = named.into_iter().flat_map(|(_, names)| *names);
    names.filter_map(|name| sibling_text(name)).any(is_secret_key)
}

/// Whether a key in a free-form configuration suggests a credential.
pub(super) fn is_suspicious(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let names_a_place = ["file", "path", "url", "dir"].iter().any(|end| key.ends_with(end));
    !names_a_place && SUSPICIOUS.iter().any(|word| key.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_secret_keys_by_their_last_words() {
        for (key, expected) in [
            ("password", true),
            ("saslPassword", true),
            ("redis-password", true),
            ("X-Api-Key", true),
            ("password_file", false),
            ("token_url", false),
            ("tokenizer", false),
            ("bearerTokn", true),
            ("passwort", true),
            ("tokens", false),
            ("runAsUser", false),
            ("automountServiceAccountToken", false),
            ("usernames", false),
            ("client_assertion", true),
            ("client-key-data", true),
            ("auth", true),
            ("__param_token", true),
            ("author", false),
            ("db_pwd", true),
            ("dbPass", true),
            ("dbpass", true),
            ("rootpassword", true),
            ("licensekey", true),
            ("licenseKey", true),
            ("encryption-key", true),
            ("snmp.community", true),
            ("passwords", true),
            ("role_secret_id", true),
            ("GITHUB_PAT", true),
            ("path", false),
            ("compass", false),
            ("public_key", false),
            ("spawn", false),
            ("mfa2Pass", true),
            ("mfa2pass", false),
            ("X.Api-KEY", true),
            ("", false),
        ] {
            assert_eq!(is_secret_key(key), expected, "{key}");
            let mut keys = SecretKeys::default();
            assert_eq!([(); 2].map(|()| keys.is_secret(key)), [expected; 2], "{key}");
        }
    }

    #[test]
    fn recognizes_suspicious_words_anywhere_in_a_key() {
        for (key, expected) in [
            ("adminPasswd2", true),
            ("AUTH_x", true),
            ("my_api_key_1", true),
            ("token_files", true),
            ("tokenFile", false),
            ("secretDir", false),
            ("auth_PATH", false),
            ("token_url", false),
            ("name", false),
            ("", false),
        ] {
            assert_eq!(is_suspicious(key), expected, "{key}");
        }
    }

    #[test]
    fn sibling_names_make_fields_secret() {
        for (key, name, text, expected) in [
            ("value", "name", "DB_PASSWORD", true),
            ("value", "name", "LEVEL", false),
            ("value", "targetLabel", "token", false),
            ("replacement", "targetLabel", "__param_token", true),
            ("replacement", "target_label", "__param_token", true),
            ("replacement", "name", "token", false),
            ("x", "name", "token", false),
        ] {
            let sibling_text = |asked: &str| (asked == name).then_some(text);
            assert_eq!(is_named_secret(key, sibling_text), expected, "{key} {name} {text}");
        }
    }

    #[test]
    fn checks_the_end_of_long_keys() {
        let long = "x".repeat(1000);
        for (end, expected) in
            [("_password", true), ("Password", true), ("Path", false), ("xPassword", true), ("_é", false)]
        {
            assert_eq!(is_secret_key(&format!("{long}é{end}")), expected, "{end}");
        }
        for length in 0..200 {
            assert!(is_secret_key(&format!("{}_passwort", "é".repeat(length))), "{length}");
        }
    }
}
