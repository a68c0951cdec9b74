//! Client certificates and keys that cannot be read or have expired.
//!
//! Reports a `tlsConfig` value that is empty or contains no PEM certificate or key (`NewTLSConfig` in Prometheus'
//! `http_config.go`), a key that belongs to a different certificate and, if a time is given, an expired certificate.
//! The agent does not start the scrape job or receiver. Alloy does not start at all, unless only monitors that it
//! discovers itself use the value (`crdManager.apply`).

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;

use super::ignored_fields::watched_monitors;
use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::{AnyResource, ResourceHeader, Resources};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Step};
use crate::go::certificate::{has_private_key, is_key_of, parsable_expiries, utc_date};
use crate::output::Target;
use crate::resolve::references::{KeyReference, Usage};
use crate::resolve::{AssetKey, Hierarchy};

pub const RULES: &[Rule] = &[rule(
    &[Code::InvalidCertificate, Code::ExpiredCertificate],
    RuleTarget::Hierarchy(check),
    "`NewTLSConfig` of Prometheus' `http_config.go`",
)];

/// Part of `tlsConfig`: the certificate authority, the certificate or the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TlsPart {
    Authority,
    Certificate,
    Key,
}

impl TlsPart {
    fn from_reference(reference: &KeyReference<'_>) -> Option<Self> {
        let mut keys = reference.path.steps().filter_map(Step::key);
        keys.find(|key| *key == "tlsConfig")?;
        match keys.next()? {
            "ca" => Some(TlsPart::Authority),
            "cert" => Some(TlsPart::Certificate),
            "keySecret" => Some(TlsPart::Key),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            TlsPart::Authority => "CA certificate",
            TlsPart::Certificate => "client certificate",
            TlsPart::Key => "private key",
        }
    }
}

/// Code, message and help of a finding about a certificate or key.
type CertificateProblem = (Code, String, &'static str);

fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let (resources, conditions) = (input.resources, input.conditions);
    let store = &hierarchy.secrets;
    let file_references = hierarchy.references.iter();
    let file_references = file_references.filter(|(_, file_references)| file_references.usage == Usage::File);
    let file_references: Vec<_> = file_references
        .filter_map(|(referrer, reference)| {
            let (part, key) = (TlsPart::from_reference(reference)?, reference.key(referrer.meta.namespace));
            let bytes = store.bytes(&key).filter(|_| !store.is_placeholder(&key))?;
            let client = reference.path.to_string().split("tlsConfig").next()?.to_owned();
            Some((part, key, bytes, (referrer.object_ref(), client), (referrer, &reference.path)))
        })
        .collect();
    let certificates = file_references.iter().filter(|(part, ..)| *part == TlsPart::Certificate);
    let certificates: HashMap<_, _> = certificates.map(|(_, key, bytes, client, _)| (client, (key, *bytes))).collect();
    let watched_monitors = watched_monitors(std::slice::from_ref(hierarchy), conditions.target.watcher());
    // A value that many clients use is checked only once.
    let mut values = BTreeMap::new();
    for (part, key, bytes, client, user) in &file_references {
        let certificate = certificates.get(client).filter(|_| *part == TlsPart::Key);
        let value = (key, part, certificate.map(|(key, _)| key));
        let is_watched = watched_monitors.contains(&client.0);
        let bytes = (*bytes, certificate.map(|(_, bytes)| *bytes));
        let (_, shown_user, is_only_watched) = values.entry(value).or_insert((bytes, user, is_watched));
        // A user that stops Alloy is shown rather than a monitor that Alloy discovers itself.
        if *is_only_watched && !is_watched {
            (*shown_user, *is_only_watched) = (user, false);
        }
    }
    let findings = values.into_iter().filter_map(|((key, part, _), ((bytes, certificate), user, is_watched))| {
        let outcome = describe_outcome(conditions.target, is_watched);
        let problem = find_problem(bytes, *part, outcome, conditions.certificate_time);
        let problem = problem.or_else(|| find_mismatch(bytes, certificate?, outcome));
        let is_pem = contains_pem(bytes);
        diagnostic(resources, (key, is_pem), user, problem?)
    });
    findings.collect()
}

/// Returns the problem with a value for this part of `tlsConfig`, or `None` if there is none. `outcome` is what happens
/// if the value cannot be read. If `at` is given, certificates must be valid at that time.
pub(super) fn find_problem(
    bytes: &[u8],
    part: TlsPart,
    outcome: &str,
    at: Option<Timestamp>,
) -> Option<CertificateProblem> {
    let expiries = parsable_expiries(bytes);
    let (is_usable, help) = match part {
        TlsPart::Key => (has_private_key(bytes), "set the value to an unencrypted key that starts with `-----BEGIN`"),
        TlsPart::Authority | TlsPart::Certificate => {
            (!expiries.is_empty(), "set the value to a certificate that starts with `-----BEGIN CERTIFICATE-----`")
        }
    };
    if !is_usable {
        let message = format!("the value contains no {} in PEM format, so {outcome}", part.name());
        return Some((Code::InvalidCertificate, message, help));
    }
    let at = at?;
    let end: Timestamp = match part {
        // One valid certificate authority is enough.
        TlsPart::Authority => expiries.into_iter().max()?,
        // Any certificates after the first belong to intermediate authorities.
        TlsPart::Certificate => expiries.into_iter().next()?,
        TlsPart::Key => return None,
    };
    let message =
        || format!("as of {}, the {} has expired: it was valid until {}", utc_date(at), part.name(), utc_date(end));
    (end < at).then(|| (Code::ExpiredCertificate, message(), "renew the certificate"))
}

/// Returns the problem with a key that does not belong to the client certificate.
pub(super) fn find_mismatch(key: &[u8], certificate: &[u8], outcome: &str) -> Option<CertificateProblem> {
    let message = || format!("the private key does not belong to the client certificate, so {outcome}");
    let help = "use the key that the certificate was issued for";
    (is_key_of(key, certificate) == Some(false)).then(|| (Code::InvalidCertificate, message(), help))
}

/// Returns what happens if a certificate or key cannot be read. `is_watched` is true if only monitors that Alloy discovers
/// itself use the value.
pub(super) fn describe_outcome(target: &Target, is_watched: bool) -> &'static str {
    match target {
        Target::Alloy(_) if !is_watched => "Alloy does not start",
        Target::Agent | Target::Alloy(_) => "everything that uses it fails to start",
    }
}

/// Whether a value contains a PEM section.
fn contains_pem(bytes: &[u8]) -> bool {
    const START: &[u8] = b"-----BEGIN ";
    bytes.windows(START.len()).any(|part| part == START)
}

/// Returns the finding for an invalid value. A value without PEM was most likely not meant for this field, so the
/// finding is reported at the reference.
fn diagnostic(
    resources: &Resources<'_>,
    (key, is_pem): (&AssetKey<'_>, bool),
    (user, path): &(&AnyResource<'_, '_>, &FieldPath<'static>),
    (code, message, help): CertificateProblem,
) -> Option<Diagnostic> {
    let holder: &ResourceHeader<'_> = resources.data_object(key.object())?;
    let value = holder.value_path(key.key)?;
    // Several keys may be YAML aliases of the same value.
    let cause = format!("{code} at {:?}", holder.locate(&value));
    let finding = match is_pem {
        true => {
            holder.labeled_finding(code, &value, message, "this value").label(user.locate(path), "used here").help(help)
        }
        false => user
            .labeled_finding(code, path, message, "the value that this field refers to")
            .label(holder.locate(&value), "the value is set here")
            .help(format!("refer to a different key, or {help}")),
    };
    Some(finding.cause(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{agent, findings, manifest};

    #[test]
    fn reports_expired_certificates() {
        let until = |year: i32| {
            let mut params = rcgen::CertificateParams::default();
            params.not_after = rcgen::date_time_ymd(year, 1, 1);
            params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap().pem()
        };
        let chain = until(2030) + &until(2031);
        for (part, at, expected) in [
            (TlsPart::Certificate, "2030-01-01T00:00:00Z", None),
            (
                TlsPart::Certificate,
                "2030-01-01T00:00:01Z",
                Some("as of 2030-01-01, the client certificate has expired: it was valid until 2030-01-01"),
            ),
            (TlsPart::Authority, "2031-01-01T00:00:00Z", None),
            (
                TlsPart::Authority,
                "2031-01-02T00:00:00Z",
                Some("as of 2031-01-02, the CA certificate has expired: it was valid until 2031-01-01"),
            ),
        ] {
            let actual = find_problem(chain.as_bytes(), part, "", Some(at.parse().unwrap()));
            let expected =
                expected.map(|message| (Code::ExpiredCertificate, message.to_owned(), "renew the certificate"));
            assert_eq!(actual, expected, "{part:?} {at}");
            assert_eq!(find_problem(chain.as_bytes(), part, "", None), None);
        }
    }

    /// Returns the codes and paths of the findings for a client that uses `ca`, `cert` and `key` from a Secret with
    /// these values.
    fn codes(values: &str) -> Vec<(Code, Option<String>)> {
        let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {values}");
        let clients = "{clients: [{url: https://u, tlsConfig: {ca: {secret: {name: s, key: ca}}, \
                       cert: {secret: {name: s, key: cert}}, keySecret: {name: s, key: key}}}]}";
        let mut diagnostics =
            findings(&[&agent("a", "logs: {instanceSelector: {}}"), &manifest("LogsInstance", "l", clients), &secret]);
        diagnostics.retain(|finding| [Code::InvalidCertificate, Code::ExpiredCertificate].contains(&finding.code));
        diagnostics.into_iter().map(|finding| (finding.code, finding.path)).collect()
    }

    #[test]
    fn reports_invalid_pem_values() {
        let certified_key = rcgen::generate_simple_self_signed(vec!["a".to_owned()]).unwrap();
        let (certificate, key) = (certified_key.cert.pem(), certified_key.signing_key.serialize_pem());
        let tls_codes = |ca: &str, cert: &str, key: &str| {
            codes(&serde_json::json!({"ca": ca, "cert": cert, "key": key}).to_string())
        };
        let invalid = |key: &str| (Code::InvalidCertificate, Some(format!("stringData.{key}")));
        let invalid_at_reference =
            |field: &str| (Code::InvalidCertificate, Some(format!("spec.clients[0].tlsConfig.{field}")));
        assert_eq!(tls_codes(&certificate, &certificate, &key), []);
        // Go skips a PEM section that it cannot decode.
        let second_block = format!("-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n{certificate}");
        assert_eq!(tls_codes(&second_block, &certificate, &key), []);
        assert_eq!(
            tls_codes("", "x", &certificate),
            [invalid_at_reference("ca.secret"), invalid_at_reference("cert.secret"), invalid("key")]
        );
        let empty_certificate = "-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n";
        assert_eq!(tls_codes(empty_certificate, &certificate, &key), [invalid("ca")]);
        let other_key = rcgen::KeyPair::generate().unwrap().serialize_pem();
        assert_eq!(tls_codes(&certificate, &certificate, &other_key), [invalid("key")]);
    }
}
