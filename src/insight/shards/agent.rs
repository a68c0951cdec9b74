//! An agent's shards, read from its resources.

use std::num::NonZeroU32;

use super::ScrapeTarget;
use super::text::{format_count, percent, with_thousands_separators};
use crate::insight::targets::for_each_group;
use crate::manifest::{AgentName, ObjectRole, Objects};
use crate::plan::ConfigKind;
use crate::printable::{Screen, Text};
use crate::resolve::Hierarchy;
use crate::targets::scrape::{Cluster, JobKind, TargetScope, TargetState};

/// Maximum size of a Secret in bytes (`MaxSecretSize` in Kubernetes).
const MAX_SECRET_SIZE: u64 = 1 << 20;

/// Shards of a GrafanaAgent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardedAgent {
    /// Name of the agent as `namespace/name`.
    pub name: String,
    /// Value of `spec.metrics.shards`, but at least one.
    pub shards: NonZeroU32,
    /// Secrets used by metrics, each with the total size of its values in bytes. All shards mount the same Secrets.
    pub secrets: Vec<(String, u64)>,
}

impl ShardedAgent {
    /// Returns the shards of the agent in a hierarchy. `objects` contains the rendered objects of the agent.
    pub fn new(hierarchy: &Hierarchy<'_, '_>, objects: &Objects) -> Self {
        let meta = &hierarchy.agent.meta;
        let mounted_objects = objects.agent_objects(&AgentName::new(meta)).iter().filter(|object| {
            let is_mounted =
                matches!(object.role(), ObjectRole::Values | ObjectRole::Configuration(ConfigKind::Metrics));
            is_mounted && object.is_secret()
        });
        let secrets = mounted_objects.map(|object| (object.name().to_owned(), object.value_bytes() as u64));
        let shards = u32::try_from(hierarchy.agent.spec.metrics.shard_count()).unwrap_or(1);
        Self {
            name: meta.full_name(),
            shards: NonZeroU32::new(shards).unwrap_or(NonZeroU32::MIN),
            secrets: secrets.collect(),
        }
    }

    /// Formats the shards and the Secrets as text.
    pub fn text(&self, screen: Screen) -> Text {
        let mut text = Text::for_screen(screen);
        let shards = format_count(self.shards.get().into(), "shard");
        text.item(format!("GrafanaAgent {}: {shards}", self.name));
        for (name, bytes) in &self.secrets {
            text.item(format!(
                "  Secret {name}: {} bytes, {} of the Kubernetes limit; the same for every shard",
                with_thousands_separators(*bytes),
                percent(*bytes, MAX_SECRET_SIZE)
            ));
        }
        text
    }
}

/// Returns the targets in a cluster that an agent's shards divide among themselves, sorted by address. Probe targets
/// are excluded because all shards scrape them, and potential targets because their addresses are unknown.
pub fn sharded_targets<'d>(hierarchy: &'d Hierarchy<'d, 'd>, cluster: &Cluster<'_, 'd>) -> Vec<ScrapeTarget> {
    let mut targets = Vec::new();
    // Mistakes in nested YAML are ignored here, because `render` reports them.
    let _ =
        for_each_group(cluster, std::iter::once(hierarchy), &|kind, _| kind == JobKind::Metrics, &mut |_, group| {
            if !group.is_divided() || !cluster.spend(group, TargetScope::Selected) {
                return;
            }
            cluster.targets(group, TargetScope::Selected, &mut |discovered| {
                if let (TargetState::Active { address, .. }, false) = (discovered.state, discovered.is_potential) {
                    targets.push(ScrapeTarget { address, series: None });
                }
            });
        });
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;

    #[test]
    fn lists_the_secrets_that_each_shard_mounts() {
        let instances = ["MetricsInstance", "LogsInstance"].map(|kind| {
            format!("apiVersion: monitoring.grafana.com/v1alpha1\nkind: {kind}\nmetadata: {{name: i, namespace: m}}\nspec: {{}}\n---\n")
        });
        for (shards, text) in [("", "1 shard"), (", shards: 3", "3 shards"), (", shards: -1", "1 shard")] {
            let agent = format!(
                "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {{name: a, namespace: m}}\n\
                 spec: {{metrics: {{instanceSelector: {{}}{shards}}}, logs: {{instanceSelector: {{}}}}}}\n"
            );
            resolve_text(&(instances.concat() + &agent), |input| {
                let agent = ShardedAgent::new(&input.hierarchies[0], &input.rendering().output);
                let names: Vec<_> = agent.secrets.iter().map(|(name, _)| name.as_str()).collect();
                assert_eq!(names, ["a-secrets", "a-config"]);
                let agent = ShardedAgent { secrets: vec![("s".to_owned(), MAX_SECRET_SIZE / 2)], ..agent };
                let secret_line = "  Secret s: 524,288 bytes, 50.0% of the Kubernetes limit; the same for every shard";
                let expected = format!("GrafanaAgent m/a: {text}\n{secret_line}\n");
                assert_eq!(agent.text(Screen::default()).as_str(), expected);
            });
        }
    }
}
