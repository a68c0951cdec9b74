//! Sources of scrape jobs. A source is small, so the thread that writes a job can build it.

use super::scrape_job::{JobRules, ScrapeJob, job_count};
use super::{pod_logs, pod_monitor, probe, service_monitor};
use crate::api::AnyResource;

/// Resource that a job is built from, and the job's index among those of the resource.
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
