//! URLs as accepted by Go's `url.Parse`.

use std::borrow::Cow;

/// Returns the problem with a URL, as a phrase that follows the URL in a message, or `None` if Go can parse it.
pub fn problem(text: &str) -> Option<&'static str> {
    check(text).err()
}

/// Whether a URL starts with a scheme and `//`.
pub fn has_scheme(text: &str) -> bool {
    split_scheme(text).is_ok_and(|(has_scheme, rest)| has_scheme && rest.starts_with("//"))
}

/// Returns the scheme of a URL, which is the text before `://`.
pub fn scheme(text: &str) -> Option<&str> {
    text.split_once("://").map(|(scheme, _)| scheme).filter(|_| has_scheme(text))
}

/// Returns a URL as Go writes it after parsing (`URL.String`). Only the scheme and the path are normalized.
pub fn normalize(text: &str) -> Cow<'_, str> {
    let Some(scheme) = scheme(text) else {
        return Cow::Borrowed(text);
    };
    let rest = text.get(scheme.len()..).unwrap_or_default();
    let authority = rest.get(3..).unwrap_or_default();
    let path = authority.find(['/', '?', '#']).unwrap_or(authority.len()) + 3;
    let end = rest.find(['?', '#']).unwrap_or(rest.len()).max(path);
    let (before, path, after) = (rest.get(..path), rest.get(path..end), rest.get(end..));
    let mut written = scheme.to_ascii_lowercase();
    written += before.unwrap_or_default();
    // Bytes that Go leaves unescaped (`validEncoded`).
    let is_kept = |b: u8| b.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:@[]%/".contains(&b);
    for b in path.unwrap_or_default().bytes() {
        match is_kept(b) {
            true => written.push(char::from(b)),
            false => written += &format!("%{b:02X}"),
        }
    }
    written += after.unwrap_or_default();
    Cow::Owned(written)
}

/// Returns a URL with its password replaced with `xxxxx` (`URL.Redacted`).
pub fn redact(text: &str) -> String {
    let authority = scheme(text).map_or(0, |scheme| scheme.len() + 3);
    let (before, rest) = text.split_at_checked(authority).unwrap_or_default();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at_checked(end).unwrap_or_default();
    let user = authority.rsplit_once('@');
    let password = user.and_then(|(user, host)| Some((user.split_once(':')?.0, host)));
    match password {
        Some((name, host)) => format!("{before}{name}:xxxxx@{host}{after}"),
        None => text.to_owned(),
    }
}

/// Returns the problem with a request URL (`url.ParseRequestURI`): the URL must have a scheme or start with `/`, and
/// must not have a fragment.
pub fn request_problem(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("is empty");
    }
    let is_relative = |(has_scheme, rest): (bool, &str)| !has_scheme && !rest.starts_with('/') && text != "*";
    match split_scheme(text) {
        Ok(split) if is_relative(split) => Some("has neither a scheme such as `http://` nor a leading `/`"),
        _ => check_url(text).err(),
    }
}

/// Parts of a URL, as written except for the scheme.
pub struct Parts<'t> {
    /// Scheme, converted to lowercase. Empty if the URL has no scheme.
    pub scheme: String,
    /// User information before the `@`.
    pub user: Option<&'t str>,
    pub host: &'t str,
    pub path: &'t str,
    pub query: &'t str,
}

/// Splits a URL, or returns `None` if Go cannot parse it.
pub fn parts(text: &str) -> Option<Parts<'_>> {
    check(text).ok()?;
    let url = text.split_once('#').map_or(text, |(url, _)| url);
    let (_, rest) = split_scheme(url).ok()?;
    let scheme = url.get(..url.len() - rest.len())?.trim_end_matches(':');
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = match rest.strip_prefix("//") {
        Some(after) => after.split_at_checked(after.find('/').unwrap_or(after.len()))?,
        None if rest.starts_with('/') || scheme.is_empty() => ("", rest),
        // Text after a scheme without a slash is opaque, as in `mailto:a`.
        None => ("", ""),
    };
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let scheme = scheme.to_ascii_lowercase();
    Some(Parts { scheme, user, host, path, query })
}

/// Decodes the escapes in a string and, in a query, converts each `+` to a space (`url.QueryUnescape`). Returns `None`
/// if an escape is invalid.
pub fn unescape(text: &str, is_query: bool) -> Option<Cow<'_, str>> {
    if !text.contains(['%', '+']) {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let is_valid = digits.iter().all(u8::is_ascii_hexdigit);
                let digits = std::str::from_utf8(&digits).ok().filter(|_| is_valid)?;
                u8::from_str_radix(digits, 16).ok()?
            }
            b'+' if is_query => b' ',
            other => other,
        });
    }
    Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the keys and values of a query (`url.ParseQuery`). Pairs that Go cannot parse are skipped, as in
/// `URL.Query`.
pub fn query(text: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty() && !pair.contains(';'));
    pairs.filter_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((unescape(key, true)?, unescape(value, true)?))
    })
}

/// Splits a host into its name and port (`URL.Hostname`, `URL.Port`).
pub fn host_and_port(host: &str) -> (&str, &str) {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (name, port),
        _ => (host, ""),
    };
    let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    (bracketed.unwrap_or(name), port)
}

type CheckedUrl = Result<(), &'static str>;

fn check(text: &str) -> CheckedUrl {
    let (url, fragment) = text.split_once('#').unwrap_or((text, ""));
    check_url(url)?;
    check_escapes(fragment)
}

fn check_url(url: &str) -> CheckedUrl {
    if url.bytes().any(|b| b.is_ascii_control()) {
        return Err("contains a control character");
    }
    let (has_scheme, rest) = split_scheme(url)?;
    let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
    if !rest.starts_with('/') {
        return check_relative(rest, has_scheme);
    }
    match rest.strip_prefix("//") {
        Some(after) => {
            let (authority, path) =
                after.split_at_checked(after.find('/').unwrap_or(after.len())).unwrap_or((after, ""));
            check_authority(authority)?;
            check_escapes(path)
        }
        None => check_escapes(rest),
    }
}

/// Checks a URL that does not start with `/`: anything after a scheme (`mailto:a`), or a path whose first segment
/// contains no colon.
fn check_relative(rest: &str, has_scheme: bool) -> CheckedUrl {
    if has_scheme {
        return Ok(());
    }
    if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
        return Err("has a colon before its first slash, but no scheme such as `http://`");
    }
    check_escapes(rest)
}

/// Returns the text after the scheme, and whether there is a scheme (`getScheme`).
fn split_scheme(url: &str) -> Result<(bool, &str), &'static str> {
    for (i, c) in url.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if i > 0 => {}
            ':' if i == 0 => return Err("has no scheme before its colon"),
            ':' => return Ok((true, url.get(i + 1..).unwrap_or_default())),
            _ => break,
        }
    }
    Ok((false, url))
}

/// Checks `user:password@host:port` (`parseAuthority`).
fn check_authority(authority: &str) -> CheckedUrl {
    let Some((user, host)) = authority.rsplit_once('@') else {
        return check_host(authority);
    };
    check_host(host)?;
    let is_userinfo_byte = |b: u8| b.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&b);
    if !user.bytes().all(is_userinfo_byte) {
        return Err("contains a character before `@` that must be escaped");
    }
    check_escapes(user)
}

/// Checks a host name or an address, and a port (`parseHost`).
fn check_host(host: &str) -> CheckedUrl {
    let Some(bracketed) = host.strip_prefix('[') else {
        if let Some((_, port)) = host.rsplit_once(':') {
            check_port(port)?;
        }
        return host_characters(host);
    };
    let Some((address, port)) = bracketed.rsplit_once(']') else {
        return Err("has a `[` without `]` in its host");
    };
    match port.strip_prefix(':') {
        Some(port) => check_port(port)?,
        None if port.is_empty() => {}
        None => return Err("has something other than a port after `]`"),
    }
    let (address, zone) = address.split_once("%25").unwrap_or((address, ""));
    host_characters(address)?;
    check_escapes(zone)
}

fn check_port(port: &str) -> CheckedUrl {
    if port.bytes().all(|b| b.is_ascii_digit()) { Ok(()) } else { Err("has a port that is not a number") }
}

fn host_characters(host: &str) -> CheckedUrl {
    let is_host = |b: u8| !b.is_ascii() || b.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&b);
    if !host.bytes().all(is_host) {
        return Err("contains a character that is not allowed in a host name");
    }
    // Only bytes above 127 may be escaped in a host.
    for (i, _) in host.match_indices('%') {
        let escaped = host.get(i + 1..i + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if !escaped.is_some_and(|byte| byte >= 128 || byte == b'%') {
            return Err("has an invalid `%` escape in its host");
        }
    }
    Ok(())
}

/// Checks that two hexadecimal digits follow each `%`.
fn check_escapes(text: &str) -> CheckedUrl {
    let is_escape = |(i, _)| {
        let digits = text.as_bytes().get(i + 1..i + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if text.match_indices('%').all(is_escape) {
        Ok(())
    } else {
        Err("contains a `%` that is not followed by two hexadecimal digits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_urls_like_go() {
        for (text, expected) in [
            ("HTTP://A/b c?d e#f", "http://A/b%20c?d e#f"),
            ("http://a?b", "http://a?b"),
            ("http://a/%2f{b}\u{e4}", "http://a/%2f%7Bb%7D%C3%A4"),
            ("a:80/b c", "a:80/b c"),
            ("", ""),
        ] {
            assert_eq!(normalize(text), expected, "{text}");
        }
    }

    #[test]
    fn masks_passwords() {
        for (text, expected) in [
            ("http://u:p@a/b@c", "http://u:xxxxx@a/b@c"),
            ("http://u@a/", "http://u@a/"),
            ("http://a/u:p@b", "http://a/u:p@b"),
            ("p:80", "p:80"),
        ] {
            assert_eq!(redact(text), expected, "{text}");
        }
    }

    #[test]
    fn accepts_the_same_urls_as_go() {
        for url in [
            "",
            "http://x",
            "https://u:p@h:9/a?b#c",
            "a.b/c",
            "a:80/x",
            "http://a:999999",
            "http://a<b>/",
            "http://ab/x y",
            "http://$(X)/",
            "http://a/?%zz",
            "http://a\"b/",
            "http://ä/",
            "http://[::1]:80/",
            "http://[fe80::1%25en0]/",
            "//host/x",
            "///x",
            "foo",
            "mailto:x y",
            "http://u%20:p@h",
            "http://a:/",
            "*",
            "http://%C3%A4/",
            "http://%80%25/",
            "./a:b",
            "h2+x-y.z://a",
            "http://[::1]",
            "http://[::1%25a%20b]:/x",
            "////a",
            "a?:b",
        ] {
            assert_eq!(problem(url), None, "{url}");
        }
    }

    #[test]
    fn request_urls_need_a_scheme_or_a_slash() {
        let relative = Some("has neither a scheme such as `http://` nor a leading `/`");
        for (url, expected) in [
            ("http://a/b", None),
            ("/b", None),
            ("*", None),
            ("a:80/x", None),
            ("mailto:x", None),
            ("", Some("is empty")),
            ("a", relative),
            ("1a:80", relative),
            ("?a", relative),
            ("http://a#b", Some("contains a character that is not allowed in a host name")),
            ("http://a/b#%zz", Some("contains a `%` that is not followed by two hexadecimal digits")),
            ("http://a/b#c", None),
            (":a", Some("has no scheme before its colon")),
            ("a\n", relative),
        ] {
            assert_eq!(request_problem(url), expected, "{url}");
        }
    }

    #[test]
    fn splits_urls_like_go() {
        let parts = |text| parts(text).map(|p| format!("{}|{:?}|{}|{}|{}", p.scheme, p.user, p.host, p.path, p.query));
        for (url, expected) in [
            ("HTTP://u:p@h:1/a/b?c=d#e", "http|Some(\"u:p\")|h:1|/a/b|c=d"),
            ("postgres://", "postgres|None|||"),
            ("postgres:a", "postgres|None|||"),
            ("postgres:/a", "postgres|None||/a|"),
            ("a/b?c", "|None||a/b|c"),
            ("//h/x", "|None|h|/x|"),
            ("a://u@@h", "a|Some(\"u@\")|h||"),
        ] {
            assert_eq!(parts(url).as_deref(), Some(expected), "{url}");
        }
        assert_eq!(parts("http://a b"), None);
    }

    #[test]
    fn decodes_escapes() {
        for (text, is_query, expected) in [
            ("a%20b+c", true, Some("a b c")),
            ("a%20b+c", false, Some("a b+c")),
            ("%C3%a4", true, Some("ä")),
            ("%", true, None),
            ("%4", true, None),
            ("%+4", true, None),
            ("%zz", false, None),
        ] {
            assert_eq!(unescape(text, is_query).as_deref(), expected, "{text}");
        }
        let pairs: Vec<_> = query("a=b%20c&d&e=%zz&f;g=h&&i=j=k").collect();
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (&**key, &**value)).collect();
        assert_eq!(pairs, [("a", "b c"), ("d", ""), ("i", "j=k")]);
    }

    #[test]
    fn splits_host_and_port() {
        for (host, expected) in [
            ("h", ("h", "")),
            ("h:1", ("h", "1")),
            ("h:", ("h", "")),
            ("[::1]:2", ("::1", "2")),
            ("[::1]", ("::1", "")),
        ] {
            assert_eq!(host_and_port(host), expected, "{host}");
        }
    }

    #[test]
    fn recognizes_schemes() {
        assert!(has_scheme("http://a b"));
        assert_eq!(scheme("h2+x://a://b"), Some("h2+x"));
        for text in ["mimir:9009", "//x", "://x", "a b://c", "", "a:b://c", "2h://a"] {
            assert!(!has_scheme(text), "{text}");
            assert_eq!(scheme(text), None, "{text}");
        }
    }

    #[test]
    fn rejects_the_same_urls_as_go() {
        let control = "contains a control character";
        let escape = "contains a `%` that is not followed by two hexadecimal digits";
        let host = "contains a character that is not allowed in a host name";
        let escaped_host = "has an invalid `%` escape in its host";
        let port = "has a port that is not a number";
        let colon = "has a colon before its first slash, but no scheme such as `http://`";
        for (url, expected) in [
            ("http://a b", host),
            ("http://a\u{1}", control),
            ("http://a/%zz", escape),
            ("/%zz", escape),
            ("a%zz", escape),
            ("http://a%zz/", escaped_host),
            ("http://a:b", port),
            ("1a:80/x", colon),
            ("-a:80", colon),
            ("://x", "has no scheme before its colon"),
            ("http://[::1", "has a `[` without `]` in its host"),
            ("http://u ser@x", "contains a character before `@` that must be escaped"),
            ("http://a/#%zz", escape),
            ("http://{a}/", host),
            ("http://a|b/", host),
            ("http://a\\b/", host),
            ("http://a^b", host),
            ("a\u{7f}", control),
            ("http://[::1]x", "has something other than a port after `]`"),
            ("http://[::1]:x", port),
            ("http://[::{]", host),
            ("http://[::1%25%zz]", escape),
            ("http://%41/", escaped_host),
            ("http://%7f/", escaped_host),
            ("http://a%8/", escaped_host),
            ("http://a`b", host),
            ("http://a/%4", escape),
            ("http://u%zz@h/", escape),
            ("http://u@h i/", host),
        ] {
            assert_eq!(problem(url), Some(expected), "{url}");
        }
    }
}
