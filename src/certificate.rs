//! Certificates and keys as PEM, and when certificates expire.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use x509_parser::parse_x509_certificate;

/// More sections than any bundle has.
const MAX_SECTIONS: usize = 10_000;

/// Why a bundle cannot be used.
#[derive(Debug)]
pub enum Unusable {
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
pub fn certificates(bundle: &[u8]) -> Result<Vec<CertificateDer<'static>>, Unusable> {
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
pub fn expiries(certificates: &[CertificateDer<'_>]) -> Result<Vec<Timestamp>, Unusable> {
    let expiry = |(i, der): (usize, &CertificateDer<'_>)| {
        let (_, certificate) = parse_x509_certificate(der).map_err(|_| Unusable::NotX509(i + 1))?;
        let seconds = certificate.validity().not_after.timestamp();
        // A certificate that never expires has the last second of the year 9999 (RFC 5280), which is above the maximum.
        Ok(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
    };
    certificates.iter().enumerate().map(expiry).collect()
}

/// When the certificates that Go takes from a bundle expire, in their order: it passes over what it cannot read (`AppendCertsFromPEM`
/// of crypto/x509).
pub fn readable(bundle: &[u8]) -> Vec<Timestamp> {
    let sections = CertificateDer::pem_slice_iter(bundle).take(MAX_SECTIONS).flatten();
    sections.filter_map(|der| expiries(&[der]).ok()?.pop()).collect()
}

/// Whether a text has a private key that is not encrypted.
pub fn has_private_key(text: &[u8]) -> bool {
    PrivateKeyDer::from_pem_slice(text).is_ok()
}

/// The day of a point in time.
pub fn day(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).date().to_string()
}
