//! Objects that make Secrets in the cluster, so that these do not have to be in git.

use std::fmt;

use crate::source::Span;
use crate::yaml::Node;

/// A kind of object that makes Secrets. In it, and in what it says of a Secret, paths are those of fields.
#[derive(Debug, PartialEq, Eq)]
pub struct SecretGenerator {
    /// Its group; its versions are alike.
    group: &'static str,
    /// Its name.
    pub kind: &'static str,
    /// The list with what it says of each Secret, where it makes several.
    pub list: Option<&'static str>,
    /// The name of the Secret; the object's own where it is missing.
    pub name: &'static str,
    /// The keys of the Secret; where none are named, it has those of the store.
    pub keys: &'static [Keys],
    /// Fields with which there may be other keys, too.
    pub others: &'static [&'static str],
}

/// Where keys of a Secret are named.
#[derive(Debug, PartialEq, Eq)]
pub enum Keys {
    /// By the keys of a mapping.
    Of(&'static str),
    /// By a field of the items of a list.
    In(&'static str, &'static str),
    /// By the kind itself.
    Always(&'static [&'static str]),
}

impl SecretGenerator {
    const fn new(group: &'static str, kind: &'static str, name: &'static str, keys: &'static [Keys]) -> Self {
        Self {
            group,
            kind,
            list: None,
            name,
            keys,
            others: &[],
        }
    }

    const fn each(self, list: &'static str) -> Self {
        Self {
            list: Some(list),
            ..self
        }
    }

    const fn with_others(self, others: &'static [&'static str]) -> Self {
        Self { others, ..self }
    }

    /// Every kind.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        GENERATORS.iter()
    }

    /// The kind of an object by its `apiVersion` and `kind`; none if it makes no Secret.
    pub fn of(api_version: &str, kind: &str) -> Option<&'static Self> {
        let (group, _) = api_version.split_once('/')?;
        GENERATORS.iter().find(|row| (row.group, row.kind) == (group, kind))
    }

    /// Whether it is an ExternalSecret of External Secrets, which names the store of each value.
    pub fn names_stores(&self) -> bool {
        self.group == EXTERNAL_SECRETS
    }
}

impl fmt::Display for SecretGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)
    }
}

const EXTERNAL_SECRETS: &str = "external-secrets.io";
const HASHICORP: &str = "secrets.hashicorp.com";

/// By the custom resource definitions of each project.
static GENERATORS: [SecretGenerator; 13] = [
    SecretGenerator::new(
        "bitnami.com",
        "SealedSecret",
        "metadata.name",
        &[Keys::Of("spec.encryptedData"), Keys::Of("spec.template.data")],
    ),
    SecretGenerator::new(
        "cert-manager.io",
        "Certificate",
        "spec.secretName",
        &[Keys::Always(&["ca.crt", "tls.crt", "tls.key"])],
    )
    .with_others(&["spec.keystores", "spec.additionalOutputFormats"]),
    SecretGenerator::new(
        EXTERNAL_SECRETS,
        "ExternalSecret",
        "spec.target.name",
        &[Keys::In("spec.data", "secretKey")],
    )
    .with_others(&["spec.dataFrom", "spec.target.template"]),
    SecretGenerator::new(
        "isindir.github.com",
        "SopsSecret",
        "name",
        &[Keys::Of("data"), Keys::Of("stringData")],
    )
    .each("spec.secretTemplates"),
    SecretGenerator::new(
        "kubernetes-client.io",
        "ExternalSecret",
        "metadata.name",
        &[Keys::In("spec.data", "name")],
    )
    .with_others(&["spec.dataFrom", "spec.template"]),
    SecretGenerator::new("onepassword.com", "OnePasswordItem", "metadata.name", &[]),
    SecretGenerator::new("ricoberger.de", "VaultSecret", "metadata.name", &[]),
    SecretGenerator::new(
        "secrets-store.csi.x-k8s.io",
        "SecretProviderClass",
        "secretName",
        &[Keys::In("data", "key")],
    )
    .each("spec.secretObjects"),
    SecretGenerator::new("secrets.doppler.com", "DopplerSecret", "spec.managedSecret.name", &[]),
    SecretGenerator::new(
        "secrets.infisical.com",
        "InfisicalSecret",
        "spec.managedSecretReference.secretName",
        &[],
    ),
    SecretGenerator::new(HASHICORP, "VaultDynamicSecret", "spec.destination.name", &[]),
    SecretGenerator::new(HASHICORP, "VaultPKISecret", "spec.destination.name", &[]),
    SecretGenerator::new(HASHICORP, "VaultStaticSecret", "spec.destination.name", &[]),
];

/// A Secret that there will be, without its values.
#[derive(Clone, Debug)]
pub struct GeneratedSecret<'d> {
    /// The kind of the object that makes it.
    pub generator: &'static SecretGenerator,
    /// The name of the object that makes it.
    pub by: &'d str,
    /// The Secret's namespace.
    pub namespace: &'d str,
    /// The Secret's name.
    pub name: &'d str,
    /// The keys that are known.
    pub keys: Vec<&'d str>,
    /// Whether these are all.
    pub all_keys: bool,
    /// The place of the object's name.
    pub span: Span,
    /// The object that makes it.
    pub root: Node<'d>,
}

impl GeneratedSecret<'_> {
    /// Whether it has a key, as far as can be known.
    pub fn may_have(&self, key: &str) -> bool {
        !self.all_keys || self.keys.contains(&key)
    }
}
