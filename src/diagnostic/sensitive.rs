//! What is most likely secret, judged by the key that it stands under and by its text.

mod urls;

pub use urls::{secrets_of_urls, url_without_secrets};

use super::suggest::closest;

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

/// Those that are secret when they are misspelt, too.
const LONG_WORDS: [&str; 6] = [
    "authorization",
    "credentials",
    "passphrase",
    "password",
    "token",
    "username",
];

/// So many bytes at the end of a key decide, which is more than any word has.
const DECISIVE: usize = 128;

/// Whether the values under a key are secret, or would be if it were spelt as it was meant. It takes no longer for a text
/// that is no key, and as long as its line.
pub fn is_secret_key(key: &str) -> bool {
    let key = snake(end(key));
    let ends = |word: &&str| {
        key.strip_suffix(*word)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    key != "run_as_user" && (WORDS.iter().any(ends) || is_misspelt(&key))
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

/// Whether a text shows a secret whatever its key is: a private key, or a URL with a password or a token in it.
pub fn tells_a_secret(text: &str) -> bool {
    text.contains(PRIVATE_KEY) || !secrets_of_urls(text).is_empty()
}

/// How the first line of a private key ends.
pub const PRIVATE_KEY: &str = "PRIVATE KEY-----";

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
            ("usernames", false),
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
