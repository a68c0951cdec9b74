//! PEM certificates and keys, and expiration times of certificates.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use x509_parser::asn1_rs::{Any, BitString, FromDer, Sequence, Tag};
use x509_parser::parse_x509_certificate;

/// Maximum number of PEM sections to read. No real bundle has that many.
const MAX_SECTIONS: usize = 10_000;

/// Reason why a bundle cannot be used.
#[derive(Debug)]
pub enum BundleProblem {
    /// A section is not valid PEM.
    NotPem,
    /// The bundle contains no certificate.
    Empty,
    /// The certificate with this 1-based number is not valid.
    NotX509(usize),
}

/// Returns the certificates in a bundle, in order.
///
/// # Errors
///
/// Fails if a section is truncated or is not base64, or if there is no certificate.
pub fn certificates(bundle: &[u8]) -> Result<Vec<CertificateDer<'static>>, BundleProblem> {
    let certificates: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(bundle).collect();
    match certificates {
        Err(_) => Err(BundleProblem::NotPem),
        Ok(certificates) if certificates.is_empty() => Err(BundleProblem::Empty),
        Ok(certificates) => Ok(certificates),
    }
}

/// Returns the expiration time of each certificate.
///
/// # Errors
///
/// Fails if any certificate is not an X.509 certificate.
pub fn parse_expiries(certificates: &[CertificateDer<'_>]) -> Result<Vec<Timestamp>, BundleProblem> {
    let expiry = |(i, der): (usize, &CertificateDer<'_>)| {
        let (_, certificate) = parse_x509_certificate(der).map_err(|_| BundleProblem::NotX509(i + 1))?;
        let seconds = certificate.validity().not_after.timestamp();
        // A certificate that never expires is given the expiration time 9999-12-31T23:59:59Z (RFC 5280), which exceeds
        // `Timestamp::MAX`.
        Ok(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
    };
    certificates.iter().enumerate().map(expiry).collect()
}

/// Returns the expiration times of the certificates that Go reads from a bundle, in order. Go skips sections that it
/// cannot parse (`AppendCertsFromPEM` in crypto/x509).
pub fn parsable_expiries(bundle: &[u8]) -> Vec<Timestamp> {
    let sections = CertificateDer::pem_slice_iter(bundle).take(MAX_SECTIONS).flatten();
    sections.filter_map(|der| parse_expiries(&[der]).ok()?.pop()).collect()
}

/// Whether PEM text contains an unencrypted private key.
pub fn has_private_key(text: &[u8]) -> bool {
    PrivateKeyDer::from_pem_slice(text).is_ok()
}

/// Whether a private key belongs to the first certificate in a bundle (`X509KeyPair` in crypto/tls), or `None` if that
/// cannot be determined. ring supports neither RSA keys below 2048 bits nor curves other than P-256, P-384 and Ed25519.
pub fn is_key_of(key: &[u8], certificate: &[u8]) -> Option<bool> {
    let first_certificate = CertificateDer::pem_slice_iter(certificate).take(MAX_SECTIONS).flatten().next()?;
    let (_, certificate) = parse_x509_certificate(&first_certificate).ok()?;
    let public_key = match PrivateKeyDer::from_pem_slice(key).ok()? {
        PrivateKeyDer::Pkcs1(key) => {
            let key_pair = ring::rsa::KeyPair::from_der(key.secret_pkcs1_der()).ok()?;
            key_pair.public().as_ref().to_vec()
        }
        PrivateKeyDer::Sec1(key) => sec1_public_key(key.secret_sec1_der())?,
        PrivateKeyDer::Pkcs8(key) => rcgen::KeyPair::try_from(&key).ok()?.public_key_raw().to_vec(),
        _ => return None,
    };
    Some(certificate.public_key().subject_public_key.data == public_key)
}

/// Returns the optional public key of an `ECPrivateKey` (RFC 5915).
fn sec1_public_key(key: &[u8]) -> Option<Vec<u8>> {
    let (_, fields) = Sequence::from_der(key).ok()?;
    let fields = fields.der_iter::<Any<'_>, x509_parser::asn1_rs::Error>();
    let public_key = fields.flatten().find(|field| field.tag() == Tag(1))?;
    let (_, public_key) = BitString::from_der(public_key.data).ok()?;
    Some(public_key.data.into_owned())
}

/// Returns the UTC date of a time.
pub fn utc_date(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).date().to_string()
}

#[cfg(test)]
mod tests {
    use rustls_pki_types::PrivatePkcs8KeyDer;
    use x509_parser::asn1_rs::OctetString;

    use super::*;

    #[test]
    fn matches_keys_with_certificates() {
        let generated = rcgen::generate_simple_self_signed(vec!["a".to_owned()]).unwrap();
        // PKCS #8 contains a SEC 1 key in its last field (RFC 5958).
        let sec1 = |pair: &rcgen::KeyPair| {
            let pkcs8 = PrivatePkcs8KeyDer::from(pair.serialize_der());
            let (_, fields) = Sequence::from_der(pkcs8.secret_pkcs8_der()).unwrap();
            let fields = fields.der_iter::<Any<'_>, x509_parser::asn1_rs::Error>();
            let key = fields.flatten().find_map(|field| OctetString::try_from(field).ok()).unwrap();
            let base64 = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, key.as_ref());
            format!("-----BEGIN EC PRIVATE KEY-----\n{base64}\n-----END EC PRIVATE KEY-----\n")
        };
        let certificate = generated.cert.pem();
        let is_key = |key: &str| is_key_of(key.as_bytes(), certificate.as_bytes());
        for algorithm in [&rcgen::PKCS_ECDSA_P256_SHA256, &rcgen::PKCS_ECDSA_P384_SHA384] {
            let other_key = rcgen::KeyPair::generate_for(algorithm).unwrap();
            assert_eq!(is_key(&other_key.serialize_pem()), Some(false));
            assert_eq!(is_key(&sec1(&other_key)), Some(false));
        }
        assert_eq!(is_key(&generated.signing_key.serialize_pem()), Some(true));
        assert_eq!(is_key(&sec1(&generated.signing_key)), Some(true));
        assert_eq!(is_key(&certificate), None);
    }

    #[test]
    fn skips_unreadable_certificates() {
        let generated = rcgen::generate_simple_self_signed(vec!["a".to_owned()]).unwrap();
        let (certificate, key) = (generated.cert.pem(), generated.signing_key.serialize_pem());
        let section = |text: &str| format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
        for (bundle, expected) in [
            (String::new(), 0),
            (key.clone(), 0),
            (certificate.clone(), 1),
            (section("aGk=") + &certificate, 1),
            (certificate.repeat(2) + &key, 2),
        ] {
            assert_eq!(parsable_expiries(bundle.as_bytes()).len(), expected, "{bundle}");
        }
        for (text, expected) in [(&key, true), (&certificate, false)] {
            assert_eq!(has_private_key(text.as_bytes()), expected);
        }
        assert_eq!(utc_date("2026-03-01T23:59:59Z".parse().unwrap()), "2026-03-01");
    }
}
