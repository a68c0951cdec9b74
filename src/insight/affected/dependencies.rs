//! What of an agent depends on which resource, by the rules of the templates and manifests:
//!
//! ```text
//! monitors, PodLogs   the configuration of metrics or logs
//! instances           that and those of Integrations; the pods where there is no other instance
//! Integrations        their configuration; the pods where they mount something or there is no other Integration
//! Secrets, ConfigMaps <agent>-secrets, and the configurations that their values are written into
//! Namespaces          what their labels may let in or keep out
//! ```
//!
//! What refers to values has them copied into `<agent>-secrets`.

use std::collections::{BTreeMap, BTreeSet};

use super::copied::{Copied, Referrer, keys};
use super::namespace;
use super::part::{Part, Parts};
use crate::api::{Integration, ObjectRef, Resource, Resources};
use crate::resolve::references::{self, AgentUse, Reference};
use crate::resolve::{Hierarchy, MetricsHierarchy, Namespaces, agent_use};

/// What depends on a resource, and through which others.
#[derive(Clone, Debug, Default)]
pub struct Reach<'d> {
    /// What depends on it.
    pub parts: Parts,
    /// The resources between it and the agent.
    pub through: BTreeSet<ObjectRef<'d>>,
}

/// Every resource that something of an agent depends on.
pub fn dependencies<'d>(
    hierarchy: &Hierarchy<'_, 'd>,
    resources: &Resources<'d>,
    namespaces: &Namespaces<'d>,
) -> BTreeMap<ObjectRef<'d>, Reach<'d>> {
    let mut all = Dependencies {
        hierarchy,
        found: BTreeMap::new(),
        copied: Copied::default(),
    };
    all.agent();
    for metrics in &hierarchy.metrics {
        all.metrics(metrics);
    }
    all.logs();
    all.integrations();
    all.instances();
    let mut found = all.found;
    for described in &resources.namespaces {
        let reach = namespace::reach(described.meta.name, hierarchy, resources, namespaces, &all.copied);
        if reach.parts != Parts::default() {
            found.insert(described.object_ref(), reach);
        }
    }
    found
}

/// The configurations that hold what instances send with.
const WITH_INSTANCES: [Part; 2] = [Part::Integrations, Part::NodeIntegrations];

struct Dependencies<'r, 'h, 'd> {
    hierarchy: &'r Hierarchy<'h, 'd>,
    found: BTreeMap<ObjectRef<'d>, Reach<'d>>,
    copied: Copied<'d>,
}

impl<'d> Dependencies<'_, '_, 'd> {
    fn add(&mut self, object: ObjectRef<'d>, parts: Parts, through: Option<ObjectRef<'d>>) {
        let reach = self.found.entry(object).or_default();
        reach.parts = reach.parts.and(parts);
        reach.through.extend(through);
    }

    /// A resource with what it refers to: `written` are the configurations that its values go into, `parts` what depends on
    /// the resource itself.
    fn referring<S>(
        &mut self,
        resource: &Resource<'d, S>,
        instance: Option<ObjectRef<'d>>,
        references: &[Reference<'d>],
        written: Parts,
        parts: Parts,
    ) {
        let (namespace, object) = (resource.meta.namespace, resource.object_ref());
        for reference in references {
            let referred = ObjectRef {
                kind: reference.kind.kind(),
                namespace,
                name: reference.selector.name,
            };
            let written = if reference.usage.is_needed() {
                written
            } else {
                Parts::default()
            };
            self.add(referred, written.with(Part::Values), Some(object));
        }
        let mut copies = false;
        for key in keys(namespace, references).filter(|key| self.hierarchy.secrets.bytes(key).is_some()) {
            self.copied.add(key, Referrer { instance, object });
            copies = true;
        }
        let through = instance.filter(|instance| *instance != object);
        self.add(object, parts.with_if(copies, Part::Values), through);
    }

    /// The agent itself, and what it refers to: each configuration makes use of other fields.
    fn agent(&mut self) {
        let hierarchy = self.hierarchy;
        let agent = hierarchy.agent;
        let used = agent_use(agent, hierarchy);
        let metrics = AgentUse {
            clients: false,
            api_server: hierarchy.metrics.iter().any(MetricsHierarchy::discovers_targets),
            ..used
        };
        let logs = AgentUse {
            remote_write: false,
            api_server: hierarchy.logs.iter().any(|logs| !logs.pod_logs.is_empty()),
            ..used
        };
        let with_instances = AgentUse {
            api_server: false,
            ..used
        };
        for (used, written) in [
            (metrics, Parts::of(&[Part::Metrics])),
            (logs, Parts::of(&[Part::Logs])),
            (with_instances, Parts::of(&WITH_INSTANCES)),
        ] {
            self.referring(agent, None, &references::of_agent(agent, used), written, Parts::ALL);
        }
    }

    fn metrics(&mut self, metrics: &MetricsHierarchy<'_, 'd>) {
        let instance = metrics.instance;
        let by = Some(instance.object_ref());
        let config = Parts::of(&[Part::Metrics]);
        let written = config.and(Parts::of(&WITH_INSTANCES));
        let references = references::of_metrics_instance(&instance.spec);
        self.referring(instance, by, &references, written, written);
        for monitor in &metrics.service_monitors {
            let references = references::of_service_monitor(&monitor.spec);
            self.referring(monitor, by, &references, config, config);
        }
        for monitor in &metrics.pod_monitors {
            let references = references::of_pod_monitor(&monitor.spec);
            self.referring(monitor, by, &references, config, config);
        }
        for probe in &metrics.probes {
            self.referring(probe, by, &references::of_probe(&probe.spec), config, config);
        }
    }

    fn logs(&mut self) {
        for logs in &self.hierarchy.logs {
            let instance = logs.instance;
            let by = Some(instance.object_ref());
            let config = Parts::of(&[Part::Logs]);
            let written = config.and(Parts::of(&WITH_INSTANCES));
            let references = references::of_logs_instance(&instance.spec);
            self.referring(instance, by, &references, written, written);
            for pod_logs in &logs.pod_logs {
                self.add(pod_logs.object_ref(), config, by);
            }
        }
    }

    fn integrations(&mut self) {
        let all = &self.hierarchy.integrations;
        for &integration in all {
            let alone = all.iter().filter(|other| runs_alike(other, integration)).count() == 1;
            let references = references::of_integration(&integration.spec);
            let parts = integration_parts(integration, alone);
            self.referring(integration, None, &references, Parts::default(), parts);
        }
    }

    /// What goes with an instance: the values that only it and its children refer to, and the pods with the last one.
    fn instances(&mut self) {
        let (metrics, logs) = (&self.hierarchy.metrics, &self.hierarchy.logs);
        let metrics_pods = metrics
            .iter()
            .map(|m| (m.instance.object_ref(), Part::MetricsPods, metrics.len()));
        let logs_pods = logs
            .iter()
            .map(|l| (l.instance.object_ref(), Part::LogsPods, logs.len()));
        for (instance, pods, count) in metrics_pods.chain(logs_pods) {
            let values = self.copied.go_with(|referrer| referrer.instance == Some(instance));
            let parts = Parts::default().with_if(values, Part::Values).with_if(count == 1, pods);
            self.add(instance, parts, None);
        }
    }
}

/// What depends on an Integration; `alone`, where no other runs where it does.
pub fn integration_parts(integration: &Resource<'_, Integration<'_>>, alone: bool) -> Parts {
    let spec = &integration.spec;
    let (config, pods) = match spec.r#type.all_nodes {
        true => (Part::NodeIntegrations, Part::NodeIntegrationsPods),
        false => (Part::Integrations, Part::IntegrationsPods),
    };
    let mounts = !spec.volumes.is_empty()
        || !spec.volume_mounts.is_empty()
        || !spec.secrets.is_empty()
        || !spec.config_maps.is_empty();
    Parts::of(&[config]).with_if(alone || mounts, pods)
}

/// Whether two Integrations run in the same pods.
pub fn runs_alike(one: &Resource<'_, Integration<'_>>, other: &Resource<'_, Integration<'_>>) -> bool {
    one.spec.r#type.all_nodes == other.spec.r#type.all_nodes
}
