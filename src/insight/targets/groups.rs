//! The jobs of agents.

use crate::diagnostic::Diagnostic;
use crate::plan::{ConfigKind, Plan};
use crate::resolve::Hierarchy;
use crate::targets::relabel::Rules;
use crate::targets::scrape::{Cluster, JobGroup, JobKind, each_job};

/// Visits the jobs of agents as the Prometheus of a cluster runs them, each with `namespace/name` of its agent. `wanted` says which
/// ones, by kind and name. Mistakes in the YAML of additional jobs are returned.
pub fn each_group<'d>(
    cluster: &Cluster<'_, 'd>,
    hierarchies: impl Iterator<Item = &'d Hierarchy<'d, 'd>>,
    wanted: &dyn Fn(JobKind, &str) -> bool,
    visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>),
) -> Vec<Diagnostic> {
    each_running_group(cluster, hierarchies, &|_, _| true, wanted, visit)
}

/// Visits the jobs of configurations that run: those of metrics or logs of an agent, as `is_run` says.
pub fn each_running_group<'d>(
    cluster: &Cluster<'_, 'd>,
    hierarchies: impl Iterator<Item = &'d Hierarchy<'d, 'd>>,
    is_run: &dyn Fn(&Hierarchy<'_, 'd>, JobKind) -> bool,
    wanted: &dyn Fn(JobKind, &str) -> bool,
    visit: &mut dyn FnMut(&str, &JobGroup<'_, 'd>),
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut rules = Rules::new(cluster.version);
    for hierarchy in hierarchies {
        let plan = Plan::new(hierarchy, &[ConfigKind::Metrics, ConfigKind::Logs], &mut diagnostics);
        let agent = hierarchy.agent.meta.full_name();
        let wanted = |kind: JobKind, name: &str| wanted(kind, name) && is_run(hierarchy, kind);
        each_job(&plan, &mut rules, &wanted, &mut |group| visit(&agent, &group));
    }
    diagnostics
}
