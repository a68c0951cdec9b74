//! What logs add to the pods.

use super::labels::{AGENT_TYPE, labels};
use super::pod_options::PodOptions;
use super::volumes::{field_variable, host_path, mount, read_only, variable};

/// The node's logs and a directory for positions (`logsPodTemplateOptions`).
pub(super) fn pod_options() -> PodOptions {
    PodOptions {
        selector_labels: labels([(AGENT_TYPE, "logs")]),
        volumes: vec![
            host_path("varlog", "/var/log"),
            host_path("dockerlogs", "/var/lib/docker/containers"),
            host_path("data", "/var/lib/grafana-agent/data"),
        ],
        volume_mounts: vec![
            read_only("varlog", "/var/log"),
            read_only("dockerlogs", "/var/lib/docker/containers"),
            mount("data", "/var/lib/grafana-agent/data"),
        ],
        env: vec![
            field_variable("HOSTNAME", "spec.nodeName"),
            // The config reloader wants one, as in a StatefulSet.
            variable("SHARD", "0"),
        ],
        privileged: true,
    }
}
