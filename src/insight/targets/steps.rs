//! Explanation of how a job finds its targets: the number of objects that remain after each step, up to the first step
//! that leaves no objects.

use serde::Serialize;

use super::text::is_in_secret;
use super::words::summary;
use crate::api::Resources;
use crate::check::explain_targets;
use crate::diagnostic::listed::{first_of, format_list};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::{JobKind, Origin};
use crate::printable::format_count;
use crate::source::{Sources, Span};
use crate::targets::discovery::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObservedKind, ObservedObjects, join_kinds};
use crate::targets::scrape::{
    Chain, Cluster, Job, JobGroup, JobRule, JobSource, Missing, Ports, RulePurpose, STATIC_POD, TargetScope,
    TargetState,
};

/// Maximum number of objects to list by name.
const MAX_NAMED: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobSteps {
    /// `namespace/name` of the GrafanaAgent.
    pub agent: String,
    /// `namespace/name` of the instance.
    pub instance: String,
    /// Name of the scrape job.
    pub job: String,
    pub steps: Vec<NarrowingStep>,
    /// Number of targets on all shards.
    pub targets: usize,
    /// Whether the targets are only expected to exist. True if their objects did not come from a cluster.
    pub potential: bool,
    /// Whether the agent rejects the configuration that contains the job.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
}

/// A step, and the number of objects that remain after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NarrowingStep {
    /// Description of the step.
    pub text: String,
    pub ok: bool,
    /// File with the field that determines the remaining objects.
    pub file: Option<String>,
    /// Line of the field that determines the remaining objects.
    pub line: Option<u32>,
    /// Suggested values and help texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

impl JobSteps {
    /// Returns the steps of a job, or `None` if the job is in a Secret or has too many targets.
    pub fn trace<'d>(
        agent: &str,
        group: &JobGroup<'_, 'd>,
        cluster: &Cluster<'_, 'd>,
        resources: &Resources<'d>,
        sources: &Sources,
    ) -> Option<Self> {
        let job = Some(&group.first).filter(|job| !is_in_secret(job))?;
        if !cluster.spend(group, TargetScope::Selected) {
            return None;
        }
        let chain = cluster.chain(job);
        let is_divided = group.is_divided();
        let times = if is_divided { 1 } else { group.count };
        let mut writer = Writer {
            job,
            chain: &chain,
            objects: cluster.objects,
            missing_kinds: job.missing_kinds(cluster.objects),
            shards: group.count,
            is_divided,
            sources,
            steps: Vec::new(),
        };
        writer.write();
        if chain.scraped == 0 && !chain.lacks_objects(&writer.missing_kinds) {
            let mut findings = explain_targets(resources, cluster, job, &chain);
            // If a job searches several namespaces, a missing namespace may have no effect on the targets.
            findings
                .retain(|finding| finding.code != Code::UnknownNamespace || chain.missing() == Some(Missing::Objects));
            writer.add_hints(&findings);
        }
        Some(Self {
            targets: chain.scraped * times,
            potential: chain.is_potential,
            ..Self::new(agent, group, writer.steps)
        })
    }

    /// Returns the single step for a job in a configuration that the agent rejects.
    pub fn for_rejected_job(agent: &str, group: &JobGroup<'_, '_>, finding: &Diagnostic, sources: &Sources) -> Self {
        let text = format!("the agent rejects its configuration: {}", finding.message);
        let span = finding.primary().map(|label| label.span);
        Self { refused: true, ..Self::new(agent, group, vec![NarrowingStep::new(text, false, span, sources)]) }
    }

    fn new(agent: &str, group: &JobGroup<'_, '_>, steps: Vec<NarrowingStep>) -> Self {
        Self {
            agent: agent.to_owned(),
            instance: group.instance.resource().meta.full_name(),
            job: group.first.name.clone(),
            steps,
            targets: 0,
            potential: false,
            refused: false,
        }
    }
}

impl NarrowingStep {
    fn new(text: String, ok: bool, span: Option<Span>, sources: &Sources) -> Self {
        let location = span.and_then(|span| sources.location(span));
        Self {
            text,
            ok,
            file: location.as_ref().map(|place| place.file.to_owned()),
            line: location.map(|place| place.start.line),
            hints: Vec::new(),
        }
    }
}

struct Writer<'w, 'd> {
    job: &'w Job<'d>,
    chain: &'w Chain<'w, 'd>,
    /// Kinds of objects that the job needs but that are not in the input.
    missing_kinds: Vec<ObservedKind>,
    objects: &'w ObservedObjects<'d>,
    /// Number of shards of the agent.
    shards: usize,
    /// Whether each target is scraped by only one shard instead of all shards.
    is_divided: bool,
    sources: &'w Sources,
    steps: Vec<NarrowingStep>,
}

impl<'d> Writer<'_, 'd> {
    fn write(&mut self) {
        let missing_part = self.chain.missing();
        let is_unknown = self.chain.lacks_objects(&self.missing_kinds);
        if missing_part == Some(Missing::Objects) && is_unknown {
            return self.missing_kinds();
        }
        if self.chain.role.is_some() {
            self.objects(missing_part);
            if matches!(missing_part, Some(Missing::Objects | Missing::Selected)) {
                return;
            }
            // If there are no targets, the pods' ports are unknown.
            let is_known = |ports: &Ports| ports.has_wanted || missing_part == Some(Missing::Port);
            if self.chain.ports.as_ref().is_some_and(is_known) {
                self.ports(missing_part);
            }
            if missing_part == Some(Missing::Port) {
                return;
            }
        }
        if missing_part == Some(Missing::Targets) && is_unknown {
            return self.missing_kinds();
        }
        self.targets();
    }

    fn add(&mut self, text: String, ok: bool, span: Option<Span>) {
        self.steps.push(NarrowingStep::new(text, ok, span, self.sources));
    }

    /// Adds suggestions from `check` to the last step.
    fn add_hints(&mut self, findings: &[Diagnostic]) {
        let Some(last_step) = self.steps.last_mut() else { return };
        for finding in findings {
            match finding.code {
                Code::UnknownNamespace | Code::ServiceWithoutEndpoints => last_step.hints.push(finding.message.clone()),
                Code::NoMatchingObject => {
                    let labels = finding.labels.iter().skip(1).filter(|label| !label.text.is_empty());
                    last_step.hints.extend(labels.map(|label| match self.sources.location(label.span) {
                        Some(place) => format!("{} ({}:{})", label.text, place.file, place.start.line),
                        None => label.text.clone(),
                    }));
                }
                _ => {}
            }
            // The step already lists the ports.
            let lists_ports =
                |help: &str| help.starts_with("use the only port") || help.starts_with("use one of the ports");
            last_step.hints.extend(finding.help.clone().filter(|help| !lists_ports(help)));
        }
    }

    /// Adds a step for the kinds that are missing from the input.
    fn missing_kinds(&mut self) {
        let names: Vec<_> = self.missing_kinds.iter().map(|kind| kind.resource()).collect();
        let text = format!(
            "the input has no {}, so the targets are unknown: add the output of `kubectl get -A {} -o yaml`",
            join_kinds(&self.missing_kinds),
            names.join(",")
        );
        self.add(text, false, None);
    }

    fn objects(&mut self, missing: Option<Missing>) {
        let noun = match self.chain.role {
            Some(DiscoveryRole::Pod) => "pod",
            Some(DiscoveryRole::Ingress) => "Ingress",
            _ => "Service",
        };
        let watch = self.job.sources.iter().find_map(|source| match source {
            JobSource::Watch { watch, origin } => Some((watch, origin)),
            JobSource::Static(_) => None,
        });
        let namespace_text = match watch.and_then(|(watch, _)| watch.namespaces.as_deref()) {
            None => "in all namespaces".to_owned(),
            Some([name]) => format!("in namespace `{name}`"),
            Some(names) => format!("in namespaces {}", format_list(MAX_NAMED, names.iter())),
        };
        let span = watch.and_then(|(_, origin)| origin.map(Origin::span));
        let (searched_count, unserved_count) = (self.chain.searched, self.chain.searched_unserved);
        let without_service = format!("{unserved_count} Endpoints without a Service");
        let description = match (searched_count, unserved_count) {
            (_, 0) => count_of_kind(searched_count, noun),
            (0, _) => without_service,
            _ => format!("{} and {without_service}", count_of_kind(searched_count, noun)),
        };
        self.add(format!("{description} {namespace_text}"), searched_count + unserved_count > 0, span);
        if missing == Some(Missing::Objects) {
            return;
        }
        let selected_objects: Vec<_> = self.chain.selected.iter().chain(&self.chain.unserved).collect();
        let span = self.origin(RulePurpose::Selector).map(|origin| origin.whole_field().span());
        let names = first_of(MAX_NAMED, selected_objects.iter().map(|meta| meta.name));
        let text = match selected_objects.len() {
            0 => "none matches the selector".to_owned(),
            1 => format!("1 matches the selector: {names}"),
            count => format!("{count} match the selector: {names}"),
        };
        self.add(text, !selected_objects.is_empty(), span);
    }

    fn origin(&self, part: RulePurpose) -> Option<Origin<'_>> {
        self.job.rules.iter().find(|rule| rule.part() == part)?.field()
    }

    fn ports(&mut self, missing: Option<Missing>) {
        let Some(ports) = &self.chain.ports else { return };
        let rule = self.job.rules.get(ports.rule);
        let wanted_port = rule.and_then(|rule| rule.config().regex.as_deref()).unwrap_or_default();
        let known_ports = match ports.known.len() {
            0 => "no port has a name".to_owned(),
            1 => format!("the only port is {}", first_of(1, ports.known.iter())),
            _ => format!("the ports are {}", format_list(MAX_NAMED, ports.known.iter())),
        };
        let text = match (missing == Some(Missing::Port), ports.is_behind_service) {
            (true, true) => format!("the Service has port `{wanted_port}`, but no container backing it does"),
            (true, false) => format!("none has port `{wanted_port}`: {known_ports}"),
            (false, _) => format!("port `{wanted_port}`: {known_ports}"),
        };
        let span = self.origin(RulePurpose::Port).map(Origin::span);
        self.add(text, missing != Some(Missing::Port), span);
    }

    fn targets(&mut self) {
        let target_count = self.chain.found_count;
        let without_ip = self.pods_without_ip();
        if !without_ip.is_empty() {
            let names = first_of(MAX_NAMED, without_ip.iter().map(|pod| pod.name));
            let text = match without_ip.len() {
                1 => format!("1 pod has no IP, so it has no target: {names}"),
                count => format!("{count} pods have no IP, so they have no targets: {names}"),
            };
            self.add(text, target_count > 0, None);
            if target_count == 0 {
                return;
            }
        }
        let noun = if self.chain.is_potential { "potential target" } else { "target" };
        let text = match self.chain.role {
            None => format!("{} in the list", format_count(target_count, noun)),
            Some(DiscoveryRole::Service) => format!("{} at their endpoints", format_count(target_count, noun)),
            Some(_) => format_count(target_count, noun),
        };
        self.add(text, target_count > 0, self.job.origin.map(Origin::span));
        if target_count == 0 {
            return;
        }
        for (number, targets_left) in &self.chain.left {
            let Some(rule) = self.job.rules.get(*number) else {
                continue;
            };
            let span = rule.field().map(Origin::span);
            let rule_description = match rule.part() {
                RulePurpose::Port => "with the port".to_owned(),
                _ => format!("after `{}`", summary(rule)),
            };
            self.add(format!("{targets_left} left {rule_description}"), *targets_left > 0, span);
            if *targets_left == 0 {
                return;
            }
        }
        match (&self.chain.unfit, self.chain.scraped) {
            (Some((state, rule)), 0) => {
                let verb = match self.job.kind {
                    JobKind::Metrics => "scraped",
                    JobKind::Logs => "read",
                };
                let state_description = match state {
                    TargetState::Invalid(invalid) => invalid.to_string(),
                    TargetState::StaticPod { .. } => STATIC_POD.to_owned(),
                    _ => "no `__path__` after relabeling".to_owned(),
                };
                let rule = rule.and_then(|rule| self.job.rules.get(rule));
                let span = rule.and_then(JobRule::field).map(Origin::span);
                self.add(format!("none can be {verb}: {state_description}"), false, span);
            }
            (_, scraped) => {
                let outcome = self.last_predicate();
                let undecided_text = match self.chain.undecided {
                    0 => String::new(),
                    open if open == scraped => ", if the cluster sets the labels that the rules require".to_owned(),
                    open => format!(", {open} of them if the cluster sets the labels that the rules require"),
                };
                self.add(format!("{} {outcome}{undecided_text}", format_count(scraped, noun)), scraped > 0, None);
            }
        }
    }

    /// Returns the selected pods without an IP. If Services are selected and there are no targets, returns the pods
    /// without an IP that belong to the first few of these Services instead.
    fn pods_without_ip(&self) -> Vec<&ClusterObject<'d>> {
        let selected = self.chain.selected.iter().copied();
        let lacks_ip = |pod: &&ClusterObject<'_>| pod.status("podIP").is_empty();
        match self.chain.role {
            Some(DiscoveryRole::Pod) => selected.filter(lacks_ip).collect(),
            Some(DiscoveryRole::Service) if self.chain.found_count == 0 => {
                let services = selected.filter(|service| !service.selector().is_empty()).take(MAX_NAMED);
                let endpoints = services.flat_map(|service| {
                    let pods = self.objects.in_namespace(ObservedKind::Pod, service.namespace).iter();
                    let selects = service.pod_matcher();
                    pods.filter(move |pod| selects(pod))
                });
                endpoints.filter(lacks_ip).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the predicate for the last step, such as `are scraped by each of 2 shards`.
    fn last_predicate(&self) -> String {
        let verb = match self.job.kind {
            JobKind::Metrics => "scraped",
            JobKind::Logs => "read",
        };
        let auxiliary_verb = match (self.chain.is_potential, self.chain.scraped) {
            (true, _) => "can be",
            (false, 1) => "is",
            (false, _) => "are",
        };
        let shards = match (self.shards, self.is_divided, self.chain.scraped) {
            (1, ..) => String::new(),
            (shards, true, 1) => format!(" by one of {shards} shards"),
            (shards, true, _) => format!(", divided among {shards} shards"),
            (shards, false, _) => format!(" by each of {shards} shards"),
        };
        format!("{auxiliary_verb} {verb}{shards}")
    }
}

fn count_of_kind(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (count, "Ingress") => format!("{count} Ingresses"),
        (count, noun) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::resolved::resolve_text;
    use crate::insight::targets::for_each_group;

    const INPUT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: m}
spec: {metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: m}
spec: {podMonitorSelector: {}, probeSelector: {}, serviceMonitorSelector: {}, additionalScrapeConfigs: {name: jobs, key: j}}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: p, namespace: m}
spec:
  selector: {matchLabels: {app: a}}
  namespaceSelector: {matchNames: [m, o]}
  podMetricsEndpoints:
  - {port: web}
  - {port: none}
  - {port: web, relabelings: [{sourceLabels: [pod], regex: two, action: drop}, {targetLabel: __address__, replacement: a/b}]}
  - {port: web, relabelings: [{sourceLabels: [pod], regex: one|two, action: drop}]}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: m}
spec: {selector: {matchLabels: {app: gone}}, namespaceSelector: {any: true}, endpoints: [{port: web}]}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: q, namespace: m}
spec: {prober: {url: p}, targets: {staticConfig: {static: [b, c]}}}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: r, namespace: m}
spec: {prober: {url: p}, targets: {ingress: {selector: {matchLabels: {app: a}}}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: g, namespace: m, labels: {app: a}}
spec: {rules: [{host: h, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]}
---
apiVersion: v1
kind: Service
metadata: {name: s, namespace: m, labels: {app: a}}
spec: {ports: [{name: web, port: 80}]}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: m}
stringData: {j: '[{job_name: hidden, static_configs: [{targets: [a]}]}]'}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: x, namespace: m}
spec: {selector: {matchLabels: {app: b}}, podMetricsEndpoints: [{port: web}]}
---
apiVersion: v1
kind: Pod
metadata: {name: three, namespace: m, uid: u3, labels: {app: b}}
spec: {nodeName: n, containers: [{name: c}]}
status: {podIP: 10.0.0.3, phase: Running}
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
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: t, namespace: m}
spec: {selector: {}, namespaceSelector: {matchNames: [gone]}, endpoints: [{port: web}]}
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: z, namespace: m}
spec: {prober: {url: p}, targets: {staticConfig: {static: []}}}
";

    const EXPECTED: &str = "\
serviceMonitor/m/s/0 of m/a m/i: 0
  ✓ 1 Service in all namespaces (26)
  ✗ none matches the selector (26)
    - compare the selector with the labels of each Service
serviceMonitor/m/t/0 of m/a m/i: 0
  ✗ 0 Services in namespace `gone` (79)
    - namespace `gone` is not in the input
    - add the namespace to the export, or correct its name
podMonitor/m/p/0 of m/a m/i: 2
  ✓ 3 pods in namespaces `m` and `o` (16)
  ✓ 2 match the selector: `one`, `two` (15)
  ✓ port `web`: the only port is `web (80)` (18)
  ✓ 2 targets (18)
  ✓ 2 targets are scraped (0)
podMonitor/m/p/1 of m/a m/i: 0
  ✓ 3 pods in namespaces `m` and `o` (16)
  ✓ 2 match the selector: `one`, `two` (15)
  ✗ none has port `none`: the only port is `web (80)` (19)
podMonitor/m/p/2 of m/a m/i: 0
  ✓ 3 pods in namespaces `m` and `o` (16)
  ✓ 2 match the selector: `one`, `two` (15)
  ✓ port `web`: the only port is `web (80)` (20)
  ✓ 2 targets (20)
  ✓ 1 left after `drop [pod] ~ \"two\"` (20)
  ✗ none can be scraped: `__address__` contains a slash (20)
    - keep `__address__`, `__scheme__`, `__metrics_path__`, `__scrape_interval__` and `__scrape_timeout__` valid
podMonitor/m/p/3 of m/a m/i: 0
  ✓ 3 pods in namespaces `m` and `o` (16)
  ✓ 2 match the selector: `one`, `two` (15)
  ✓ port `web`: the only port is `web (80)` (21)
  ✓ 2 targets (21)
  ✗ 0 left after `drop [pod] ~ \"one|two\"` (21)
    - correct the rule: a `regex` must match the whole value; `agentctl targets --explain ADDRESS` shows the labels of a target at this rule
podMonitor/m/x/0 of m/a m/i: 0
  ✓ 3 pods in namespace `m` (56)
  ✓ 1 matches the selector: `three` (56)
  ✗ none has port `web`: no port has a name (56)
    - add a port with `name: web` to container `c`: no container declares a port
probe/m/q of m/a m/i: 2
  ✓ 2 targets in the list (28)
  ✓ 2 targets are scraped (0)
probe/m/r of m/a m/i: 1
  ✓ 1 Ingress in namespace `m` (36)
  ✓ 1 matches the selector: `g` (36)
  ✓ 1 target (33)
  ✓ 1 target is scraped (0)
probe/m/z of m/a m/i: 0
  ✗ 0 targets in the list (81)
hidden
";

    #[test]
    fn steps_count_the_remaining_objects() {
        assert_eq!(format_steps(INPUT), EXPECTED);
    }

    /// Returns the steps of every job.
    fn format_steps(input: &str) -> String {
        let mut steps_text = String::new();
        resolve_text(input, |input| {
            let objects = input.objects();
            let cluster = input.cluster(&objects);
            let findings = for_each_group(&cluster, input.hierarchies.iter(), &|_, _| true, &mut |agent, group| {
                let Some(steps) = JobSteps::trace(agent, group, &cluster, input.resources, input.sources) else {
                    return steps_text.push_str("hidden\n");
                };
                steps_text += &format!("{} of {} {}: {}\n", steps.job, steps.agent, steps.instance, steps.targets);
                for step in &steps.steps {
                    let mark = if step.ok { '✓' } else { '✗' };
                    steps_text += &format!("  {mark} {} ({})\n", step.text, step.line.unwrap_or_default());
                    steps_text.extend(step.hints.iter().map(|hint| format!("    - {hint}\n")));
                }
            });
            assert_eq!(findings, []);
        });
        steps_text
    }

    fn pod(name: &str, app: &str, ip: &str) -> String {
        format!(
            "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {name}, namespace: m, uid: u, labels: {{app: {app}}}}}, spec: {{nodeName: n, \
             containers: [{{name: c, ports: [{{name: web, containerPort: 80}}]}}]}}, status: {{podIP: '{ip}'}}}}\n"
        )
    }

    fn service(namespace: &str, name: &str, port: &str) -> String {
        format!(
            "---\n{{apiVersion: v1, kind: Service, metadata: {{name: {name}, namespace: {namespace}, uid: u, labels: {{app: {name}}}}}, spec: \
             {{selector: {{app: {name}}}, ports: [{{name: {port}, port: 80}}]}}}}\n"
        )
    }

    fn endpoints(name: &str, subsets: &str) -> String {
        format!(
            "---\n{{apiVersion: v1, kind: Endpoints, metadata: {{name: {name}, namespace: m, uid: u}}, subsets: {subsets}}}\n"
        )
    }

    const SUBSETS: &str = "[{addresses: [{ip: 10.0.0.1}, {ip: 10.0.0.2}], ports: [{name: web, port: 80}]}]";

    #[test]
    fn last_step_has_the_same_help_as_check() {
        let monitor = "selector: {matchLabels: {app: web}}, endpoints: [{port: web}]";
        let pods = "selector: {matchLabels: {app: web}}, podMetricsEndpoints: [{port: web}]";
        let known_objects =
            endpoints("known", SUBSETS) + &service("m", "known", "web") + &pod("known", "known", "10.0.0.9");
        for (kind, spec, objects, expected) in [
            (
                "ServiceMonitor",
                monitor,
                service("o", "web", "web"),
                "  ✗ none matches the selector (1)\n    - Service `o/web` matches\n    - add `o` to `matchNames` in `namespaceSelector`\n",
            ),
            (
                "ServiceMonitor",
                monitor,
                service("m", "wbe", "web"),
                "  ✗ none matches the selector (1)\n    - Service `m/wbe` has `app: wbe`\n    - did you mean `wbe`?\n",
            ),
            (
                "ServiceMonitor",
                monitor,
                pod("web-1", "web", "10.0.0.1"),
                "  ✗ none matches the selector (1)\n    - pod `m/web-1` has these labels\n    - select by the labels of the Service, not by those of the pod\n",
            ),
            (
                "ServiceMonitor",
                monitor,
                service("m", "web", "web") + &endpoints("web", "[]"),
                "  ✗ 0 targets at their endpoints (1)\n    - Service `m/web` selects no pods, so it has no targets\n    - compare the Service's selector with the pods' labels\n",
            ),
            (
                "ServiceMonitor",
                monitor,
                service("m", "web", "web") + &endpoints("web", "[]") + &pod("web-1", "web", ""),
                "  ✗ 1 pod has no IP, so it has no target: `web-1` (0)\n",
            ),
            (
                "ServiceMonitor",
                monitor,
                service("m", "web", "http") + &endpoints("web", "[]"),
                "  ✗ none has port `web`: the only port is `http` (1)\n",
            ),
            (
                "PodMonitor",
                pods,
                pod("web-1", "web", "") + &pod("web-2", "web", ""),
                "  ✗ 2 pods have no IP, so they have no targets: `web-1`, `web-2` (0)\n",
            ),
        ] {
            let actual = format_steps(&input(1, kind, spec, &(known_objects.clone() + &objects)));
            // Locations are removed, because they are irrelevant to this test.
            let lines = actual.lines().map(|line| line.split(" (x.yaml:").next().unwrap_or_default());
            let actual: String = lines.map(|line| format!("{line}\n")).collect();
            assert!(actual.ends_with(expected), "{actual}");
            // A port that no object has must not also be reported as a successful step.
            assert!(!actual.contains("✗ none has port") || !actual.contains("✓ port"), "{actual}");
        }
    }

    /// Returns an input with a monitor or Probe on the first line, an agent with the given number of shards, and
    /// `objects`.
    fn input(shards: u32, kind: &str, spec: &str, objects: &str) -> String {
        format!(
            "{{apiVersion: monitoring.coreos.com/v1, kind: {kind}, metadata: {{name: x, namespace: m}}, spec: {{{spec}}}}}\n\
             ---\n{{apiVersion: monitoring.grafana.com/v1alpha1, kind: GrafanaAgent, metadata: {{name: a, namespace: m}}, spec: {{metrics: \
             {{instanceSelector: {{}}, shards: {shards}}}, logs: {{instanceSelector: {{}}}}}}}}\n\
             ---\n{{apiVersion: monitoring.grafana.com/v1alpha1, kind: MetricsInstance, metadata: {{name: i, namespace: m}}, spec: \
             {{podMonitorSelector: {{}}, probeSelector: {{}}, serviceMonitorSelector: {{}}}}}}\n\
             ---\n{{apiVersion: monitoring.grafana.com/v1alpha1, kind: LogsInstance, metadata: {{name: i, namespace: m}}, spec: \
             {{podLogsSelector: {{}}}}}}\n{objects}"
        )
    }

    #[test]
    fn counts_targets_per_shard() {
        let pods = "selector: {}, podMetricsEndpoints: [{port: web}]";
        let two_pods = pod("web-1", "web", "10.0.0.1") + &pod("web-2", "web", "10.0.0.2");
        let probe = |targets: &str| format!("prober: {{url: p}}, targets: {{staticConfig: {{static: [{targets}]}}}}");
        for (shards, kind, spec, objects, targets, expected) in [
            (1, "PodMonitor", pods.to_owned(), two_pods.clone(), 2, "✓ 2 targets are scraped"),
            (2, "PodMonitor", pods.to_owned(), two_pods.clone(), 2, "✓ 2 targets are scraped, divided among 2 shards"),
            (2, "PodMonitor", pods.to_owned(), pod("web-1", "web", "10.0.0.1"), 1, "✓ 1 target is scraped by one of 2 shards"),
            (1, "Probe", probe("a"), two_pods.clone(), 1, "✓ 1 target is scraped"),
            (2, "Probe", probe("a"), two_pods.clone(), 2, "✓ 1 target is scraped by each of 2 shards"),
            (2, "Probe", probe("a, b"), two_pods.clone(), 4, "✓ 2 targets are scraped by each of 2 shards"),
            (
                2,
                "ServiceMonitor",
                "selector: {}, endpoints: [{port: web}]".to_owned(),
                endpoints("old", SUBSETS),
                2,
                "✓ 2 targets are scraped, divided among 2 shards",
            ),
            (
                2,
                "PodMonitor",
                pods.to_owned(),
                "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: m}, spec: {template: {spec: {containers: [{name: \
                 c, ports: [{name: web, containerPort: 80}]}]}}}}\n"
                    .to_owned(),
                1,
                "✓ 1 potential target can be scraped by one of 2 shards",
            ),
        ] {
            let actual = format_steps(&input(shards, kind, &spec, &objects));
            let first_line = actual.lines().next().unwrap();
            assert!(first_line.ends_with(&format!(": {targets}")), "{actual}");
            assert!(actual.ends_with(&format!("  {expected} (0)\n")), "{actual}");
        }
        let log_steps = input(2, "PodMonitor", pods, &two_pods)
            .replace("monitoring.coreos.com/v1, kind: PodMonitor", "monitoring.grafana.com/v1alpha1, kind: PodLogs");
        assert!(format_steps(&log_steps.replace(pods, "selector: {}")).ends_with("  ✓ 2 targets are read (0)\n"));
    }

    #[test]
    fn counts_endpoints_without_a_service() {
        let spec = "selector: {}, endpoints: [{port: web}]";
        for (objects, expected) in [
            (endpoints("old", SUBSETS), "  ✓ 1 Endpoints without a Service in namespace `m` (1)\n"),
            (
                endpoints("old", SUBSETS) + &endpoints("older", SUBSETS) + &service("m", "web", "web"),
                "  ✓ 1 Service and 2 Endpoints without a Service in namespace `m` (1)\n",
            ),
            (endpoints("web", SUBSETS) + &service("m", "web", "web"), "  ✓ 1 Service in namespace `m` (1)\n"),
        ] {
            let actual = format_steps(&input(1, "ServiceMonitor", spec, &objects));
            assert!(actual.contains(expected), "{actual}");
        }
    }
}
