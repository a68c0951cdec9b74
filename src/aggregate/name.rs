//! What may be a version, a path segment or a host.

use std::net::{IpAddr, Ipv6Addr};

use crate::api::label::check_subdomain;

/// Why a text is no DNS label of RFC 1035 (`IsDNS1035Label`).
pub(super) fn check_dns_1035_label(text: &str) -> Result<(), String> {
    if text.len() > 63 {
        return Err("must be no more than 63 characters".to_owned());
    }
    let bytes = text.as_bytes();
    let inner = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
    let starts = bytes.first().is_some_and(u8::is_ascii_lowercase);
    let ends = bytes.last().is_some_and(|b| *b != b'-');
    if starts && ends && bytes.iter().all(inner) {
        Ok(())
    } else {
        Err(
            "must consist of lower case letters, digits and `-`, with a letter in front and no `-` at the end"
                .to_owned(),
        )
    }
}

/// Why a text is no DNS label of RFC 1123 (`IsDNS1123Label`), as the names of namespaces are.
pub(super) fn check_dns_1123_label(text: &str) -> Result<(), String> {
    if text.len() > 63 || text.contains('.') {
        return Err("must be no more than 63 lower case letters, digits and `-`".to_owned());
    }
    check_subdomain(text)
}

/// Why a text cannot stand in the path of a URL (`IsValidPathSegmentName`).
pub(super) fn check_path_segment(text: &str) -> Result<(), String> {
    match text {
        "." | ".." => Err(format!("may not be `{text}`")),
        _ if text.contains(['/', '%']) => Err("may not contain `/` or `%`".to_owned()),
        _ => Ok(()),
    }
}

/// Whether a text is an address, or a DNS name: letter case does not count, and a dot may end it.
pub(super) fn is_host(text: &str) -> bool {
    is_address(text) || is_dns_name(text)
}

/// An IPv6 address may have a zone.
fn is_address(text: &str) -> bool {
    match text.split_once('%') {
        Some((address, zone)) => address.parse::<Ipv6Addr>().is_ok() && !zone.is_empty(),
        None => text.parse::<IpAddr>().is_ok(),
    }
}

/// A name whose last label is a number would be taken for an IPv4 address.
fn is_dns_name(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    let last = name.rsplit('.').next().unwrap_or(name);
    let short = name.split('.').all(|label| label.len() <= 63);
    short && !last.bytes().all(|b| b.is_ascii_digit()) && check_subdomain(&name.to_ascii_lowercase()).is_ok()
}

/// What to do about a text that is no host.
pub(super) fn host_help(text: &str) -> &'static str {
    let colons = text.bytes().filter(|b| *b == b':').count();
    if text.contains("://") {
        "leave out the scheme: it is always https"
    } else if text.starts_with('[') {
        "write an IPv6 address without brackets"
    } else if colons == 1 {
        "leave out the port: the APIService has it in `spec.service.port`"
    } else if text.contains('/') {
        "leave out the path: that of the request is kept"
    } else {
        "write a DNS name such as `api.example.com`, or an address"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_kubernetes_takes_them() {
        let longest = "a".repeat(63);
        for good in ["v1", "v0alpha1", "foo", "a-b", longest.as_str()] {
            assert_eq!(check_dns_1035_label(good), Ok(()), "{good}");
        }
        let long = "a".repeat(64);
        for bad in ["", "1v", "V1", "v_1", "v1-", "-v", "v.1", long.as_str()] {
            assert!(check_dns_1035_label(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn hosts_are_names_or_addresses() {
        for good in [
            "localhost",
            "api.example.com",
            "API.example.com.",
            "10.0.0.1",
            "::1",
            "fe80::1%eth0",
            "1password.com",
        ] {
            assert!(is_host(good), "{good}");
        }
        for bad in [
            "",
            ".",
            "10.0.0.256",
            "[::1]",
            "https://a",
            "a:443",
            "a/b",
            "a b",
            "-a",
            "a..b",
            "fe80::1%",
        ] {
            assert!(!is_host(bad), "{bad}");
        }
    }

    #[test]
    fn the_help_says_what_is_too_much() {
        assert!(host_help("https://a").contains("scheme"));
        assert!(host_help("[::1]").contains("brackets"));
        assert!(host_help("a:443").contains("port"));
        assert!(host_help("a/b").contains("path"));
    }
}
