//! Detection of secrets in strings, regardless of the key.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

use super::key::{is_secret_key, is_suspicious};
use super::table::{MIN_TOKEN_LENGTH, PRIVATE_KEY, tokens_starting_with};
use crate::diagnostic::MASK;
use crate::go::url::unescape;

/// Whether a string is too short and plain to contain a detectable secret, which is the most common case.
pub(super) fn is_word(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'$');
    text.len() < MIN_TOKEN_LENGTH && text.bytes().all(is_plain)
}

/// Whether a string contains a secret, regardless of its key: a private key, a token, or a URL with a password or
/// token.
pub fn contains_secret(text: &str) -> bool {
    !is_word(text) && (contains_token(text) || !secrets_in_urls(text).is_empty())
}

/// Whether a string contains a private key or a token in a known format.
pub(super) fn contains_token(text: &str) -> bool {
    // Searching for a space first is faster, because most strings are short and contain none.
    (text.contains(' ') && text.contains(PRIVATE_KEY)) || tokens(text).next().is_some()
}

/// Returns the ranges of tokens in a known format. A token may start after a dot.
fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let mut next = 0;
    let words = text.as_bytes().split(move |byte| !is_word(byte));
    words.filter_map(move |word| {
        let start = next;
        next += word.len() + 1;
        let word = Some(word).filter(|word| word.len() >= MIN_TOKEN_LENGTH)?;
        let word = text.get(start..start + word.len())?.trim_end_matches('.');
        Some(start + find_token(word)?..start + word.len())
    })
}

/// Returns the start offset of the token in a word, or `None` if there is none. A token starts at 0 or after a dot.
fn find_token(word: &str) -> Option<usize> {
    let dots = word.match_indices('.').map(|(at, _)| at + 1);
    let mut starts = std::iter::once(0).chain(dots);
    starts.find(|&at| {
        let rest = word.get(at..).unwrap_or_default();
        let mut forms = tokens_starting_with(rest.bytes().next().unwrap_or_default()).iter();
        forms.any(|(form, length)| rest.len() >= *length && rest.starts_with(form))
    })
}

/// Replaces tokens and secrets in URLs with [`MASK`]. A message may quote any value from the input, including a
/// misplaced secret.
pub fn redact_message(message: &str) -> Cow<'_, str> {
    let mut next = 0;
    let urls = message.split('`').flat_map(|part| {
        let start = next;
        next += part.len() + 1;
        let secrets = secrets_in_urls(part).into_iter();
        secrets.map(move |secret| start + secret.start..start + secret.end)
    });
    let mut secrets: Vec<_> = tokens(message).chain(urls).collect();
    if secrets.is_empty() {
        return Cow::Borrowed(message);
    }
    secrets.sort_by_key(|secret| secret.start);
    let secrets = secrets.into_iter().filter(|secret| !secret.is_empty());
    Cow::Owned(replace_parts(message, secrets.map(|secret| (secret, MASK.to_owned()))))
}

/// Whether the parts are sorted and do not overlap, so that each can be replaced as a whole.
pub(super) fn are_disjoint<'r>(mut parts: impl Iterator<Item = &'r Range<usize>>) -> bool {
    let mut end = 0;
    parts.all(|part| std::mem::replace(&mut end, part.end) <= part.start)
}

/// Replaces sorted parts of a string. Only the first of several overlapping parts is replaced.
pub(super) fn replace_parts(text: &str, parts: impl Iterator<Item = (Range<usize>, String)>) -> String {
    let (mut redacted, mut end) = (String::with_capacity(text.len()), 0);
    for (part, replacement) in parts {
        if let Some(before) = text.get(end..part.start) {
            redacted.extend([before, &replacement]);
        }
        end = end.max(part.end);
    }
    redacted.push_str(text.get(end..).unwrap_or_default());
    redacted
}

/// Whether a string contains lines or parameters with a secret, such as `--password=x`, `password: x`, `{"password":
/// "x"}` or a netrc entry. `is_free` indicates free-form text, in which keys that merely suggest a credential also
/// count. Secrets in URLs are ignored.
pub fn contains_credential(text: &str, is_free: bool) -> bool {
    let is_secret = |word: &str| is_secret_key(word) || (is_free && is_suspicious(word));
    let mut urls = secrets_in_urls(text);
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

fn word_before(text: &str, separator: usize) -> &str {
    let before = text.get(..separator).unwrap_or_default();
    let before = before.trim_end_matches(['"', '\'', ' ', '\\']);
    let is_word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    before.rsplit(|c| !is_word(c)).next().unwrap_or_default()
}

/// Whether a string is a netrc entry, such as `machine host login me password x`.
fn is_netrc(text: &str) -> bool {
    let has_word = |wanted: &str| text.split_ascii_whitespace().any(|word| word == wanted);
    text.contains("password")
        && has_word("password")
        && (has_word("machine") || has_word("default") || has_word("login"))
}

/// Maximum depth of URLs in the parameters of URLs.
const MAX_DEPTH: u32 = 3;

/// Returns the ranges of secrets in URLs: the part before `@`, and the values of parameters whose names suggest a
/// secret or whose values are URLs with a secret. Parameters are also found in a URL without a scheme.
pub(super) fn secrets_in_urls(text: &str) -> Vec<Range<usize>> {
    secrets_in_nested_urls(text, MAX_DEPTH)
}

fn secrets_in_nested_urls(text: &str, depth: u32) -> Vec<Range<usize>> {
    let mut secret_ranges = Vec::new();
    if memchr2(b'/', b'?', text.as_bytes()).is_none() {
        return secret_ranges;
    }
    let mut next = 0;
    for word in text.split([' ', '\n', '"', '\'']) {
        let (authority, start) = (authority(word), next);
        next += word.len() + 1;
        let start = start + authority.unwrap_or_default();
        let Some(word) = text.get(start..next - 1).filter(|word| authority.is_some() || word.contains('?')) else {
            continue;
        };
        let users = authority.map(|_| users(word)).unwrap_or_default();
        let secrets = users.into_iter().chain(parameters(word, depth));
        secret_ranges.extend(secrets.map(|secret| start + secret.start..start + secret.end));
    }
    secret_ranges
}

/// Masks the secrets in a URL, so that its host stays visible. Returns `None` if the string is not a single URL or may
/// contain other secrets.
pub fn mask_url(text: &str, mask: &str) -> Option<String> {
    let is_url = text.matches("://").count() == 1 && !text.contains(|c: char| c.is_whitespace() || "\"'`".contains(c));
    // A `?` in the password would end the authority too early.
    let is_cut_short = text.split_once('?').is_some_and(|(_, query)| query.contains('@'));
    if !is_url || is_cut_short {
        return None;
    }
    let secrets = secrets_in_urls(text);
    let masked = secrets.iter().cloned().map(|secret| (secret, mask.to_owned()));
    are_disjoint(secrets.iter()).then(|| replace_parts(text, masked))
}

/// Separator after the scheme of a URL.
const SCHEME_END: &str = "://";

/// Separator before the authority of a URL.
const AUTHORITY: &str = "//";

/// Returns the offset of the authority in a word. A URL without a scheme is recognized as well, because Go parses it.
fn authority(word: &str) -> Option<usize> {
    let scheme = word.find(SCHEME_END).map(|at| at + SCHEME_END.len());
    scheme.or_else(|| word.starts_with(AUTHORITY).then_some(AUTHORITY.len()))
}

/// Splits a word at its question marks. Returns each part with the offset of its first URL, if any. A word may contain
/// many URLs that extend to its end; all of them are read in a single pass.
fn parts(word: &str) -> impl Iterator<Item = (Range<usize>, Option<usize>)> {
    let mut next = 0;
    word.split('?').map(move |part| {
        let start = next;
        next += part.len() + 1;
        let scheme = part.find(SCHEME_END).map(|at| start + at + SCHEME_END.len());
        let url = if start == 0 { Some(0) } else { scheme };
        (start..start + part.len(), url)
    })
}

/// Returns the part of each URL before its last `@`, ignoring the query. A password may contain characters that would
/// otherwise end the authority.
fn users(word: &str) -> Vec<Range<usize>> {
    let user = |(part, url): (Range<usize>, Option<usize>)| {
        let start = url?;
        let length = word.get(start..part.end)?.rfind('@')?;
        Some(start..start + length)
    };
    parts(word).filter_map(user).collect()
}

/// Returns the values of parameters whose names suggest a secret or whose values are URLs with a secret, down to the
/// given depth. Each value extends to the next parameter.
fn parameters(word: &str, depth: u32) -> Vec<Range<usize>> {
    let is_secret_url = |value: &str| match unescape(value, false) {
        Some(Cow::Owned(url)) if depth > 0 => {
            contains_token(&url) || !secrets_in_nested_urls(&url, depth - 1).is_empty()
        }
        _ => false,
    };
    let queries = parts(word).filter(|(_, url)| url.is_some());
    let mut names: Vec<_> = queries.map(|(part, _)| part.end + 1).collect();
    let first = names.first().copied().unwrap_or_default();
    names.extend(positions(word, '&').map(|at| at + 1).filter(|&at| at > first));
    names.sort_unstable();
    let mut ends = positions(word, '&').peekable();
    let mut equals = positions(word, '=').peekable();
    let mut last_end = 0;
    let value = |name: usize| {
        while ends.next_if(|&at| at < name).is_some() {}
        while equals.next_if(|&at| at < name).is_some() {}
        let end = ends.peek().copied().unwrap_or(word.len());
        let equal = equals.peek().copied().filter(|&at| at < end)?;
        // The first of several values with the same end contains the others.
        let is_first = std::mem::replace(&mut last_end, end) < end;
        let is_secret = is_secret_key(word.get(name..equal)?) || is_first && is_secret_url(word.get(equal + 1..end)?);
        is_secret.then_some(equal + 1..end)
    };
    names.into_iter().filter_map(value).collect()
}

fn positions(text: &str, c: char) -> impl Iterator<Item = usize> {
    text.match_indices(c).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_or_unsorted_spans_are_not_disjoint() {
        for (parts, expected) in
            [(&[0..2, 2..4, 7..9][..], true), (&[0..3, 2..4], false), (&[0..9, 2..4], false), (&[5..6, 1..2], false)]
        {
            assert_eq!(are_disjoint(parts.iter()), expected, "{parts:?}");
        }
    }

    #[test]
    fn parameter_values_end_at_the_next_parameter() {
        for (word, expected) in [
            ("a/?token=x&y=z", &["x"][..]),
            ("a/?y=1&token=x&password=p=q", &["x", "p=q"]),
            ("a/?&token=x", &["x"]),
            ("a/?=token=x", &[]),
            ("a/?token=", &[""]),
            ("a/?token&y=z", &[]),
            ("a/&token=x", &[]),
            ("a?u=http://b?token=x", &["x"]),
        ] {
            let values: Vec<_> = parameters(word, 1).into_iter().map(|at| &word[at]).collect();
            assert_eq!(values, expected, "{word}");
        }
    }

    #[test]
    fn short_plain_words_are_not_secrets() {
        for (text, expected) in [("http-metrics", true), ("$1", true), ("a=b", false), ("a:b", false), ("a b", false)] {
            assert_eq!(is_word(text), expected, "{text}");
        }
        assert!(is_word(&"a".repeat(MIN_TOKEN_LENGTH - 1)) && !is_word(&"a".repeat(MIN_TOKEN_LENGTH)));
    }

    #[test]
    fn tokens_have_a_minimum_length() {
        for (first, &(form, length)) in
            (0..=u8::MAX).flat_map(|first| tokens_starting_with(first).iter().map(move |row| (first, row)))
        {
            assert!(form.as_bytes()[0] == first && length >= MIN_TOKEN_LENGTH, "{form}");
            let token = |length: usize| format!("{form}{}", "x".repeat(length - form.len()));
            for (text, expected) in [
                (token(length), Some(0)),
                (format!("a.{}", token(length)), Some(2)),
                (format!("é '{}.'", token(length)), Some(4)),
                (format!("a {}", token(length - 1)), None),
                (format!("a{}", token(length)), None),
            ] {
                assert_eq!(tokens(&text).next().map(|token| token.start), expected, "{text}");
                assert_eq!(contains_secret(&text), expected.is_some(), "{text}");
            }
        }
    }

    #[test]
    fn recognizes_credentials_in_text() {
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
            ("-----BEGIN RSA PRIVATE KEY-----", true),
            ("a PUBLIC KEY-----", false),
            (r#"{\"password\": 1}"#, true),
            ("a 'password' = 1", true),
            ("é_password:é", true),
            ("xpasswords y: 1", false),
            ("default password x", true),
            ("login x password", true),
            ("machine x password", true),
            ("machine passwords login", false),
            ("machine login", false),
            ("https://host/?a=b token=c", true),
            ("https://u:p@host password:c", true),
        ] {
            assert_eq!(contains_credential(text, false) || contains_token(text), expected, "{text}");
        }
        for (text, is_free, expected) in [
            ("my_token_1=x", true, true),
            ("my_token_1=x", false, false),
            ("my_token_1 x", true, false),
            ("a: b\nmy-apikey-2: x", true, true),
        ] {
            assert_eq!(contains_credential(text, is_free), expected, "{text} {is_free}");
        }
    }

    #[test]
    fn finds_users_and_tokens_in_urls() {
        for (text, expected) in [
            ("http://host/a@b c", &["host/a"][..]),
            ("x http://me:p/w@host y", &["me:p/w"]),
            ("http://host/?a=b&token=c&d=e", &["c"]),
            ("http://host:80/", &[]),
            ("//me:pw@host/a", &["me:pw"]),
            ("//host/ a//b@c", &[]),
            ("a@b", &[]),
            ("host:80/push?a=b&token=c d?e=f", &["c"]),
            ("http://h/?t=https%3A%2F%2Fme%3Apw%40host%2Fa&x=a%2Fb", &["https%3A%2F%2Fme%3Apw%40host%2Fa"]),
            ("h/?t=host%2F%3Fa%3Db%26token%3Dc", &["host%2F%3Fa%3Db%26token%3Dc"]),
            ("h/?t=%2F%2Fhost%2F%3Ft%3D%252F%252Fu%2540h", &["%2F%2Fhost%2F%3Ft%3D%252F%252Fu%2540h"]),
            ("h/?t=a%40b&t=%", &[]),
        ] {
            let actual: Vec<_> = secrets_in_urls(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(actual, expected, "{text}");
        }
    }

    #[test]
    fn redacts_tokens_and_passwords_in_messages() {
        for (message, expected) in [
            ("no `https://me:p@host/a`, or `b`", "no `https://***@host/a`, or `b`"),
            ("no `//host/?token=a`: `b`", "no `//host/?token=***`: `b`"),
            ("Secret `glsa_0123456789abcdef`/x", "Secret `***`/x"),
            ("`https://glsa_0123456789abcdef@host`", "`https://***@host`"),
            ("did you mean `a`?", "did you mean `a`?"),
            ("`https://@host` `a` `https://u@h`", "`https://@host` `a` `https://***@h`"),
            ("a.glsa_0123456789abcde. b", "a.***. b"),
            ("glsa_0123456789abcde npm_0123456789012345678901234567890123", "*** ***"),
        ] {
            assert_eq!(redact_message(message), expected);
        }
    }

    #[test]
    fn masked_urls_show_their_host() {
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
            assert_eq!(mask_url(text, "*").as_deref(), expected, "{text}");
        }
    }

    /// Returns the secrets in all URLs, found one URL at a time.
    fn find_secrets_one_by_one(text: &str) -> Vec<Range<usize>> {
        let mut secrets = Vec::new();
        for (at, scheme) in text.match_indices("://") {
            let start = at + scheme.len();
            let rest = text[start..].split([' ', '\n', '"', '\'']).next().unwrap();
            let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
            secrets.extend(path.rfind('@').map(|at| start..start + at));
            let mut offset = start + path.len() + 1;
            for pair in query.split('&') {
                if let Some((name, _)) = pair.split_once('=').filter(|(name, _)| is_secret_key(name)) {
                    secrets.push(offset + name.len() + 1..offset + pair.len());
                }
                offset += pair.len() + 1;
            }
        }
        secrets
    }

    /// Removes ranges that lie within other ranges.
    fn keep_widest(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut end = 0;
        ranges.retain(|range| {
            let is_further = range.end > end;
            end = end.max(range.end);
            is_further
        });
        ranges
    }

    #[test]
    fn reads_many_urls_in_a_single_pass() {
        let pieces = ["://", "?", "@", "&", "=", "token", "é"];
        for number in 0..pieces.len().pow(5) {
            let digits = (0..5).map(|place| number / pieces.len().pow(place) % pieces.len());
            let tail: String = digits.map(|digit| pieces[digit]).collect();
            let text = format!("a://b{tail}c");
            let (actual, expected) = (secrets_in_urls(&text), find_secrets_one_by_one(&text));
            assert_eq!(actual.is_empty(), expected.is_empty(), "{text}");
            assert_eq!(keep_widest(actual), keep_widest(expected), "{text}");
        }
        let many_schemes = "://".repeat(100_000);
        assert!(secrets_in_urls(&many_schemes).is_empty());
        assert_eq!(secrets_in_urls(&format!("{many_schemes}@")).first(), Some(&(3..many_schemes.len())));
        assert!(secrets_in_urls(&"://?a=%41".repeat(100_000)).is_empty());
    }
}
