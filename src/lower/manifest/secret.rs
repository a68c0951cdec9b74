//! The Secrets: the values that resources refer to, and the agent's configurations.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::labels::{self, Labels, MANAGED_BY};
use super::options::Options;
use super::owner;
use crate::api::{GrafanaAgent, Resource};
use crate::resolve::SecretStore;

/// Longer configurations are compressed.
const MAX_UNCOMPRESSED: usize = 100 * 1024;

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
///
/// # Errors
///
/// None: compression writes to memory.
pub(super) fn configuration(
    name: &str,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    configuration: String,
    options: &Options,
) -> io::Result<Secret> {
    let labels = labels::merge(labels::labels([MANAGED_BY]), &options.labels);
    let data = vec![("agent.yml".to_owned(), compress(configuration)?)];
    Ok(secret(format!("{name}-config"), agent, labels, data, options))
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

/// The bytes of a configuration: gzip above 100 KiB, without a time stamp.
fn compress(configuration: String) -> io::Result<Vec<u8>> {
    if configuration.len() <= MAX_UNCOMPRESSED {
        return Ok(configuration.into_bytes());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(configuration.as_bytes())?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn only_long_configurations_are_compressed() {
        let short = "x".repeat(MAX_UNCOMPRESSED);
        assert_eq!(compress(short.clone()).unwrap(), short.as_bytes());
        let long = "x".repeat(MAX_UNCOMPRESSED + 1);
        let compressed = compress(long.clone()).unwrap();
        // No time stamp.
        assert_eq!(compressed[4..8], [0; 4]);
        let mut text = String::new();
        GzDecoder::new(compressed.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, long);
    }
}
