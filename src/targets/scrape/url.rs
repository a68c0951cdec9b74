//! Addresses and URLs, parsed and formatted as in Go.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::targets::relabel::Labels;

/// Returns the URL at which a target is scraped (`Target.URL`).
pub(super) fn build(labels: &Labels<'_>, params: &[(String, Vec<String>)]) -> String {
    let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, list) in params {
        values.insert(name, list.iter().map(String::as_str).collect());
    }
    for (name, value) in labels.iter() {
        if let Some(name) = name.strip_prefix("__param_") {
            let list = values.entry(name).or_default();
            match list.first_mut() {
                Some(first) => *first = value,
                None => list.push(value),
            }
        }
    }
    let mut url = String::new();
    let (scheme, host, path) = (labels.get("__scheme__"), labels.get("__address__"), labels.get("__metrics_path__"));
    if !scheme.is_empty() {
        url.push_str(scheme);
        url.push(':');
    }
    if !scheme.is_empty() || !host.is_empty() {
        if !host.is_empty() || !path.is_empty() {
            url.push_str("//");
        }
        escape(&mut url, host, is_host_byte);
    }
    if !path.is_empty() && !path.starts_with('/') && !host.is_empty() {
        url.push('/');
    }
    match path {
        "*" => url.push('*'),
        path => escape(&mut url, path, is_path_byte),
    }
    let mut separator = '?';
    for (name, list) in &values {
        for value in list {
            url.push(separator);
            separator = '&';
            escape_query(&mut url, name);
            url.push('=');
            escape_query(&mut url, value);
        }
    }
    url
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~')
}

/// Whether a byte can appear unescaped in a host (`shouldEscape` in `net/url` with `encodeHost`).
fn is_host_byte(byte: u8) -> bool {
    is_unreserved(byte) || b"!$&'()*+,;=:[]<>\"".contains(&byte)
}

/// Whether a byte can appear unescaped in a path (`shouldEscape` in `net/url` with `encodePath`).
fn is_path_byte(byte: u8) -> bool {
    is_unreserved(byte) || b"$&+,/:;=@".contains(&byte)
}

fn escape(url: &mut String, text: &str, stays: fn(u8) -> bool) {
    for byte in text.bytes() {
        if stays(byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
}

fn escape_query(url: &mut String, text: &str) {
    for (number, word) in text.split(' ').enumerate() {
        if number > 0 {
            url.push('+');
        }
        escape(url, word, is_unreserved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_urls_like_go() {
        let url = |labels: &[(&'static str, &'static str)]| {
            let labels: Labels<'_> = labels.iter().copied().collect();
            build(&labels, &[("b".to_owned(), vec!["1".to_owned(), "x y&ä".to_owned()]), ("a".to_owned(), vec![])])
        };
        let address = ("__address__", "h:1");
        assert_eq!(
            url(&[address, ("__scheme__", "http"), ("__metrics_path__", "m?x#%/é")]),
            "http://h:1/m%3Fx%23%25/%C3%A9?b=1&b=x+y%26%C3%A4"
        );
        assert_eq!(url(&[address, ("__param_b", "2"), ("__param_c", "")]), "//h:1?b=2&b=x+y%26%C3%A4");
        let parts = |scheme: &'static str, host: &'static str, path: &'static str| {
            let labels = [("__scheme__", scheme), ("__address__", host), ("__metrics_path__", path)];
            build(&Labels::from_iter(labels), &[])
        };
        for (scheme, host, path, expected) in [
            ("http", "h", "/m", "http://h/m"),
            ("http", "h", "m", "http://h/m"),
            ("http", "h", "", "http://h"),
            ("http", "h", "*", "http://h/*"),
            ("http", "", "", "http:"),
            ("http", "", "/m", "http:///m"),
            ("", "h", "/m", "//h/m"),
            ("", "", "/m", "/m"),
            ("", "", "m", "m"),
            ("http", "a b", "/!", "http://a%20b/%21"),
            ("http", "[::1]:80", "/$&+,:;=@~", "http://[::1]:80/$&+,:;=@~"),
        ] {
            assert_eq!(parts(scheme, host, path), expected, "{scheme} {host} {path}");
        }
    }
}
