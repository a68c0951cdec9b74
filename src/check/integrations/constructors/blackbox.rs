//! The `blackbox` integration: its targets (`LoadBlackboxConfig`) and modules (each probe's `UnmarshalYAML` in
//! blackbox_exporter).
//!
//! Invalid regular expressions and values of the wrong type are reported elsewhere.

use crate::check::integrations::setting::{REQUIRED_KEY, text};
use crate::check::prometheus::http_client::{CLIENT, TLS};
use crate::check::walk::Expect::{AtMostOne, In, OneOf, Range, With};
use crate::check::walk::{Json, Rows, Step, Walk};

pub const ROWS: Rows = &[
    ("blackbox_targets[].name|address", REQUIRED_KEY),
    ("blackbox_config.modules.*.http", In(HTTP)),
    ("blackbox_config.modules.*.tcp|dns|grpc.tls_config", In(TLS)),
    ("blackbox_config.modules.*.dns", In(DNS)),
    ("blackbox_config.modules.*.icmp.ttl", Range(0, 255)),
];

/// Rules for an HTTP probe (`HTTPProbe.UnmarshalYAML`).
const HTTP: Rows = &[
    ("", In(CLIENT)),
    ("", AtMostOne("body|body_file")),
    ("", With(check_compression)),
    ("fail_if_header_matches|fail_if_header_not_matches[].header|regexp", REQUIRED_KEY),
];

/// Rules for a DNS probe (`DNSProbe.UnmarshalYAML`).
const DNS: Rows = &[("query_name", REQUIRED_KEY), ("query_class", OneOf(CLASSES)), ("query_type", OneOf(TYPES))];

/// DNS classes (`dns.StringToClass`).
const CLASSES: &str = "|IN|CS|CH|HS|NONE|ANY";

/// DNS record types (`dns.StringToType`).
const TYPES: &str = "|A|AAAA|AFSDB|AMTRELAY|ANY|APL|ATMA|AVC|AXFR|CAA|CDNSKEY|CDS|CERT|CNAME|CSYNC|DHCID|DLV|DNAME|DNSKEY|DS|EID|EUI48\
    |EUI64|GID|GPOS|HINFO|HIP|HTTPS|IPSECKEY|ISDN|IXFR|KEY|KX|L32|L64|LOC|LP|MAILA|MAILB|MB|MD|MF|MG|MINFO|MR|MX|NAPTR|NID|NIMLOC\
    |NINFO|NS|NSAP-PTR|NSEC|NSEC3|NSEC3PARAM|NULL|NXT|None|OPENPGPKEY|OPT|PTR|PX|RKEY|RP|RRSIG|RT|Reserved|SIG|SMIMEA|SOA|SPF|SRV\
    |SSHFP|SVCB|TA|TALINK|TKEY|TLSA|TSIG|TXT|UID|UINFO|UNSPEC|URI|X25|ZONEMD";

fn check_compression<'v>(http: Json<'v>, walk: &mut Walk<'v>) {
    let compression = text(http, "compression", "").unwrap_or_default();
    for (key, value) in http.at("headers").into_iter().flat_map(Json::entries) {
        let accepted_encodings = value.as_str().unwrap_or_default();
        if key.eq_ignore_ascii_case("accept-encoding") && !accepts(accepted_encodings, &compression) {
            let at = [Step::Key("headers"), Step::Key(key)];
            walk.report(&at, "does not allow the encoding in `compression`").help =
                "add the value of `compression` to this header, or remove one of the two".to_owned();
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
    encodings.sort_by(|(_, first), (_, other)| other.total_cmp(first));
    let preference = encodings.iter().find(|(name, _)| *name == encoding || *name == "*");
    preference.is_some_and(|(_, quality)| *quality > 0.0)
}

#[cfg(test)]
mod tests {
    use super::accepts;

    #[test]
    fn exact_encodings_take_precedence_over_wildcards() {
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
