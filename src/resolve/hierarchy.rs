//! All objects that belong to a GrafanaAgent. Corresponds to the operator's `Deployment`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::references::{self, AgentUse, KeyReference, References, Usage};
use super::{AssetKey, SearchedNamespaces, SecretStore};
use crate::api::{
    AnyResource, GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, Monitor, PodLogs, PodMonitor, Probe,
    Resource, ServiceMonitor,
};

/// An agent with all resources that it selects, sorted by namespace and name, and the values that these resources refer
/// to.
pub struct Hierarchy<'h, 'd> {
    /// Root of the hierarchy.
    pub agent: &'h Resource<'d, GrafanaAgent<'d>>,
    pub metrics: Vec<MetricsHierarchy<'h, 'd>>,
    pub logs: Vec<LogsHierarchy<'h, 'd>>,
    pub integrations: Vec<&'h Resource<'d, Integration<'d>>>,
    /// Fields that refer to a key in a Secret or ConfigMap, with the members that contain them.
    pub references: Vec<(AnyResource<'h, 'd>, KeyReference<'d>)>,
    /// Values of Secrets and ConfigMaps that the resources refer to.
    pub secrets: SecretStore<'h, 'd>,
}

impl<'h, 'd> Hierarchy<'h, 'd> {
    /// Returns the instances of both kinds, each with the resources that it selects.
    pub fn instances(&self) -> impl Iterator<Item = (AnyResource<'h, 'd>, Vec<AnyResource<'h, 'd>>)> {
        let metrics = self.metrics.iter().map(|metrics| {
            let instance = AnyResource::MetricsInstance(metrics.instance);
            (instance, metrics.children().collect())
        });
        let logs = self.logs.iter().map(|logs| {
            let instance = AnyResource::LogsInstance(logs.instance);
            (instance, logs.children().collect())
        });
        metrics.chain(logs)
    }

    /// Returns the agent and all resources that it selects. A resource selected by several instances appears once per
    /// instance.
    pub fn members(&self) -> impl Iterator<Item = AnyResource<'h, 'd>> {
        let instances = self.instances().flat_map(|(instance, children)| std::iter::once(instance).chain(children));
        let integrations = self.integrations.iter().copied().map(AnyResource::Integration);
        std::iter::once(AnyResource::GrafanaAgent(self.agent)).chain(instances).chain(integrations)
    }

    /// Returns the references in all members. `known` must contain the references in all members except the agent.
    pub(super) fn find_references(&self, known: &References<'d>) -> Vec<(AnyResource<'h, 'd>, KeyReference<'d>)> {
        let agent_use = self.agent_use();
        let member_references = self.members().flat_map(|member| {
            let references = match member {
                AnyResource::GrafanaAgent(_) => references::collect(member, agent_use),
                _ => known.get(&member).to_vec(),
            };
            references.into_iter().map(move |reference| (member, reference))
        });
        member_references.collect()
    }

    /// Returns the agent's settings that its configurations use.
    pub fn agent_use(&self) -> AgentUse {
        let has_no_clients = |l: &LogsHierarchy<'_, 'd>| l.instance.spec.clients.is_empty();
        AgentUse {
            remote_write: !self.metrics.is_empty() || !self.integrations.is_empty(),
            clients: self.logs.iter().any(has_no_clients) && !self.agent.spec.logs.clients.is_empty(),
            api_server: self.metrics.iter().any(MetricsHierarchy::discovers_targets)
                || self.logs.iter().any(|l| !l.pod_logs.is_empty()),
        }
    }

    /// Whether `<agent>-secrets` contains any Secret value.
    pub fn has_secret_values(&self) -> bool {
        self.secrets.iter().any(|(key, _)| key.kind == Kind::Secret)
    }
}

/// A MetricsInstance with its monitors.
pub struct MetricsHierarchy<'h, 'd> {
    pub instance: &'h Resource<'d, MetricsInstance<'d>>,
    /// Selected ServiceMonitors, except those that refer to files even though the agent denies access to them.
    pub service_monitors: Vec<&'h Resource<'d, ServiceMonitor<'d>>>,
    pub pod_monitors: Vec<&'h Resource<'d, PodMonitor<'d>>>,
    pub probes: Vec<&'h Resource<'d, Probe<'d>>>,
    /// Kinds of monitors that the instance selects, each with the namespaces to search.
    pub searched: Vec<(Kind, SearchedNamespaces<'d>)>,
}

impl<'h, 'd> MetricsHierarchy<'h, 'd> {
    /// Returns all resources that the instance selects.
    pub fn children(&self) -> impl Iterator<Item = AnyResource<'h, 'd>> {
        let service_monitors = self.service_monitors.iter().copied().map(AnyResource::ServiceMonitor);
        let pods = self.pod_monitors.iter().copied().map(AnyResource::PodMonitor);
        let probes = self.probes.iter().copied().map(AnyResource::Probe);
        service_monitors.chain(pods).chain(probes)
    }

    /// Returns the ServiceMonitors, followed by the PodMonitors.
    pub fn monitors(&self) -> impl Iterator<Item = Monitor<'h, 'd>> {
        let service_monitors = self.service_monitors.iter().copied().map(Monitor::from);
        service_monitors.chain(self.pod_monitors.iter().copied().map(Monitor::from))
    }

    /// Whether any scrape job discovers targets through the API server.
    pub fn discovers_targets(&self) -> bool {
        let mut probes = self.probes.iter();
        self.monitors().any(|monitor| !monitor.endpoints.is_empty())
            || probes.any(|probe| probe.spec.targets.static_config.is_none())
    }
}

/// A LogsInstance with its PodLogs.
pub struct LogsHierarchy<'h, 'd> {
    pub instance: &'h Resource<'d, LogsInstance<'d>>,
    pub pod_logs: Vec<&'h Resource<'d, PodLogs<'d>>>,
}

impl<'h, 'd> LogsHierarchy<'h, 'd> {
    /// Returns all resources that the instance selects.
    pub fn children(&self) -> impl Iterator<Item = AnyResource<'h, 'd>> {
        self.pod_logs.iter().copied().map(AnyResource::PodLogs)
    }
}

/// Returns a stable token that identifies the value: `placeholder:Secret/namespace/name/key`. If the operator reads the
/// value as a list of scrape jobs, returns a list with a job whose name is the token.
pub fn placeholder(key: &AssetKey<'_>, usage: Usage) -> String {
    let token = format!("placeholder:{}/{}/{}/{}", key.kind, key.namespace, key.name, key.key);
    match usage {
        Usage::ScrapeConfigs => format!("- job_name: {token}\n"),
        Usage::Value | Usage::File | Usage::Unused => token,
    }
}

impl<'d> Hierarchy<'_, 'd> {
    /// Returns the values in `<agent>-secrets`, with placeholders for Secret values. ConfigMap values are not secret,
    /// so they are kept.
    pub fn placeholders(&self) -> impl Iterator<Item = (&AssetKey<'d>, Cow<'_, [u8]>)> {
        let references = self.references.iter().filter(|(_, reference)| reference.usage == Usage::ScrapeConfigs);
        let jobs: BTreeSet<_> =
            references.map(|(referrer, reference)| reference.key(referrer.meta.namespace)).collect();
        self.secrets.iter().map(move |(key, value)| {
            let usage = match jobs.contains(key) {
                true => Usage::ScrapeConfigs,
                false => Usage::Value,
            };
            match key.kind {
                Kind::Secret => (key, Cow::Owned(placeholder(key, usage).into_bytes())),
                _ => (key, Cow::Borrowed(value)),
            }
        })
    }
}
