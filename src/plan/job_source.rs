//! Sources of scrape jobs. A source is small, so each job can be built in the thread that writes it.

use super::scrape_job::{JobRules, ScrapeJob, job_count};
use super::{pod_logs, pod_monitor, probe, service_monitor};
use crate::api::{AnyResource, Endpoint, Kind, RelabelConfig};

/// Resource from which a job is built, and the job's index among the resource's jobs.
#[derive(Clone, Copy)]
pub struct JobSource<'d> {
    resource: AnyResource<'d, 'd>,
    index: usize,
}

impl<'d> JobSource<'d> {
    /// Returns the sources of a resource's jobs, in order.
    pub fn all(resource: AnyResource<'d, 'd>) -> impl Iterator<Item = Self> {
        (0..job_count(resource)).map(move |index| Self { resource, index })
    }

    /// Returns the rules that the resource itself configures for the job's targets and samples.
    pub fn configured_rules(self) -> [&'d [RelabelConfig<'d>]; 2] {
        let endpoint_rules = |endpoint: Option<&'d Endpoint<'d>>| {
            endpoint.map_or([&[][..]; 2], |endpoint| [&endpoint.relabelings, &endpoint.metric_relabelings])
        };
        match self.resource {
            AnyResource::ServiceMonitor(monitor) => endpoint_rules(monitor.spec.endpoints.get(self.index)),
            AnyResource::PodMonitor(monitor) => endpoint_rules(monitor.spec.pod_metrics_endpoints.get(self.index)),
            AnyResource::Probe(probe) => {
                let targets = &probe.spec.targets;
                let listed_rules = targets.static_config.as_ref().map(|config| &*config.relabeling_configs);
                let ingress_rules = targets.ingress.as_ref().map(|ingress| &*ingress.relabeling_configs);
                [listed_rules.or(ingress_rules).unwrap_or_default(), &[]]
            }
            AnyResource::PodLogs(pod_logs) => [&pod_logs.spec.relabelings, &[]],
            _ => [&[], &[]],
        }
    }

    /// Returns the kind of the resource.
    pub fn kind(self) -> Kind {
        self.resource.header().kind
    }

    /// Whether the job has stages for log lines.
    pub fn has_stages(self) -> bool {
        matches!(self.resource, AnyResource::PodLogs(pod_logs) if !pod_logs.spec.pipeline_stages.is_empty())
    }

    /// Builds the job, or returns `None` if the resource has no targets, which has already been reported.
    pub(super) fn build(self, rules: &JobRules<'d>) -> Option<ScrapeJob<'d>> {
        match self.resource {
            AnyResource::ServiceMonitor(monitor) => service_monitor::job(rules, monitor, self.index),
            AnyResource::PodMonitor(monitor) => pod_monitor::job(rules, monitor, self.index),
            AnyResource::Probe(probe) => probe::job(rules, probe),
            AnyResource::PodLogs(pod_logs) => Some(pod_logs::job(rules, pod_logs)),
            _ => None,
        }
    }
}
