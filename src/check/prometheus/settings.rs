//! Settings that the agent uses to distinguish receivers and instances.
//!
//! For receivers, the agent uses `getHash` in `static/metrics/instance`: the JSON of a `config.RemoteWriteConfig`
//! without the receiver's name. Defaults are set when the configuration is read, `config.Secret` is masked, and the URL
//! has the format of Go's `url.String`.
//!
//! For instances, it uses `hashConfig` in `GroupManager`: the YAML of an `instance.Config` without the instance's name
//! and jobs, and with receivers ordered by hash. The agent writes this YAML to copy the instance, so it contains all
//! secrets and the unmasked URL of each receiver (`MarshalConfig` with `scrubSecrets` false, and the encoder hook in
//! the agent's fork of go-yaml). Only a proxy's password is masked (`URL.MarshalYAML`).

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::api;
use crate::go::{duration, url};
use crate::output::agent;
use crate::plan::{Origin, RemoteWriteClient, remote_write_clients};
use crate::resolve::{Hierarchy, MetricsHierarchy, SecretStore};
use crate::yaml::Value;

/// Purpose of comparing receivers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Comparison of the receivers in one instance.
    Receivers,
    /// Comparison of the settings of several instances.
    Instances,
}

/// Defaults for a receiver (`DefaultRemoteWriteConfig`, as modified by the `init` function in
/// `static/metrics/instance`).
const DEFAULTS: [(&str, &str); 10] = [
    ("metadata_config.send", "true"),
    ("metadata_config.send_interval", "1m"),
    ("queue_config.batch_send_deadline", "5s"),
    ("queue_config.capacity", "10000"),
    ("queue_config.max_backoff", "5s"),
    ("queue_config.max_samples_per_send", "2000"),
    ("queue_config.max_shards", "50"),
    ("queue_config.min_backoff", "30ms"),
    ("queue_config.min_shards", "1"),
    ("remote_timeout", "30s"),
];

/// Defaults for a relabeling rule (`DefaultRelabelConfig`).
const RULE_DEFAULTS: [(&str, &str); 4] =
    [("action", "replace"), ("regex", "(.*)"), ("replacement", "$1"), ("separator", ";")];

/// Fields of type `config.Secret`.
const SECRETS: [&str; 2] = ["authorization.credentials", "sigv4.secret_key"];

/// Fields that contain a Prometheus duration.
const DURATIONS: [&str; 5] = [
    "metadata_config.send_interval",
    "queue_config.batch_send_deadline",
    "queue_config.max_backoff",
    "queue_config.min_backoff",
    "remote_timeout",
];

/// Returns each receiver's settings as a string. Equal receivers yield equal strings.
pub fn receiver_settings<'d>(
    specs: &'d [api::RemoteWrite<'d>],
    namespace: &'d str,
    origin: Origin<'d>,
    secrets: &'d SecretStore<'d, 'd>,
    comparison: Comparison,
) -> Vec<String> {
    let receivers = remote_write_clients(specs, namespace, origin);
    receivers.iter().map(|receiver| single_receiver_settings(receiver, secrets, comparison)).collect()
}

/// Returns the settings that the agent uses to group instances, or `None` if the agent rejects any of them.
pub fn instance_settings<'d>(
    hierarchy: &'d Hierarchy<'d, 'd>,
    metrics: &'d MetricsHierarchy<'d, 'd>,
) -> Option<Vec<String>> {
    let (instance, agent) = (metrics.instance, hierarchy.agent);
    let spec = &instance.spec;
    let (specs, namespace, origin) = match spec.remote_write.as_slice() {
        [] => (agent.spec.metrics.remote_write.as_slice(), agent.meta.namespace, Origin::new(agent)),
        own => (own, instance.meta.namespace, Origin::new(instance)),
    };
    let time = |text: &str, default| duration::parse_go(if text.is_empty() { default } else { text });
    let times = [
        time(spec.wal_truncate_frequency, "60m"),
        time(spec.min_wal_time, "5m"),
        time(spec.max_wal_time, "4h"),
        time(spec.remote_flush_deadline, "1m"),
    ];
    let times: Option<Vec<_>> = times.into_iter().collect();
    let mut settings = receiver_settings(specs, namespace, origin, &hierarchy.secrets, Comparison::Instances);
    settings.sort_unstable();
    settings.push(format!("{:?} {}", times?, spec.write_stale_on_shutdown == Some(true)));
    Some(settings)
}

fn single_receiver_settings<'d>(
    receiver: &'d RemoteWriteClient<'d>,
    secrets: &'d SecretStore<'d, 'd>,
    comparison: Comparison,
) -> String {
    let mut leaves = ScalarFields { comparison, values: BTreeMap::new() };
    for (path, default) in DEFAULTS {
        leaves.write_text(path, default);
    }
    leaves.write_value("", &agent::receiver(receiver, secrets));
    leaves.values.remove("name");
    format!("{:?}", leaves.values)
}

/// Scalar fields in a receiver, by path.
struct ScalarFields {
    comparison: Comparison,
    values: BTreeMap<String, String>,
}

impl ScalarFields {
    fn write_value(&mut self, path: &str, value: &Value<'_>) {
        let join = |key: &str| match path {
            "" => key.to_owned(),
            _ => format!("{path}.{key}"),
        };
        match value {
            Value::Mapping(fields) => {
                // A pointer to an empty struct is not nil, so it differs from a missing field.
                if matches!(path, "authorization" | "basic_auth" | "oauth2" | "sigv4") {
                    self.write_text(path, "");
                }
                fields.iter().for_each(|(key, value)| self.write_value(&join(key), value));
            }
            Value::Sequence(items) => {
                for (i, item) in items.iter().enumerate() {
                    let item_path = join(&i.to_string());
                    if path == "write_relabel_configs" {
                        let defaults = RULE_DEFAULTS.iter();
                        defaults.for_each(|(field, default)| self.write_text(&format!("{item_path}.{field}"), default));
                    }
                    self.write_value(&item_path, item);
                }
            }
            Value::Secret(secret) => self.write_value(path, &secret.value),
            Value::String(text) => self.write_text(path, text),
            Value::Bool(flag) => self.write_text(path, &flag.to_string()),
            Value::Int(number) => self.write_text(path, &number.to_string()),
            Value::Float(number) => self.write_text(path, &number.to_string()),
            Value::Null => {}
        }
    }

    fn write_text(&mut self, path: &str, text: &str) {
        let is_receivers = self.comparison == Comparison::Receivers;
        let value = match path {
            "url" => url::normalize(text),
            "proxy_url" if is_receivers => url::normalize(text),
            "proxy_url" => Cow::Owned(url::redact(&url::normalize(text))),
            _ if SECRETS.contains(&path) && is_receivers && !text.is_empty() => Cow::Borrowed("<secret>"),
            _ if DURATIONS.contains(&path) => match duration::parse_prometheus(text) {
                Some(nanoseconds) => Cow::Owned(nanoseconds.to_string()),
                None => Cow::Borrowed(text),
            },
            _ if path.starts_with("write_relabel_configs.") && path.ends_with(".action") => {
                Cow::Owned(text.to_ascii_lowercase())
            }
            _ => Cow::Borrowed(text),
        };
        self.values.insert(path.to_owned(), value.into_owned());
    }
}
