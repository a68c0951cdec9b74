//! Certificates for a local test setup, equivalent to those that Grafana's `hack/make-aggregator-pki.sh` generates with
//! openssl.

use std::fmt;
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};

/// Options for the certificates to generate.
#[derive(Clone, Debug)]
pub struct PkiOptions {
    /// Server names: DNS names or IP addresses.
    pub server_names: Vec<String>,
    /// Common name of the client, which the server must allow (`--requestheader-allowed-names`).
    pub client_name: String,
    /// Start of the validity period.
    pub now: SystemTime,
    /// Length of the validity period in days.
    pub days: u32,
}

/// A generated file. It may contain a private key, so `Debug` does not show its text.
#[derive(Clone)]
pub struct PemFile {
    pub name: &'static str,
    pub text: String,
}

impl fmt::Debug for PemFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PemFile").field("name", &self.name).finish_non_exhaustive()
    }
}

type Issuer = CertifiedIssuer<'static, KeyPair>;

/// Generates a certificate authority, a server certificate and a client certificate for the aggregator, with new keys
/// on each call.
///
/// # Errors
///
/// Fails if a name cannot be part of a certificate.
pub fn generate_pki(options: &PkiOptions) -> Result<Vec<PemFile>, String> {
    generate_files(options).map_err(|error| format!("cannot create the certificates: {error}"))
}

fn generate_files(options: &PkiOptions) -> Result<Vec<PemFile>, rcgen::Error> {
    let issuer = create_authority(options)?;
    let mut files = certificate_files(["ca.crt", "ca.key"], issuer.pem(), issuer.key()).to_vec();
    files.extend(create_client(options, &issuer)?);
    files.extend(create_server(options, &issuer)?);
    Ok(files)
}

fn create_authority(options: &PkiOptions) -> Result<Issuer, rcgen::Error> {
    let mut params = certificate_params(options, Vec::new(), "test-ca", "Grafana")?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

/// Generates the client certificate that the aggregator presents to services as a member of `system:masters`.
fn create_client(options: &PkiOptions, issuer: &Issuer) -> Result<[PemFile; 2], rcgen::Error> {
    let mut params = certificate_params(options, Vec::new(), &options.client_name, "system:masters")?;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    sign(params, issuer, ["client.crt", "client.key"])
}

fn create_server(options: &PkiOptions, issuer: &Issuer) -> Result<[PemFile; 2], rcgen::Error> {
    let mut params = certificate_params(options, options.server_names.clone(), "localhost", "aggregated")?;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    sign(params, issuer, ["server.crt", "server.key"])
}

fn certificate_params(
    options: &PkiOptions,
    names: Vec<String>,
    common_name: &str,
    organization: &str,
) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(names)?;
    params.not_before = options.now.into();
    params.not_after = (options.now + Duration::from_secs(u64::from(options.days) * 24 * 60 * 60)).into();
    params.distinguished_name.push(DnType::OrganizationName, organization);
    params.distinguished_name.push(DnType::CommonName, common_name);
    Ok(params)
}

fn sign(params: CertificateParams, issuer: &Issuer, names: [&'static str; 2]) -> Result<[PemFile; 2], rcgen::Error> {
    let key_pair = KeyPair::generate()?;
    let certificate = params.signed_by(&key_pair, issuer)?;
    Ok(certificate_files(names, certificate.pem(), &key_pair))
}

fn certificate_files(names: [&'static str; 2], certificate: String, key: &KeyPair) -> [PemFile; 2] {
    let [certificate_name, key_name] = names;
    [(certificate_name, certificate), (key_name, key.serialize_pem())].map(|(name, text)| PemFile { name, text })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use x509_parser::extensions::GeneralName;
    use x509_parser::parse_x509_certificate;

    use super::*;
    use crate::go::certificate::{BundleProblem, certificates, parse_expiries};

    fn options() -> PkiOptions {
        PkiOptions {
            server_names: vec!["localhost".to_owned(), "127.0.0.1".to_owned()],
            client_name: "development".to_owned(),
            now: SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600),
            days: 365,
        }
    }

    #[test]
    fn certificates_match_their_keys_and_validity() {
        let files = generate_pki(&options()).unwrap();
        let names: Vec<_> = files.iter().map(|file| file.name).collect();
        let expected = ["ca.crt", "ca.key", "client.crt", "client.key", "server.crt", "server.key"];
        assert_eq!(names, expected);
        for file in files.iter().filter(|file| file.name.ends_with(".crt")) {
            let certificates = certificates(file.text.as_bytes()).unwrap();
            let expiry = parse_expiries(&certificates).unwrap()[0];
            assert_eq!(expiry.to_string(), "2027-01-01T00:00:00Z", "{}", file.name);
        }
        for file in files.iter().filter(|file| file.name.ends_with(".key")) {
            assert!(KeyPair::from_pem(&file.text).is_ok(), "{}", file.name);
            let debug_text = format!("{file:?}");
            assert_eq!(debug_text, format!("PemFile {{ name: {:?}, .. }}", file.name));
        }
    }

    #[test]
    fn only_the_authority_may_sign() {
        let files = generate_pki(&options()).unwrap();
        let may_sign = files.iter().filter(|file| file.name.ends_with(".crt")).map(|file| {
            let certificates = certificates(file.text.as_bytes()).unwrap();
            let (_, certificate) = parse_x509_certificate(&certificates[0]).unwrap();
            let usage = certificate.key_usage().unwrap();
            (certificate.is_ca(), usage.is_some_and(|usage| usage.value.key_cert_sign()))
        });
        assert_eq!(may_sign.collect::<Vec<_>>(), [(true, true), (false, false), (false, false)]);
    }

    #[test]
    fn numbers_invalid_certificates_from_one() {
        let files = generate_pki(&options()).unwrap();
        let section = |text: &str| format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
        let bundle = files[0].text.clone() + &section("aGk=");
        let certificates = certificates(bundle.as_bytes()).unwrap();
        assert!(matches!(parse_expiries(&certificates), Err(BundleProblem::NotX509(2))));
    }

    #[test]
    fn accepts_certificates_that_never_expire() {
        let mut params = CertificateParams::default();
        params.not_after = rcgen::date_time_ymd(9999, 12, 31);
        let certificate = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
        let certificates = certificates(certificate.pem().as_bytes()).unwrap();
        assert_eq!(parse_expiries(&certificates).unwrap(), [Timestamp::MAX]);
    }

    #[test]
    fn certificates_have_the_requested_names() {
        let files = generate_pki(&options()).unwrap();
        let client = certificates(files[2].text.as_bytes()).unwrap();
        let (_, client) = parse_x509_certificate(&client[0]).unwrap();
        assert_eq!(client.subject().to_string(), "CN=development, O=system:masters");
        assert_eq!(client.issuer().to_string(), "CN=test-ca, O=Grafana");
        let server = certificates(files[4].text.as_bytes()).unwrap();
        let (_, server) = parse_x509_certificate(&server[0]).unwrap();
        let names = server.subject_alternative_name().unwrap().unwrap();
        assert!(names.value.general_names.contains(&GeneralName::DNSName("localhost")));
        assert!(names.value.general_names.contains(&GeneralName::IPAddress(&[127, 0, 0, 1])));
    }

    #[test]
    fn rejects_invalid_certificate_names() {
        let server_names = vec!["ä".to_owned()];
        let error = generate_pki(&PkiOptions { server_names, ..options() }).unwrap_err();
        assert!(error.to_string().starts_with("cannot create the certificates"), "{error}");
    }
}
