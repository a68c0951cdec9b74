//! Certificates and keys of clients that their program cannot read, or that have expired.
//!
//! What: a value for `tlsConfig` that is empty or has no certificate or key as PEM (`NewTLSConfig` of Prometheus' `http_config.go`), and, at
//! a time that is given, one that has expired. Why: the agent does not start the scrape job or receiver, and Alloy starts nothing at
//! all.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::conditions::Conditions;
use crate::api::{AnyResource, ResourceHeader, Resources};
use crate::certificate::{day, has_private_key, readable};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Step};
use crate::resolve::references::{Reference, Usage};
use crate::resolve::{AssetKey, Hierarchy};
use crate::target::Target;

/// What a value is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Authority,
    Certificate,
    Key,
}

impl Part {
    fn of(reference: &Reference<'_>) -> Option<Self> {
        let mut keys = reference.path.steps().filter_map(|step| match step {
            Step::Key(key) => Some(key),
            Step::Index(_) => None,
        });
        keys.find(|key| *key == "tlsConfig")?;
        match keys.next()? {
            "ca" => Some(Part::Authority),
            "cert" => Some(Part::Certificate),
            "keySecret" => Some(Part::Key),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Part::Authority => "CA certificate",
            Part::Certificate => "client certificate",
            Part::Key => "private key",
        }
    }
}

pub(super) fn check(
    resources: &Resources<'_>,
    hierarchy: &Hierarchy<'_, '_>,
    conditions: Conditions<'_>,
) -> Vec<Diagnostic> {
    let mut values = BTreeMap::new();
    for (referrer, reference) in hierarchy.references().filter(|(_, used)| used.usage == Usage::File) {
        let key = reference.key(referrer.meta.namespace);
        let is_known = hierarchy.secrets.bytes(&key).is_some() && !hierarchy.secrets.is_placeholder(&key);
        if let (true, Some(part)) = (is_known, Part::of(&reference)) {
            values.entry((key, part)).or_insert((referrer, reference.path));
        }
    }
    let found = values.into_iter().filter_map(|((key, part), user)| {
        let bytes = hierarchy.secrets.bytes(&key)?;
        let (code, problem, help) = problem(bytes, part, conditions)?;
        diagnostic(resources, &key, user, (code, problem, help))
    });
    found.collect()
}

fn problem(bytes: &[u8], part: Part, conditions: Conditions<'_>) -> Option<(Code, String, &'static str)> {
    let expiries = readable(bytes);
    let is_unusable = match part {
        Part::Authority | Part::Certificate => expiries.is_empty(),
        Part::Key => !has_private_key(bytes),
    };
    if is_unusable {
        let outcome = match conditions.target {
            Target::Agent => "what uses it does not start",
            Target::Alloy { .. } => "Alloy does not start",
        };
        let message = format!("the value has no {} as PEM, so {outcome}", part.name());
        let help = match part {
            Part::Key => "put the key there, not encrypted, from `-----BEGIN` on",
            _ => "put the certificate there, from `-----BEGIN CERTIFICATE-----` on",
        };
        return Some((Code::InvalidCertificate, message, help));
    }
    let at = conditions.at?;
    let end: Timestamp = match part {
        // One that is valid is enough.
        Part::Authority => expiries.into_iter().max()?,
        // Those behind the first are of authorities in between.
        Part::Certificate => expiries.into_iter().next()?,
        Part::Key => return None,
    };
    let message = || {
        format!(
            "on {} the {} has expired: it ends on {}",
            day(at),
            part.name(),
            day(end)
        )
    };
    (end < at).then(|| (Code::ExpiredCertificate, message(), "renew the certificate"))
}

fn diagnostic(
    resources: &Resources<'_>,
    key: &AssetKey<'_>,
    (user, path): (AnyResource<'_, '_>, FieldPath<'static>),
    (code, message, help): (Code, String, &'static str),
) -> Option<Diagnostic> {
    let holder: &ResourceHeader<'_> = resources.data_object(key.object())?;
    let fields = ["stringData", "data", "binaryData"];
    let has_key = |field: &&str| holder.root.get(field).is_some_and(|data| data.get(key.key).is_some());
    let field = fields.into_iter().find(has_key)?;
    let value = FieldPath::of(field).key(key.key);
    // Several keys may be aliases of one value.
    let cause = format!("{code} at {:?}", holder.locate(&value));
    let finding = holder.labelled_finding(code, &value, message, "this value");
    Some(finding.label(user.locate(&path), "used here").help(help).cause(cause))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, found, manifest};
    use crate::diagnostic::Code;

    /// The codes for a Secret with these values, of which `ca`, `cert` and `key` are used.
    fn codes(values: &str) -> Vec<(Code, Option<String>)> {
        let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {values}");
        let clients = "{clients: [{url: https://u, tlsConfig: {ca: {secret: {name: s, key: ca}}, \
                       cert: {secret: {name: s, key: cert}}, keySecret: {name: s, key: key}}}]}";
        let mut found = found(&[
            &agent("a", "logs: {instanceSelector: {}}"),
            &manifest("LogsInstance", "l", clients),
            &secret,
        ]);
        found.retain(|found| [Code::InvalidCertificate, Code::ExpiredCertificate].contains(&found.code));
        found.into_iter().map(|found| (found.code, found.path)).collect()
    }

    #[test]
    fn values_that_are_no_pem() {
        let made = rcgen::generate_simple_self_signed(vec!["a".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        let of = |ca: &str, cert: &str, key: &str| {
            codes(&serde_json::json!({"ca": ca, "cert": cert, "key": key}).to_string())
        };
        let invalid = |key: &str| (Code::InvalidCertificate, Some(format!("stringData.{key}")));
        assert_eq!(of(&certificate, &certificate, &key), []);
        // Go passes over a section that it cannot read.
        let second = format!("-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n{certificate}");
        assert_eq!(of(&second, &certificate, &key), []);
        assert_eq!(
            of("", "x", &certificate),
            [invalid("ca"), invalid("cert"), invalid("key")]
        );
        let empty = "-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n";
        assert_eq!(of(empty, &certificate, &key), [invalid("ca")]);
    }
}
