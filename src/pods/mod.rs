//! Hierarchy and configurations → manifests, in the order in which the operator creates them.
//!
//! ```text
//! <agent>-secrets                        secret
//! <agent>-config, Service, StatefulSets  secret, service, stateful_set  ┐
//! <agent>-logs-config, DaemonSet         secret, daemon_set             ├ pod_template ← *_pod, containers
//! integrations: configs, Deployment,     secret, deployment,            │
//!               DaemonSet                daemon_set                     ┘
//! ```

mod agent_name;
mod budget;
mod container_merge;
mod containers;
mod daemon_set;
mod deployment;
pub mod external_secret;
mod integrations_pod;
mod kubelet;
mod labels;
mod logs_pod;
mod metrics_pod;
mod object;
mod options;
mod owner;
mod packing;
mod pod_options;
mod pod_template;
mod secret;
mod service;
mod stateful_set;
#[cfg(test)]
mod tests;
mod volume_claim;
mod volumes;

use std::fmt;

pub use agent_name::AgentName;
pub use budget::Budget;
pub use external_secret::ExternalSecret;
pub use kubelet::kubelet;
pub use object::Object;
pub use options::Options;
pub use packing::Packing;
pub use stateful_set::Shard;

use self::pod_options::PodOptions;
use crate::api::{Integration, Resource};
use crate::resolve::Hierarchy;

/// The agent's configurations, each as its Secret holds it ([`Packing`]).
#[derive(Clone, Default)]
pub struct Configurations {
    /// Of metrics; none without MetricsInstances.
    pub metrics: Option<Vec<u8>>,
    /// Of logs; none without LogsInstances.
    pub logs: Option<Vec<u8>>,
    /// Of the Integrations that run once; none without any.
    pub integrations: Option<Vec<u8>>,
    /// Of the Integrations that run on every node; none without any.
    pub node_integrations: Option<Vec<u8>>,
}

/// Why a manifest could not be made; a value that was admitted never gives it.
#[derive(Debug)]
pub enum ManifestError {
    /// A container that is none after the user's patch.
    Container(serde_json::Error),
    /// A configuration that could not be compressed.
    Compression(std::io::Error),
    /// More bytes than the limit allows.
    Size,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Container(error) => write!(f, "cannot merge containers: {error}"),
            ManifestError::Compression(error) => write!(f, "cannot compress the configuration: {error}"),
            ManifestError::Size => f.write_str("the manifests are too large"),
        }
    }
}

impl std::error::Error for ManifestError {}

impl From<serde_json::Error> for ManifestError {
    fn from(error: serde_json::Error) -> Self {
        Self::Container(error)
    }
}

impl From<std::io::Error> for ManifestError {
    fn from(error: std::io::Error) -> Self {
        Self::Compression(error)
    }
}

/// The manifests of one agent (`reconciler.Reconcile`).
///
/// # Errors
///
/// Where `budget` does not suffice; otherwise none for what was admitted.
pub fn manifests(
    hierarchy: &Hierarchy<'_, '_>,
    configurations: Configurations,
    options: &Options,
    budget: &Budget,
) -> Result<Vec<Object>, ManifestError> {
    let mut bundle = Bundle {
        hierarchy,
        options,
        budget,
        objects: Vec::new(),
    };
    let secrets = secret::referred_values(hierarchy.agent, &hierarchy.secrets, options);
    bundle.push(Object::Secret(Box::new(secrets)))?;
    if let Some(bytes) = configurations.metrics {
        bundle.metrics(bytes)?;
    }
    if let Some(bytes) = configurations.logs {
        bundle.logs(bytes)?;
    }
    bundle.integrations(configurations.integrations, configurations.node_integrations)?;
    Ok(bundle.objects)
}

/// The objects of one agent so far.
struct Bundle<'b, 'h, 'd> {
    hierarchy: &'b Hierarchy<'h, 'd>,
    options: &'b Options,
    budget: &'b Budget,
    objects: Vec<Object>,
}

impl<'h, 'd> Bundle<'_, 'h, 'd> {
    fn metrics(&mut self, bytes: Vec<u8>) -> Result<(), ManifestError> {
        let agent = self.hierarchy.agent;
        self.configuration(agent.meta.name, bytes)?;
        let service = service::governing(agent, self.options);
        self.push(Object::Service(Box::new(service)))?;
        let shards = stateful_set::shards(agent, self.options)?;
        let mut shards = shards.map(Object::StatefulSet).peekable();
        if let Some(first) = shards.peek() {
            // The others are much the same.
            self.budget
                .take(first, agent.spec.metrics.shard_count().try_into().unwrap_or_default())?;
        }
        self.objects.extend(shards);
        Ok(())
    }

    fn push(&mut self, object: Object) -> Result<(), ManifestError> {
        self.budget.take(&object, 1)?;
        self.objects.push(object);
        Ok(())
    }

    fn logs(&mut self, bytes: Vec<u8>) -> Result<(), ManifestError> {
        let name = format!("{}-logs", self.hierarchy.agent.meta.name);
        self.configuration(&name, bytes)?;
        self.daemon_set(&name, logs_pod::pod_options())
    }

    /// Both configurations come before both workloads.
    fn integrations(&mut self, once: Option<Vec<u8>>, on_nodes: Option<Vec<u8>>) -> Result<(), ManifestError> {
        let agent = self.hierarchy.agent;
        let once_name = format!("{}-integrations-deploy", agent.meta.name);
        let nodes_name = format!("{}-integrations-ds", agent.meta.name);
        let (has_once, has_nodes) = (once.is_some(), on_nodes.is_some());
        for (name, bytes) in [(&once_name, once), (&nodes_name, on_nodes)] {
            if let Some(bytes) = bytes {
                self.configuration(name, bytes)?;
            }
        }
        if has_once {
            let pod = integrations_pod::pod_options(&once_name, agent, &self.integrations_of(false));
            let deployment = deployment::deployment(&once_name, agent, pod, self.options)?;
            self.push(Object::Deployment(Box::new(deployment)))?;
        }
        if has_nodes {
            let pod = integrations_pod::pod_options(&nodes_name, agent, &self.integrations_of(true));
            self.daemon_set(&nodes_name, pod)?;
        }
        Ok(())
    }

    fn configuration(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), ManifestError> {
        let secret = secret::configuration(name, self.hierarchy.agent, bytes, self.options);
        self.push(Object::Secret(Box::new(secret)))
    }

    fn daemon_set(&mut self, name: &str, pod: PodOptions) -> Result<(), ManifestError> {
        let set = daemon_set::daemon_set(name, self.hierarchy.agent, pod, self.options)?;
        self.push(Object::DaemonSet(Box::new(set)))
    }

    /// The Integrations that run on every node, or those that do not (`deploymentIntegrationSubset`).
    fn integrations_of(&self, all_nodes: bool) -> Vec<&'h Resource<'d, Integration<'d>>> {
        let integrations = self.hierarchy.integrations.iter().copied();
        integrations
            .filter(|integration| integration.spec.r#type.all_nodes == all_nodes)
            .collect()
    }
}
