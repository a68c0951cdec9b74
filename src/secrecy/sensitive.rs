//! What is most likely secret, judged by the key that it stands under and by its text.

mod urls;

pub use urls::{secrets_of_urls, url_without_secrets};

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

/// What the name that stands in a mapping says of its other fields.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    is_variable: bool,
    is_label: bool,
}

impl Named {
    /// The names among the fields of a mapping, whose texts `text` gives.
    pub fn of<T: AsRef<str>>(text: impl Fn(&str) -> Option<T>) -> Self {
        let is_secret = |key| text(key).is_some_and(|name| is_secret_key(name.as_ref()));
        Self {
            is_variable: is_secret("name"),
            is_label: is_secret("targetLabel") || is_secret("target_label"),
        }
    }

    /// Whether a field holds a secret: the value of a variable called `DB_PASSWORD`, what a rule writes into `__param_token`.
    pub fn covers(self, key: &str) -> bool {
        match key {
            "value" => self.is_variable,
            "replacement" => self.is_label,
            _ => false,
        }
    }
}

/// Words in the keys of free-form configuration that tell of a credential.
const SUSPICIOUS: [&str; 8] = [
    "apikey", "api_key", "auth", "cred", "pass", "private", "secret", "token",
];

/// Whether a key of a configuration that may have any keys looks as if a credential stood under it.
pub fn is_suspicious(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let names_a_place = ["file", "path", "url", "dir"].iter().any(|end| key.ends_with(end));
    !names_a_place && SUSPICIOUS.iter().any(|word| key.contains(word))
}

/// Whether a text shows a secret whatever its key is: a key or token, or a URL with a password or a token in it.
pub fn tells_a_secret(text: &str) -> bool {
    shows_a_key(text) || !secrets_of_urls(text).is_empty()
}

/// How the first line of a private key ends.
const PRIVATE_KEY: &str = "PRIVATE KEY-----";

/// How tokens begin that say what they are, and how long they are at least: of AWS, Grafana, GitHub and GitLab, and JWTs.
const TOKENS: [(&str, usize); 8] = [
    ("AKIA", 20),
    ("ASIA", 20),
    ("eyJ", 40),
    ("ghp_", 36),
    ("github_pat_", 40),
    ("glc_", 20),
    ("glpat-", 20),
    ("glsa_", 20),
];

/// Whether a text holds a private key or a token that is known by its form.
pub fn shows_a_key(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let is_token = |word: &str| {
        let mut forms = TOKENS.iter();
        forms.any(|(start, length)| word.len() >= *length && word.starts_with(start))
    };
    text.contains(PRIVATE_KEY) || text.split(|c| !is_word(c)).any(is_token)
}

/// Whether a text has lines or parameters of its own with a secret in them, such as `--password=x`, `password: x`,
/// `{"password": "x"}` or an entry of a netrc. With `is_free`, a suspicious key counts, too. What [`secrets_of_urls`] finds
/// does not count.
pub fn names_a_credential(text: &str, is_free: bool) -> bool {
    let is_secret = |word: &str| is_secret_key(word) || (is_free && is_suspicious(word));
    let mut urls = secrets_of_urls(text);
    urls.sort_by_key(|range| range.start);
    let (mut urls, mut end) = (urls.into_iter().peekable(), 0);
    let mut separators = text.match_indices([':', '=']).filter(|(at, _)| {
        while let Some(url) = urls.next_if(|url| url.start <= at + 1) {
            end = end.max(url.end);
        }
        *at >= end
    });
    separators.any(|(at, _)| is_secret(word_before(text, at))) || is_netrc(text)
}

/// The word in front of a separator.
fn word_before(text: &str, separator: usize) -> &str {
    let before = text.get(..separator).unwrap_or_default();
    let before = before.trim_end_matches(['"', '\'', ' ', '\\']);
    let is_word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    before.rsplit(|c| !is_word(c)).next().unwrap_or_default()
}

/// `machine host login me password x`.
fn is_netrc(text: &str) -> bool {
    let has = |wanted: &str| text.split_ascii_whitespace().any(|word| word == wanted);
    text.contains("password") && has("password") && (has("machine") || has("default") || has("login"))
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
    fn texts_are_known_by_their_parameters_and_forms() {
        for (text, expected) in [
            ("--db-password=x", true),
            ("{\"auths\": {\"host\": {\"auth\": \"x\"}}}", true),
            ("machine host login me password x", true),
            ("aws_secret_access_key = x", true),
            ("set the password first", false),
            ("https://user:x@host/?token=x&y=z", false),
            ("https://host/?token=x password=y", true),
            ("--config.file=/etc/agent.yml", false),
            ("AKIAIOSFODNN7EXAMPLE", true),
            ("AKIA", false),
        ] {
            assert_eq!(names_a_credential(text, false) || shows_a_key(text), expected, "{text}");
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
