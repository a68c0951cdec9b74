//! The Deployment of integrations.

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec, DeploymentStrategy};

use super::options::Options;
use super::pod_options::PodOptions;
use super::pod_template::Pods;
use crate::api::{GrafanaAgent, Resource};

/// A Deployment whose pods read `<name>-config` (`newIntegrationsDeployment`).
pub(super) fn deployment(
    name: &str,
    agent: &Resource<'_, GrafanaAgent<'_>>,
    pod: PodOptions,
    options: &Options,
) -> Result<Deployment, serde_json::Error> {
    let pods = Pods::new(agent, name, pod, options)?;
    Ok(Deployment {
        metadata: pods.workload_metadata(name, agent, options),
        spec: Some(DeploymentSpec {
            strategy: Some(DeploymentStrategy {
                type_: Some("RollingUpdate".to_owned()),
                rolling_update: None,
            }),
            selector: pods.selector,
            template: pods.template,
            ..DeploymentSpec::default()
        }),
        status: None,
    })
}
