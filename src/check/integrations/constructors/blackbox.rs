//! The `blackbox` integration: its targets (`LoadBlackboxConfig`) and modules (each probe's `UnmarshalYAML` in
//! blackbox_exporter).
//!
//! Invalid regular expressions and values of the wrong type are reported elsewhere.

use super::http_client;
use crate::check::integrations::setting::{is_blank, missing, refuse, text};
use crate::check::walk::Expect::{self, With};
use crate::check::walk::{Json, Rows, Step, Walk};

pub const ROWS: Rows = &[
    ("blackbox_targets[]", With(target)),
    ("blackbox_config.modules.*.http", With(http)),
    ("blackbox_config.modules.*.http.fail_if_header_matches|fail_if_header_not_matches[]", With(header_match)),
    ("blackbox_config.modules.*.tcp|dns|grpc.tls_config", With(http_client::tls)),
    ("blackbox_config.modules.*.dns", With(dns)),
    ("blackbox_config.modules.*.icmp.ttl", TTL),
];

/// Expects the TTL of an ICMP probe.
const TTL: Expect = With(|ttl, walk| {
    if ttl.as_i64().is_some_and(|ttl| !(0..=255).contains(&ttl)) {
        refuse(walk, &[], "is not between 0 and 255", "use a number between 0 and 255");
    }
});

fn target<'v>(target: Json<'v>, walk: &mut Walk<'v>) {
    needs(target, "a target", &["name", "address"], walk);
}

fn needs<'v>(value: Json<'v>, what: &str, keys: &[&'static str], walk: &mut Walk<'v>) {
    for key in keys.iter().filter(|key| is_blank(value, key, "")) {
        missing(walk, &[Step::Key(key)], &format!("{what} needs `{key}`"), &format!("set `{key}`"));
    }
}

/// Checks an HTTP probe (`HTTPProbe.UnmarshalYAML`).
fn http<'v>(http: Json<'v>, walk: &mut Walk<'v>) {
    http_client::check(http, walk);
    if http.has("body") && http.has("body_file") {
        refuse(walk, &[Step::Key("body_file")], "cannot be combined with `body`", "keep one of the two");
    }
    let compression = text(http, "compression", "").unwrap_or_default();
    for (key, value) in http.at("headers").into_iter().flat_map(Json::entries) {
        let accepted = value.as_str().unwrap_or_default();
        if key.eq_ignore_ascii_case("accept-encoding") && !accepts(accepted, &compression) {
            let at = [Step::Key("headers"), Step::Key(key)];
            let problem = "does not allow the encoding in `compression`";
            refuse(walk, &at, problem, "add the value of `compression` to this header, or remove one of the two");
        }
    }
}

/// Whether the best match for `encoding` in an `Accept-Encoding` header has a non-zero quality
/// (`isCompressionAcceptEncodingValid`).
fn accepts(header: &str, encoding: &str) -> bool {
    if encoding.is_empty() || header.is_empty() {
        return true;
    }
    let mut encodings: Vec<_> = header
        .split(',')
        .map(|part| match part.rsplit_once(';') {
            Some((name, quality)) => {
                let quality = quality.trim().trim_start_matches("q=").parse::<f32>().unwrap_or_default();
                (name.trim(), (quality * 1000.0).round())
            }
            None => (part.trim(), 1000.0),
        })
        .collect();
    encodings.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let found = encodings.iter().find(|(name, _)| *name == encoding || *name == "*");
    found.is_some_and(|(_, quality)| *quality > 0.0)
}

fn header_match<'v>(header: Json<'v>, walk: &mut Walk<'v>) {
    needs(header, "a header match", &["header", "regexp"], walk);
}

/// Checks a DNS probe (`DNSProbe.UnmarshalYAML`).
fn dns<'v>(dns: Json<'v>, walk: &mut Walk<'v>) {
    needs(dns, "a DNS probe", &["query_name"], walk);
    for (key, known, problem, help) in [
        ("query_class", CLASSES, "is not a known DNS class", "use a class such as `IN`"),
        ("query_type", TYPES, "is not a known DNS record type", "use a type such as `A`"),
    ] {
        let value = text(dns, key, "").unwrap_or_default();
        if !value.is_empty() && !known.split_whitespace().any(|known| known == value) {
            refuse(walk, &[Step::Key(key)], problem, help);
        }
    }
}

/// DNS classes (`dns.StringToClass`).
const CLASSES: &str = "IN CS CH HS NONE ANY";

/// DNS record types (`dns.StringToType`).
const TYPES: &str = "A AAAA AFSDB AMTRELAY ANY APL ATMA AVC AXFR CAA CDNSKEY CDS CERT CNAME CSYNC DHCID DLV DNAME DNSKEY DS EID EUI48 \
    EUI64 GID GPOS HINFO HIP HTTPS IPSECKEY ISDN IXFR KEY KX L32 L64 LOC LP MAILA MAILB MB MD MF MG MINFO MR MX NAPTR NID NIMLOC \
    NINFO NS NSAP-PTR NSEC NSEC3 NSEC3PARAM NULL NXT None OPENPGPKEY OPT PTR PX RKEY RP RRSIG RT Reserved SIG SMIMEA SOA SPF SRV \
    SSHFP SVCB TA TALINK TKEY TLSA TSIG TXT UID UINFO UNSPEC URI X25 ZONEMD";

#[cfg(test)]
mod tests {
    use super::accepts;

    #[test]
    fn uses_the_best_matching_encoding() {
        for (header, encoding, expected) in [
            ("", "gzip", true),
            ("gzip", "", true),
            ("gzip, br", "gzip", true),
            ("br", "gzip", false),
            ("br;q=0.5, *;q=0.1", "gzip", true),
            ("gzip;q=0", "gzip", false),
            ("*;q=0.5, gzip;q=0", "gzip", true),
        ] {
            assert_eq!(accepts(header, encoding), expected, "{header} {encoding}");
        }
    }
}
