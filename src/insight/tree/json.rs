//! JSON output of a tree. Each resource is listed once and refers to its children by `id`.
//!
//! ```json
//! {
//!   "agents": ["GrafanaAgent/monitoring/agent"],
//!   "unselected": [],
//!   "refused": [],
//!   "counts": {"GrafanaAgent": 1, "Secret": 1},
//!   "resources": [
//!     {
//!       "id": "GrafanaAgent/monitoring/agent",
//!       "kind": "GrafanaAgent", "namespace": "monitoring", "name": "agent",
//!       "state": "present",
//!       "file": "agent.yaml", "line": 2,
//!       "parents": 0,
//!       "counts": {"Secret": 1},
//!       "children": [
//!         {
//!           "id": "Secret/monitoring/credentials",
//!           "references": [{"field": "spec.secrets[0]", "key": null, "missing": false}],
//!           "deniedBy": []
//!         }
//!       ],
//!       "jobs": [{"agent": "GrafanaAgent/monitoring/agent", "names": []}]
//!     }
//!   ]
//! }
//! ```
//!
//! Every key is always present. `state` is `present`, `unselected`, `paused`, `missing`, `refused` or `promised` (a
//! controller creates the Secret in the cluster; `madeBy` is the resource that the Secret is created from, and `null`
//! in all other states). `file` and `line` are `null` for a resource that is not in the input. `parents` is the number
//! of direct parents; a resource with more than one is shared. `references` lists the fields that refer to a Secret or
//! ConfigMap, each with its `key`, which is `null` if the field refers to the whole object; the list is empty for a
//! selected resource. `deniedBy` lists the agents that exclude a ServiceMonitor because it refers to files. `jobs`
//! lists the names of the scrape jobs created from a resource, for each compiled agent that creates any.

use std::collections::BTreeMap;

use serde::Serialize;

use super::generated::GeneratedConfiguration;
use super::model::{Edge, Tree, TreeItem, names};
use crate::api::{Kind, ObjectRef};

#[derive(Serialize)]
struct TreeDocument<'g> {
    agents: Vec<String>,
    unselected: Vec<String>,
    refused: Vec<String>,
    counts: BTreeMap<&'static str, usize>,
    resources: Vec<TreeRecord<'g>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TreeRecord<'g> {
    id: String,
    #[serde(flatten)]
    object: ObjectRef<'g>,
    state: &'static str,
    made_by: Option<&'g str>,
    file: Option<&'g str>,
    line: Option<u32>,
    parents: usize,
    counts: BTreeMap<&'static str, usize>,
    children: &'g [Edge<'g>],
    jobs: Vec<TreeJobs<'g>>,
}

#[derive(Serialize)]
struct TreeJobs<'g> {
    agent: String,
    names: &'g [String],
}

/// Returns the tree as one object, with the names of jobs from `generated`.
pub fn json<'g, 'd>(
    tree: &'g Tree<'d>,
    generated: &'g BTreeMap<ObjectRef<'d>, Vec<GeneratedConfiguration<'d>>>,
) -> impl Serialize {
    let records = tree.iter().map(|(object, entry)| {
        let generated = generated.get(&object).map(Vec::as_slice).unwrap_or_default();
        record(tree, entry, generated)
    });
    TreeDocument {
        agents: names(&tree.agents),
        unselected: names(&tree.unselected),
        refused: names(&tree.refused),
        counts: by_name(&tree.counts()),
        resources: records.collect(),
    }
}

fn record<'g>(
    tree: &'g Tree<'_>,
    entry: &'g TreeItem<'_>,
    generated: &'g [GeneratedConfiguration<'_>],
) -> TreeRecord<'g> {
    let configurations_with_jobs = generated.iter().filter(|generated| !generated.jobs.is_empty());
    let jobs = configurations_with_jobs.map(|GeneratedConfiguration { agents, jobs, .. }| {
        let agents = names(agents).into_iter();
        agents.map(move |agent| TreeJobs { agent, names: jobs })
    });
    TreeRecord {
        id: entry.object.to_string(),
        object: entry.object,
        state: entry.state.as_str(),
        made_by: entry.state.creator(),
        file: entry.place.map(|(file, _)| file),
        line: entry.place.map(|(_, line)| line),
        parents: entry.parents,
        counts: by_name(&tree.child_counts(entry)),
        children: &entry.edges,
        jobs: jobs.flatten().collect(),
    }
}

/// Sorts counts by the names of their kinds.
fn by_name(counts: &BTreeMap<Kind, usize>) -> BTreeMap<&'static str, usize> {
    counts.iter().map(|(kind, &count)| (kind.as_str(), count)).collect()
}
