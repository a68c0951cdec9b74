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
        ] {
            assert_eq!(split(address), expected, "{address}");
        }
    }

    #[test]
    fn accepts_signed_integers() {
        assert!(["5", "-1", "+7", "007"].into_iter().all(is_whole_number));
        assert!(!["", "1_0", "0x1", " 1", "1.0", "9223372036854775808"].into_iter().any(is_whole_number));
    }
}
