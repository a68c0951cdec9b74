//! Keys whose values are secret.

use std::collections::HashMap;

use crate::diagnostic::suggest::closest;

/// The last words of keys with secret values. A key that ends otherwise, such as `password_file` or `token_url`, has none.
pub(super) const WORDS: [&str; 33] = [
    "access_key",
    "access_key_id",
    "account_key",
    "api_key",
    "apikey",
    "assertion",
    "auth",
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
    "identitytoken",
    "jwt",
    "key_data",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "registrytoken",
    "secret",
    "secret_key",
    "sig",
    "signature",
    "token",
    "user",
    "username",
];

/// Those that are secret when they are misspelt, too.
const LONG_WORDS: [&str; 6] = [
    "authorization",
    "credentials",
    "passphrase",
    "password",
    "token",
    "username",
];

/// Keys of Kubernetes that end like these, and hold none.
const OPEN: [&str; 2] = ["automount_service_account_token", "run_as_user"];

/// So many bytes at the end of a key decide, which is more than any word has.
const DECISIVE: usize = 128;

/// Whether the values under a key are secret, or would be if it were spelt as it was meant. It takes no longer for a text
/// that is not a key, and as long as its line.
pub fn is_secret_key(key: &str) -> bool {
    let key = snake(end(key));
    let ends = |word: &&str| {
        key.strip_suffix(*word)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    !OPEN.contains(&key.as_str()) && (WORDS.iter().any(ends) || is_misspelt(&key))
}

fn end(key: &str) -> &str {
    let start = key.len().saturating_sub(DECISIVE);
    (start..=key.len()).find_map(|i| key.get(i..)).unwrap_or_default()
}

fn is_misspelt(key: &str) -> bool {
    let last = key.rsplit('_').next().unwrap_or(key);
    closest(last, LONG_WORDS).is_some_and(|meant| last.strip_suffix('s') != Some(meant))
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

/// [`is_secret_key`] for the keys of a walk, each judged once: many resources have the same keys.
#[derive(Default)]
pub(super) struct Keys(HashMap<String, bool>);

impl Keys {
    /// Whether the values under a key are secret.
    pub(super) fn is_secret(&mut self, key: &str) -> bool {
        if let Some(&is_secret) = self.0.get(key) {
            return is_secret;
        }
        let is_secret = is_secret_key(key);
        self.0.insert(key.to_owned(), is_secret);
        is_secret
    }
}

/// Fields that a text beside them names: the value of a variable, and what a rule writes into a label.
pub(super) const NAMED: [(&str, &[&str]); 2] =
    [("value", &["name"]), ("replacement", &["targetLabel", "target_label"])];

/// Whether a field is secret because of a name beside it: the value of a variable called `DB_PASSWORD`, or what a rule writes
/// into `__param_token`. `beside` gives the texts of the mapping.
pub fn is_named_secret<'t>(key: &str, beside: impl Fn(&str) -> Option<&'t str>) -> bool {
    let named = NAMED.iter().find(|(field, _)| *field == key);
    let names = named.into_iter().flat_map(|(_, names)| *names);
    names.filter_map(|name| beside(name)).any(is_secret_key)
}

/// Words in the keys of free-form configuration that suggest a credential.
const SUSPICIOUS: [&str; 8] = [
    "apikey", "api_key", "auth", "cred", "pass", "private", "secret", "token",
];

/// Whether a key of a configuration that may have any keys looks like that of a credential.
pub(super) fn is_suspicious(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let names_a_place = ["file", "path", "url", "dir"].iter().any(|end| key.ends_with(end));
    !names_a_place && SUSPICIOUS.iter().any(|word| key.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_known_by_its_last_words() {
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
        ] {
            assert_eq!(is_secret_key(key), expected, "{key}");
        }
    }

    #[test]
    fn a_long_text_is_judged_by_its_end() {
        let long = "x".repeat(1000);
        for (end, expected) in [
            ("_password", true),
            ("Password", false),
            ("xPassword", true),
            ("_é", false),
        ] {
            assert_eq!(is_secret_key(&format!("{long}é{end}")), expected, "{end}");
        }
        for length in 0..200 {
            assert!(is_secret_key(&format!("{}_passwort", "é".repeat(length))), "{length}");
        }
    }
}
