//! What is most likely secret, judged by the key that it stands under and by its text.

use std::ops::Range;

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

/// Whether the values under a key are secret, or would be if it were spelt as it was meant.
pub fn is_secret_key(key: &str) -> bool {
    let key = snake(key);
    let ends = |word: &&str| {
        key.strip_suffix(*word)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    key != "run_as_user" && (WORDS.iter().any(ends) || is_misspelt(&key))
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

/// What is secret in the URLs of a text: what stands before `@`, and parameters with secret names.
pub fn secrets_of_urls(text: &str) -> Vec<Range<usize>> {
    let starts = text.match_indices("://").map(|(i, found)| i + found.len());
    starts.flat_map(|start| secrets_of_url(text, start)).collect()
}

/// A URL with something else in the place of its secrets, so that its host is seen. `None` where a text is more than a URL,
/// or where more of it may be secret than was found.
pub fn url_without_secrets(text: &str, mask: &str) -> Option<String> {
    let is_url = text.matches("://").count() == 1 && !text.contains(|c: char| c.is_whitespace() || "\"'`".contains(c));
    // `?` in a password ends the authority too early.
    let is_cut_short = text.split_once('?').is_some_and(|(_, query)| query.contains('@'));
    if !is_url || is_cut_short {
        return None;
    }
    let mut shown = String::with_capacity(text.len());
    let mut end = 0;
    for secret in secrets_of_urls(text) {
        shown.push_str(text.get(end..secret.start)?);
        shown.push_str(mask);
        end = secret.end;
    }
    shown.push_str(text.get(end..)?);
    Some(shown)
}

/// The same of the URL whose scheme ends at `start`.
fn secrets_of_url(text: &str, start: usize) -> Vec<Range<usize>> {
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest.split([' ', '\n', '"', '\'']).next().unwrap_or_default();
    // A password may hold what would end the authority.
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut found: Vec<_> = path.rfind('@').map(|at| start..start + at).into_iter().collect();
    let mut offset = start + path.len() + 1;
    for pair in query.split('&') {
        if let Some((name, _)) = pair.split_once('=').filter(|(name, _)| is_secret_key(name)) {
            found.push(offset + name.len() + 1..offset + pair.len());
        }
        offset += pair.len() + 1;
    }
    found
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
            ("usernames", false),
        ] {
            assert_eq!(is_secret_key(key), expected, "{key}");
        }
    }

    #[test]
    fn urls_hold_names_and_tokens() {
        for (text, expected) in [
            ("http://host/a@b c", &["host/a"][..]),
            ("x http://me:p/w@host y", &["me:p/w"]),
            ("http://host/?a=b&token=c&d=e", &["c"]),
            ("http://host:80/", &[]),
            ("a@b", &[]),
        ] {
            let found: Vec<_> = secrets_of_urls(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_url_shows_its_host_where_its_secrets_are_known() {
        for (text, expected) in [
            ("https://me:p/w@host/a", Some("https://*@host/a")),
            ("https://host/?a=b&token=c&d=e", Some("https://host/?a=b&token=*&d=e")),
            ("https://me:p@host/?token=c", Some("https://*@host/?token=*")),
            ("https://host/", Some("https://host/")),
            ("https://me:p?w@host/", None),
            ("https://me@x:p?w@host/", None),
            ("https://me:p?token=w@host/", None),
            ("https://me:p w@host/", None),
            ("https://a@b https://c@d", None),
            ("-----BEGIN PRIVATE KEY-----\nabc", None),
        ] {
            assert_eq!(url_without_secrets(text, "*").as_deref(), expected, "{text}");
        }
    }
}
