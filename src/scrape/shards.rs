//! The jobs of an agent, one after the other, each as all shards of the agent run it.

use super::additional::{self, has_shard};
use super::job::{Job, JobKind, JobMaker};
use crate::plan::{AdditionalJobs, LogsInstance, MetricsInstance, Plan};
use crate::relabel::Rules;
use crate::resolve::SecretStore;
use crate::yaml::Value;

/// An instance whose jobs are visited.
#[derive(Clone, Copy)]
pub enum InstanceJobs<'p, 'd> {
    Metrics(&'p MetricsInstance<'d>),
    Logs(&'p LogsInstance<'d>),
}

impl InstanceJobs<'_, '_> {
    /// `namespace/name`, the name of its entry in the configuration.
    pub fn name(self) -> String {
        match self {
            InstanceJobs::Metrics(instance) => instance.resource.meta.full_name(),
            InstanceJobs::Logs(instance) => instance.resource.meta.full_name(),
        }
    }

    pub fn kind(self) -> JobKind {
        match self {
            InstanceJobs::Metrics(_) => JobKind::Metrics,
            InstanceJobs::Logs(_) => JobKind::Logs,
        }
    }
}

/// A job as each shard runs it.
pub struct JobGroup<'p, 'd> {
    /// The instance that it belongs to.
    pub instance: InstanceJobs<'p, 'd>,
    /// The job as shard after shard runs it; there is at least one. All have the same name and sources where `shared` is `Some`.
    pub shards: Vec<Job<'d>>,
    /// Number of rules at the start that all shards have in common; `None` where the shards differ before them.
    pub shared: Option<usize>,
}

impl<'d> JobGroup<'_, 'd> {
    /// The job as the first shard runs it.
    pub fn first(&self) -> Option<&Job<'d>> {
        self.shards.first()
    }
}

/// Visits the jobs of a plan. `wanted` says which ones by their names, before they are made.
pub fn each_job<'p, 'd>(
    plan: &'p Plan<'d>,
    rules: &mut Rules,
    wanted: &dyn Fn(JobKind, &str) -> bool,
    visit: &mut dyn FnMut(JobGroup<'p, 'd>),
) {
    let metrics = &plan.agent.spec.metrics;
    let count = metrics.shard_count().unsigned_abs().max(1);
    let namespace = plan.agent.meta.namespace;
    let mut make = |shard: u32, build: &mut dyn FnMut(&mut JobMaker<'_, 'd>) -> Job<'d>| {
        build(&mut JobMaker {
            shard,
            namespace,
            interval: metrics.scrape_interval,
            timeout: metrics.scrape_timeout,
            rules: &mut *rules,
        })
    };
    for instance in &plan.metrics {
        for job in instance.jobs() {
            if wanted(JobKind::Metrics, &job.name.to_string()) {
                let group = group(InstanceJobs::Metrics(instance), false, count, &mut |shard| {
                    make(shard, &mut |maker| maker.scrape(&job))
                });
                visit(group);
            }
        }
        each_additional(
            instance.additional.as_ref(),
            plan.secrets,
            &mut |from, index, job, lines| {
                if wanted(JobKind::Metrics, job.text("job_name")) {
                    let group = group(
                        InstanceJobs::Metrics(instance),
                        differs_early(job),
                        count,
                        &mut |shard| {
                            make(shard, &mut |maker| {
                                maker.additional(JobKind::Metrics, from, index, job, lines)
                            })
                        },
                    );
                    visit(group);
                }
            },
        );
    }
    for instance in &plan.logs {
        for job in instance.jobs() {
            if wanted(JobKind::Logs, &job.name.to_string()) {
                let group = group(InstanceJobs::Logs(instance), false, 1, &mut |shard| {
                    make(shard, &mut |maker| maker.logs(&job))
                });
                visit(group);
            }
        }
        each_additional(
            instance.additional.as_ref(),
            plan.secrets,
            &mut |from, index, job, lines| {
                if wanted(JobKind::Logs, job.text("job_name")) {
                    let group = group(InstanceJobs::Logs(instance), false, 1, &mut |shard| {
                        make(shard, &mut |maker| {
                            maker.additional(JobKind::Logs, from, index, job, lines)
                        })
                    });
                    visit(group);
                }
            },
        );
    }
}

/// What is done with an additional job: its list, its place there, and the lines of its rules.
type VisitAdditional<'v, 'p, 'd> = dyn FnMut(&'p AdditionalJobs<'d>, usize, &'p Value<'static>, &[u32]) + 'v;

fn each_additional<'p, 'd>(
    jobs: Option<&'p AdditionalJobs<'d>>,
    secrets: &SecretStore<'_, '_>,
    visit: &mut VisitAdditional<'_, 'p, 'd>,
) {
    let Some(from) = jobs else { return };
    let lines = additional::lines(from, secrets);
    for ((index, job), lines) in from.jobs.iter().flatten().enumerate().zip(&lines) {
        visit(from, index, job, lines);
    }
}

/// Whether shards differ in more than rules.
fn differs_early(job: &Value<'_>) -> bool {
    let Value::Mapping(fields) = job else { return false };
    let mut early = fields.iter().filter(|(key, _)| *key != "relabel_configs");
    early.any(|(_, value)| has_shard(value))
}

/// The job of every shard. Where no rule differs, all of them are the first.
fn group<'p, 'd>(
    instance: InstanceJobs<'p, 'd>,
    differs_early: bool,
    count: u32,
    make: &mut dyn FnMut(u32) -> Job<'d>,
) -> JobGroup<'p, 'd> {
    let first = make(0);
    let differing = first.rules.iter().position(|rule| rule.is_of_shard);
    let shared = (!differs_early).then(|| differing.unwrap_or(first.rules.len()));
    let mut shards = vec![first];
    shards.extend((1..count).map(make));
    JobGroup {
        instance,
        shards,
        shared,
    }
}
