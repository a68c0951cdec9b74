//! The targets of each monitor on the page.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::Tree;
use crate::api::ObjectRef;
use crate::insight::targets::{Survey, each_group, lost_by, shards, shown_address};
use crate::printable::printable;
use crate::resolve::Hierarchy;
use crate::scrape::{Cluster, Extent};
use crate::source::Sources;

/// Maximum number of targets that the page lists of a job, and of all jobs together.
const MOST: [usize; 2] = [50, 20_000];

/// The targets of a job of a monitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobTargets {
    pub agent: usize,
    /// The name of the job.
    pub job: String,
    /// Those that are scraped or read: state, address, and which shards.
    pub rows: Vec<[String; 3]>,
    /// Number of those that are not listed.
    pub more: usize,
    /// What drops others: how many, and why.
    pub lost: Vec<(usize, &'static str, String)>,
}

/// The targets of the monitors of a tree in a cluster.
pub fn targets<'d>(
    tree: &Tree<'d>,
    hierarchies: &'d [Hierarchy<'d, 'd>],
    cluster: &Cluster<'_, 'd>,
    sources: &Sources,
) -> BTreeMap<ObjectRef<'d>, Vec<JobTargets>> {
    let mut found: BTreeMap<_, Vec<JobTargets>> = BTreeMap::new();
    if cluster.objects.is_empty() {
        return found;
    }
    let [of_job, mut left] = MOST;
    for hierarchy in hierarchies {
        let Some(agent) = tree.entries.get_index_of(&hierarchy.agent.object_ref()) else {
            continue;
        };
        // Mistakes in nested YAML are for `check`.
        let _ = each_group(cluster, std::iter::once(hierarchy), &|_, _| true, &mut |_, group| {
            let job = &group.first;
            let Some(monitor) = job.monitor.filter(|monitor| tree.get(*monitor).is_some()) else {
                return;
            };
            if !cluster.spend(group, Extent::Selected) {
                return;
            }
            let survey = Survey::of(group, cluster, Extent::Selected);
            let listed = survey.rows.len().min(of_job).min(left);
            left -= listed;
            let rows = survey.rows.iter().take(listed).map(|row| {
                let state = if row.is_potential { "potential" } else { "active" };
                let shards = match group.count {
                    all if all > 1 && !row.shards.is_empty() => shards(&row.shards, all),
                    _ => String::new(),
                };
                [state.to_owned(), printable(&shown_address(row)).into_owned(), shards]
            });
            found.entry(monitor).or_default().push(JobTargets {
                agent,
                job: printable(&job.name).into_owned(),
                rows: rows.collect(),
                more: survey.rows.len() - listed,
                lost: lost_by(job, &survey, sources),
            });
        });
    }
    found
}
