//! `Integration`: one integration of the agent.

use schemars::JsonSchema;
use serde::Deserialize;

use super::KeySelector;
use super::core::embedded::{Volume, VolumeMount};

/// `spec` of an Integration.
///
/// Its `config` stays a node: it is written as it stands.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Integration<'d> {
    /// The name of the integration in the agent, such as `mysql`.
    pub name: &'d str,
    /// Where it runs.
    pub r#type: IntegrationType,
    /// Further volumes of the pods that run it.
    pub volumes: Vec<Volume>,
    /// Further mounts of the agent's container.
    pub volume_mounts: Vec<VolumeMount>,
    /// Keys of Secrets to mount.
    pub secrets: Vec<KeySelector<'d>>,
    /// Keys of ConfigMaps to mount.
    pub config_maps: Vec<KeySelector<'d>>,
}

/// Where an integration runs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IntegrationType {
    /// Run it on every node.
    pub all_nodes: bool,
    /// At most one of this name an agent; the operator does not enforce it.
    pub unique: bool,
}
