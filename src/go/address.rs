//! Addresses that consist of a host and a port, split as in Go.

/// Splits an address into host and port (`net.SplitHostPort`). The error is a predicate whose subject is the address.
pub fn split(address: &str) -> Result<(&str, &str), &'static str> {
    const NO_PORT: &str = "has no port";
    const COLONS: &str = "has too many colons: an IPv6 address must be enclosed in `[` and `]`";
    let (before, port) = address.rsplit_once(':').ok_or(NO_PORT)?;
    let host = match address.strip_prefix('[') {
        Some(bracketed) => {
            let (host, behind) = bracketed.split_once(']').ok_or("has a `[` without `]`")?;
            match behind.strip_prefix(':') {
                Some(rest) if rest == port => host,
                Some(_) => return Err(COLONS),
                None => return Err(NO_PORT),
            }
        }
        None if before.contains(':') => return Err(COLONS),
        None => before,
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

/// Names of ports that Go knows by itself (`net.services`), in addition to `syslog`, which is the only name from
/// `/etc/services` that an address in a configuration is likely to use. The agent's image does not contain that file.
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

/// Returns a port's number (`net.LookupPort`). An empty port is 0. The error is a predicate whose subject is the
/// address.
pub fn port(text: &str, protocol: Protocol) -> Result<u16, &'static str> {
    const RANGE: &str = "has a port that is not between 0 and 65535";
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // Only the sign of zero has no effect.
        let number = if digits.is_empty() { Ok(0) } else { digits.parse() };
        return number.ok().filter(|number| *number == 0 || !text.starts_with('-')).ok_or(RANGE);
    }
    let mut services =
        SERVICES.iter().filter(|(name, _)| protocol == Protocol::Tcp || matches!(*name, "domain" | "syslog"));
    let service = services.find(|(name, _)| name.eq_ignore_ascii_case(text));
    service.map(|(_, number)| *number).ok_or("has a port that is neither a number nor a known service")
}

/// Returns the reason that nothing can listen on an address, or resolve it. With an empty address, the system chooses a
/// port.
pub fn problem(address: &str, protocol: Protocol) -> Option<&'static str> {
    let port = |(_, text)| port(text, protocol);
    split(address).and_then(port).err().filter(|_| !address.is_empty())
}

/// Returns the reason that a TCP connection to an address is impossible.
pub fn dial_problem(address: &str) -> Option<&'static str> {
    split(address).and_then(|(_, text)| port(text, Protocol::Tcp)).err()
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
            assert_eq!(split(address), expected, "{address}");
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
            assert_eq!(problem(address, protocol).is_none(), expected, "{address}");
        }
        assert_eq!(port("https", Tcp), Ok(443));
        assert_eq!(dial_problem(""), Some("has no port"));
    }

    #[test]
    fn accepts_signed_integers() {
        assert!(["5", "-1", "+7", "007"].into_iter().all(is_whole_number));
        assert!(!["", "1_0", "0x1", " 1", "1.0", "9223372036854775808"].into_iter().any(is_whole_number));
    }
}
