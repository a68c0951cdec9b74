//! What metrics add to the pods.

use super::labels::{AGENT_TYPE, Labels, SHARD};
use super::pod_options::PodOptions;
use super::volume_claim::wal_volume_name;
use super::volumes;
use crate::api::{GrafanaAgent, Storage};

/// The volume of the write-ahead log and the shard's number (`metricsPodTemplateOptions`). `storage` is none for
/// integrations, which keep the log in the pod.
pub(super) fn pod_options(
    name: &str,
    agent: &GrafanaAgent<'_>,
    storage: Option<&Storage<'_>>,
    shard: i32,
) -> PodOptions {
    let wal = match storage.map_or("", |storage| storage.volume_claim_template.metadata.name) {
        "" => wal_volume_name(name),
        claim => claim.to_owned(),
    };
    let in_pod = match storage {
        None => Some(Default::default()),
        Some(storage) => storage.empty_dir.clone(),
    };
    PodOptions {
        selector_labels: Labels::from([
            (SHARD.to_owned(), shard.to_string()),
            (AGENT_TYPE.to_owned(), "metrics".to_owned()),
        ]),
        volumes: in_pod
            .into_iter()
            .map(|source| volumes::empty_dir(wal.as_str(), source))
            .collect(),
        volume_mounts: vec![volumes::mount(wal.as_str(), "/var/lib/grafana-agent/data")],
        env: vec![
            volumes::variable("SHARD", shard.to_string()),
            volumes::variable("SHARDS", agent.metrics.shard_count().to_string()),
        ],
        privileged: false,
    }
}
