//! The Secrets: the values that resources refer to, and the agent's configurations.

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::labels::{self, Labels, MANAGED_BY};
use super::options::Options;
use super::owner;
use crate::api::{GrafanaAgent, Resource};
use crate::resolve::SecretStore;

/// `<agent>-secrets` (`createSecrets`): the one object that the operator's `--labels` do not reach.
pub(super) fn referred_values(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    store: &SecretStore<'_, '_>,
    options: &Options,
) -> Secret {
    let data = store.iter().map(|(key, value)| (key.sanitized(), value.to_vec()));
    secret(
        format!("{}-secrets", agent.meta.name),
        agent,
        labels::labels([MANAGED_BY]),
        data.collect(),
        options,
    )
}

/// `<name>-config` (`createTelemetryConfigurationSecret`).
pub(super) fn configuration(
    name: &str,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    configuration: Vec<u8>,
    options: &Options,
) -> Secret {
    let labels = labels::merge(labels::labels([MANAGED_BY]), &options.labels);
    let data = vec![("agent.yml".to_owned(), configuration)];
    secret(format!("{name}-config"), agent, labels, data, options)
}

fn secret(
    name: String,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    labels: Labels,
    data: Vec<(String, Vec<u8>)>,
    options: &Options,
) -> Secret {
    let data = data.into_iter().map(|(key, value)| (key, ByteString(value)));
    Secret {
        metadata: ObjectMeta {
            name: Some(name),
            namespace: Some(agent.meta.namespace.to_owned()),
            labels: Some(labels),
            owner_references: owner::owner(agent, options),
            ..ObjectMeta::default()
        },
        data: Some(data.collect()).filter(|data: &std::collections::BTreeMap<_, _>| !data.is_empty()),
        ..Secret::default()
    }
}
