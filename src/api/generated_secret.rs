//! Objects that create Secrets in the cluster, so that the Secrets need not be in git. This module derives the names
//! and known keys of these Secrets, but does not validate the objects.

use std::fmt;

use Keys::{Always, ItemField, MapEntries};

use crate::source::Span;
use crate::yaml::Node;

/// A kind of object that creates Secrets.
#[derive(Debug, PartialEq, Eq)]
pub struct SecretGenerator {
    /// API group; all of its versions are treated the same way.
    group: &'static str,
    /// Name of the kind.
    pub kind: &'static str,
    /// List with one item per Secret, if the kind can create several.
    list: Option<&'static str>,
    /// Field that contains the Secret's name, which defaults to the object's own name.
    name: &'static str,
    /// Sources of the Secret's keys; empty if the keys are known only to the store.
    keys: &'static [Keys],
    /// Fields that may add unknown keys.
    other_kinds: &'static [&'static str],
}

/// Source of a Secret's keys.
#[derive(Debug, PartialEq, Eq)]
enum Keys {
    /// Keys of the mapping at a path.
    MapEntries(&'static str),
    /// Values of a field in each item of the list at a path.
    ItemField(&'static str, &'static str),
    /// Keys that are the same for every object of the kind.
    Always(&'static [&'static str]),
}

const EXTERNAL_SECRETS: &str = "external-secrets.io";

/// Generators, based on each project's CustomResourceDefinitions.
#[rustfmt::skip]
static GENERATORS: [SecretGenerator; 13] = [
    row("bitnami.com", "SealedSecret", None, "metadata.name", &[MapEntries("spec.encryptedData"), MapEntries("spec.template.data")], &[]),
    row("cert-manager.io", "Certificate", None, "spec.secretName", &[Always(&["ca.crt", "tls.crt", "tls.key"])],
        &["spec.keystores", "spec.additionalOutputFormats"]),
    row(EXTERNAL_SECRETS, "ExternalSecret", None, "spec.target.name", &[ItemField("spec.data", "secretKey")],
        &["spec.dataFrom", "spec.target.template"]),
    row("isindir.github.com", "SopsSecret", Some("spec.secretTemplates"), "name", &[MapEntries("data"), MapEntries("stringData")], &[]),
    row("kubernetes-client.io", "ExternalSecret", None, "metadata.name", &[ItemField("spec.data", "name")],
        &["spec.dataFrom", "spec.template"]),
    row("onepassword.com", "OnePasswordItem", None, "metadata.name", &[], &[]),
    row("ricoberger.de", "VaultSecret", None, "metadata.name", &[], &[]),
    row("secrets-store.csi.x-k8s.io", "SecretProviderClass", Some("spec.secretObjects"), "secretName",
        &[ItemField("data", "key")], &[]),
    row("secrets.doppler.com", "DopplerSecret", None, "spec.managedSecret.name", &[], &[]),
    row("secrets.hashicorp.com", "VaultDynamicSecret", None, "spec.destination.name", &[], &[]),
    row("secrets.hashicorp.com", "VaultPKISecret", None, "spec.destination.name", &[], &[]),
    row("secrets.hashicorp.com", "VaultStaticSecret", None, "spec.destination.name", &[], &[]),
    row("secrets.infisical.com", "InfisicalSecret", None, "spec.managedSecretReference.secretName", &[], &[]),
];

/// Secret for a token of a ServiceAccount. Kubernetes adds the keys (`generateTokenIfNeeded` in its token controller).
static SERVICE_ACCOUNT_TOKEN: SecretGenerator =
    row("", "ServiceAccount", None, "metadata.name", &[Always(&["ca.crt", "namespace", "token"])], &[]);

/// Annotation with the name of the ServiceAccount that a token belongs to.
pub const SERVICE_ACCOUNT: &str = "kubernetes.io/service-account.name";

const fn row(
    group: &'static str,
    kind: &'static str,
    list: Option<&'static str>,
    name: &'static str,
    keys: &'static [Keys],
    others: &'static [&'static str],
) -> SecretGenerator {
    SecretGenerator { group, kind, list, name, keys, other_kinds: others }
}

impl SecretGenerator {
    /// Returns all kinds that create Secrets.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        GENERATORS.iter()
    }

    /// Returns the kind with this `apiVersion` and `kind`, or `None` if it does not create Secrets.
    pub fn from_type(api_version: &str, kind: &str) -> Option<&'static Self> {
        let (group, _) = api_version.split_once('/')?;
        GENERATORS.iter().find(|row| (row.group, row.kind) == (group, kind))
    }

    /// Returns the generator of a Secret without values to which Kubernetes adds the token of a ServiceAccount, or `None`
    /// for any other Secret.
    pub fn of_token(secret: Node<'_>) -> Option<&'static Self> {
        let is_empty = ["data", "stringData"].iter().all(|field| secret.entries_at(field).next().is_none());
        let is_token = secret.text("type") == "kubernetes.io/service-account-token";
        (is_token && is_empty && service_account(secret).is_some()).then_some(&SERVICE_ACCOUNT_TOKEN)
    }

    /// Returns the kind with this name, ignoring case. The name may be singular or plural, and may include a group.
    pub fn find_kind(text: &str) -> Option<&'static str> {
        let lowercase = text.to_ascii_lowercase();
        let (name, group) =
            lowercase.split_once('.').map_or((lowercase.as_str(), None), |(name, group)| (name, Some(group)));
        let is_named = |row: &&Self| {
            let kind = row.kind.to_ascii_lowercase();
            let plural = if kind.ends_with('s') { "es" } else { "s" };
            name.strip_prefix(kind.as_str()).is_some_and(|end| end.is_empty() || end == plural)
        };
        let is_in_group = |row: &&Self| group.is_none_or(|group| group.ends_with(row.group));
        GENERATORS.iter().filter(is_in_group).find(is_named).map(|row| row.kind)
    }

    /// Whether the kind is External Secrets' `ExternalSecret`, which specifies the store for each value.
    pub fn names_stores(&self) -> bool {
        self.group == EXTERNAL_SECRETS
    }

    /// Returns the Secrets that an object creates. `namespace` is used if the object does not set one.
    pub fn secrets<'d>(&'static self, root: Node<'d>, namespace: &'d str) -> impl Iterator<Item = GeneratedSecret<'d>> {
        let creator = service_account(root).filter(|_| *self == SERVICE_ACCOUNT_TOKEN);
        let creator = creator.unwrap_or_else(|| root.text("metadata.name"));
        let single_secret = self.list.is_none().then_some(root);
        let listed_secrets = self.list.into_iter().flat_map(move |list| root.items_at(list));
        single_secret.into_iter().chain(listed_secrets).map(move |secret| GeneratedSecret {
            generator: self,
            creator,
            namespace: root.non_empty_str("metadata.namespace").unwrap_or(namespace),
            name: secret.non_empty_str(self.name).unwrap_or(creator),
            keys: self.keys.iter().flat_map(|keys| keys.list_keys(secret)).collect(),
            all_keys: !self.keys.is_empty() && self.other_kinds.iter().all(|path| root.at(path).is_none()),
            root,
            span: root.name_span(),
        })
    }
}

/// Returns the name of the ServiceAccount that a Secret belongs to.
fn service_account<'d>(secret: Node<'d>) -> Option<&'d str> {
    let annotations = secret.at("metadata.annotations")?;
    annotations.get(SERVICE_ACCOUNT)?.as_str().filter(|name| !name.is_empty())
}

impl Keys {
    /// Returns the span that defines a key.
    fn span(&self, secret: Node<'_>, key: &str) -> Option<Span> {
        match self {
            MapEntries(path) => Some(secret.at(path)?.entry(key)?.key_span),
            ItemField(path, field) => {
                let mut items = secret.items_at(path).filter_map(|item| item.get(field));
                items.find(|name| name.as_str() == Some(key)).map(Node::span)
            }
            Always(_) => None,
        }
    }

    fn list_keys<'d>(&self, secret: Node<'d>) -> Vec<&'d str> {
        match self {
            MapEntries(path) => secret.entries_at(path).map(|entry| entry.key).collect(),
            ItemField(path, field) => {
                let items = secret.items_at(path);
                items.filter_map(|item| item.get(field)?.as_str()).collect()
            }
            Always(keys) => keys.to_vec(),
        }
    }
}

impl fmt::Display for SecretGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)
    }
}

/// A Secret that will be created, without its values.
#[derive(Clone, Debug)]
pub struct GeneratedSecret<'d> {
    /// Kind of the object that creates the Secret.
    pub generator: &'static SecretGenerator,
    /// Name of the object that creates the Secret.
    pub creator: &'d str,
    /// Namespace of both the object and the Secret.
    pub namespace: &'d str,
    /// Name of the Secret.
    pub name: &'d str,
    /// Keys that the Secret is known to contain.
    pub keys: Vec<&'d str>,
    /// Whether all of the Secret's keys are known.
    pub all_keys: bool,
    /// Span of the object's name.
    pub span: Span,
    /// Root node of the object that creates the Secret.
    pub root: Node<'d>,
}

impl GeneratedSecret<'_> {
    /// Returns the span that defines a key, or the object's name if the key is not listed.
    pub fn key_span(&self, key: &str) -> Span {
        let name = self.generator.name;
        let lists = self.generator.list.into_iter().flat_map(|list| self.root.items_at(list));
        let listed_secret = lists.filter(|secret| secret.non_empty_str(name).unwrap_or(self.creator) == self.name);
        let mut secrets = listed_secret.chain(self.generator.list.is_none().then_some(self.root));
        let span = secrets.find_map(|secret| self.generator.keys.iter().find_map(|keys| keys.span(secret, key)));
        span.unwrap_or(self.span)
    }

    /// Whether the Secret may contain a key, as far as is known.
    pub fn may_have_key(&self, key: &str) -> bool {
        !self.all_keys || self.keys.contains(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn recognizes_generators_in_every_version() {
        for kind in SecretGenerator::all() {
            let versions = ["v1", "v9beta1"].map(|version| format!("{}/{version}", kind.group));
            assert!(
                versions.iter().all(|version| SecretGenerator::from_type(version, kind.kind) == Some(kind)),
                "{kind}"
            );
            assert_eq!(kind.names_stores(), kind.group == "external-secrets.io", "{kind}");
        }
        for (api_version, kind) in
            [("v1", "Secret"), ("cert-manager.io", "Certificate"), ("bitnami.com/v1", "Certificate")]
        {
            assert_eq!(SecretGenerator::from_type(api_version, kind), None, "{api_version} {kind}");
        }
    }

    #[test]
    fn generators_have_the_same_names_as_in_kubectl() {
        for (text, expected) in [
            ("externalsecret", Some("ExternalSecret")),
            ("ExternalSecrets.external-secrets.io", Some("ExternalSecret")),
            ("sealedsecret.v1alpha1.bitnami.com", Some("SealedSecret")),
            ("secretproviderclasses", Some("SecretProviderClass")),
            ("externalsecretes", None),
            ("sealedsecrets.monitoring.coreos.com", None),
            ("secret", None),
            ("", None),
        ] {
            assert_eq!(SecretGenerator::find_kind(text), expected, "{text}");
        }
    }

    #[test]
    fn kubernetes_adds_tokens_to_empty_secrets() {
        let generated = |rest: &str| {
            let text = format!("type: kubernetes.io/service-account-token\nmetadata:\n  name: a\n{rest}\n");
            let documents = testing::documents(&text);
            let secrets = SecretGenerator::of_token(documents[0].root())?.secrets(documents[0].root(), "ns");
            secrets.map(|secret| format!("{}/{}: {}", secret.creator, secret.name, secret.keys.join(" "))).next()
        };
        let annotation = "  annotations: {kubernetes.io/service-account.name: b}";
        assert_eq!(generated(annotation).as_deref(), Some("b/a: ca.crt namespace token"));
        for text in ["", "  annotations: {kubernetes.io/service-account.name: ''}"] {
            assert_eq!(generated(text), None, "{text}");
        }
        for field in ["data", "stringData"] {
            assert_eq!(generated(&format!("{annotation}\n{field}: {{token: eA==}}")), None, "{field}");
        }
    }

    /// Returns the generated Secrets as `namespace/name: keys`, and whether all keys are known.
    fn describe_generated(api_version: &str, kind: &str, rest: &str) -> Vec<(String, bool)> {
        let text = format!("metadata: {{name: a}}\n{rest}\n");
        let documents = testing::documents(&text);
        let kind = SecretGenerator::from_type(api_version, kind).unwrap();
        let secrets = kind.secrets(documents[0].root(), "ns");
        let descriptions = secrets.map(|secret| {
            assert_eq!(secret.may_have_key("other"), !secret.all_keys);
            assert!(secret.keys.iter().all(|key| secret.may_have_key(key)));
            let key_text = |key: &str| text.get(secret.key_span(key).bytes()).unwrap();
            assert!(secret.keys.iter().all(|key| [*key, "a"].contains(&key_text(key))), "{text}");
            assert_eq!(key_text("missing"), "a");
            (format!("{}/{}: {}", secret.namespace, secret.name, secret.keys.join(" ")), secret.all_keys)
        });
        descriptions.collect()
    }

    #[test]
    fn generated_secrets_have_the_specified_keys() {
        let external_secrets = "external-secrets.io/v1";
        for (api_version, kind, rest, expected) in [
            (
                "bitnami.com/v1alpha1",
                "SealedSecret",
                "spec: {encryptedData: {b: x, c: y}, template: {data: {d: z}}}",
                &[("ns/a: b c d", true)][..],
            ),
            ("cert-manager.io/v1", "Certificate", "spec: {secretName: b}", &[("ns/b: ca.crt tls.crt tls.key", true)]),
            (
                "cert-manager.io/v1",
                "Certificate",
                "spec: {secretName: b, keystores: {}}",
                &[("ns/b: ca.crt tls.crt tls.key", false)],
            ),
            (
                external_secrets,
                "ExternalSecret",
                "spec: {data: [{secretKey: b}, {}, {secretKey: c}]}",
                &[("ns/a: b c", true)],
            ),
            (
                external_secrets,
                "ExternalSecret",
                "spec: {target: {name: b}, data: [], dataFrom: []}",
                &[("ns/b: ", false)],
            ),
            (external_secrets, "ExternalSecret", "spec: {target: {name: ''}}", &[("ns/a: ", true)]),
            (
                "isindir.github.com/v1alpha3",
                "SopsSecret",
                "spec: {secretTemplates: [{name: b, data: {c: x}}, {name: d, stringData: {e: y}}]}",
                &[("ns/b: c", true), ("ns/d: e", true)],
            ),
            ("onepassword.com/v1", "OnePasswordItem", "spec: {}", &[("ns/a: ", false)]),
        ] {
            let expected: Vec<_> = expected.iter().map(|(text, all)| ((*text).to_owned(), *all)).collect();
            assert_eq!(describe_generated(api_version, kind, rest), expected, "{kind} {rest}");
        }
    }
}
