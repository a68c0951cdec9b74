//! Additions to pods that read a configuration: volumes, mounts, environment variables and labels
//! (`podTemplateOptions`).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::metadata::{AGENT_TYPE, MetadataMap, SHARD, labels};
use super::role::ObjectRole;
use crate::api::core::embedded::{name, text_field};
use crate::api::{GrafanaAgent, Integration, Resource, Storage};
use crate::resolve::AssetKey;

const DATA_DIRECTORY: &str = "/var/lib/grafana-agent/data";

/// Additions to the pod template for a configuration.
#[derive(Clone, Default)]
pub(super) struct Additions {
    pub(super) selector_labels: MetadataMap,
    pub(super) volumes: Vec<Value>,
    pub(super) volume_mounts: Vec<Value>,
    pub(super) env: Vec<Value>,
    pub(super) privileged: bool,
}

/// Returns the additions for metrics: the write-ahead log volume and the shard number (`metricsPodTemplateOptions`).
/// `storage` is `None` for integrations, which keep the log in the pod.
pub(super) fn metrics(name: &str, agent: &GrafanaAgent<'_>, storage: Option<&Storage<'_>>, shard: i32) -> Additions {
    let wal = match storage.map_or("", |storage| storage.volume_claim_template.metadata.name) {
        "" => wal_volume_name(name),
        claim => claim.to_owned(),
    };
    let volume = match storage {
        None => Some(json!({})),
        Some(storage) => storage.empty_dir.as_deref().cloned(),
    };
    let shard_number = shard.to_string();
    Additions {
        selector_labels: labels([(SHARD, shard_number.as_str()), (AGENT_TYPE, "metrics")]),
        volumes: volume.iter().map(|source| empty_dir(&wal, source)).collect(),
        volume_mounts: vec![mount(&wal, DATA_DIRECTORY)],
        env: vec![variable("SHARD", &shard_number), variable("SHARDS", &agent.metrics.shard_count().to_string())],
        privileged: false,
    }
}

/// Returns the name of the write-ahead log's volume.
pub(super) fn wal_volume_name(set_name: &str) -> String {
    format!("{set_name}-wal")
}

/// Returns the additions for logs: the node's log directories and a directory for read positions
/// (`logsPodTemplateOptions`).
pub(super) fn logs() -> Additions {
    Additions {
        selector_labels: labels([(AGENT_TYPE, "logs")]),
        volumes: vec![
            host_path("varlog", "/var/log"),
            host_path("dockerlogs", "/var/lib/docker/containers"),
            host_path("data", DATA_DIRECTORY),
        ],
        volume_mounts: vec![
            read_only_mount("varlog", "/var/log"),
            read_only_mount("dockerlogs", "/var/lib/docker/containers"),
            mount("data", DATA_DIRECTORY),
        ],
        env: vec![
            field_variable("HOSTNAME", "spec.nodeName"),
            // As in a StatefulSet, the config reloader requires a shard number.
            variable("SHARD", "0"),
        ],
        privileged: true,
    }
}

/// Returns the additions for integrations: the volumes they define, the values they refer to, and the additions for
/// metrics and logs (`integrationsPodTemplateOptions`).
pub(super) fn integrations<'h, 'd: 'h>(
    name: &str,
    agent: &Resource<'d, GrafanaAgent<'d>>,
    integrations: impl Iterator<Item = &'h Resource<'d, Integration<'d>>>,
) -> Additions {
    let mut additions = Additions { selector_labels: labels([(AGENT_TYPE, "integrations")]), ..Additions::default() };
    let mut mounted_keys = BTreeSet::new();
    let mut items = Vec::new();
    for integration in integrations {
        // The prefix prevents name collisions between the volumes of different Integrations.
        let prefix = format!("{}-{}-", integration.meta.namespace, integration.meta.name);
        let spec = &integration.spec;
        additions.volumes.extend(spec.volumes.iter().map(|volume| prefix_name(volume, &prefix)));
        additions.volume_mounts.extend(spec.volume_mounts.iter().map(|mount| prefix_name(mount, &prefix)));
        for key in referenced_keys(integration) {
            if mounted_keys.insert(key) {
                items.push(json!({"key": key.sanitized_key(), "path": key.to_string().trim_start_matches('/')}));
            }
        }
    }
    if !items.is_empty() {
        let name = format!("{}-integrations-secrets", agent.meta.name);
        let values_name = ObjectRole::Values.name(agent.meta.name);
        additions.volumes.push(json!({"name": name, "secret": {"secretName": values_name, "items": items}}));
        additions.volume_mounts.push(read_only_mount(&name, "/etc/grafana-agent/integrations"));
    }
    merge([additions, metrics(name, &agent.spec, None, 0), logs()])
}

fn prefix_name(named: &Value, prefix: &str) -> Value {
    let mut prefixed_object = named.clone();
    if let Some(fields) = prefixed_object.as_object_mut() {
        fields.insert("name".to_owned(), format!("{prefix}{}", name(named)).into());
    }
    prefixed_object
}

fn referenced_keys<'d>(integration: &Resource<'d, Integration<'d>>) -> impl Iterator<Item = AssetKey<'d>> {
    let namespace = integration.meta.namespace;
    let secrets = integration.spec.secrets.iter();
    let config_maps = integration.spec.config_maps.iter();
    secrets
        .map(move |secret| AssetKey::secret(namespace, secret))
        .chain(config_maps.map(move |config_map| AssetKey::config_map(namespace, config_map)))
}

/// Merges additions. If several inputs set the same label, variable, volume or mount path, the first one wins
/// (`mergePodTemplateOptions`).
///
/// If the name or path of a mount is already used, the mount is dropped together with its volume, even if an earlier
/// mount in the same input uses the volume. The result is never privileged, because the operator does not merge this
/// setting.
fn merge<const N: usize>(inputs: [Additions; N]) -> Additions {
    let mut merged_additions = Additions::default();
    // Names that are already used, by kind.
    let mut used_names = BTreeSet::new();
    for input in inputs {
        for (key, value) in input.selector_labels {
            merged_additions.selector_labels.entry(key).or_insert(value);
        }
        let mut ignored_names = BTreeSet::new();
        for mount in input.volume_mounts {
            let mount_names =
                [("mount", name(&mount).to_owned()), ("path", text_field(&mount, "mountPath").to_owned())];
            if mount_names.iter().any(|mount_name| used_names.contains(mount_name)) {
                ignored_names.insert(name(&mount).to_owned());
            } else {
                used_names.extend(mount_names);
                merged_additions.volume_mounts.push(mount);
            }
        }
        let mut is_new_name = |kind, named: &Value| used_names.insert((kind, name(named).to_owned()));
        let volumes = input.volumes.into_iter();
        let volumes = volumes.filter(|volume| !ignored_names.contains(name(volume)) && is_new_name("volume", volume));
        merged_additions.volumes.extend(volumes);
        let env = input.env.into_iter();
        merged_additions.env.extend(env.filter(|variable| is_new_name("variable", variable)));
    }
    merged_additions
}

/// Returns a volume that contains the keys of a Secret.
pub(super) fn secret(name: &str, secret_name: &str) -> Value {
    json!({"name": name, "secret": {"secretName": secret_name}})
}

/// Returns a volume that contains the keys of a ConfigMap.
pub(super) fn config_map(name: &str, config_map_name: &str) -> Value {
    json!({"name": name, "configMap": {"name": config_map_name}})
}

/// Returns a volume with the lifetime of the pod.
pub(super) fn empty_dir(name: &str, source: &Value) -> Value {
    json!({"name": name, "emptyDir": source})
}

/// Returns a volume for a directory on the node.
pub(super) fn host_path(name: &str, path: &str) -> Value {
    json!({"name": name, "hostPath": {"path": path}})
}

/// Returns a writable mount.
pub(super) fn mount(name: &str, path: &str) -> Value {
    json!({"name": name, "mountPath": path})
}

/// Returns a read-only mount.
pub(super) fn read_only_mount(name: &str, path: &str) -> Value {
    json!({"name": name, "mountPath": path, "readOnly": true})
}

pub(super) fn variable(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value})
}

/// Returns an environment variable whose value is a field of the pod.
pub(super) fn field_variable(name: &str, field_path: &str) -> Value {
    json!({"name": name, "valueFrom": {"fieldRef": {"fieldPath": field_path}}})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates additions from `mounts`, a list of `name:path` pairs.
    fn additions(volumes: &str, mounts: &str, env: &[(&str, &str)]) -> Additions {
        Additions {
            volumes: volumes.split_whitespace().map(|name| json!({"name": name})).collect(),
            volume_mounts: mounts
                .split_whitespace()
                .filter_map(|mount| mount.split_once(':'))
                .map(|(name, path)| mount(name, path))
                .collect(),
            env: env.iter().map(|(name, value)| variable(name, value)).collect(),
            selector_labels: labels(env.iter().copied()),
            privileged: true,
        }
    }

    fn names(added: &Additions) -> (String, String) {
        let volumes: Vec<_> = added.volumes.iter().map(name).collect();
        let mounts: Vec<_> = added
            .volume_mounts
            .iter()
            .map(|mount| format!("{}:{}", name(mount), text_field(mount, "mountPath")))
            .collect();
        (volumes.join(" "), mounts.join(" "))
    }

    #[test]
    fn merges_volumes_and_mounts() {
        let cases = [
            // Each case consists of the volumes and mounts in both inputs and in the result.
            (("a", "a:/a"), ("b", "b:/b"), ("a b", "a:/a b:/b")),
            (("wal", "wal:/data"), ("data log", "log:/log data:/data"), ("wal log", "wal:/data log:/log")),
            (("a", "a:/a"), ("a", "a:/b"), ("a", "a:/a")),
            (("a", "a:/a a:/b"), ("", ""), ("", "a:/a")),
            (("a a b", ""), ("b", ""), ("a b", "")),
        ];
        for ((v1, m1), (v2, m2), (volumes, mounts)) in cases {
            let merged = merge([additions(v1, m1, &[]), additions(v2, m2, &[])]);
            assert_eq!(names(&merged), (volumes.to_owned(), mounts.to_owned()), "{v1} {m1} + {v2} {m2}");
        }
    }

    #[test]
    fn merged_pods_keep_the_first_value_and_are_unprivileged() {
        let merged = merge([additions("", "", &[("SHARD", "0")]), additions("", "", &[("SHARD", "1"), ("X", "2")])]);
        assert_eq!(merged.selector_labels, labels([("SHARD", "0"), ("X", "2")]));
        let values: Vec<_> = merged.env.iter().map(|variable| text_field(variable, "value")).collect();
        assert_eq!(values, ["0", "2"]);
        assert!(!merged.privileged);
    }
}
