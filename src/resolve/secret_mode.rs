//! How the values of Secrets get to the agent (`--secrets`).

use std::fmt;

use super::AssetKey;

/// What is rendered in the place of the values of Secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SecretMode {
    /// The values, as the operator does.
    #[default]
    Inline,
    /// A token for each, which names it.
    Placeholder,
    /// None: something else makes `<agent>-secrets` in the cluster.
    External(Remote),
}

impl SecretMode {
    /// Whether a Secret has to be in the input with its values.
    pub fn needs_values(&self) -> bool {
        *self == SecretMode::Inline
    }
}

/// Where an ExternalSecret finds the values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remote {
    /// The store of the values that no ExternalSecret of the input provides.
    pub store: Option<Store>,
    /// Under which key they are there.
    pub key: KeyTemplate,
    /// Whether the program reads all values from files. Else a configuration that holds some comes from a template.
    pub reads_files: bool,
}

/// A SecretStore or ClusterSecretStore of external-secrets.io.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// The key of a value in a store: a text with `{namespace}`, `{name}` and `{key}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyTemplate(String);

impl KeyTemplate {
    /// A template.
    ///
    /// # Errors
    ///
    /// A brace that belongs to none of the three.
    pub fn new(text: &str) -> Result<Self, String> {
        let rest = [NAMESPACE, NAME, KEY]
            .iter()
            .fold(text.to_owned(), |rest, part| rest.replace(part, ""));
        match rest.contains(['{', '}']) || text.is_empty() {
            true => Err(format!("expected a text with `{NAMESPACE}`, `{NAME}` and `{KEY}`")),
            false => Ok(Self(text.to_owned())),
        }
    }

    /// The key of a value.
    pub fn of(&self, key: &AssetKey<'_>) -> String {
        let filled = self.0.replace(NAMESPACE, key.namespace).replace(NAME, key.name);
        filled.replace(KEY, key.key)
    }

    /// Whether an entry of the store is one value, and not all those of a Secret.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::KeySelector;

    #[test]
    fn a_template_is_filled() {
        let selector = KeySelector {
            name: "credentials",
            key: "token",
            optional: None,
        };
        let key = AssetKey::secret("monitoring", &selector);
        for (template, expected) in [
            ("{namespace}/{name}", "monitoring/credentials"),
            ("prod-{namespace}-{name}-{key}", "prod-monitoring-credentials-token"),
            ("all", "all"),
        ] {
            assert_eq!(KeyTemplate::new(template).unwrap().of(&key), expected);
        }
        for wrong in ["", "{space}/{name}", "{name", "}"] {
            assert!(KeyTemplate::new(wrong).is_err(), "{wrong}");
        }
    }
}
