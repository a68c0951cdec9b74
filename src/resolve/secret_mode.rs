//! Handling of Secret values (`--secrets`).

use std::fmt;

use serde_json::{Value, json};

use super::{AssetKey, Hierarchy};
use crate::api::{GeneratedSecret, Resources};
use crate::yaml::{self, Node};

/// Handling of values that are missing from the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum MissingSecrets {
    /// A missing value is an error
    #[default]
    Error,
    /// A missing value is a warning, and a placeholder is rendered instead
    Placeholder,
}

/// Representation of Secret values in the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SecretMode {
    /// The actual values, as in the operator's output.
    #[default]
    Inline,
    /// Tokens that identify the values.
    Placeholder,
    /// No values, because another program creates `<agent>-secrets` in the cluster.
    External(Remote),
}

impl SecretMode {
    /// Whether Secrets must be in the input with their values.
    pub fn needs_values(&self) -> bool {
        *self == SecretMode::Inline
    }
}

/// Location of the values that ExternalSecrets refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remote {
    /// Store for values that are not provided by any ExternalSecret in the input.
    pub store: Option<Store>,
    /// Template for the keys of values in the store.
    pub key: KeyTemplate,
    /// Whether the program reads all values from files. If not, configurations with values are generated from templates
    /// in the cluster.
    pub reads_files: bool,
}

/// A SecretStore or ClusterSecretStore from external-secrets.io.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    pub kind: String,
    pub name: String,
}

/// Template for a value's key in the store, with the variables `{namespace}`, `{name}` and `{key}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyTemplate(String);

impl KeyTemplate {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// Fails if a brace does not belong to one of the three variables.
    pub fn new(text: &str) -> Result<Self, String> {
        let without_placeholders =
            [NAMESPACE, NAME, KEY].iter().fold(text.to_owned(), |rest, part| rest.replace(part, ""));
        match without_placeholders.contains(['{', '}']) || text.is_empty() {
            true => Err(format!(
                "expected a non-empty string whose only placeholders are `{NAMESPACE}`, `{NAME}` and `{KEY}`"
            )),
            false => Ok(Self(text.to_owned())),
        }
    }

    /// Returns a value's key in the store.
    pub fn fill(&self, key: &AssetKey<'_>) -> String {
        let filled_template = self.0.replace(NAMESPACE, key.namespace).replace(NAME, key.name);
        filled_template.replace(KEY, key.key)
    }

    /// Whether an entry in the store is a single value rather than all values of a Secret.
    pub fn names_the_key(&self) -> bool {
        self.0.contains(KEY)
    }
}

const NAMESPACE: &str = "{namespace}";
const NAME: &str = "{name}";
const KEY: &str = "{key}";

impl Default for KeyTemplate {
    fn default() -> Self {
        Self(format!("{NAMESPACE}/{NAME}"))
    }
}

impl fmt::Display for KeyTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Location of a value in a store.
pub struct RemoteRef {
    /// Store, as in `secretStoreRef`.
    pub store: Value,
    /// Value in that store, as in `remoteRef`.
    pub remote: Value,
}

/// Returns the location of a value: from the ExternalSecret in the input that creates the Secret, or from the flags if
/// no such ExternalSecret can be used.
pub fn remote_ref(
    key: &AssetKey<'_>,
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
) -> Option<RemoteRef> {
    let generated_secret = resources.generated_secret(key.namespace, key.name);
    let named_generated_secret = generated_secret.filter(|generated| generated.generator.names_stores());
    let from_external_secret = named_generated_secret.and_then(|generated| from_external_secret(generated, key.key));
    // A SecretStore can be used only in its own namespace.
    let is_own_namespace = key.namespace == hierarchy.agent.meta.namespace;
    let is_cluster_store =
        |remote_ref: &RemoteRef| remote_ref.store.get("kind").and_then(Value::as_str) == Some("ClusterSecretStore");
    let is_usable = |remote_ref: &RemoteRef| is_own_namespace || is_cluster_store(remote_ref);
    from_external_secret.filter(is_usable).or_else(|| remote_ref_from_flags(key, remote))
}

fn from_external_secret(generated: &GeneratedSecret<'_>, key: &str) -> Option<RemoteRef> {
    let root = generated.root;
    let mut entries = root.items_at("spec.data");
    let (entry, remote) = match entries.find(|entry| entry.get("secretKey").and_then(Node::as_str) == Some(key)) {
        Some(entry) => (entry, yaml::to_json(entry.get("remoteRef")?)),
        None => extracted_source(root, key)?,
    };
    let mut store = entry.at("sourceRef.storeRef").or_else(|| root.at("spec.secretStoreRef")).map(yaml::to_json)?;
    let fields = store.as_object_mut()?;
    fields.entry("kind").or_insert_with(|| json!("SecretStore"));
    Some(RemoteRef { store, remote })
}

/// Returns the only source in an ExternalSecret's `dataFrom`, and a remote reference to it with `key` as the property.
/// Returns `None` unless all keys are extracted unchanged.
fn extracted_source<'d>(root: Node<'d>, key: &str) -> Option<(Node<'d>, Value)> {
    let mut sources = root.at("spec.dataFrom")?.items();
    let (source, None) = (sources.next()?, sources.next()) else {
        return None;
    };
    let is_changed = source.get("rewrite").is_some() || root.at("spec.target.template").is_some();
    let mut remote = yaml::to_json(source.get("extract").filter(|_| !is_changed)?);
    remote.as_object_mut()?.insert("property".to_owned(), json!(key));
    Some((source, remote))
}

fn remote_ref_from_flags(key: &AssetKey<'_>, remote: &Remote) -> Option<RemoteRef> {
    let store = remote.store.as_ref()?;
    let property = (!remote.key.names_the_key()).then(|| json!(key.key));
    Some(RemoteRef {
        store: json!({ "kind": store.kind, "name": store.name }),
        remote: match property {
            Some(property) => json!({ "key": remote.key.fill(key), "property": property }),
            None => json!({ "key": remote.key.fill(key) }),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::KeySelector;

    #[test]
    fn fills_key_templates() {
        let selector = KeySelector { name: "credentials", key: "token", optional: None };
        let key = AssetKey::secret("monitoring", &selector);
        for (template, expected) in [
            ("{namespace}/{name}", "monitoring/credentials"),
            ("prod-{namespace}-{name}-{key}", "prod-monitoring-credentials-token"),
            ("all", "all"),
        ] {
            assert_eq!(KeyTemplate::new(template).unwrap().fill(&key), expected);
        }
        for invalid_template in ["", "{space}/{name}", "{name", "}"] {
            assert!(KeyTemplate::new(invalid_template).is_err(), "{invalid_template}");
        }
    }
}
