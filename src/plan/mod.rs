//! What an agent must do: a hierarchy with every rule of the operator applied, and nothing of how it is spelt.
//!
//! The plan follows the operator's `config.BuildConfig` and its templates; a target writes it. Text is borrowed from the
//! sources. Settings that the operator passes on as they are stay in the types of [`crate::api`]; what it adds or decides
//! has a type here, and each value has its [`Origin`]. References to Secrets and ConfigMaps are keys of the hierarchy's
//! store: each target decides how it uses them.

mod diagnostics;
mod discovery;
mod embedded;
mod free_form;
mod http;
mod origin;
mod pod_logs;
mod pod_monitor;
mod probe;
mod receivers;
mod relabel;
mod scrape_job;
mod secrets;
mod service_monitor;
mod settings;
mod stages;
mod watch;

pub use discovery::{Discovery, Namespaces, Role};
pub use embedded::EmbeddedYaml;
pub use free_form::{AdditionalJobs, Credential};
pub use http::{ApiServerClient, File, HttpClient, Token};
pub use origin::Origin;
pub use receivers::{ExternalLabels, LokiClient, RemoteWriteClient, of_metrics as remote_write_clients};
pub use relabel::{Labels, RelabelRule, SHARD};
pub use scrape_job::{JobKind, JobName, ScrapeJob, Targets};
pub use secrets::Secrets;
pub use stages::{Stages, bucket};
pub use watch::{Watch, Watcher, follows};

use crate::api::{self, GrafanaAgent, ObjectRef, Resource, ResourceHeader};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, LogsHierarchy, MetricsHierarchy, SecretStore};
use crate::yaml::Value;
use scrape_job::JobRules;

/// One of an agent's configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigKind {
    /// Of the StatefulSets that scrape metrics (`agent-metrics.libsonnet`).
    Metrics,
    /// Of the DaemonSet that reads logs (`agent-logs.libsonnet`).
    Logs,
    /// Of the pods that run integrations (`agent-integrations.libsonnet`). It has the instances that integrations send
    /// with, without jobs of monitors and PodLogs.
    Integrations {
        /// Those that run on every node, or the others.
        all_nodes: bool,
    },
}

impl ConfigKind {
    /// The configurations of a hierarchy; a part with nothing in it has none.
    pub fn of(hierarchy: &Hierarchy<'_, '_>) -> Vec<ConfigKind> {
        let mut parts = vec![ConfigKind::Metrics, ConfigKind::Logs];
        parts.extend([false, true].map(|all_nodes| ConfigKind::Integrations { all_nodes }));
        parts.retain(|part| match part {
            ConfigKind::Metrics => !hierarchy.metrics.is_empty(),
            ConfigKind::Logs => !hierarchy.logs.is_empty(),
            ConfigKind::Integrations { .. } => hierarchy.integrations.iter().any(|one| part.runs(&one.spec)),
        });
        parts
    }

    /// Whether an integration runs in the pods of this configuration (`deploymentIntegrationSubset`).
    pub fn runs(self, integration: &api::Integration<'_>) -> bool {
        let all_nodes = integration.r#type.all_nodes;
        self == ConfigKind::Integrations { all_nodes }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            ConfigKind::Metrics => "metrics",
            ConfigKind::Logs => "logs",
            ConfigKind::Integrations { all_nodes: false } => "integrations-deploy",
            ConfigKind::Integrations { all_nodes: true } => "integrations-ds",
        }
    }
}

/// What an agent must do in some of its parts.
pub struct Plan<'d> {
    pub parts: Vec<ConfigKind>,
    /// The agent, with its server and what it decides for all metrics.
    pub agent: &'d Resource<'d, GrafanaAgent<'d>>,
    /// The values of Secrets and ConfigMaps. One that is missing was reported when the hierarchy was resolved.
    pub secrets: &'d SecretStore<'d, 'd>,
    /// Labels on all metrics.
    pub external_labels: ExternalLabels<'d>,
    /// Where metrics of instances without receivers are sent.
    pub receivers: Vec<RemoteWriteClient<'d>>,
    pub metrics: Vec<MetricsInstance<'d>>,
    pub logs: Vec<LogsInstance<'d>>,
    pub integrations: Vec<Integration<'d>>,
    /// Credentials that were taken out of additional scrape jobs ([`Plan::take_credentials`]).
    pub credentials: Vec<Credential<'d>>,
}

/// A set of scrape jobs with its own receivers.
pub struct MetricsInstance<'d> {
    /// The resource, with the settings of the write-ahead log.
    pub resource: &'d Resource<'d, api::MetricsInstance<'d>>,
    /// Where metrics are sent; to those of the agent if there are none.
    pub receivers: Vec<RemoteWriteClient<'d>>,
    /// Jobs behind those of the monitors.
    pub additional: Option<AdditionalJobs<'d>>,
    /// The monitors.
    pub selected: &'d MetricsHierarchy<'d, 'd>,
    rules: JobRules<'d>,
}

/// A set of jobs that read logs, with its own receivers.
pub struct LogsInstance<'d> {
    /// The resource, with the settings of its targets.
    pub resource: &'d Resource<'d, api::LogsInstance<'d>>,
    /// Where logs are sent.
    pub receivers: Vec<LokiClient<'d>>,
    /// Jobs behind those of the PodLogs.
    pub additional: Option<AdditionalJobs<'d>>,
    hierarchy: &'d LogsHierarchy<'d, 'd>,
    rules: JobRules<'d>,
}

pub struct Integration<'d> {
    /// The resource, with the name of the integration and whether it runs on all nodes.
    pub resource: &'d Resource<'d, api::Integration<'d>>,
    pub config: Value<'d>,
    /// The field with the configuration.
    pub origin: Origin<'d>,
}

impl<'d> Plan<'d> {
    /// Plans these parts of a hierarchy, and whatever they share. Mistakes in nested YAML are reported once, and what is
    /// wrong is left out.
    pub fn new(hierarchy: &'d Hierarchy<'d, 'd>, parts: &[ConfigKind], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let (agent, secrets) = (hierarchy.agent, &hierarchy.secrets);
        let is_for = |other: ConfigKind| parts.iter().any(|part| *part != other);
        let rules = JobRules::of_metrics(agent);
        let metrics = hierarchy.metrics.iter().filter(|_| is_for(ConfigKind::Logs));
        let metrics = metrics.map(|hierarchy| {
            let resource = hierarchy.instance;
            let (spec, origin) = (&resource.spec, Origin::of(resource).at("spec.remoteWrite"));
            MetricsInstance {
                resource,
                receivers: receivers::of_metrics(&spec.remote_write, resource.meta.namespace, origin),
                additional: AdditionalJobs::read(resource, spec.additional_scrape_configs, secrets, diagnostics),
                selected: hierarchy,
                rules,
            }
        });
        let metrics = metrics.collect();
        let logs = hierarchy.logs.iter().filter(|_| is_for(ConfigKind::Metrics));
        let logs = logs.map(|hierarchy| {
            if parts.contains(&ConfigKind::Logs) {
                for pod_logs in &hierarchy.pod_logs {
                    stages::check(pod_logs, diagnostics);
                }
            }
            let resource = hierarchy.instance;
            let jobs = resource.spec.additional_scrape_configs;
            LogsInstance {
                resource,
                receivers: receivers::of_logs(agent, resource),
                additional: AdditionalJobs::read(resource, jobs, secrets, diagnostics),
                hierarchy,
                rules: JobRules::of_logs(agent),
            }
        });
        let integrations = hierarchy.integrations.iter().map(|&resource| Integration {
            resource,
            config: free_form::config(resource),
            origin: Origin::of(resource).at("spec.config"),
        });
        Self {
            parts: parts.to_vec(),
            agent,
            secrets,
            external_labels: ExternalLabels::of_metrics(&agent.spec),
            receivers: receivers::of_metrics(
                &agent.spec.metrics.remote_write,
                agent.meta.namespace,
                Origin::of(agent).at("spec.metrics.remoteWrite"),
            ),
            metrics,
            logs: logs.collect(),
            integrations: integrations.collect(),
            credentials: Vec::new(),
        }
    }

    /// Takes the credentials out of all additional scrape jobs, for a configuration that may not hold them; `all` takes every text
    /// that is not known to be a setting.
    pub fn take_credentials(&mut self, all: bool) {
        let metrics = self.metrics.iter_mut().map(|instance| &mut instance.additional);
        let logs = self.logs.iter_mut().map(|instance| &mut instance.additional);
        for additional in metrics.chain(logs).flatten() {
            additional.take_credentials(self.secrets, all, &mut self.credentials);
        }
    }

    /// Leaves everything out that would be written, where it is too much.
    pub fn clear(&mut self) {
        self.metrics.clear();
        self.logs.clear();
        self.integrations.clear();
    }

    /// Where the metrics of an instance are sent.
    pub fn receivers_of<'s>(&'s self, instance: &'s MetricsInstance<'d>) -> &'s [RemoteWriteClient<'d>] {
        match instance.receivers.as_slice() {
            [] => &self.receivers,
            receivers => receivers,
        }
    }
}

impl<'d> Plan<'d> {
    /// The settings that keep a program from finding monitors itself, each with what it cannot do with them.
    pub fn obstacles(&self, watcher: Watcher) -> impl Iterator<Item = (Origin<'d>, &'static str)> + use<'d> {
        let agent = Origin::of(self.agent);
        watch::obstacles(&self.agent.spec.metrics, watcher).map(move |(field, what)| (agent.at(field), what))
    }

    /// The monitors of an instance that a program finds itself; none where the configuration has their jobs.
    pub fn watched(&self, instance: &MetricsInstance<'d>, watcher: Option<Watcher>) -> Option<Vec<Watch<'d>>> {
        follows(&self.agent.spec, watcher).then(|| watch::watches(instance.selected))
    }

    /// The API server that an agent asks in the place of that of its cluster.
    pub fn api_server(&self) -> Option<ApiServerClient<'d>> {
        HttpClient::of_api_server(self.agent)
    }

    /// The rules that leave each shard its share of the targets; none for a single shard.
    pub fn shard_rules(&self) -> Option<[RelabelRule<'d>; 2]> {
        let shards = self.agent.spec.metrics.shard_count().unsigned_abs();
        (shards > 1).then(|| relabel::shard(u64::from(shards), Origin::of(self.agent).at("spec.metrics.shards")))
    }
}

impl<'d> Plan<'d> {
    /// All instances, those of metrics in front.
    pub fn instances(&self) -> impl Iterator<Item = Instance<'_, 'd>> {
        let metrics = self.metrics.iter().map(Instance::Metrics);
        metrics.chain(self.logs.iter().map(Instance::Logs))
    }

    /// The instance of this kind and number.
    pub fn instance(&self, (kind, number): (JobKind, usize)) -> Option<Instance<'_, 'd>> {
        match kind {
            JobKind::Metrics => self.metrics.get(number).map(Instance::Metrics),
            JobKind::Logs => self.logs.get(number).map(Instance::Logs),
        }
    }
}

/// An instance of either kind.
#[derive(Clone, Copy)]
pub enum Instance<'p, 'd> {
    Metrics(&'p MetricsInstance<'d>),
    Logs(&'p LogsInstance<'d>),
}

impl<'p, 'd> Instance<'p, 'd> {
    pub fn kind(self) -> JobKind {
        match self {
            Instance::Metrics(_) => JobKind::Metrics,
            Instance::Logs(_) => JobKind::Logs,
        }
    }

    /// The configuration that has its jobs.
    pub fn part(self) -> ConfigKind {
        match self {
            Instance::Metrics(_) => ConfigKind::Metrics,
            Instance::Logs(_) => ConfigKind::Logs,
        }
    }

    pub fn resource(self) -> &'d ResourceHeader<'d> {
        match self {
            Instance::Metrics(instance) => instance.resource,
            Instance::Logs(instance) => instance.resource,
        }
    }

    /// Jobs behind those of the monitors or PodLogs.
    pub fn additional(self) -> Option<&'p AdditionalJobs<'d>> {
        match self {
            Instance::Metrics(instance) => instance.additional.as_ref(),
            Instance::Logs(instance) => instance.additional.as_ref(),
        }
    }

    /// The monitors or PodLogs with their jobs.
    pub fn monitors(self) -> Box<dyn Iterator<Item = MonitorJobs<'d>> + 'd> {
        match self {
            Instance::Metrics(&MetricsInstance { selected, rules, .. }) => {
                let service_monitors = selected.service_monitors.iter();
                let service_monitors =
                    service_monitors.map(move |&of| of_monitor(of, service_monitor::jobs(rules, of)));
                let pod_monitors = selected.pod_monitors.iter();
                let pod_monitors = pod_monitors.map(move |&of| of_monitor(of, pod_monitor::jobs(rules, of)));
                let probes = selected.probes.iter();
                let probes = probes.map(move |&of| of_monitor(of, probe::job(rules, of).into_iter()));
                Box::new(service_monitors.chain(pod_monitors).chain(probes))
            }
            Instance::Logs(&LogsInstance { hierarchy, rules, .. }) => {
                let pod_logs = hierarchy.pod_logs.iter();
                Box::new(pod_logs.map(move |&of| of_monitor(of, std::iter::once(pod_logs::job(rules, of)))))
            }
        }
    }

    /// The jobs of these. Each is made when its turn comes: there may be many.
    pub fn jobs(self) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        self.monitors().flat_map(|(_, jobs)| jobs)
    }
}

impl<'d> MetricsInstance<'d> {
    /// The jobs of the monitors.
    pub fn jobs(&self) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        Instance::Metrics(self).jobs()
    }
}

/// A monitor or PodLogs, and the jobs that it becomes.
pub type MonitorJobs<'d> = (ObjectRef<'d>, Box<dyn Iterator<Item = ScrapeJob<'d>> + 'd>);

fn of_monitor<'d>(monitor: &ResourceHeader<'d>, jobs: impl Iterator<Item = ScrapeJob<'d>> + 'd) -> MonitorJobs<'d> {
    (monitor.object_ref(), Box::new(jobs))
}

impl<'d> LogsInstance<'d> {
    /// The jobs of the PodLogs.
    pub fn jobs(&self) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        Instance::Logs(self).jobs()
    }
}
