//! The DaemonSets of logs and of integrations.

use k8s_openapi::api::apps::v1::{DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy};

use super::options::Options;
use super::pod_options::PodOptions;
use super::pod_template::Pods;
use crate::api::{GrafanaAgent, Resource};

/// A DaemonSet whose pods read `<name>-config` (`generateLogsDaemonSet`, `newIntegrationsDaemonSet`).
pub(super) fn daemon_set(
    name: &str,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    pod: PodOptions,
    options: &Options,
) -> Result<DaemonSet, serde_json::Error> {
    let pods = Pods::new(agent, name, pod, options)?;
    Ok(DaemonSet {
        metadata: pods.workload_metadata(name, agent, options),
        spec: Some(DaemonSetSpec {
            update_strategy: Some(DaemonSetUpdateStrategy {
                type_: Some("RollingUpdate".to_owned()),
                rolling_update: None,
            }),
            selector: pods.selector,
            template: pods.template,
            ..DaemonSetSpec::default()
        }),
        status: None,
    })
}
