//! Bundles of certificates: PEM, and valid at the time that was asked about. kube-aggregator takes any bytes, and then
//! answers every request with an error.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::{self, PemObject};
use x509_parser::parse_x509_certificate;

use crate::diagnostic::{Code, Diagnostic};

/// Time before the end of a bundle from which it is a warning.
const SOON: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What is wrong with a bundle, without its place.
pub(super) fn finding(bundle: &[u8], at: Option<Timestamp>) -> Option<Diagnostic> {
    let expiries = certificates(bundle).and_then(|certificates| match at {
        Some(at) => expiries(&certificates).map(|expiries| expiry(&expiries, at)),
        None => Ok(None),
    });
    expiries.unwrap_or_else(|why| Some(invalid(&why)))
}

/// A bundle is good as long as one of its certificates is.
fn expiry(expiries: &[Timestamp], at: Timestamp) -> Option<Diagnostic> {
    let last = *expiries.iter().max()?;
    let first = *expiries.iter().min()?;
    let soon = at.checked_add(SOON).unwrap_or(Timestamp::MAX);
    let (code, message, help) = if last < at {
        (
            Code::CaBundleExpired,
            format!("on {} the CA bundle has expired: it ends on {}", day(at), day(last)),
            "renew the certificate of the authority",
        )
    } else if last < soon {
        (
            Code::CaBundleExpiresSoon,
            format!("the CA bundle ends soon, on {}", day(last)),
            "add the authority's next certificate to the bundle",
        )
    } else if first < at {
        (
            Code::CaBundleExpiresSoon,
            format!(
                "on {} a certificate of the CA bundle has expired: it ends on {}",
                day(at),
                day(first)
            ),
            "take the certificate out of the bundle",
        )
    } else {
        return None;
    };
    Some(Diagnostic::new(code, message).help(help))
}

fn day(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).date().to_string()
}

/// The bundle holds no certificates that could be used.
fn invalid(why: &Unusable) -> Diagnostic {
    let message = match why {
        Unusable::NotPem => "the CA bundle is not PEM".to_owned(),
        Unusable::Empty => "the CA bundle holds no certificate".to_owned(),
        Unusable::NotX509(number) => format!("certificate {number} of the CA bundle is not an X.509 certificate"),
    };
    Diagnostic::new(Code::InvalidCaBundle, message)
        .help("put the certificates of the authority there, from `-----BEGIN CERTIFICATE-----` on")
}

/// Why a bundle cannot be used.
#[derive(Debug)]
pub(super) enum Unusable {
    /// A section of the text is not PEM.
    NotPem,
    /// There is no certificate in it.
    Empty,
    /// The certificate with this number, from 1, is not valid.
    NotX509(usize),
}

/// The certificates of a bundle, in their order.
///
/// # Errors
///
/// Where a section of the text is cut off or not base64, or none is a certificate.
pub(super) fn certificates(bundle: &[u8]) -> Result<Vec<CertificateDer<'static>>, Unusable> {
    let found: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(bundle).collect();
    match found {
        Err(_) => Err(Unusable::NotPem),
        Ok(found) if found.is_empty() => Err(Unusable::Empty),
        Ok(found) => Ok(found),
    }
}

/// When each certificate expires.
///
/// # Errors
///
/// Where one is not an X.509 certificate.
pub(super) fn expiries(certificates: &[CertificateDer<'_>]) -> Result<Vec<Timestamp>, Unusable> {
    let expiry = |(i, der): (usize, &CertificateDer<'_>)| {
        let (_, certificate) = parse_x509_certificate(der).map_err(|_| Unusable::NotX509(i + 1))?;
        let seconds = certificate.validity().not_after.timestamp();
        // A certificate that never expires has the last second of the year 9999 (RFC 5280), which is above the maximum.
        Ok(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
    };
    certificates.iter().enumerate().map(expiry).collect()
}
