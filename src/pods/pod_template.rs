//! The pods of a workload (`generatePodTemplate`).

use k8s_openapi::api::core::v1::{EnvVar, PodSpec, PodTemplateSpec, Volume, VolumeMount};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};

use super::container_merge::merge_containers;
use super::labels::{self, Labels};
use super::options::Options;
use super::pod_options::PodOptions;
use super::volumes::{self, field_variable, mount, read_only, variable};
use super::{containers, owner};
use crate::api::{GrafanaAgent, Resource};
use crate::go::text::{join_path, volume_name};

/// Pods, and what finds them.
pub(super) struct Pods {
    pub(super) template: PodTemplateSpec,
    pub(super) selector: LabelSelector,
    labels: Labels,
}

impl Pods {
    /// The pods that read `<config_of>-config`.
    pub(super) fn new(
        agent: &Resource<'_, GrafanaAgent<'_>>,
        config_of: &str,
        pod: PodOptions,
        options: &Options,
    ) -> Result<Self, serde_json::Error> {
        let selector = labels::selector(agent, &pod.selector_labels);
        let user = agent.spec.pod_metadata.as_ref();
        let labels = labels::merge(labels::of_pods(user, &selector), &options.labels);
        let template = PodTemplateSpec {
            metadata: Some(ObjectMeta {
                labels: Some(labels.clone()),
                annotations: Some(labels::pod_annotations(user)),
                ..ObjectMeta::default()
            }),
            spec: Some(pod_spec(agent, config_of, pod)?),
        };
        let selector = LabelSelector {
            match_labels: Some(labels::merge(selector, &options.labels)),
            match_expressions: None,
        };
        Ok(Self {
            template,
            selector,
            labels,
        })
    }

    /// The metadata of the workload (`metadataFromPodTemplate`).
    pub(super) fn workload_metadata(
        &self,
        name: &str,
        agent: &Resource<'_, GrafanaAgent<'_>>,
        options: &Options,
    ) -> ObjectMeta {
        let annotations = labels::workload_annotations(&agent.meta);
        ObjectMeta {
            name: Some(name.to_owned()),
            namespace: Some(agent.meta.namespace.to_owned()),
            labels: Some(labels::of_workload(&self.labels)),
            annotations: Some(annotations).filter(|annotations| !annotations.is_empty()),
            owner_references: owner::controller(agent, options),
            ..ObjectMeta::default()
        }
    }
}

fn pod_spec(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    config_of: &str,
    pod: PodOptions,
) -> Result<PodSpec, serde_json::Error> {
    let spec = &agent.spec;
    let (volumes, mounts) = volumes_and_mounts(agent, config_of, pod.volumes, pod.volume_mounts);
    let env = variables(pod.env);
    let own = vec![
        containers::config_reloader(spec, &mounts, &env),
        containers::grafana_agent(spec, &mounts, &env, pod.privileged),
    ];
    Ok(PodSpec {
        containers: merge_containers(own, &spec.containers)?,
        image_pull_secrets: Some(spec.image_pull_secrets.clone()),
        init_containers: Some(spec.init_containers.clone()),
        security_context: spec.security_context.clone(),
        service_account_name: Some(spec.service_account_name.to_owned()),
        node_selector: Some(labels::owned(&spec.node_selector)),
        priority_class_name: Some(spec.priority_class_name.to_owned()),
        runtime_class_name: spec.runtime_class_name.map(str::to_owned),
        termination_grace_period_seconds: Some(4800),
        volumes: Some(volumes),
        tolerations: Some(spec.tolerations.clone()),
        affinity: spec.affinity.clone(),
        topology_spread_constraints: Some(spec.topology_spread_constraints.clone()),
        ..PodSpec::default()
    })
}

/// The operator's volumes and mounts, then the workload's, then the user's, then the Secrets and ConfigMaps to mount.
fn volumes_and_mounts(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    config_of: &str,
    extra_volumes: Vec<Volume>,
    extra_mounts: Vec<VolumeMount>,
) -> (Vec<Volume>, Vec<VolumeMount>) {
    let mut volumes = vec![
        volumes::secret("config", format!("{config_of}-config"), Vec::new()),
        volumes::empty_dir("config-out", Default::default()),
        volumes::secret("secrets", format!("{}-secrets", agent.meta.name), Vec::new()),
    ];
    volumes.extend(extra_volumes);
    volumes.extend_from_slice(&agent.spec.volumes);
    let mut mounts = vec![
        read_only("config", "/var/lib/grafana-agent/config-in"),
        mount("config-out", "/var/lib/grafana-agent/config"),
        read_only("secrets", "/var/lib/grafana-agent/secrets"),
    ];
    mounts.extend(extra_mounts);
    mounts.extend_from_slice(&agent.spec.volume_mounts);
    for secret in &agent.spec.secrets {
        let name = volume_name(&format!("secret-{secret}"));
        volumes.push(volumes::secret(name.as_str(), *secret, Vec::new()));
        mounts.push(read_only(
            name,
            join_path("/var/lib/grafana-agent/extra-secrets", secret),
        ));
    }
    for config_map in &agent.spec.config_maps {
        let name = volume_name(&format!("configmap-{config_map}"));
        volumes.push(volumes::config_map(name.as_str(), *config_map));
        mounts.push(read_only(
            name,
            join_path("/var/lib/grafana-agent/extra-configmaps", config_map),
        ));
    }
    (volumes, mounts)
}

fn variables(extra: Vec<EnvVar>) -> Vec<EnvVar> {
    let mut env = vec![
        field_variable("POD_NAME", "metadata.name"),
        // Tells usage reports how the agent was deployed.
        variable("AGENT_DEPLOY_MODE", "operator"),
    ];
    env.extend(extra);
    env
}
