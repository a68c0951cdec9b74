//! `Integration`: an integration of the agent.

use schemars::JsonSchema;
use serde::Deserialize;

use super::KeySelector;
use super::core::embedded::{Volume, VolumeMount};

/// `spec` of an Integration.
///
/// Its `config` is kept as a node, because it is written unchanged.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Integration<'d> {
    /// Name of the integration in the agent, such as `mysql`.
    pub name: &'d str,
    /// Placement of the integration.
    pub r#type: IntegrationType,
    /// Additional volumes for the pods that run the integration.
    pub volumes: Vec<Volume>,
    /// Additional mounts for the agent's container.
    pub volume_mounts: Vec<VolumeMount>,
    /// Secret keys to mount.
    pub secrets: Vec<KeySelector<'d>>,
    /// ConfigMap keys to mount.
    pub config_maps: Vec<KeySelector<'d>>,
}

/// Placement of an integration.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IntegrationType {
    /// Run the integration on every node.
    pub all_nodes: bool,
    /// Allow at most one integration with this name per agent; the operator does not enforce it.
    pub unique: bool,
}
