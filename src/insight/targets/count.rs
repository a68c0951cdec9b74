//! Numbers of jobs and targets created from a resource.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::groups::for_each_group;
use super::survey::JobSurvey;
use crate::api::ObjectRef;
use crate::plan::JobName;
use crate::printable::format_count;
use crate::resolve::Hierarchy;
use crate::targets::observed::ObservedObjects;
use crate::targets::scrape::{Cluster, Job, TargetScope};

/// Jobs and targets created from a resource, across all agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetCount {
    /// Number of jobs created from the resource.
    pub jobs: usize,
    /// Number of targets in these jobs, or `None` if one of the jobs discovers targets from a kind of object that is
    /// missing from the input.
    pub targets: Option<usize>,
    /// Number of targets expected after the cluster has started the workloads in the input.
    pub potential: usize,
}

impl TargetCount {
    /// Formats the counts for display (`12 targets`, `2 potential targets`). Empty if nothing is known.
    pub fn words(self) -> Vec<String> {
        let potential = (self.potential > 0).then(|| format_count(self.potential, "potential target"));
        let targets = self.targets.filter(|targets| *targets > 0 || potential.is_none());
        let targets = targets.map(|targets| format_count(targets, "target"));
        targets.into_iter().chain(potential).collect()
    }
}

/// Counts the jobs and targets of each monitor, Probe and PodLogs. Resources without jobs are not included.
pub fn counts<'d>(
    hierarchies: &'d [Hierarchy<'d, 'd>],
    cluster: &Cluster<'_, 'd>,
    monitors: &BTreeSet<ObjectRef<'d>>,
) -> BTreeMap<ObjectRef<'d>, TargetCount> {
    let name = |object: &ObjectRef<'_>| {
        let (object, index) = (*object, None);
        JobName { object, index }.to_string()
    };
    let names: HashSet<_> = monitors.iter().map(name).collect();
    let is_of = |job: &str| names.contains(job) || job.rsplit_once('/').is_some_and(|(front, _)| names.contains(front));
    let mut counts: BTreeMap<_, TargetCount> = BTreeMap::new();
    for_each_group(cluster, hierarchies.iter(), &|_, job| is_of(job), &mut |_, group| {
        let job = &group.first;
        let Some(object) = job.monitor.filter(|object| monitors.contains(object)) else {
            return;
        };
        if !cluster.spend(group, TargetScope::Selected) {
            return;
        }
        let survey = JobSurvey::new(group, cluster, TargetScope::Selected);
        let potential = survey.rows.iter().filter(|row| row.is_potential).count();
        let targets = is_known(job, cluster.objects).then(|| survey.rows.len() - potential);
        let count = counts.entry(object).or_insert(TargetCount { jobs: 0, targets: Some(0), potential: 0 });
        count.jobs += 1;
        count.potential += potential;
        count.targets = count.targets.zip(targets).map(|(all, more)| all + more);
    });
    counts
}

/// Whether the input contains the objects that determine a job's targets.
fn is_known(job: &Job<'_>, objects: &ObservedObjects<'_>) -> bool {
    job.unknown.is_empty() && job.missing_kinds(objects).is_empty()
}
