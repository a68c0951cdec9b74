//! What a target's `__address__` looks like.

use std::net::Ipv6Addr;

/// What is wrong with an address; `None` where Prometheus could scrape it: `host`, `host:port`, `[IPv6]:port` or a bare
/// IPv6 address. Prometheus itself refuses only a `/` (`config.CheckTargetAddress`) and fails later on the rest.
pub(super) fn fault(address: &str) -> Option<&'static str> {
    if address.contains("://") || address.contains('/') {
        return Some("expected host and port, found a URL");
    }
    if address.parse::<Ipv6Addr>().is_ok() {
        return None;
    }
    let (host, port) = match address.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((host, port)) => (host, port.strip_prefix(':').or(port.is_empty().then_some("1"))),
            None => return Some("`[` has no `]`"),
        },
        None => match address.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (address, Some("1")),
        },
    };
    let is_ip = address.starts_with('[');
    if is_ip && host.split('%').next().is_none_or(|ip| ip.parse::<Ipv6Addr>().is_err()) {
        return Some("what is in brackets is no IPv6 address");
    }
    if !is_ip
        && (host.is_empty()
            || !host
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')))
    {
        return Some("expected a host name or an IP address");
    }
    let is_port =
        |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    (!port.is_some_and(is_port)).then_some("expected a port from 1 to 65535 behind the host")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_junk() {
        for address in [
            "10.0.0.1:9100",
            "node-1.example_lan:80",
            "host",
            "[fe80::1]:9100",
            "[::1]",
            "fe80::1",
            "[fe80::1%eth0]:80",
        ] {
            assert_eq!(fault(address), None, "{address}");
        }
        for address in [
            "http://10.0.0.1:9100",
            "10.0.0.1/metrics",
            "10.0.0.1:",
            "10.0.0.1:http",
            "10.0.0.1:0",
            "10.0.0.1:65536",
            "10.0.0.1:+80",
            ":9100",
            "a:1:2",
            "[::1",
            "[x]:80",
            "[::1]80",
            "a b",
            "!!",
            "",
        ] {
            assert!(fault(address).is_some(), "{address}");
        }
    }
}
