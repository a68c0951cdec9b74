//! Scrape jobs. The modules for ServiceMonitors, PodMonitors and Probes provide the kind-specific parts, and this
//! module assembles the jobs.

use std::fmt::{self, Write};

use super::discovery::DiscoveryNamespaces;
use super::relabel::{self, RelabelRule, Relabelings};
use super::{ApiServerClient, Discovery, DiscoveryRole, HttpClient, Origin, Stages};
use crate::api::{
    AnyResource, Endpoint, GrafanaAgent, Metrics, Monitor, NamespaceSelector, ObjectRef, RelabelConfig, Resource,
    StaticTargets,
};

/// Kind of data that a job collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JobKind {
    Metrics,
    /// Logs of pods.
    Logs,
}

impl JobKind {
    /// Returns `metrics` or `logs`.
    pub fn as_str(self) -> &'static str {
        match self {
            JobKind::Metrics => "metrics",
            JobKind::Logs => "logs",
        }
    }
}

/// A job that scrapes metrics or reads logs.
pub struct ScrapeJob<'d> {
    pub name: JobName<'d>,
    /// Name of the scraped port. Empty if the port has no name.
    pub port: &'d str,
    /// Whether the targets' labels override the agent's, or `None` if this is not specified.
    pub honor_labels: Option<bool>,
    /// Whether the targets' timestamps are kept, or `None` if this is not specified.
    pub honor_timestamps: Option<bool>,
    pub targets: TargetSource<'d>,
    /// Scrape interval. Empty for the default.
    pub interval: &'d str,
    /// Scrape timeout. Empty for the default.
    pub timeout: &'d str,
    /// Metrics path. Empty for the default.
    pub path: &'d str,
    /// URL scheme. Empty for the default.
    pub scheme: &'d str,
    /// URL parameters.
    pub params: Vec<(&'d str, &'d [&'d str])>,
    pub http: HttpClient<'d>,
    /// Relabeling rules for targets.
    pub relabelings: Vec<RelabelRule<'d>>,
    /// Relabeling rules for samples.
    pub metric_relabelings: Vec<RelabelRule<'d>>,
    /// Maximum number of samples per target.
    pub sample_limit: Option<u64>,
    /// Maximum number of targets.
    pub target_limit: Option<u64>,
    /// Processing stages for each line, or `None` for a metrics job.
    pub stages: Option<Stages<'d>>,
    /// Endpoint or resource that the job belongs to.
    pub origin: Origin<'d>,
}

impl<'d> ScrapeJob<'d> {
    /// Creates a job for an endpoint, or for an entire resource, with all other settings unset.
    pub(super) fn new(index: Option<usize>, targets: TargetSource<'d>, relabelings: Relabelings<'d>) -> Self {
        let origin = relabelings.origin;
        let object = origin.object();
        Self {
            name: JobName { object, index },
            port: "",
            honor_labels: None,
            honor_timestamps: None,
            targets,
            interval: "",
            timeout: "",
            path: "",
            scheme: "",
            params: Vec::new(),
            http: HttpClient::default(),
            relabelings: relabelings.rules,
            metric_relabelings: Vec::new(),
            sample_limit: None,
            target_limit: None,
            stages: None,
            origin,
        }
    }

    pub fn kind(&self) -> JobKind {
        self.stages.map_or(JobKind::Metrics, |_| JobKind::Logs)
    }

    /// Returns the job's target discovery, or `None` if the job lists its targets.
    pub fn discovery(&self) -> Option<&Discovery<'d>> {
        match &self.targets {
            TargetSource::Discovered(discovery) => Some(discovery),
            TargetSource::Static { .. } => None,
        }
    }
}

/// Name of a job for a monitor or PodLogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobName<'d> {
    /// Resource that the job belongs to.
    pub object: ObjectRef<'d>,
    /// Index of the endpoint, or `None` if the kind has no endpoints.
    pub index: Option<usize>,
}

impl<'d> JobName<'d> {
    /// Returns the names of a resource's jobs. Empty if resources of this kind have no jobs.
    pub fn for_resource(resource: AnyResource<'_, 'd>) -> Vec<Self> {
        let object = resource.object_ref();
        let is_single = matches!(resource, AnyResource::Probe(_) | AnyResource::PodLogs(_));
        let indexes = (0..job_count(resource)).map(|index| (!is_single).then_some(index));
        indexes.map(|index| Self { object, index }).collect()
    }
}

impl JobName<'_> {
    /// Returns the name as a string. Most names require only a single allocation.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(TEXT_BYTES);
        // Writing to a string cannot fail.
        let _ = write!(text, "{self}");
        text
    }
}

/// Number of bytes that is sufficient for most names.
const TEXT_BYTES: usize = 64;

impl fmt::Display for JobName<'_> {
    /// Writes a name such as `serviceMonitor/shop/checkout/0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ObjectRef { kind, namespace, name } = self.object;
        let (initial, rest) = kind.as_str().split_at_checked(1).unwrap_or_default();
        initial.chars().try_for_each(|c| f.write_char(c.to_ascii_lowercase()))?;
        for part in [rest, "/", namespace, "/", name] {
            f.write_str(part)?;
        }
        self.index.map_or(Ok(()), |index| write!(f, "/{index}"))
    }
}

/// Returns the number of jobs for a resource: one per endpoint, or a single job if the kind has no endpoints.
pub(super) fn job_count(resource: AnyResource<'_, '_>) -> usize {
    match resource {
        AnyResource::ServiceMonitor(monitor) => monitor.spec.endpoints.len(),
        AnyResource::PodMonitor(monitor) => monitor.spec.pod_metrics_endpoints.len(),
        AnyResource::Probe(_) | AnyResource::PodLogs(_) => 1,
        _ => 0,
    }
}

pub enum TargetSource<'d> {
    Discovered(Discovery<'d>),
    /// List of targets, labeled with the namespace of the Probe.
    Static {
        /// Targets and additional labels.
        config: &'d StaticTargets<'d>,
        namespace: &'d str,
        /// Origin of the list: `spec.targets.staticConfig`.
        origin: Origin<'d>,
    },
}

/// Agent-wide settings for all jobs of a kind.
#[derive(Clone, Copy)]
pub(super) struct JobRules<'d> {
    metrics: &'d Metrics<'d>,
    agent: Origin<'d>,
    api_server: Option<ApiServerClient<'d>>,
    /// Field that restricts discovery to each monitor's namespace, if set.
    restricted_by: Option<Origin<'d>>,
    /// Label that is always set to the resource's namespace (empty if there is no such label), and the agent's field
    /// that specifies the label.
    namespace_label: (&'d str, Origin<'d>),
    /// Whether to create outlines of jobs, without relabeling rules.
    omits_relabelings: bool,
}

impl<'d> JobRules<'d> {
    pub(super) fn for_metrics(agent: &'d Resource<'d, GrafanaAgent<'d>>) -> Self {
        let (metrics, origin) = (&agent.spec.metrics, Origin::new(agent));
        let restricted_by = origin.at("spec.metrics.ignoreNamespaceSelectors");
        Self {
            metrics,
            agent: origin,
            api_server: HttpClient::from_agent(agent),
            restricted_by: metrics.ignore_namespace_selectors.then_some(restricted_by),
            namespace_label: (metrics.enforced_namespace_label, origin.at("spec.metrics.enforcedNamespaceLabel")),
            omits_relabelings: false,
        }
    }

    /// Returns these settings for outlines of jobs, which have no relabeling rules.
    pub(super) fn omit_relabelings(self) -> Self {
        Self { omits_relabelings: true, ..self }
    }

    /// Creates the rule builder for a job.
    pub(super) fn relabelings(&self, origin: Origin<'d>) -> Relabelings<'d> {
        Relabelings::new(origin, self.omits_relabelings)
    }

    pub(super) fn for_logs(agent: &'d Resource<'d, GrafanaAgent<'d>>) -> Self {
        let (logs, origin) = (&agent.spec.logs, Origin::new(agent));
        let restricted_by = origin.at("spec.logs.ignoreNamespaceSelectors");
        Self {
            restricted_by: logs.ignore_namespace_selectors.then_some(restricted_by),
            namespace_label: (logs.enforced_namespace_label, origin.at("spec.logs.enforcedNamespaceLabel")),
            ..Self::for_metrics(agent)
        }
    }

    /// Returns the target discovery for a monitor in the namespace `own_namespace`. The monitor's namespace selector is
    /// at `origin`.
    pub(super) fn discover(
        &self,
        role: DiscoveryRole,
        selector: &'d NamespaceSelector<'d>,
        own_namespace: &'d str,
        origin: Origin<'d>,
    ) -> TargetSource<'d> {
        TargetSource::Discovered(Discovery {
            role,
            namespaces: DiscoveryNamespaces::from_selector(selector, own_namespace, self.restricted_by.is_some()),
            api_server: self.api_server,
            origin: self.restricted_by.unwrap_or(origin),
        })
    }

    /// Returns the job for the endpoint at `index` in a monitor, or `None` if there is none. `list` is the origin of
    /// the endpoints. `relabelings` appends an endpoint's rules up to and including the rule that sets the job name.
    pub(super) fn endpoint(
        &self,
        monitor: &Monitor<'d, 'd>,
        role: DiscoveryRole,
        list: Origin<'d>,
        index: usize,
        relabelings: impl Fn(&'d Endpoint<'d>, Relabelings<'d>) -> Relabelings<'d>,
    ) -> Option<ScrapeJob<'d>> {
        let endpoint = monitor.endpoints.get(index)?;
        let namespace = monitor.header.meta.namespace;
        let origin = list.item(index);
        let namespaces_origin = origin.at("spec.namespaceSelector");
        let targets = self.discover(role, monitor.namespaces, namespace, namespaces_origin);
        let relabelings = relabelings(endpoint, self.relabelings(origin))
            .endpoint(endpoint)
            .configured_rules(&endpoint.relabelings, origin.key("relabelings"));
        let shards = u64::from(self.metrics.shard_count().unsigned_abs());
        let relabelings = self
            .enforce_namespace(relabelings, namespace)
            .rules(relabel::shard(shards, self.agent.at("spec.metrics.shards")));
        Some(ScrapeJob {
            port: endpoint.port,
            honor_labels: Some(endpoint.honor_labels && !self.metrics.override_honor_labels),
            honor_timestamps: self.honor_timestamps(endpoint.honor_timestamps),
            interval: endpoint.interval,
            timeout: endpoint.scrape_timeout,
            path: endpoint.path,
            scheme: endpoint.scheme,
            params: endpoint.params.iter().map(|(&name, values)| (name, values.as_slice())).collect(),
            http: HttpClient::from_endpoint(endpoint, namespace),
            metric_relabelings: match self.omits_relabelings {
                true => Vec::new(),
                false => self.metric_relabelings(&endpoint.metric_relabelings, origin.key("metricRelabelings")),
            },
            sample_limit: limit(monitor.sample_limit, self.metrics.enforced_sample_limit),
            target_limit: limit(monitor.target_limit, self.metrics.enforced_target_limit),
            ..ScrapeJob::new(Some(index), targets, relabelings)
        })
    }

    /// Returns whether to keep the target's timestamps, or `None` if neither the endpoint nor the agent specifies it
    /// (`k8s.honorTimestamps`).
    pub(super) fn honor_timestamps(&self, honor: Option<bool>) -> Option<bool> {
        let is_overridden = self.metrics.override_honor_timestamps;
        if is_overridden { Some(false) } else { honor }
    }

    /// Appends the rule that sets the agent's namespace label. The rule overrides preceding rules of the resource.
    pub(super) fn enforce_namespace(&self, relabelings: Relabelings<'d>, namespace: &'d str) -> Relabelings<'d> {
        let (label, origin) = self.namespace_label;
        relabelings.rules((!label.is_empty()).then(|| relabel::set(label, namespace).from(origin)))
    }

    /// Returns the rules for samples, except rules that would set the namespace label.
    fn metric_relabelings(&self, configs: &'d [RelabelConfig<'d>], origin: Origin<'d>) -> Vec<RelabelRule<'d>> {
        let enforced_label = self.metrics.enforced_namespace_label;
        let is_allowed =
            |config: &RelabelConfig<'d>| enforced_label.is_empty() || config.target_label != enforced_label;
        let rules = configs.iter().zip(relabel::configured_rules(configs, origin));
        let allowed_rules = rules.filter(|(config, _)| is_allowed(config));
        allowed_rules.map(|(_, rule)| rule).collect()
    }
}

/// Returns a limit, if the monitor or the agent sets one. The agent's limit always overrides the monitor's limit, even
/// if the latter is smaller (`k8s.limit`).
fn limit(own: u64, enforced: Option<u64>) -> Option<u64> {
    enforced.or((own > 0).then_some(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enforced_limits_override_larger_ones() {
        let cases = [
            (0, None, None),
            (5, None, Some(5)),
            (5, Some(10), Some(10)),
            (10, Some(5), Some(5)),
            (0, Some(5), Some(5)),
            (5, Some(0), Some(0)),
            (0, Some(0), Some(0)),
        ];
        for (own, enforced, expected) in cases {
            assert_eq!(limit(own, enforced), expected, "{own} {enforced:?}");
        }
    }
}
