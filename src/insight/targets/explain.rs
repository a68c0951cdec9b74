//! Step-by-step explanation of a target: its labels before relabeling, the effect of each rule, and its final labels.

use std::collections::BTreeSet;

use super::text::{is_in_secret, object, shards};
use super::words::{describe_rule_source, display_value, quote, summary};
use crate::diagnostic::suggest::did_you_mean;
use crate::printable::{Line, Screen, Style, Text};
use crate::source::Sources;
use crate::targets::relabel::Labels;
use crate::targets::scrape::{
    Cluster, DiscoveredTarget, Job, JobGroup, LabelChange, STATIC_POD, TargetScope, TargetState, trace,
};

const POD_NAME: &str = "__meta_kubernetes_pod_name";

/// Maximum number of known addresses and names to compare with the request.
const MAX_COMPARED: usize = 5_000;

/// Explanation of the targets that match a requested address or pod.
pub struct TargetExplanation<'s> {
    text: Text,
    /// Requested address (with or without a port), URL or pod name.
    address: &'s str,
    sources: &'s Sources,
    /// Known addresses and pod names. If nothing matches, one of them is suggested.
    others: BTreeSet<String>,
}

/// A target that matches the requested address or pod.
struct Match<'d> {
    discovered: Labels<'d>,
    /// Shards that scrape the target. Empty if the target is not scraped or is only potential.
    shards: Vec<u32>,
    /// State of the target on a shard that scrapes it or, if there is none, on the first shard visited.
    state: TargetState<'d>,
}

impl<'s> TargetExplanation<'s> {
    /// Creates an empty explanation.
    pub fn new(address: &'s str, sources: &'s Sources, screen: Screen) -> Self {
        Self { text: Text::for_screen(screen), address, sources, others: BTreeSet::new() }
    }

    /// Adds a job's targets that match the address, each with the shards that scrape it.
    pub fn add<'d>(&mut self, group: &JobGroup<'_, 'd>, cluster: &Cluster<'_, 'd>) {
        let mut matches: Vec<Match<'d>> = Vec::new();
        let is_in_secret = is_in_secret(&group.first);
        cluster.targets(group, TargetScope::All, &mut |target: DiscoveredTarget<'_, 'd>| {
            if !self.matches_request(&target) {
                // A suggestion must not reveal addresses from a Secret.
                if self.others.len() < MAX_COMPARED && !is_in_secret {
                    let names = ["__address__", POD_NAME].map(|name| target.discovered.get(name));
                    self.others.extend(names.into_iter().filter(|name| !name.is_empty()).map(str::to_owned));
                }
                return;
            }
            let is_scraped = matches!(target.state, TargetState::Active { .. } | TargetState::Read { .. });
            let shard = Some(target.shard).filter(|_| is_scraped && !target.is_potential);
            match matches.iter_mut().find(|known| known.discovered == *target.discovered) {
                Some(known) if is_scraped => {
                    known.shards.extend(shard);
                    known.state = target.state;
                }
                Some(_) => {}
                None => matches.push(Match {
                    discovered: target.discovered.clone(),
                    shards: shard.into_iter().collect(),
                    state: target.state,
                }),
            }
        });
        for target in matches {
            let shard = target.shards.last().copied().unwrap_or_default();
            let Some(job) = group.shards().get(shard as usize) else {
                continue;
            };
            match is_in_secret {
                true => self.add_secret_job(job),
                false => self.target(job, group.count, &target),
            }
        }
    }

    /// Whether a target has the requested address, before or after relabeling, or belongs to the requested pod.
    fn matches_request(&self, target: &DiscoveredTarget<'_, '_>) -> bool {
        let is_address = |labels: &Labels<'_>| self.is_address(labels.get("__address__"));
        is_address(target.discovered)
            || self.is_pod(target.discovered)
            || match &target.state {
                TargetState::Active { labels, url, .. } => {
                    is_address(labels) || self.is_address(labels.get("instance")) || url == self.address
                }
                _ => false,
            }
    }

    /// Whether `address` is the requested address. The request may omit the port.
    fn is_address(&self, address: &str) -> bool {
        let without_brackets = |host: &str| host.trim_matches(['[', ']']).to_owned();
        !address.is_empty()
            && (address == self.address
                || address.rsplit_once(':').is_some_and(|(host, port)| {
                    port.bytes().all(|digit| digit.is_ascii_digit())
                        && without_brackets(host) == without_brackets(self.address)
                }))
    }

    /// Whether the pod is the requested pod. The request may be a name or `namespace/name`.
    fn is_pod(&self, discovered: &Labels<'_>) -> bool {
        let name = discovered.get(POD_NAME);
        let namespace = discovered.get("__meta_kubernetes_namespace");
        let requested_pod = self.address.strip_prefix("pod/").unwrap_or(self.address);
        !name.is_empty()
            && match requested_pod.split_once('/') {
                Some((in_namespace, wanted)) => in_namespace == namespace && wanted == name,
                None => requested_pod == name,
            }
    }

    /// Returns the known address or name that is most similar to the request.
    pub fn suggestion(&self) -> Option<String> {
        did_you_mean(self.address, self.others.iter().map(String::as_str))
    }

    /// Adds a sentence about a target of an additional job. The rules of additional jobs are not displayed.
    fn add_secret_job(&mut self, job: &Job<'_>) {
        let name = display_value("job", &job.name).into_owned();
        let index = job.index.unwrap_or_default();
        self.text.item(format!(
            "additional job [{index}] `{name}` has the target, but the job's rules are in a Secret; -o json lists the target's labels"
        ));
    }

    fn target(&mut self, job: &Job<'_>, shard_count: usize, explained: &Match<'_>) {
        let discovered = &explained.discovered;
        if !self.text.is_empty() {
            self.text.blank_line();
        }
        let mut object_text = object(discovered);
        if shard_count > 1 && !explained.shards.is_empty() {
            object_text.push_str(&format!("  {}", shards(&explained.shards, shard_count)));
        }
        let address = display_value("__address__", discovered.get("__address__")).into_owned();
        let title = Line::styled(Style::Strong, format!("{} {address}", job.name));
        self.text.line(title.with(Style::Faint, object_text));
        self.text.line("labels before");
        self.labels(discovered, true);
        self.text.line("rules");
        for step in trace(job, discovered) {
            let Some(rule) = job.rules.get(step.rule) else { continue };
            let line = Line::from(format!("  {:>3} {}", step.rule + 1, summary(rule)));
            self.text.line(line.with(Style::Faint, format!("  {}", describe_rule_source(rule, self.sources))));
            step.changes.iter().for_each(|change| self.change(change));
            if !step.keeps {
                self.text.line(Line::styled(Style::Warning, "      drops the target"));
            }
        }
        match &explained.state {
            TargetState::Active { labels, url, .. } => {
                self.text.line("labels after");
                self.labels(labels, false);
                self.text.line(format!("scraped at {}", display_value("__url__", url)));
            }
            TargetState::Read { labels } => {
                self.text.line("labels after");
                self.labels(labels, false);
                self.text.line(format!("reads {}", display_value("__path__", labels.get("__path__"))));
            }
            TargetState::NoPath => self.text.line("not read: no `__path__` after relabeling"),
            TargetState::StaticPod { .. } => self.text.line(format!("not read: {STATIC_POD}")),
            TargetState::Invalid(invalid) => self.text.item(format!("not scraped: {invalid}")),
            TargetState::Duplicate => {
                self.text.line("identical to another target of this job; only one of them is scraped")
            }
            TargetState::Undecided(_) => self.text.line("whether that rule drops the target depends on the cluster"),
            TargetState::Dropped(_) => {}
        }
    }

    fn labels(&mut self, labels: &Labels<'_>, with_hidden: bool) {
        for (name, value) in labels.iter().filter(|(name, _)| with_hidden || !name.starts_with("__")) {
            self.text.line(format!("  {name}={}", quote(&display_value(name, value))));
        }
    }

    fn change(&mut self, change: &LabelChange) {
        let value = |value: &Option<String>| value.as_ref().map(|value| quote(&display_value(&change.label, value)));
        let line = match (value(&change.before), value(&change.after)) {
            (None, Some(after)) => Line::styled(Style::Good, format!("      + {}={after}", change.label)),
            (Some(before), None) => Line::styled(Style::Bad, format!("      - {}={before}", change.label)),
            (Some(before), Some(after)) => {
                Line::styled(Style::Warning, format!("      ~ {}: {before} -> {after}", change.label))
            }
            (None, None) => return,
        };
        self.text.line(line);
    }

    /// Returns the explanation, or `None` if no target matches.
    pub fn text(&self) -> Option<&Text> {
        Some(&self.text).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;
    use crate::insight::targets::for_each_group;
    use crate::printable::Screen;

    const INPUT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: m}
spec: {metrics: {instanceSelector: {}SHARDS}, logs: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {podMonitorSelector: {}, additionalScrapeConfigs: {name: jobs, key: j}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: l, namespace: m}
spec: {podLogsSelector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {name: l, namespace: m}
spec: {selector: {}, relabelings: [{regex: 'namespace|job|container|instance', action: labeldrop}]}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: p, namespace: m}
spec:
  selector: {}
  podMetricsEndpoints:
  - port: web
    relabelings:
    - {regex: namespace|container, action: labeldrop}
    - {targetLabel: token, replacement: hunter2}
    - {targetLabel: endpoint, replacement: x}
  - {port: none}
  - {port: web, relabelings: [{targetLabel: __address__, replacement: a/b}]}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: m}
stringData: {j: '[{job_name: hidden, static_configs: [{targets: [\"10.0.0.1:80\"]}]}]'}
---
";

    const POD: &str = "\
apiVersion: v1
kind: Pod
metadata: {name: one, namespace: m, uid: u1}
spec: {nodeName: n, containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}
status: {podIP: 10.0.0.1, phase: Running}
";

    const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: w, namespace: m}
spec: {template: {spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}}}
";

    /// Explains the targets at `address` in the test input with additional resources. Also returns the suggestion.
    fn explain(shards: &str, more: &str, address: &str) -> (String, Option<String>) {
        let mut result = Default::default();
        resolve_text(&(INPUT.replace("SHARDS", shards) + more), |input| {
            let objects = input.objects();
            let cluster = input.cluster(&objects);
            let mut explanation = TargetExplanation::new(address, input.sources, Screen::default());
            let findings = for_each_group(&cluster, input.hierarchies.iter(), &|_, _| true, &mut |_, group| {
                explanation.add(group, &cluster);
            });
            assert_eq!(findings, []);
            let text = explanation.text().map_or("", Text::as_str).to_owned();
            result = (text, explanation.suggestion());
        });
        result
    }

    #[test]
    fn does_not_suggest_secret_addresses() {
        for (workload, expected) in [(POD, Some("did you mean `10.0.0.1:80`?")), (DEPLOYMENT, None)] {
            let (text, suggestion) = explain("", workload, "10.0.0.1:81");
            assert_eq!((text.as_str(), suggestion.as_deref()), ("", expected), "{workload}");
        }
    }

    #[test]
    fn lists_the_shards_that_scrape_a_target() {
        let probe = "---\napiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: b, namespace: m}\n\
                     spec: {prober: {url: bb}, targets: {staticConfig: {static: [site]}}}\n\
                     ---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: j, namespace: m}\n\
                     spec: {probeSelector: {}}\n";
        for (shards, expected) in [("", "probe/m/b site\n"), (", shards: 3", "probe/m/b site  all shards\n")] {
            let (text, _) = explain(shards, &(POD.to_owned() + probe), "bb");
            assert!(text.starts_with(expected), "{text}");
            assert!(text.ends_with("scraped at http://bb:80/probe?module=&target=site\n"), "{text}");
        }
    }

    #[test]
    fn traces_targets_through_the_rules_of_each_job() {
        let whole_output = r#"podMonitor/m/p/0 10.0.0.1:80  pod m/one
labels before
  job="podMonitor/m/p/0"
rules
      + __tmp_prometheus_job_name="podMonitor/m/p/0"
      + namespace="m"
      + pod="one"
      + container="c"
      ~ job: "podMonitor/m/p/0" -> "m/p"
      + endpoint="web"
      - container="c"
      - namespace="m"
      + token="***"
      ~ endpoint: "web" -> "x"
      + __tmp_hash="0"
labels after
  endpoint="x"
  instance="10.0.0.1:80"
  job="m/p"
  pod="one"
  token="***"
scraped at http://10.0.0.1:80/metrics
podMonitor/m/p/1 10.0.0.1:80  pod m/one
labels before
  job="podMonitor/m/p/1"
rules
      + __tmp_prometheus_job_name="podMonitor/m/p/1"
      drops the target
podMonitor/m/p/2 10.0.0.1:80  pod m/one
labels before
  job="podMonitor/m/p/2"
rules
      + __tmp_prometheus_job_name="podMonitor/m/p/2"
      + namespace="m"
      + pod="one"
      + container="c"
      ~ job: "podMonitor/m/p/2" -> "m/p"
      + endpoint="web"
      ~ __address__: "10.0.0.1:80" -> "a/b"
      + __tmp_hash="0"
not scraped: `__address__` contains a slash
additional job [0] `hidden` has the target, but the job's rules are in a Secret; -o json lists the target's labels
podLogs/m/l 10.0.0.1:80  pod m/one
labels before
rules
      + namespace="m"
      + pod="one"
      + container="c"
      + job="m/l"
      + __path__="/var/log/pods/*u1/c/*.log"
      - container="c"
      - job="m/l"
      - namespace="m"
labels after
  pod="one"
reads /var/log/pods/*u1/c/*.log"#;
        let titles_of = |shown: &str| -> Vec<String> {
            let lines = shown.lines().filter(|line| line.contains("  pod m/"));
            lines.map(str::to_owned).collect()
        };
        let shards_line = "podMonitor/m/p/0 10.0.0.1:80  pod m/one  shard 1";
        let expected_only = "podMonitor/m/p/0 <pod-ip>:80  pod m/w-<hash>-<id>\n\
                             podMonitor/m/p/1 <pod-ip>:80  pod m/w-<hash>-<id>\n\
                             podMonitor/m/p/2 <pod-ip>:80  pod m/w-<hash>-<id>\n\
                             podLogs/m/l <pod-ip>:80  pod m/w-<hash>-<id>";
        // Shards are shown only for scraped targets, and never for log targets.
        let shards_of_pod = titles_of(
            "podMonitor/m/p/0 10.0.0.1:80  pod m/one  shard 1\npodMonitor/m/p/1 10.0.0.1:80  pod m/one\n\
             podMonitor/m/p/2 10.0.0.1:80  pod m/one\npodLogs/m/l 10.0.0.1:80  pod m/one",
        );
        for (shards, workload, address, expected) in [
            ("", POD, "10.0.0.1:80", titles_of(whole_output)),
            (", shards: 2", POD, "http://10.0.0.1:80/metrics", titles_of(shards_line)),
            (", shards: 2", DEPLOYMENT, "<pod-ip>:80", titles_of(expected_only)),
            ("", POD, "10.0.0.1", titles_of(whole_output)),
            (", shards: 2", POD, "m/one", shards_of_pod),
            (", shards: 2", POD, "n/one", Vec::new()),
            ("", POD, "10.0.0.1:81", Vec::new()),
        ] {
            let (text, _) = explain(shards, workload, address);
            assert_eq!(titles_of(&text), expected, "{shards} {address}");
            if shards.is_empty() && !text.is_empty() {
                let rule = "    1 replace [job] -> __tmp_prometheus_job_name  PodLogs/m/l (x.yaml:16)";
                assert!(text.lines().any(|line| line == rule), "{text}");
                assert!(text.starts_with("podMonitor/m/p/0 ") && text.contains("\n\npodMonitor/m/p/1 "), "{text}");
                // Hidden labels and rules are not compared.
                let is_rule = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
                let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("  __"));
                let lines: Vec<_> = lines.filter(|line| !is_rule(line)).collect();
                assert_eq!(lines.join("\n"), whole_output);
            }
        }
    }
}
