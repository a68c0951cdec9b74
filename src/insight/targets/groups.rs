//! Functions that visit the agents' jobs.

use crate::check::Rejection;
use crate::diagnostic::Diagnostic;
use crate::plan::{ConfigKind, Plan};
use crate::resolve::Hierarchy;
use crate::targets::relabel::RuleCompiler;
use crate::targets::scrape::{Cluster, JobGroup, JobKind, for_each_job};

/// Visits the agents' jobs, as run with the cluster's Prometheus version, each with the `namespace/name` of its agent.
/// `wanted` selects jobs by kind and name. Returns findings about the YAML of additional jobs.
pub fn for_each_group<'d>(
    cluster: &Cluster<'_, 'd>,
    hierarchies: impl Iterator<Item = &'d Hierarchy<'d, 'd>>,
    wanted: &dyn Fn(JobKind, &str) -> bool,
    visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>),
) -> Vec<Diagnostic> {
    for_each_running_group(cluster, hierarchies, &[], wanted, visit)
}

/// Visits the agents' jobs, except those in configurations that the agents reject. `wanted` is called for every job.
pub fn for_each_running_group<'d>(
    cluster: &Cluster<'_, 'd>,
    hierarchies: impl Iterator<Item = &'d Hierarchy<'d, 'd>>,
    refusals: &[Rejection<'d>],
    wanted: &dyn Fn(JobKind, &str) -> bool,
    visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>),
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut rules = RuleCompiler::new(cluster.version);
    for hierarchy in hierarchies {
        let plan = Plan::new(hierarchy, &[ConfigKind::Metrics, ConfigKind::Logs], &mut diagnostics);
        let agent = hierarchy.agent.meta.full_name();
        let is_running = |kind| !refusals.iter().any(|refusal| refusal.is_for(&agent, kind));
        let is_wanted = |kind: JobKind, name: &str| wanted(kind, name) && is_running(kind);
        for_each_job(&plan, cluster.watcher, &mut rules, &is_wanted, &mut |group| visit(&agent, &group));
    }
    diagnostics
}
