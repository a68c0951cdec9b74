//! Sources of scrape jobs. They are small, so a job can be built where it is written.

use super::scrape_job::{JobRules, ScrapeJob, job_count};
use super::{pod_logs, pod_monitor, probe, service_monitor};
use crate::api::AnyResource;

/// Resource that a job is built from, with the number of the job.
#[derive(Clone, Copy)]
pub struct JobSource<'d> {
    resource: AnyResource<'d, 'd>,
    number: usize,
}

impl<'d> JobSource<'d> {
    /// Returns the sources of a resource's jobs, in order.
    pub fn all(resource: AnyResource<'d, 'd>) -> impl Iterator<Item = Self> {
        (0..job_count(resource)).map(move |number| Self { resource, number })
    }

    /// Builds the job, or returns `None` if the resource has no targets, which has already been reported.
    pub(super) fn build(self, rules: &JobRules<'d>) -> Option<ScrapeJob<'d>> {
        match self.resource {
            AnyResource::ServiceMonitor(monitor) => service_monitor::job(rules, monitor, self.number),
            AnyResource::PodMonitor(monitor) => pod_monitor::job(rules, monitor, self.number),
            AnyResource::Probe(probe) => probe::job(rules, probe),
            AnyResource::PodLogs(pod_logs) => Some(pod_logs::job(rules, pod_logs)),
            _ => None,
        }
    }
}
