//! Plans an agent's configuration: its hierarchy with all of the operator's rules applied, independent of the output
//! format.
//!
//! The plan follows the operator's `config.BuildConfig` and its templates, and an output target writes it. Strings are
//! borrowed from the sources. Settings that the operator copies unchanged keep their types from [`crate::api`]. Values
//! that the operator adds or derives have types in this module, and each of them records its [`Origin`]. References to
//! Secrets and ConfigMaps are keys in the hierarchy's store, and each target resolves them in its own way.

mod diagnostics;
mod discovery;
mod embedded;
mod free_form;
mod http;
mod job_source;
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
mod times;
mod watch;

pub use discovery::{Discovery, DiscoveryNamespaces, DiscoveryRole};
pub use embedded::EmbeddedYaml;
pub use free_form::{AdditionalJobs, Credential};
pub use http::{ApiServerClient, BearerToken, File, HttpClient};
pub use job_source::JobSource;
pub use origin::Origin;
pub use receivers::{ExternalLabels, LokiClient, RemoteWriteClient, for_metrics as remote_write_clients};
pub use relabel::{LabelNames, RelabelAction, RelabelRule, SHARD};
pub use scrape_job::{JobKind, JobName, ScrapeJob, TargetSource};
pub use secrets::SecretRepresentation;
pub use stages::{Stages, bucket};
pub use times::{
    MAX_WAL_TIME, MIN_WAL_TIME, SCRAPE_INTERVAL, SCRAPE_TIMEOUT, TRUNCATE_FREQUENCY, explicit_time, shared_times,
    shorter_time,
};
pub use watch::{MonitorWatch, Watcher, discovers_monitors};

use crate::api::{self, AnyResource, GrafanaAgent, Resource, ResourceHeader};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, LogsHierarchy, MetricsHierarchy, SecretStore};
use crate::yaml::Value;
use scrape_job::JobRules;

/// Kind of configuration that an agent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigKind {
    /// Configuration for the StatefulSets that scrape metrics (`agent-metrics.libsonnet`).
    Metrics,
    /// Configuration for the DaemonSet that reads logs (`agent-logs.libsonnet`).
    Logs,
    /// Configuration for the pods that run integrations (`agent-integrations.libsonnet`). It contains the instances
    /// that integrations send to, without the jobs for monitors and PodLogs.
    Integrations {
        /// Whether the integrations run on every node.
        all_nodes: bool,
    },
}

impl ConfigKind {
    /// Returns a hierarchy's non-empty configurations.
    pub fn non_empty_kinds(hierarchy: &Hierarchy<'_, '_>) -> Vec<ConfigKind> {
        let mut parts = vec![ConfigKind::Metrics, ConfigKind::Logs];
        parts.extend([false, true].map(|all_nodes| ConfigKind::Integrations { all_nodes }));
        parts.retain(|part| match part {
            ConfigKind::Metrics => !hierarchy.metrics.is_empty(),
            ConfigKind::Logs => !hierarchy.logs.is_empty(),
            ConfigKind::Integrations { .. } => {
                hierarchy.integrations.iter().any(|integration| part.runs(&integration.spec))
            }
        });
        parts
    }

    /// Whether an integration runs in the pods of this configuration (`deploymentIntegrationSubset`).
    pub fn runs(self, integration: &api::Integration<'_>) -> bool {
        let all_nodes = integration.r#type.all_nodes;
        self == ConfigKind::Integrations { all_nodes }
    }

    /// Returns the name of the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            ConfigKind::Metrics => "metrics",
            ConfigKind::Logs => "logs",
            ConfigKind::Integrations { all_nodes: false } => "integrations-deploy",
            ConfigKind::Integrations { all_nodes: true } => "integrations-ds",
        }
    }
}

/// Plan for a subset of an agent's configurations.
pub struct Plan<'d> {
    pub parts: Vec<ConfigKind>,
    /// Agent, with its server settings and global metrics settings.
    pub agent: &'d Resource<'d, GrafanaAgent<'d>>,
    /// Values of Secrets and ConfigMaps. Missing values have already been reported.
    pub secrets: &'d SecretStore<'d, 'd>,
    /// Labels on all metrics.
    pub external_labels: ExternalLabels<'d>,
    /// Receivers for the metrics of instances that have no receivers of their own.
    pub receivers: Vec<RemoteWriteClient<'d>>,
    pub metrics: Vec<MetricsInstance<'d>>,
    pub logs: Vec<LogsInstance<'d>>,
    pub integrations: Vec<Integration<'d>>,
    /// Credentials moved out of additional scrape jobs ([`Plan::take_credentials`]).
    pub credentials: Vec<Credential<'d>>,
}

/// A set of scrape jobs with its own receivers.
pub struct MetricsInstance<'d> {
    /// Resource, which contains the settings for the write-ahead log.
    pub resource: &'d Resource<'d, api::MetricsInstance<'d>>,
    /// Receivers for the metrics. If empty, the agent's receivers are used.
    pub receivers: Vec<RemoteWriteClient<'d>>,
    /// Additional jobs, which follow the monitors' jobs.
    pub additional_jobs: Option<AdditionalJobs<'d>>,
    /// Instance and its selected monitors.
    pub hierarchy: &'d MetricsHierarchy<'d, 'd>,
    rules: JobRules<'d>,
}

/// A set of jobs that read logs, with its own receivers.
pub struct LogsInstance<'d> {
    /// Resource, which contains the settings for the instance's targets.
    pub resource: &'d Resource<'d, api::LogsInstance<'d>>,
    /// Receivers for the logs.
    pub receivers: Vec<LokiClient<'d>>,
    /// Additional jobs, which follow the PodLogs' jobs.
    pub additional_jobs: Option<AdditionalJobs<'d>>,
    hierarchy: &'d LogsHierarchy<'d, 'd>,
    rules: JobRules<'d>,
}

pub struct Integration<'d> {
    /// Resource, which contains the integration's name and whether it runs on all nodes.
    pub resource: &'d Resource<'d, api::Integration<'d>>,
    pub config: Value<'d>,
    /// Field that contains the configuration.
    pub origin: Origin<'d>,
}

impl<'d> Plan<'d> {
    /// Plans the configurations in `parts` and all settings that they share. Problems in nested YAML are reported once,
    /// and the invalid parts are omitted.
    pub fn new(hierarchy: &'d Hierarchy<'d, 'd>, parts: &[ConfigKind], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let (agent, secrets) = (hierarchy.agent, &hierarchy.secrets);
        let has_other_part = |other: ConfigKind| parts.iter().any(|part| *part != other);
        let rules = JobRules::for_metrics(agent);
        let metrics = hierarchy.metrics.iter().filter(|_| has_other_part(ConfigKind::Logs));
        let metrics = metrics.map(|hierarchy| {
            let resource = hierarchy.instance;
            let (spec, origin) = (&resource.spec, Origin::new(resource).at("spec.remoteWrite"));
            MetricsInstance {
                resource,
                receivers: receivers::for_metrics(&spec.remote_write, resource.meta.namespace, origin),
                additional_jobs: AdditionalJobs::read(resource, spec.additional_scrape_configs, secrets, diagnostics),
                hierarchy,
                rules,
            }
        });
        let metrics = metrics.collect();
        let logs = hierarchy.logs.iter().filter(|_| has_other_part(ConfigKind::Metrics));
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
                receivers: receivers::for_logs(agent, resource),
                additional_jobs: AdditionalJobs::read(resource, jobs, secrets, diagnostics),
                hierarchy,
                rules: JobRules::for_logs(agent),
            }
        });
        let integrations = hierarchy.integrations.iter().map(|&resource| Integration {
            resource,
            config: free_form::config(resource),
            origin: Origin::new(resource).at("spec.config"),
        });
        Self {
            parts: parts.to_vec(),
            agent,
            secrets,
            external_labels: ExternalLabels::for_metrics(&agent.spec),
            receivers: receivers::for_metrics(
                &agent.spec.metrics.remote_write,
                agent.meta.namespace,
                Origin::new(agent).at("spec.metrics.remoteWrite"),
            ),
            metrics,
            logs: logs.collect(),
            integrations: integrations.collect(),
            credentials: Vec::new(),
        }
    }

    /// Moves credentials out of all additional scrape jobs, for a configuration that must not contain them. If `all` is
    /// set, every string other than a known setting is treated as a credential.
    pub fn take_credentials(&mut self, all: bool) {
        let metrics = self.metrics.iter_mut().map(|instance| &mut instance.additional_jobs);
        let logs = self.logs.iter_mut().map(|instance| &mut instance.additional_jobs);
        for additional in metrics.chain(logs).flatten() {
            additional.take_credentials(self.secrets, all, &mut self.credentials);
        }
    }

    /// Removes all instances and integrations from a plan that is too large to write.
    pub fn clear(&mut self) {
        self.metrics.clear();
        self.logs.clear();
        self.integrations.clear();
    }

    pub fn effective_receivers<'s>(&'s self, instance: &'s MetricsInstance<'d>) -> &'s [RemoteWriteClient<'d>] {
        match instance.receivers.as_slice() {
            [] => &self.receivers,
            receivers => receivers,
        }
    }
}

impl<'d> Plan<'d> {
    /// Returns the settings that prevent a program from discovering monitors itself, each with a description of the
    /// missing feature.
    pub fn obstacles(&self, watcher: Watcher) -> impl Iterator<Item = (Origin<'d>, [&'static str; 2])> + use<'d> {
        let agent = Origin::new(self.agent);
        watch::obstacles(&self.agent.spec.metrics, watcher).map(move |(field, effect)| (agent.at(field), effect))
    }

    /// Returns the instance's monitors that a program discovers itself, or `None` if the configuration contains their
    /// jobs.
    pub fn watched_monitors(
        &self,
        instance: &MetricsInstance<'d>,
        watcher: Option<Watcher>,
    ) -> Option<Vec<MonitorWatch<'d>>> {
        discovers_monitors(&self.agent.spec, watcher).then(|| watch::monitor_watches(instance.hierarchy))
    }

    /// Returns the API server that the agent queries instead of the API server of its own cluster, if configured.
    pub fn api_server(&self) -> Option<ApiServerClient<'d>> {
        HttpClient::from_agent(self.agent)
    }

    /// Returns the rules that select each shard's share of the targets, or `None` if there is only one shard.
    pub fn shard_rules(&self) -> Option<[RelabelRule<'d>; 2]> {
        let shards = self.agent.spec.metrics.shard_count().unsigned_abs();
        (shards > 1).then(|| relabel::shard(u64::from(shards), Origin::new(self.agent).at("spec.metrics.shards")))
    }
}

impl<'d> Plan<'d> {
    /// Returns all instances, metrics instances first.
    pub fn instances(&self) -> impl Iterator<Item = Instance<'_, 'd>> {
        let metrics = self.metrics.iter().map(Instance::Metrics);
        metrics.chain(self.logs.iter().map(Instance::Logs))
    }

    /// Returns the instance with this kind and index.
    pub fn instance(&self, (kind, number): (JobKind, usize)) -> Option<Instance<'_, 'd>> {
        match kind {
            JobKind::Metrics => self.metrics.get(number).map(Instance::Metrics),
            JobKind::Logs => self.logs.get(number).map(Instance::Logs),
        }
    }
}

/// A metrics instance or a logs instance.
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

    /// Returns the configuration that contains the instance's jobs.
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

    /// Returns the additional jobs, which follow those of the monitors or PodLogs.
    pub fn additional_jobs(self) -> Option<&'p AdditionalJobs<'d>> {
        match self {
            Instance::Metrics(instance) => instance.additional_jobs.as_ref(),
            Instance::Logs(instance) => instance.additional_jobs.as_ref(),
        }
    }

    /// Returns the monitors or PodLogs.
    pub fn monitors(self) -> Box<dyn Iterator<Item = AnyResource<'d, 'd>> + 'd> {
        match self {
            Instance::Metrics(instance) => Box::new(instance.hierarchy.children()),
            Instance::Logs(instance) => Box::new(instance.hierarchy.children()),
        }
    }

    /// Returns the sources of the jobs for the monitors or PodLogs.
    pub fn sources(self) -> impl Iterator<Item = JobSource<'d>> + use<'d> {
        self.monitors().flat_map(JobSource::all)
    }

    /// Returns a function that builds a job.
    pub fn builder(self) -> impl Fn(JobSource<'d>) -> Option<ScrapeJob<'d>> + Sync + use<'d> {
        let rules = match self {
            Instance::Metrics(instance) => instance.rules,
            Instance::Logs(instance) => instance.rules,
        };
        move |source| source.build(&rules)
    }

    /// Returns the jobs for the monitors or PodLogs, which are created lazily because there may be many.
    pub fn jobs(self) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        self.sources().filter_map(self.builder())
    }
}

impl<'d> MetricsInstance<'d> {
    /// Returns the jobs for the monitors.
    pub fn jobs(&self) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        Instance::Metrics(self).jobs()
    }

    /// Returns outlines of the jobs. Outlines lack the relabeling rules, which take longer to build than all other
    /// parts of a job.
    pub fn outlines(&self) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        let rules = self.rules.omit_relabelings();
        Instance::Metrics(self).sources().filter_map(move |source| source.build(&rules))
    }
}

impl<'d> LogsInstance<'d> {
    /// Returns the jobs for the PodLogs.
    pub fn jobs(&self) -> impl Iterator<Item = ScrapeJob<'d>> + use<'d> {
        Instance::Logs(self).jobs()
    }
}
