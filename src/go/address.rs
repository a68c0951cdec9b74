//! Addresses that consist of a host and a port, split as in Go.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Splits an address into host and port (`net.SplitHostPort`). The error is a phrase that follows the address in a
/// message.
pub fn split_host_port(address: &str) -> Result<(&str, &str), &'static str> {
    const NO_PORT: &str = "has no port";
    const COLONS: &str = "has too many colons: an IPv6 address must be enclosed in `[` and `]`";
    let (host, port) = address.rsplit_once(':').ok_or(NO_PORT)?;
    let host = match address.strip_prefix('[') {
        Some(bracketed) => {
            let (host, after_bracket) = bracketed.split_once(']').ok_or("has a `[` without `]`")?;
            match after_bracket.strip_prefix(':') {
                Some(rest) if rest == port => host,
                Some(_) => return Err(COLONS),
                None => return Err(NO_PORT),
            }
        }
        None if host.contains(':') => return Err(COLONS),
        None => host,
    };
    match host.contains(['[', ']']) || port.contains(['[', ']']) {
        true => Err("has a misplaced `[` or `]`"),
        false => Ok((host, port)),
    }
}

/// Transport protocol of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Tcp,
    Udp,
}

/// Names of ports that are built into Go (`net.services`), and `syslog`. Go reads other names from `/etc/services`,
/// which the agent's image does not contain. Among these names, only `syslog` is likely to occur in an address in a
/// configuration.
const SERVICES: [(&str, u16); 15] = [
    ("domain", 53),
    ("ftp", 21),
    ("ftps", 990),
    ("gopher", 70),
    ("http", 80),
    ("https", 443),
    ("imap2", 143),
    ("imap3", 220),
    ("imaps", 993),
    ("pop3", 110),
    ("pop3s", 995),
    ("smtp", 25),
    ("ssh", 22),
    ("syslog", 514),
    ("telnet", 23),
];

/// Returns a port's number (`net.LookupPort`). An empty port is 0. The error is a phrase that follows the address in a
/// message.
pub fn parse_port(text: &str, protocol: Protocol) -> Result<u16, &'static str> {
    const RANGE: &str = "has a port that is not between 0 and 65535";
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // A minus sign is accepted only before zero.
        let number = if digits.is_empty() { Ok(0) } else { digits.parse() };
        return number.ok().filter(|number| *number == 0 || !text.starts_with('-')).ok_or(RANGE);
    }
    let mut services =
        SERVICES.iter().filter(|(name, _)| protocol == Protocol::Tcp || matches!(*name, "domain" | "syslog"));
    let service = services.find(|(name, _)| name.eq_ignore_ascii_case(text));
    service.map(|(_, number)| *number).ok_or("has a port that is neither a number nor a known service")
}

/// Whether a host is an IP address, with or without a zone (`netip.ParseAddr`).
fn is_ip(host: &str) -> bool {
    let (v6, zone) = host.split_once('%').unwrap_or((host, "zone"));
    host.parse::<Ipv4Addr>().is_ok() || v6.parse::<Ipv6Addr>().is_ok() && !zone.is_empty()
}

/// Whether Go looks up a name (`isDomainName` in `net`).
fn is_name(host: &str) -> bool {
    let is_part = |part: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        (1..64).contains(&part.len()) && part.bytes().all(is_allowed) && !part.starts_with('-') && !part.ends_with('-')
    };
    let parts = host.strip_suffix('.').unwrap_or(host);
    let is_numeric = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    host == "." || parts.len() < 254 && parts.split('.').all(is_part) && !parts.bytes().all(is_numeric)
}

/// Returns the reason why a host cannot be resolved, or `None` if it can be resolved. An empty host means the local
/// machine.
pub fn host_problem(host: &str) -> Option<&'static str> {
    let is_valid = host.is_empty() || is_ip(host) || is_name(host);
    (!is_valid).then_some("has a host that is neither an IP address nor a name")
}

/// Returns the reason why an address cannot be resolved or listened on. If the address is empty, the system chooses a
/// port.
pub fn listen_problem(address: &str, protocol: Protocol) -> Option<&'static str> {
    let (host, text) = match split_host_port(address) {
        Ok(parts) => parts,
        Err(problem) => return (!address.is_empty()).then_some(problem),
    };
    parse_port(text, protocol).err().or_else(|| host_problem(host))
}

/// Returns the reason why a TCP connection to an address is impossible.
pub fn dial_problem(address: &str) -> Option<&'static str> {
    if address.is_empty() { split_host_port(address).err() } else { listen_problem(address, Protocol::Tcp) }
}

/// Whether an address lacks a port and would be valid if it had one (`addPort` in Prometheus' `PopulateLabels`).
pub fn lacks_port(address: &str) -> bool {
    split_host_port(address).is_err() && split_host_port(&format!("{address}:1234")).is_ok()
}

/// Returns the reason why no request can be sent to a URL with this host (`parseHost` in `net/url`, and `net/http`), as
/// a phrase that follows the address in a message, or `None` if a request can be sent.
pub fn request_problem(address: &str) -> Option<&'static str> {
    let is_host_character =
        |byte: u8| !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&byte);
    if !address.bytes().all(is_host_character) {
        return Some("contains a character that a host cannot contain");
    }
    let with_port = if lacks_port(address) { format!("{address}:80") } else { address.to_owned() };
    let (host, text) = match split_host_port(&with_port) {
        Ok(parts) => parts,
        Err(problem) => return Some(problem),
    };
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some("has a port that is not a number");
    }
    // Non-ASCII names are encoded before they are looked up.
    parse_port(text, Protocol::Tcp).err().or_else(|| host_problem(host).filter(|_| host.is_ascii()))
}

/// Whether a string is an integer that `strconv.Atoi` accepts.
pub fn is_whole_number(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_addresses_like_go() {
        let colons = "has too many colons: an IPv6 address must be enclosed in `[` and `]`";
        for (address, expected) in [
            ("a:1", Ok(("a", "1"))),
            (":http", Ok(("", "http"))),
            ("a:", Ok(("a", ""))),
            ("[::1]:2", Ok(("::1", "2"))),
            ("a", Err("has no port")),
            ("", Err("has no port")),
            ("::1", Err(colons)),
            ("[::1]", Err("has no port")),
            ("[::1]2:3", Err("has no port")),
            ("[::1]:2:3", Err(colons)),
            ("[::1:2", Err("has a `[` without `]`")),
            ("a]:1", Err("has a misplaced `[` or `]`")),
            ("[a[]:1", Err("has a misplaced `[` or `]`")),
            ("a[:1", Err("has a misplaced `[` or `]`")),
            ("[[a]:1", Err("has a misplaced `[` or `]`")),
            ("[a]b:1", Err("has no port")),
        ] {
            assert_eq!(split_host_port(address), expected, "{address}");
        }
    }

    #[test]
    fn ports_are_numbers_or_known_services() {
        use Protocol::{Tcp, Udp};
        for (address, protocol, expected) in [
            ("", Tcp, true),
            ("0.0.0.0:0", Tcp, true),
            (":1514", Tcp, true),
            ("[::1]:80", Udp, true),
            ("x:", Tcp, true),
            ("x:+80", Tcp, true),
            ("x:-0", Tcp, true),
            ("localhost:syslog", Udp, true),
            (":http", Tcp, true),
            (":HTTPS", Tcp, true),
            (":http", Udp, false),
            ("x:-1", Tcp, false),
            ("x:65536", Tcp, false),
            ("x:99999999999999999999", Tcp, false),
            (":x", Tcp, false),
            ("0.0.0.0:8080x", Udp, false),
            ("x: 80", Tcp, false),
            ("x", Tcp, false),
            ("::1:80", Tcp, false),
            ("[::1]", Tcp, false),
        ] {
            assert_eq!(listen_problem(address, protocol).is_none(), expected, "{address}");
        }
        assert_eq!(parse_port("https", Tcp), Ok(443));
        assert_eq!(dial_problem(""), Some("has no port"));
    }

    #[test]
    fn hosts_are_addresses_or_names() {
        let long_label = "a".repeat(64);
        let names = ["", "a", "A-b_c.d.", "1a", "1-2", "127.0.0.1", "::1", "fe80::1%lo", ".", "_a.b", &long_label[1..]];
        assert_eq!(names.map(host_problem), [None; 11]);
        let other_names =
            ["a b", "1.2.3", "-a", "a-", "a..b", ".a", "a.-b", "ä", "a:1", "127.0.0.01", "fe80::1%", "1", &long_label];
        assert!(other_names.into_iter().all(|host| host_problem(host).is_some()));
        assert_eq!(
            listen_problem("1.2.3:1", Protocol::Tcp),
            Some("has a host that is neither an IP address nor a name")
        );
    }

    #[test]
    fn addresses_may_omit_the_port() {
        assert!(lacks_port("a") && lacks_port("[::1]") && !lacks_port("::1") && !lacks_port("a:1"));
    }

    #[test]
    fn request_addresses_need_a_valid_url_host() {
        for address in ["a", "127.0.0.1:1", ":1", "[::1]:1", "ä:1", "a:0", "a:", "[::1%lo]:1", "[a]:1"] {
            assert_eq!(request_problem(address), None, "{address}");
        }
        for address in [
            "a b", "a:99999", "a:1?x", "1.2.3:1", "a<b:1", "::1", "a:1:2", "a:x", "a:+1", "u@a:1", "a%b:1", "-a:1",
            "a..b:1",
        ] {
            assert!(request_problem(address).is_some(), "{address}");
        }
    }

    #[test]
    fn accepts_signed_integers() {
        assert!(["5", "-1", "+7", "007"].into_iter().all(is_whole_number));
        assert!(!["", "1_0", "0x1", " 1", "1.0", "9223372036854775808"].into_iter().any(is_whole_number));
    }
}
