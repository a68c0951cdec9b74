//! What integrations add to the pods.

use std::collections::BTreeSet;

use k8s_openapi::api::core::v1::KeyToPath;

use super::labels::{AGENT_TYPE, labels};
use super::pod_options::{PodOptions, merge};
use super::{logs_pod, metrics_pod, volumes};
use crate::api::{GrafanaAgent, Integration, Resource};
use crate::resolve::AssetKey;

/// The integrations' own volumes, the values they refer to, and what metrics and logs add
/// (`integrationsPodTemplateOptions`).
pub(super) fn pod_options(
    name: &str,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    integrations: &[&Resource<'_, Integration<'_>>],
) -> PodOptions {
    let mut own = PodOptions {
        selector_labels: labels([(AGENT_TYPE, "integrations")]),
        ..PodOptions::default()
    };
    for integration in integrations {
        add_volumes(&mut own, integration);
    }
    add_referred_values(&mut own, agent.meta.name, integrations);
    merge([
        own,
        metrics_pod::pod_options(name, &agent.spec, None, 0),
        logs_pod::pod_options(),
    ])
}

/// The volumes, prefixed so that those of different Integrations do not meet.
fn add_volumes(options: &mut PodOptions, integration: &Resource<'_, Integration<'_>>) {
    let prefix = format!("{}-{}-", integration.meta.namespace, integration.meta.name);
    options
        .volumes
        .extend(integration.spec.volumes.iter().cloned().map(|mut volume| {
            volume.name.insert_str(0, &prefix);
            volume
        }));
    options
        .volume_mounts
        .extend(integration.spec.volume_mounts.iter().cloned().map(|mut mount| {
            mount.name.insert_str(0, &prefix);
            mount
        }));
}

/// Mounts the keys that the Integrations refer to; `<agent>-secrets` holds their values.
fn add_referred_values(options: &mut PodOptions, agent: &str, integrations: &[&Resource<'_, Integration<'_>>]) {
    let mut mounted = BTreeSet::new();
    let items: Vec<_> = integrations
        .iter()
        .flat_map(|integration| referred_keys(integration))
        .filter(|key| mounted.insert(*key))
        .map(|key| KeyToPath {
            key: key.sanitized(),
            path: key.to_string().trim_start_matches('/').to_owned(),
            mode: None,
        })
        .collect();
    if items.is_empty() {
        return;
    }
    let name = format!("{agent}-integrations-secrets");
    options
        .volumes
        .push(volumes::secret(name.as_str(), format!("{agent}-secrets"), items));
    options
        .volume_mounts
        .push(volumes::read_only(name, "/etc/grafana-agent/integrations"));
}

fn referred_keys<'d>(integration: &Resource<'d, Integration<'d>>) -> Vec<AssetKey<'d>> {
    let namespace = integration.meta.namespace;
    let secrets = integration
        .spec
        .secrets
        .iter()
        .map(|secret| AssetKey::secret(namespace, secret));
    let config_maps = integration.spec.config_maps.iter();
    secrets
        .chain(config_maps.map(|config_map| AssetKey::config_map(namespace, config_map)))
        .collect()
}
