//! The targets of each monitor, as listed on the HTML page.

use std::collections::BTreeMap;

use serde::Serialize;

use super::model::Tree;
use crate::api::ObjectRef;
use crate::check::Rejection;
use crate::insight::targets::{JobSurvey, display_address, for_each_running_group, shards, unscraped_objects};
use crate::printable::printable;
use crate::resolve::Hierarchy;
use crate::source::Sources;
use crate::targets::scrape::{Cluster, TargetScope};

/// Maximum numbers of targets to list: for a single job, and for all jobs together.
const MAX_TARGETS: [usize; 2] = [50, 20_000];

/// The targets of one of a monitor's jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobTargets {
    pub agent: usize,
    /// Name of the job.
    pub job: String,
    /// State, address and shards of each target that is scraped or read.
    pub rows: Vec<[String; 3]>,
    /// Number of targets that are not listed.
    pub more: usize,
    /// Number of dropped targets for each reason.
    pub lost: Vec<(usize, &'static str, String)>,
}

/// Returns the targets of the monitors in a tree, except those in configurations that agents reject.
pub fn targets<'d>(
    tree: &Tree<'d>,
    hierarchies: &'d [Hierarchy<'d, 'd>],
    cluster: &Cluster<'_, 'd>,
    refusals: &[Rejection<'d>],
    sources: &Sources,
) -> BTreeMap<ObjectRef<'d>, Vec<JobTargets>> {
    let mut by_monitor: BTreeMap<_, Vec<JobTargets>> = BTreeMap::new();
    if cluster.objects.is_empty() {
        return by_monitor;
    }
    let [job_limit, mut targets_left] = MAX_TARGETS;
    for hierarchy in hierarchies {
        let Some(agent) = tree.entries.get_index_of(&hierarchy.agent.object_ref()) else {
            continue;
        };
        // Mistakes in nested YAML are ignored here, because `check` reports them.
        let _ = for_each_running_group(cluster, std::iter::once(hierarchy), refusals, &|_, _| true, &mut |_, group| {
            let job = &group.first;
            let Some(monitor) = job.monitor.filter(|monitor| tree.get(*monitor).is_some()) else {
                return;
            };
            if !cluster.spend(group, TargetScope::Selected) {
                return;
            }
            let survey = JobSurvey::new(group, cluster, TargetScope::Selected);
            let listed_count = survey.rows.len().min(job_limit).min(targets_left);
            targets_left -= listed_count;
            let rows = survey.rows.iter().take(listed_count).map(|row| {
                let state = if row.is_potential { "potential" } else { "active" };
                let shards = match group.count {
                    all if all > 1 && !row.shards.is_empty() => shards(&row.shards, all),
                    _ => String::new(),
                };
                [state.to_owned(), printable(&display_address(row)).into_owned(), shards]
            });
            by_monitor.entry(monitor).or_default().push(JobTargets {
                agent,
                job: printable(&job.name).into_owned(),
                rows: rows.collect(),
                more: survey.rows.len() - listed_count,
                lost: unscraped_objects(job, &survey, sources),
            });
        });
    }
    by_monitor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;
    use crate::insight::tree::build;

    #[test]
    fn monitors_list_some_of_their_targets() {
        let names = |count: usize| (0..count).map(|i| format!("h{i}, ")).collect::<String>();
        let probe = |name: &str, hosts: usize| {
            format!(
                "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {{name: {name}, namespace: m}}\n\
                 spec: {{prober: {{url: p}}, targets: {{staticConfig: {{static: [{}]}}}}}}\n---\n",
                names(hosts)
            )
        };
        let other_objects = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: m}
spec: {metrics: {instanceSelector: {}, shards: 2}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {podMonitorSelector: {}, probeSelector: {}, additionalScrapeConfigs: {name: jobs, key: j}}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: m}
stringData: {j: '[{job_name: hidden, static_configs: [{targets: [c]}]}]'}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: p, namespace: m}
spec: {selector: {}, podMetricsEndpoints: [{port: web}, {port: none}]}
";
        let pod = "---
apiVersion: v1
kind: Pod
metadata: {name: one, namespace: m, uid: u1}
spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}
status: {podIP: 10.0.0.1, phase: Running}
";
        let deployment = "---
apiVersion: apps/v1
kind: Deployment
metadata: {name: w, namespace: m}
spec: {template: {spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}}}
";
        let probes = "\
Probe/m/few probe/m/few of 0: 50, [\"active\", \"p:80\", \"all shards\"] and 0, lost []
Probe/m/many probe/m/many of 0: 50, [\"active\", \"p:80\", \"all shards\"] and 3, lost []
";
        let describe_targets = |first: &str| {
            format!(
                "PodMonitor/m/p podMonitor/m/p/0 of 0: 1, {first} and 0, lost []\n\
                 PodMonitor/m/p podMonitor/m/p/1 of 0: 0, [] and 0, lost [(1, \"dropped\", \"by spec.podMetricsEndpoints[1].port \
                 (x.yaml:29)\")]\n{probes}"
            )
        };
        for (objects, expected) in [
            (pod, describe_targets("[\"active\", \"10.0.0.1:80\", \"shard 1\"]")),
            (deployment, describe_targets("[\"potential\", \"<pod-ip>:80\", \"\"]")),
            ("", String::new()),
        ] {
            let input = [&probe("few", 50), &probe("many", 53), other_objects, objects].concat();
            resolve_text(&input, |input| {
                let objects = input.objects();
                let cluster = input.cluster(&objects);
                let tree = build(input.graph(), input.sources, &input.options.resolve, &[]);
                let actual = targets(&tree, input.hierarchies, &cluster, &[], input.sources);
                let actual = actual.iter().flat_map(|(monitor, jobs)| jobs.iter().map(move |job| (monitor, job)));
                let lines = actual.map(|(monitor, job)| {
                    let JobTargets { agent, job, rows, more, lost } = job;
                    let first_row = rows.first().map(<[String; 3]>::as_slice).unwrap_or_default();
                    format!("{monitor} {job} of {agent}: {}, {first_row:?} and {more}, lost {lost:?}\n", rows.len())
                });
                assert_eq!(lines.collect::<String>(), expected);
            });
        }
    }
}
