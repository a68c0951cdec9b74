//! The certificates of a bundle.

use k8s_openapi::jiff::Timestamp;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::{self, PemObject};
use x509_parser::parse_x509_certificate;

/// Why a bundle cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unusable {
    /// A section of the text is not PEM.
    NotPem,
    /// There is no certificate in it.
    Empty,
    /// The certificate of this number, from 1, is none.
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
/// Where one is no X.509 certificate.
pub(super) fn expiries(certificates: &[CertificateDer<'_>]) -> Result<Vec<Timestamp>, Unusable> {
    let expiry = |(i, der): (usize, &CertificateDer<'_>)| {
        let (_, certificate) = parse_x509_certificate(der).map_err(|_| Unusable::NotX509(i + 1))?;
        let seconds = certificate.validity().not_after.timestamp();
        Timestamp::from_second(seconds).map_err(|_| Unusable::NotX509(i + 1))
    };
    certificates.iter().enumerate().map(expiry).collect()
}
