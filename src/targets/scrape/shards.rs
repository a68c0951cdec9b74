//! Jobs of an agent, visited one at a time. Each job comes with the variants that the shards run.

use std::cell::LazyCell;
use std::slice;

use super::job::{Job, RuleOrigin};
use super::maker::{self, JobMaker, depends_on_shard};
use crate::output::agent;
use crate::plan::{Instance, JobKind, Plan, ScrapeJob, Watcher, discovers_monitors};
use crate::targets::relabel::{PrometheusVersion, RuleCompiler};
use crate::yaml::Value;

/// A job, and the variants that the shards run.
pub struct JobGroup<'g, 'd> {
    /// Instance that the job belongs to.
    pub instance: Instance<'g, 'd>,
    /// Variant that the first shard runs.
    pub first: Job<'d>,
    /// Number of shards, at least one.
    pub count: usize,
    /// Number of leading rules that are the same on all shards, or `None` if the shards differ in more than their
    /// rules.
    pub shared: Option<usize>,
    /// Jobs of all shards. They are created on demand, because they are not needed if there are no targets.
    all: LazyCell<Vec<Job<'d>>, Box<dyn FnOnce() -> Vec<Job<'d>> + 'g>>,
}

impl<'d> JobGroup<'_, 'd> {
    /// Whether the shards divide the job's targets among themselves.
    pub fn is_divided(&self) -> bool {
        self.first.rules.iter().any(|rule| rule.is_of_shard)
    }

    /// Returns the job of each shard. If `shared` is `Some`, all jobs have the same name and sources.
    pub fn shards(&self) -> &[Job<'d>] {
        match self.count {
            1 => slice::from_ref(&self.first),
            _ => &self.all,
        }
    }
}

/// Job that the operator creates, or the index of an additional job.
type Planned<'j, 'd> = Result<&'j ScrapeJob<'d>, usize>;

/// Visits the jobs in a plan for whose names `wanted` returns true. Other jobs are not created. `watcher` is set if the
/// program that runs the jobs discovers monitors itself.
pub fn for_each_job<'d>(
    plan: &Plan<'d>,
    watcher: Option<Watcher>,
    rules: &mut RuleCompiler,
    wanted: &dyn Fn(JobKind, &str) -> bool,
    visit: &mut dyn FnMut(JobGroup<'_, 'd>),
) {
    let metrics = &plan.agent.spec.metrics;
    let count = metrics.shard_count().unsigned_abs().max(1);
    let mut maker = JobMaker {
        shard: 0,
        shards: count,
        namespace: plan.agent.meta.namespace,
        interval: metrics.scrape_interval,
        timeout: metrics.scrape_timeout,
        api_server: plan.agent.spec.api_server.as_ref().map_or("", |server| server.host),
        is_watched: discovers_monitors(&plan.agent.spec, watcher),
        rules,
    };
    for instance in plan.instances() {
        let kind = instance.kind();
        let count = if kind == JobKind::Metrics { count } else { 1 };
        let mut add = |job: Value<'_>, planned: Planned<'_, 'd>, origin: &dyn Fn(usize) -> RuleOrigin<'d>| {
            // The agent may misread unquoted strings. Strings in an Alloy configuration are always quoted.
            let job = match maker.rules.version() {
                PrometheusVersion::V2 => agent::read_job(job),
                PrometheusVersion::V3 => job,
            };
            let differs_early = count > 1 && differs_beyond_rules(&job);
            visit(group(instance, differs_early, count, &mut |shard| {
                maker.shard = shard;
                Job { index: planned.err(), ..maker.job(kind, &job, planned.ok(), origin) }
            }));
        };
        for job in instance.jobs().filter(|job| wanted(kind, &job.name.to_string())) {
            let origin = |number: usize| job.relabelings.get(number).and_then(|rule| rule.origin);
            let value = agent::job(&job, plan.secrets);
            add(value, Ok(&job), &|number| origin(number).map_or(RuleOrigin::Operator, RuleOrigin::Field));
        }
        let Some(from) = instance.additional_jobs() else { continue };
        let lines = maker::lines(from, plan.secrets);
        for ((index, job), lines) in from.jobs.iter().flatten().enumerate().zip(&lines) {
            if wanted(kind, job.text("job_name")) {
                add(job.clone(), Err(index), &|number| RuleOrigin::Additional {
                    secret: from.secret,
                    path: maker::rule_path(index, number),
                    line: lines.get(number).copied().unwrap_or(1),
                });
            }
        }
    }
}

/// Whether the shards' jobs differ in more than their rules.
fn differs_beyond_rules(job: &Value<'_>) -> bool {
    let Value::Mapping(fields) = job else { return false };
    let mut early = fields.iter().filter(|(key, _)| *key != "relabel_configs");
    early.any(|(_, value)| depends_on_shard(value))
}

/// Creates a job group. `make` creates the job of each shard.
fn group<'g, 'd>(
    instance: Instance<'g, 'd>,
    differs_early: bool,
    count: u32,
    make: &'g mut dyn FnMut(u32) -> Job<'d>,
) -> JobGroup<'g, 'd> {
    let first = make(0);
    let first_differing = first.rules.iter().position(|rule| rule.is_of_shard);
    JobGroup {
        instance,
        shared: (!differs_early).then(|| first_differing.unwrap_or(first.rules.len())),
        first,
        count: count as usize,
        all: LazyCell::new(Box::new(move || (0..count).map(make).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cluster::{Cluster, TargetScope};
    use super::*;
    use crate::api::Kind;
    use crate::plan::ConfigKind;
    use crate::resolve::tests::{object, with_resources};
    use crate::resolve::{ResolveOptions, resolve};
    use crate::targets::observed::ObservedObjects;
    use crate::targets::relabel::PrometheusVersion;

    /// Calls `make` with each job group of an agent with two shards and these additional jobs.
    fn map_groups<T>(jobs: &str, make: &mut dyn for<'d> FnMut(&Cluster<'_, 'd>, &JobGroup<'_, 'd>) -> T) -> Vec<T> {
        let agent = "{metrics: {instanceSelector: {}, shards: 2}, logs: {instanceSelector: {}}}";
        let scraped = "{podMonitorSelector: {}, additionalScrapeConfigs: {name: s, key: jobs}}";
        let input = [
            object(Kind::GrafanaAgent, "a", agent),
            object(Kind::MetricsInstance, "m", scraped),
            object(Kind::LogsInstance, "l", "{podLogsSelector: {}}"),
            object(Kind::PodMonitor, "p", "{selector: {}, podMetricsEndpoints: [{port: a}]}"),
            object(Kind::PodLogs, "q", "{selector: {}, pipelineStages: []}"),
            format!(
                "---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: ns}}\nstringData: {{jobs: '{jobs}'}}\n"
            ),
        ];
        with_resources(&input.concat(), |resources| {
            let hierarchies = resolve(&resources, &ResolveOptions::default()).output;
            let plan = Plan::new(&hierarchies[0], &ConfigKind::non_empty_kinds(&hierarchies[0]), &mut Vec::new());
            let objects = ObservedObjects::default();
            let cluster = Cluster::new(&objects, PrometheusVersion::V2);
            let mut made = Vec::new();
            for_each_job(&plan, None, &mut RuleCompiler::default(), &|_, name| name != "unwanted", &mut |group| {
                made.push(make(&cluster, &group))
            });
            made
        })
    }

    #[test]
    fn shards_share_rules_up_to_the_first_difference() {
        let keep = r#"{"action": "keep"}"#;
        let shard_rule = r#"{"action": "keep", "regex": "$(SHARD)"}"#;
        let jobs = format!(
            r#"[{{"job_name": "x$(SHARD)", "relabel_configs": [{shard_rule}]}}, {{"job_name": "y", "relabel_configs": [{keep}, {shard_rule}, {keep}]}},
                {{"job_name": "z", "relabel_configs": [{keep}]}}, {{"job_name": "unwanted"}}]"#
        );
        let actual = map_groups(&jobs, &mut |_, group| {
            let names: Vec<_> = group.shards().iter().map(|job| job.name.as_str()).collect();
            format!("{} {} {:?}", names.join(","), group.count, group.shared)
        });
        let [monitor_group, additional @ .., logs_group] = actual.as_slice() else { panic!("{actual:?}") };
        assert!(monitor_group.starts_with("podMonitor/ns/p/0,podMonitor/ns/p/0 2 Some("), "{monitor_group}");
        assert_eq!(additional, ["x0,x1 2 None", "y,y 2 Some(1)", "z,z 2 Some(1)"]);
        assert!(logs_group.starts_with("podLogs/ns/q 1 Some("), "{logs_group}");
    }

    #[test]
    fn limits_total_work_across_jobs() {
        let job = |name: &str, targets: usize, labels: usize| {
            let targets = vec!["\"a\""; targets].join(", ");
            let labels: Vec<_> = (0..labels).map(|label| format!("\"l{label}\": \"v\"")).collect();
            let group = format!(r#"{{"targets": [{targets}], "labels": {{{}}}}}"#, labels.join(", "));
            format!(r#"{{"job_name": "{name}", "static_configs": [{group}]}}"#)
        };
        let efforts = |jobs: &str| {
            let efforts = map_groups(jobs, &mut |cluster, group| match group.first.monitor {
                Some(_) => None,
                None => Some(cluster.effort(group, TargetScope::All)),
            });
            efforts.into_iter().flatten().collect::<Vec<_>>()
        };
        let jobs = [job("x$(SHARD)", 3, 0), job("y", 3, 0), job("y", 3, 31), job("z", 3, 32), job("z", 3, 64)];
        assert_eq!(efforts(&format!("[{}]", jobs.join(", "))), [6, 6, 6, 12, 18]);
        // A job that exceeds the limit is charged one thousandth of the limit.
        let jobs = [job("a", 20_000, 0), job("b", 20_000, 0), job("c", 4_975, 0), job("d", 1, 0)];
        let spent = map_groups(&format!("[{}]", jobs.join(", ")), &mut |cluster, group| match group.first.monitor {
            Some(_) => None,
            None => Some(cluster.spend(group, TargetScope::All)),
        });
        assert_eq!(spent.into_iter().flatten().collect::<Vec<_>>(), [true, false, true, false]);
    }
}
