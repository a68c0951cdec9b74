//! What belongs to a GrafanaAgent: the operator's `Deployment`.

use super::{AssetKind, SecretStore};
use crate::api::{
    GrafanaAgent, Integration, LogsInstance, MetricsInstance, ObjectRef, PodLogs, PodMonitor, Probe, Resource,
    ServiceMonitor,
};

/// An agent with all that it selects, children ordered by namespace and name, and the values they refer to.
#[derive(Clone)]
pub struct Hierarchy<'h, 'd> {
    /// The root.
    pub agent: &'h Resource<'d, GrafanaAgent<'d>>,
    /// Its MetricsInstances.
    pub metrics: Vec<MetricsHierarchy<'h, 'd>>,
    /// Its LogsInstances.
    pub logs: Vec<LogsHierarchy<'h, 'd>>,
    /// Its Integrations.
    pub integrations: Vec<&'h Resource<'d, Integration<'d>>>,
    /// The values of the Secrets and ConfigMaps that any of them refers to.
    pub secrets: SecretStore<'h, 'd>,
}

impl<'d> Hierarchy<'_, 'd> {
    /// The resources it is made of: the agent, and all that it selects.
    pub fn members(&self) -> impl Iterator<Item = ObjectRef<'d>> {
        let metrics = self.metrics.iter().flat_map(|metrics| {
            std::iter::once(metrics.instance.object_ref())
                .chain(metrics.service_monitors.iter().map(|r| r.object_ref()))
                .chain(metrics.pod_monitors.iter().map(|r| r.object_ref()))
                .chain(metrics.probes.iter().map(|r| r.object_ref()))
        });
        let logs = self.logs.iter().flat_map(|logs| {
            let pod_logs = logs.pod_logs.iter().map(|r| r.object_ref());
            std::iter::once(logs.instance.object_ref()).chain(pod_logs)
        });
        std::iter::once(self.agent.object_ref())
            .chain(metrics)
            .chain(logs)
            .chain(self.integrations.iter().map(|r| r.object_ref()))
    }

    /// Whether a resource is one of its members.
    pub fn contains(&self, object: ObjectRef<'_>) -> bool {
        self.members().any(|member| member == object)
    }

    /// Whether `<agent>-secrets` holds a value of a Secret.
    pub fn has_secret_values(&self) -> bool {
        self.secrets.iter().any(|(key, _)| key.kind == AssetKind::Secret)
    }
}

/// A MetricsInstance with its monitors.
#[derive(Clone)]
pub struct MetricsHierarchy<'h, 'd> {
    /// The instance.
    pub instance: &'h Resource<'d, MetricsInstance<'d>>,
    /// Its ServiceMonitors, without those that file system access is denied to.
    pub service_monitors: Vec<&'h Resource<'d, ServiceMonitor<'d>>>,
    /// Its PodMonitors.
    pub pod_monitors: Vec<&'h Resource<'d, PodMonitor<'d>>>,
    /// Its Probes.
    pub probes: Vec<&'h Resource<'d, Probe<'d>>>,
}

impl MetricsHierarchy<'_, '_> {
    /// Whether any scrape job asks the API server for its targets.
    pub fn discovers_targets(&self) -> bool {
        let monitors = self.service_monitors.iter();
        let pods = self.pod_monitors.iter();
        let probes = self.probes.iter();
        monitors.map(|r| r.spec.endpoints.len()).any(|count| count > 0)
            || pods.map(|r| r.spec.pod_metrics_endpoints.len()).any(|count| count > 0)
            || probes
                .map(|r| &r.spec.targets)
                .any(|targets| targets.static_config.is_none())
    }
}

/// A LogsInstance with its PodLogs.
#[derive(Clone)]
pub struct LogsHierarchy<'h, 'd> {
    /// The instance.
    pub instance: &'h Resource<'d, LogsInstance<'d>>,
    /// Its PodLogs.
    pub pod_logs: Vec<&'h Resource<'d, PodLogs<'d>>>,
}
