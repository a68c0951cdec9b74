//! CA bundle checks: PEM syntax and validity at the requested time. kube-aggregator accepts any bytes, but then answers
//! every request with an error.

use jiff::{SignedDuration, Timestamp};

use crate::diagnostic::{Code, Diagnostic};
use crate::go::certificate::{BundleProblem, certificates, parse_expiries, utc_date};

/// Period before a bundle's expiration during which warnings are reported.
const WARNING_PERIOD: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Checks a bundle. Returns a finding without a location if the bundle has a problem.
pub(super) fn check_bundle(bundle: &[u8], certificate_time: Option<Timestamp>) -> Option<Diagnostic> {
    let expiries = certificates(bundle).and_then(|certificates| match certificate_time {
        Some(at) => parse_expiries(&certificates).map(|expiries| expiry_finding(&expiries, at)),
        None => Ok(None),
    });
    expiries.unwrap_or_else(|why| Some(unusable_bundle(&why)))
}

/// Checks a bundle's validity period. A bundle is usable as long as one of its certificates is valid.
fn expiry_finding(expiries: &[Timestamp], certificate_time: Timestamp) -> Option<Diagnostic> {
    let last_expiry = *expiries.iter().max()?;
    let first_expiry = *expiries.iter().min()?;
    let warning_time = certificate_time.checked_add(WARNING_PERIOD).unwrap_or(Timestamp::MAX);
    let (code, message, help) = if last_expiry < certificate_time {
        (
            Code::CaBundleExpired,
            format!(
                "as of {}, the CA bundle has expired: it was valid until {}",
                utc_date(certificate_time),
                utc_date(last_expiry)
            ),
            "renew the CA certificate",
        )
    } else if last_expiry < warning_time {
        (
            Code::CaBundleExpiresSoon,
            format!("the CA bundle expires soon, on {}", utc_date(last_expiry)),
            "add the CA's next certificate to the bundle",
        )
    } else if first_expiry < certificate_time {
        (
            Code::CaBundleExpiresSoon,
            format!(
                "as of {}, a certificate in the CA bundle has expired: it was valid until {}",
                utc_date(certificate_time),
                utc_date(first_expiry)
            ),
            "remove the certificate from the bundle",
        )
    } else {
        return None;
    };
    Some(Diagnostic::new(code, message).help(help))
}

/// Finding for a bundle that contains no usable certificates.
fn unusable_bundle(why: &BundleProblem) -> Diagnostic {
    let message = match why {
        BundleProblem::NotPem => "the CA bundle is not in PEM format".to_owned(),
        BundleProblem::Empty => "the CA bundle contains no certificates".to_owned(),
        BundleProblem::NotX509(number) => {
            format!("certificate {number} in the CA bundle is not a valid X.509 certificate")
        }
    };
    Diagnostic::new(Code::InvalidCaBundle, message)
        .help("use the CA's certificates in PEM format, which starts with `-----BEGIN CERTIFICATE-----`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_are_valid_if_any_certificate_is() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let now = time("2026-03-01T00:00:00Z");
        let second_before = "2026-02-28T23:59:59Z";
        let month_later = "2026-03-31T00:00:00Z";
        let expired_message = "as of 2026-03-01, the CA bundle has expired: it was valid until 2026-02-28";
        for (expiries, expected) in [
            (&["2027-01-01T00:00:00Z"][..], None),
            (&[second_before], Some((Code::CaBundleExpired, expired_message))),
            (&["2026-03-01T00:00:00Z"], Some((Code::CaBundleExpiresSoon, "the CA bundle expires soon, on 2026-03-01"))),
            (&["2026-03-30T23:59:59Z"], Some((Code::CaBundleExpiresSoon, "the CA bundle expires soon, on 2026-03-30"))),
            (&[month_later], None),
            (&[month_later, "2026-03-01T00:00:00Z"], None),
            (
                &[month_later, second_before],
                Some((
                    Code::CaBundleExpiresSoon,
                    "as of 2026-03-01, a certificate in the CA bundle has expired: it was valid until 2026-02-28",
                )),
            ),
            (&[], None),
        ] {
            let expiries: Vec<_> = expiries.iter().map(|text| time(text)).collect();
            let finding = expiry_finding(&expiries, now);
            let actual = finding.as_ref().map(|finding| (finding.code, finding.message.as_str()));
            assert_eq!(actual, expected, "{expiries:?}");
        }
    }

    #[test]
    fn reports_invalid_bundles() {
        let section = |text: &str| format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
        let at = Some(Timestamp::UNIX_EPOCH);
        for (bundle, at, expected) in [
            (String::new(), at, Some("the CA bundle contains no certificates")),
            ("a".to_owned(), None, Some("the CA bundle contains no certificates")),
            (section("!"), at, Some("the CA bundle is not in PEM format")),
            (section("aGk="), at, Some("certificate 1 in the CA bundle is not a valid X.509 certificate")),
            // If no time is set, certificates are not parsed, because their validity cannot be checked.
            (section("aGk="), None, None),
        ] {
            let diagnostic = check_bundle(bundle.as_bytes(), at);
            assert_eq!(diagnostic.as_ref().map(|diagnostic| diagnostic.message.as_str()), expected, "{bundle}");
        }
    }
}
