//! The jobs of an agent, one after the other, each as all shards of the agent run it.

use std::cell::LazyCell;
use std::slice;

use super::job::{Job, RuleOrigin};
use super::maker::{self, JobMaker, has_shard};
use crate::plan::{Instance, JobKind, Plan, ScrapeJob};
use crate::relabel::Rules;
use crate::target::agent;
use crate::yaml::Value;

/// A job as each shard runs it.
pub struct JobGroup<'g, 'd> {
    /// The instance that it belongs to.
    pub instance: Instance<'g, 'd>,
    /// The job as the first shard runs it.
    pub first: Job<'d>,
    /// Number of shards, at least one.
    pub count: usize,
    /// Number of rules at the start that all shards have in common; `None` where the shards differ before them.
    pub shared: Option<usize>,
    /// The job of every shard, once somebody asked: where there are no targets, nobody does.
    all: LazyCell<Vec<Job<'d>>, Box<dyn FnOnce() -> Vec<Job<'d>> + 'g>>,
}

impl<'d> JobGroup<'_, 'd> {
    /// The job as shard after shard runs it. All have the same name and sources where `shared` is `Some`.
    pub fn shards(&self) -> &[Job<'d>] {
        match self.count {
            1 => slice::from_ref(&self.first),
            _ => &self.all,
        }
    }
}

/// Visits the jobs of a plan. `wanted` says which ones by their names, before they are made.
pub fn each_job<'d>(
    plan: &Plan<'d>,
    rules: &mut Rules,
    wanted: &dyn Fn(JobKind, &str) -> bool,
    visit: &mut dyn FnMut(JobGroup<'_, 'd>),
) {
    let metrics = &plan.agent.spec.metrics;
    let count = metrics.shard_count().unsigned_abs().max(1);
    let mut maker = JobMaker {
        shard: 0,
        namespace: plan.agent.meta.namespace,
        interval: metrics.scrape_interval,
        timeout: metrics.scrape_timeout,
        rules,
    };
    for instance in plan.instances() {
        let kind = instance.kind();
        let count = if kind == JobKind::Metrics { count } else { 1 };
        let mut add = |job: &Value<'_>, planned: Option<&ScrapeJob<'d>>, origin: &dyn Fn(usize) -> RuleOrigin<'d>| {
            let differs_early = count > 1 && differs_early(job);
            visit(group(instance, differs_early, count, &mut |shard| {
                maker.shard = shard;
                maker.job(kind, job, planned, origin)
            }));
        };
        for job in instance.jobs().filter(|job| wanted(kind, &job.name.to_string())) {
            let origin = |number: usize| job.relabelings.get(number).and_then(|rule| rule.origin);
            let value = agent::job(&job, plan.secrets);
            add(&value, Some(&job), &|number| {
                origin(number).map_or(RuleOrigin::Unknown, RuleOrigin::Field)
            });
        }
        let Some(from) = instance.additional() else { continue };
        let lines = maker::lines(from, plan.secrets);
        for ((index, job), lines) in from.jobs.iter().flatten().enumerate().zip(&lines) {
            if wanted(kind, job.text("job_name")) {
                add(job, None, &|number| RuleOrigin::Additional {
                    secret: from.secret,
                    path: maker::rule_path(index, number),
                    line: lines.get(number).copied().unwrap_or(1),
                });
            }
        }
    }
}

/// Whether shards differ in more than rules.
fn differs_early(job: &Value<'_>) -> bool {
    let Value::Mapping(fields) = job else { return false };
    let mut early = fields.iter().filter(|(key, _)| *key != "relabel_configs");
    early.any(|(_, value)| has_shard(value))
}

/// The job of every shard, of which the first is made.
fn group<'g, 'd>(
    instance: Instance<'g, 'd>,
    differs_early: bool,
    count: u32,
    make: &'g mut dyn FnMut(u32) -> Job<'d>,
) -> JobGroup<'g, 'd> {
    let first = make(0);
    let differing = first.rules.iter().position(|rule| rule.is_of_shard);
    JobGroup {
        instance,
        shared: (!differs_early).then(|| differing.unwrap_or(first.rules.len())),
        first,
        count: count as usize,
        all: LazyCell::new(Box::new(move || (0..count).map(make).collect())),
    }
}
