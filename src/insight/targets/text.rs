//! Text output for targets: one paragraph per job, followed by a summary line.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::survey::{JobSurvey, SurveyedTarget, UnscrapedReason, UnscrapedTarget};
use super::words::{describe_rule_source, display_value, quote};
use crate::printable::{Line, Screen, Style, Text, format_count};
use crate::source::Sources;
use crate::targets::observed::{ObservedObjects, join_kinds};
use crate::targets::relabel::Labels;
use crate::targets::scrape::{Job, JobGroup, JobKind, STATIC_POD};

/// Level of detail for each job.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detail {
    /// Whether all dropped targets are listed, instead of only the number of targets that each rule drops.
    pub dropped: bool,
    /// Whether all labels are shown, instead of only those that distinguish targets.
    pub labels: bool,
}

/// A report on the jobs of several agents.
pub struct Report<'s, 'd> {
    text: Text,
    sources: &'s Sources,
    objects: &'s ObservedObjects<'d>,
    detail: Detail,
    totals: Totals,
}

/// Totals for the summary line.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    targets: usize,
    jobs: usize,
    shards: usize,
    dropped: usize,
    empty: usize,
    /// Number of jobs whose targets are unknown.
    unknown: usize,
    potential: usize,
}

impl<'s, 'd> Report<'s, 'd> {
    /// Creates a report without jobs.
    pub fn new(sources: &'s Sources, objects: &'s ObservedObjects<'d>, detail: Detail, screen: Screen) -> Self {
        Self { text: Text::for_screen(screen), sources, objects, detail, totals: Totals::default() }
    }

    pub fn add(&mut self, agent: &str, group: &JobGroup<'_, '_>, survey: &JobSurvey<'_>) {
        let job = &group.first;
        self.totals.jobs += 1;
        self.totals.targets += survey.rows.len();
        self.totals.potential += survey.rows.iter().filter(|row| row.is_potential).count();
        let is_dropped = |lost: &&UnscrapedTarget<'_>| !matches!(lost.why, UnscrapedReason::Undecided(_));
        self.totals.dropped += survey.lost.iter().filter(is_dropped).count();
        self.totals.shards = self.totals.shards.max(group.count);
        let is_known = job.unknown.is_empty() && job.missing_kinds(self.objects).is_empty();
        let is_open =
            survey.rows.is_empty() && survey.lost.iter().any(|lost| matches!(lost.why, UnscrapedReason::Undecided(_)));
        let is_known = is_known && !is_open;
        self.totals.empty += usize::from(survey.rows.is_empty() && is_known);
        self.totals.unknown += usize::from(!is_known);
        if !self.text.is_empty() {
            self.text.blank_line();
        }
        let instance = match job.kind {
            JobKind::Metrics => "MetricsInstance",
            JobKind::Logs => "LogsInstance",
        };
        let additional = job.index.map(|index| format!("additional job [{index}], "));
        let instance = format!(
            "  {}{instance} {} of GrafanaAgent {agent}",
            additional.unwrap_or_default(),
            group.instance.resource().meta.full_name()
        );
        let name = display_value("job", &job.name);
        self.text.line(Line::styled(Style::Strong, name).with(Style::Faint, instance));
        if survey.rows.is_empty() {
            let missing = job.missing_kinds(self.objects);
            if !missing.is_empty() {
                let message = format!("  unknown: the input has no {}", join_kinds(&missing));
                self.text.item(Line::styled(Style::Warning, message));
            } else if job.unknown.is_empty() && !is_open {
                self.text.line(Line::styled(Style::Bad, "  no targets"));
            }
        }
        for unknown in &job.unknown {
            self.text.item(Line::styled(Style::Warning, format!("  {unknown}")));
        }
        if let Some((number, _)) = &job.refused {
            let message =
                format!("  the agent rejects relabeling rule {} of this job: run `agentctl check`", number + 1);
            self.text.item(Line::styled(Style::Bad, message));
        }
        self.rows(group, survey);
        self.write_unscraped(job, survey);
    }

    fn rows(&mut self, group: &JobGroup<'_, '_>, survey: &JobSurvey<'_>) {
        if is_in_secret(&group.first) {
            let potential = survey.rows.iter().filter(|row| row.is_potential).count();
            let states = [
                (Line::styled(Style::Good, "  active   "), survey.rows.len() - potential),
                (Line::styled(Style::Fact, "  potential  "), potential),
            ];
            for (state, count) in states.into_iter().filter(|(_, count)| *count > 0) {
                let state = state.plain(format_count(count, "target"));
                self.text.line(state.with(Style::Faint, "  from a job in a Secret: -o json lists them"));
            }
            return;
        }
        let names = survey.distinguishing_labels();
        let addresses: Vec<_> = survey.rows.iter().map(display_address).collect();
        let width = addresses.iter().map(|address| address.chars().count()).max().unwrap_or_default();
        for (row, address) in survey.rows.iter().zip(&addresses) {
            let state = match row.is_potential {
                true => Line::styled(Style::Fact, "  potential  "),
                false => Line::styled(Style::Good, "  active   "),
            };
            let mut line = state.plain(format!("{address:<width$}"));
            if group.count > 1 && !row.is_potential {
                line = line.with(Style::Fact, format!("  {}", shards(&row.shards, group.count)));
            }
            let labels = match self.detail.labels {
                true => String::new(),
                false => format_labels(names.iter().map(|name| (name.as_str(), row.labels.get(name))), address),
            };
            self.text.line(line.with(Style::Faint, labels));
            if self.detail.labels {
                self.labels(&row.labels);
                if !row.url.is_empty() {
                    self.text.line(format!("             {}", display_value("__url__", &row.url)));
                }
            }
        }
    }

    fn labels(&mut self, labels: &Labels<'_>) {
        for (name, value) in labels.iter().filter(|(name, _)| !name.starts_with("__")) {
            self.text.line(format!("             {name}={}", quote(&display_value(name, value))));
        }
    }

    fn write_unscraped(&mut self, job: &Job<'_>, survey: &JobSurvey<'_>) {
        for (reason_kind, targets) in labels_by_reason(survey) {
            let (state, reason) = reason(job, reason_kind, self.sources);
            let line = Line::styled(Style::Warning, format!("  {state:<7}  "));
            let count = format_count(targets.len(), "target");
            self.text.line(line.plain(count).with(Style::Faint, format!("  {reason}")));
            if self.detail.dropped && !is_in_secret(job) {
                for labels in targets {
                    let address = display_value("__address__", labels.get("__address__"));
                    self.text.line(format!("             {address}{}", object(labels)));
                }
            }
        }
    }

    /// Returns the report, including its summary line.
    pub fn finish(mut self) -> Text {
        let totals = self.totals;
        let mut line = match totals.potential {
            0 => format_count(totals.targets, "target"),
            all if all == totals.targets => format_count(all, "potential target"),
            some => format!("{}, {some} of them potential,", format_count(totals.targets, "target")),
        };
        let _ = write!(line, " of {}", format_count(totals.jobs, "job"));
        if totals.shards > 1 {
            let _ = write!(line, " on {}", format_count(totals.shards, "shard"));
        }
        let _ = write!(line, ", {} dropped", totals.dropped);
        if totals.empty > 0 {
            let _ = write!(line, ", {} without targets", format_count(totals.empty, "job"));
        }
        if totals.unknown > 0 {
            let _ = write!(line, ", {} with unknown targets", format_count(totals.unknown, "job"));
        }
        if !self.text.is_empty() {
            self.text.blank_line();
        }
        self.text.item(line);
        self.text
    }
}

/// Returns the targets that no shard scrapes, grouped by reason.
fn labels_by_reason<'s, 'd>(survey: &'s JobSurvey<'d>) -> BTreeMap<UnscrapedReason, Vec<&'s Labels<'d>>> {
    let mut labels_by_reason: BTreeMap<UnscrapedReason, Vec<&Labels<'_>>> = BTreeMap::new();
    for unscraped in &survey.lost {
        labels_by_reason.entry(unscraped.why).or_default().push(&unscraped.discovered);
    }
    labels_by_reason
}

/// Returns the state of an unscraped target, and the reason why it is not scraped.
fn reason(job: &Job<'_>, why: UnscrapedReason, sources: &Sources) -> (&'static str, String) {
    match why {
        UnscrapedReason::Rule(number) => {
            let rule = job.rules.get(number);
            let rule = rule.map(|rule| format!("by {}", describe_rule_source(rule, sources)));
            ("dropped", rule.unwrap_or_default())
        }
        UnscrapedReason::Undecided(number) => {
            let rule = job.rules.get(number);
            let rule = rule.map(|rule| format!("depends on the cluster, at {}", describe_rule_source(rule, sources)));
            ("unknown", rule.unwrap_or_default())
        }
        UnscrapedReason::NoPath => ("dropped", "no `__path__` after relabeling".to_owned()),
        UnscrapedReason::StaticPod => ("not read", STATIC_POD.to_owned()),
        UnscrapedReason::Invalid(invalid) => ("invalid", invalid.to_string()),
    }
}

/// Returns the number of a job's unscraped targets for each reason.
pub fn unscraped_objects(
    job: &Job<'_>,
    survey: &JobSurvey<'_>,
    sources: &Sources,
) -> Vec<(usize, &'static str, String)> {
    let counted_reasons = labels_by_reason(survey).into_iter().map(|(why, targets)| {
        let (state, reason) = reason(job, why, sources);
        (targets.len(), state, reason)
    });
    counted_reasons.collect()
}

/// Returns the address of a target, or its log path, with secrets masked.
pub fn display_address(row: &SurveyedTarget<'_>) -> String {
    let name = if row.url.is_empty() { "__path__" } else { "__address__" };
    display_value(name, row.labels.get(name)).into_owned()
}

/// Whether a job is in the YAML of a Secret. Such jobs are never displayed.
pub(super) fn is_in_secret(job: &Job<'_>) -> bool {
    job.monitor.is_none()
}

/// Describes `shards`, out of `count`: `shard 1`, `shards 0, 2` or `all shards`.
pub fn shards(shards: &[u32], count: usize) -> String {
    match shards {
        [shard] => format!("shard {shard}"),
        shards if shards.len() == count => "all shards".to_owned(),
        shards => {
            let shards: Vec<_> = shards.iter().map(u32::to_string).collect();
            format!("shards {}", shards.join(", "))
        }
    }
}

/// Returns the labels on one line, omitting labels that merely repeat the address.
fn format_labels<'p>(labels: impl Iterator<Item = (&'p str, &'p str)>, address: &str) -> String {
    let labels = labels.filter(|(_, value)| !value.is_empty() && *value != address);
    labels.fold(String::new(), |mut row, (name, value)| {
        let _ = write!(row, "  {name}={}", display_value(name, value));
        row
    })
}

/// Returns the object that a target was discovered from, if known.
pub(super) fn object(labels: &Labels<'_>) -> String {
    let namespace = labels.get("__meta_kubernetes_namespace");
    let kinds = ["pod", "service", "ingress", "endpoints", "endpointslice", "node"];
    let named_kinds = kinds.iter().map(|kind| (kind, labels.get(&format!("__meta_kubernetes_{kind}_name"))));
    let mut non_empty_kinds = named_kinds.filter(|(_, name)| !name.is_empty());
    match non_empty_kinds.next() {
        Some((kind, name)) if namespace.is_empty() => format!("  {kind} {name}"),
        Some((kind, name)) => format!("  {kind} {namespace}/{name}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;
    use crate::insight::targets::for_each_group;
    use crate::targets::scrape::TargetScope;

    #[test]
    fn summary_line_counts_jobs_and_targets() {
        let totals = |targets, jobs, shards, dropped, empty, potential| Totals {
            targets,
            jobs,
            shards,
            dropped,
            empty,
            unknown: 0,
            potential,
        };
        for (totals, expected) in [
            (Totals::default(), "0 targets of 0 jobs, 0 dropped\n"),
            (totals(1, 1, 1, 1, 0, 0), "1 target of 1 job, 1 dropped\n"),
            (totals(2, 2, 2, 0, 1, 0), "2 targets of 2 jobs on 2 shards, 0 dropped, 1 job without targets\n"),
            (totals(2, 3, 1, 0, 2, 2), "2 potential targets of 3 jobs, 0 dropped, 2 jobs without targets\n"),
            (totals(1, 1, 1, 0, 0, 1), "1 potential target of 1 job, 0 dropped\n"),
            (totals(3, 1, 1, 0, 0, 1), "3 targets, 1 of them potential, of 1 job, 0 dropped\n"),
        ] {
            let (sources, objects) = (Sources::default(), ObservedObjects::default());
            let mut report = Report::new(&sources, &objects, Detail::default(), Screen::default());
            report.totals = totals;
            assert_eq!(report.finish().as_str(), expected, "{totals:?}");
        }
    }

    #[test]
    fn shows_the_object_of_each_target() {
        for (labels, expected) in [
            (&[][..], ""),
            (&[("namespace", "m")], ""),
            (&[("node_name", "n")], "  node n"),
            (&[("namespace", "m"), ("service_name", "s")], "  service m/s"),
            (&[("namespace", "m"), ("pod_name", "p"), ("service_name", "s"), ("node_name", "n")], "  pod m/p"),
        ] {
            let labels = labels.iter().map(|(name, value)| (format!("__meta_kubernetes_{name}"), (*value).to_owned()));
            let labels: Vec<_> = labels.collect();
            let labels = Labels::from_iter(labels.iter().map(|(name, value)| (name.as_str(), value.as_str())));
            assert_eq!(object(&labels), expected);
        }
    }

    #[test]
    fn summarizes_targets_on_all_shards() {
        for (selected, count, expected) in
            [(&[0][..], 1, "shard 0"), (&[2], 3, "shard 2"), (&[0, 2], 3, "shards 0, 2"), (&[0, 1, 2], 3, "all shards")]
        {
            assert_eq!(shards(selected, count), expected);
        }
    }

    #[test]
    fn row_labels_omit_the_address_and_mask_secrets() {
        for (labels, expected) in
            [(&[][..], ""), (&[("a", "1"), ("b", ""), ("instance", "h:1"), ("token", "hunter2")], "  a=1  token=***")]
        {
            assert_eq!(format_labels(labels.iter().copied(), "h:1"), expected);
        }
    }

    const INPUT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: m}
spec: {metrics: {instanceSelector: {}, shards: 2}, logs: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {podMonitorSelector: {}, probeSelector: {}, additionalScrapeConfigs: {name: jobs, key: j}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: l, namespace: m}
spec: {podLogsSelector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {name: l, namespace: m}
spec: {selector: {matchLabels: {app: a}}, pipelineStages: []}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: p, namespace: m}
spec:
  selector: {matchLabels: {app: a}}
  podMetricsEndpoints:
  - {port: web}
  - {port: none}
  - {port: web, relabelings: [{action: keep}, {regex: '('}]}
  - {port: web, relabelings: [{targetLabel: __address__, replacement: a/b}]}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: q, namespace: m}
spec: {prober: {url: p}, targets: {staticConfig: {static: [b]}}}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: m}
stringData:
  j: |
    - job_name: hidden
      static_configs: [{targets: ['c:1', 'd:1']}]
      relabel_configs: [{source_labels: [__address__], regex: d.*, action: drop}]
    - job_name: files
      file_sd_configs: [{files: [x.json]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: w, namespace: m}
spec: {template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}}}
";

    const PODS: &str = "\
---
apiVersion: v1
kind: Pod
metadata: {name: one, namespace: m, uid: u1, labels: {app: a}}
spec: {nodeName: n, containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}
status: {podIP: 10.0.0.1, phase: Running}
---
apiVersion: v1
kind: Pod
metadata: {name: two, namespace: m, uid: u2, labels: {app: a}}
spec: {nodeName: n, containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}
status: {podIP: 10.0.0.2, phase: Running}
";

    #[test]
    fn shows_targets_and_dropping_rules_of_each_job() {
        let running_output = "\
podMonitor/m/p/0  MetricsInstance m/i of GrafanaAgent m/a
  active   10.0.0.1:80  shard 1  pod=one
  active   10.0.0.2:80  shard 1  pod=two

podMonitor/m/p/1  MetricsInstance m/i of GrafanaAgent m/a
  no targets
  dropped  2 targets  by spec.podMetricsEndpoints[1].port (x.yaml:28)

podMonitor/m/p/2  MetricsInstance m/i of GrafanaAgent m/a
  the agent rejects relabeling rule 11 of this job: run `agentctl check`
  active   10.0.0.1:80  all shards  pod=one
  active   10.0.0.2:80  all shards  pod=two

podMonitor/m/p/3  MetricsInstance m/i of GrafanaAgent m/a
  no targets
  invalid  2 targets  `__address__` contains a slash

probe/m/q  MetricsInstance m/i of GrafanaAgent m/a
  active   p:80  all shards

hidden  additional job [0], MetricsInstance m/i of GrafanaAgent m/a
  active   1 target  from a job in a Secret: -o json lists them
  dropped  1 target  by [0].relabel_configs[0] (/secrets/m/jobs/j:3)

files  additional job [1], MetricsInstance m/i of GrafanaAgent m/a
  targets of `file_sd_configs` are unknown offline

podLogs/m/l  LogsInstance m/l of GrafanaAgent m/a
  active   /var/log/pods/*u1/c/*.log  pod=one
  active   /var/log/pods/*u2/c/*.log  pod=two

8 targets of 8 jobs on 2 shards, 5 dropped, 2 jobs without targets, 1 job with unknown targets
";
        let potential_output = r#"podMonitor/m/p/0  MetricsInstance m/i of GrafanaAgent m/a
  potential  <pod-ip>:80
             container="c"
             endpoint="web"
             instance="<pod-ip>:80"
             job="m/p"
             namespace="m"
             pod="w-<hash>-<id>"
             http://<pod-ip>:80/metrics

podMonitor/m/p/1  MetricsInstance m/i of GrafanaAgent m/a
  no targets
  dropped  1 target  by spec.podMetricsEndpoints[1].port (x.yaml:28)
             <pod-ip>:80  pod m/w-<hash>-<id>

podMonitor/m/p/2  MetricsInstance m/i of GrafanaAgent m/a
  the agent rejects relabeling rule 11 of this job: run `agentctl check`
  potential  <pod-ip>:80
             container="c"
             endpoint="web"
             instance="<pod-ip>:80"
             job="m/p"
             namespace="m"
             pod="w-<hash>-<id>"
             http://<pod-ip>:80/metrics

podMonitor/m/p/3  MetricsInstance m/i of GrafanaAgent m/a
  no targets
  invalid  1 target  `__address__` contains a slash
             <pod-ip>:80  pod m/w-<hash>-<id>

probe/m/q  MetricsInstance m/i of GrafanaAgent m/a
  active   p:80  all shards
             instance="b"
             job="probe/m/q"
             namespace="m"
             http://p:80/probe?module=&target=b

hidden  additional job [0], MetricsInstance m/i of GrafanaAgent m/a
  active   1 target  from a job in a Secret: -o json lists them
  dropped  1 target  by [0].relabel_configs[0] (/secrets/m/jobs/j:3)

files  additional job [1], MetricsInstance m/i of GrafanaAgent m/a
  targets of `file_sd_configs` are unknown offline

podLogs/m/l  LogsInstance m/l of GrafanaAgent m/a
  potential  /var/log/pods/*<pod-uid>/c/*.log
             container="c"
             job="m/l"
             namespace="m"
             pod="w-<hash>-<id>"

5 targets, 3 of them potential, of 8 jobs on 2 shards, 3 dropped, 2 jobs without targets, 1 job with unknown targets
"#;
        for (pods, is_detailed, expected) in [(PODS, false, running_output), ("", true, potential_output)] {
            let detail = Detail { dropped: is_detailed, labels: is_detailed };
            resolve_text(&[INPUT, pods].concat(), |input| {
                let objects = input.objects();
                let cluster = input.cluster(&objects);
                let mut report = Report::new(input.sources, &objects, detail, Screen::default());
                let findings = for_each_group(&cluster, input.hierarchies.iter(), &|_, _| true, &mut |agent, group| {
                    report.add(agent, group, &JobSurvey::new(group, &cluster, TargetScope::Selected));
                });
                assert_eq!(findings, []);
                assert_eq!(report.finish().as_str(), expected);
            });
        }
    }
}
