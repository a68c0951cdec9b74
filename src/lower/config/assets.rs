//! Values and files of Secrets and ConfigMaps (`ext/secrets.libsonnet`).

use std::borrow::Cow;

use crate::api::{KeySelector, SecretOrConfigMap};
use crate::resolve::{AssetKey, SecretStore};

/// Where the operator mounts `<agent>-secrets`.
const SECRETS_DIRECTORY: &str = "/var/lib/grafana-agent/secrets";

/// The Secrets and ConfigMaps of one namespace.
#[derive(Clone, Copy)]
pub(super) struct Assets<'a, 'd> {
    store: &'a SecretStore<'d, 'd>,
    namespace: &'d str,
}

impl<'a, 'd> Assets<'a, 'd> {
    pub(super) fn new(store: &'a SecretStore<'d, 'd>, namespace: &'d str) -> Self {
        Self { store, namespace }
    }

    /// The value of a key of a Secret; empty where it is missing, which was reported before.
    pub(super) fn value(self, selector: &KeySelector<'d>) -> Cow<'d, str> {
        let key = AssetKey::secret(self.namespace, selector);
        self.store.text(&key).unwrap_or_default()
    }

    /// The file of a key of a Secret.
    pub(super) fn file(self, selector: &KeySelector<'d>) -> String {
        file(&AssetKey::secret(self.namespace, selector))
    }

    /// The file of a key of a Secret or else of a ConfigMap.
    pub(super) fn file_of_either(self, selector: &SecretOrConfigMap<'d>) -> Option<String> {
        let config_map = || {
            let selector = selector.config_map.as_ref()?;
            Some(file(&AssetKey::config_map(self.namespace, selector)))
        };
        selector
            .secret
            .as_ref()
            .map(|secret| self.file(secret))
            .or_else(config_map)
    }
}

fn file(key: &AssetKey<'_>) -> String {
    format!("{SECRETS_DIRECTORY}/{}", key.sanitized())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_wins_over_a_config_map() {
        let store = SecretStore::default();
        let assets = Assets::new(&store, "ns");
        let key = |name| KeySelector {
            name,
            key: "ca.crt",
            optional: None,
        };
        let either = |secret: Option<&'static str>, config_map: Option<&'static str>| SecretOrConfigMap {
            secret: secret.map(key),
            config_map: config_map.map(key),
        };
        let cases = [
            (None, None, None),
            (Some("s"), Some("c"), Some("_secrets_ns_s_ca_crt")),
            (None, Some("c"), Some("_configMaps_ns_c_ca_crt")),
        ];
        for (secret, config_map, expected) in cases {
            assert_eq!(
                assets.file_of_either(&either(secret, config_map)),
                expected.map(|name| format!("/var/lib/grafana-agent/secrets/{name}"))
            );
        }
    }

    #[test]
    fn a_missing_value_is_empty() {
        assert_eq!(
            Assets::new(&SecretStore::default(), "ns").value(&KeySelector::default()),
            ""
        );
    }
}
