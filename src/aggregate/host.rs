//! What may be a host.

use std::net::{IpAddr, Ipv6Addr};

use crate::go::syntax;

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
    short && !last.bytes().all(|b| b.is_ascii_digit()) && syntax::subdomain(&name.to_ascii_lowercase()).is_none()
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
