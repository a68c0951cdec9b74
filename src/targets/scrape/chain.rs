//! Steps in which a job finds and loses its targets: the objects in its namespaces, the objects that its selector
//! selects, their ports, and the targets that its rules keep.

use std::collections::{BTreeSet, HashSet};

use super::cluster::{Cluster, TargetScope, TargetState, finish, set_defaults};
use super::finish::Invalid;
use super::job::{Job, JobRule, JobSource, RulePurpose};
use super::trace::trace;
use crate::targets::discovery::{DiscoveryRole, DiscoveryWatch, selectable_labels};
use crate::targets::observed::{ClusterObject, ObservedKind, Port, is_placeholder};
use crate::targets::relabel::Labels;

/// Steps in which a job finds and loses its targets.
#[derive(Default)]
pub struct Chain<'o, 'd> {
    /// Role of the objects that the job's selector selects, or `None` for a list of addresses.
    pub role: Option<DiscoveryRole>,
    /// Number of objects of the selected kind in the namespaces that the job searches.
    pub searched: usize,
    /// Objects that the job's selector selects.
    pub selected: Vec<&'o ClusterObject<'d>>,
    /// Number of Endpoints with no Service of the same name, in the namespaces that the job searches.
    pub searched_unserved: usize,
    /// Selected Endpoints with no Service of the same name.
    pub unserved: Vec<&'o ClusterObject<'d>>,
    /// Ports of the selected objects, if the job requires a port.
    pub ports: Option<Ports>,
    /// Number of targets that discovery finds for the selected objects.
    pub found_count: usize,
    /// Rules after the selector that drop targets, each with the number of targets that remain after it.
    pub left: Vec<(usize, usize)>,
    /// Reason why none of the remaining targets can be scraped, and the rule that causes this.
    pub unfit: Option<(TargetState<'d>, Option<usize>)>,
    /// Number of targets that are scraped or read, across all shards.
    pub scraped: usize,
    /// Number of scraped targets that a rule may still drop, depending on values that only a cluster can determine.
    pub undecided: usize,
    /// Whether the targets are only potential.
    pub is_potential: bool,
    /// First init container whose port is scraped, and its pod.
    pub init_container: Option<(&'o ClusterObject<'d>, String)>,
}

/// Port that a job requires.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    /// Index of the rule that keeps only targets with the port.
    pub rule: usize,
    /// Names or numbers of the ports that exist.
    pub known: BTreeSet<String>,
    /// Whether the required port exists.
    pub has_wanted: bool,
    /// Whether the Service has the port, but none of its endpoints has it.
    pub is_behind_service: bool,
}

/// A target that is scraped or read, or a static pod whose logs are not read.
pub struct CollectedTarget<'t, 'd> {
    /// Object that the target was discovered from, or `None` for a listed address.
    pub object: Option<&'t ClusterObject<'d>>,
    /// Labels before the first rule.
    pub discovered: &'t Labels<'d>,
    /// State of the target: [`TargetState::Active`], [`TargetState::Read`] or [`TargetState::StaticPod`].
    pub state: &'t TargetState<'d>,
    /// Whether no cluster has run the target's pod yet.
    pub is_potential: bool,
    /// Whether the rules have the same effect on the target in every cluster.
    pub is_certain: bool,
}

/// First step after which no target remains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The namespaces contain no objects of the selected kind.
    Objects,
    /// The selector selects no objects.
    Selected,
    /// No object has the required port.
    Port,
    /// The selected objects have no targets: they have no addresses, or they are pods without an IP.
    Targets,
    /// This rule drops the last target.
    Rule(usize),
    /// No target can be scraped. The cause is the rule with this index, if any.
    Unfit(Option<usize>),
}

impl<'o, 'd> Chain<'o, 'd> {
    /// Returns the selected Services that have the required port, if the job requires one.
    pub fn services_with_port(&self, job: &Job<'d>) -> Vec<&'o ClusterObject<'d>> {
        let rule = self.ports.as_ref().and_then(|ports| job.rules.get(ports.rule));
        let rule = rule.filter(|rule| self.role == Some(DiscoveryRole::Service) && depends_on(rule, ENDPOINT_PORT));
        let Some(rule) = rule else { return Vec::new() };
        let has_port = |service: &&ClusterObject<'d>| {
            Port::all(service.body.part("spec"), "port").any(|port| is_wanted_port(rule, port.name))
        };
        self.selected.iter().copied().filter(has_port).collect()
    }

    /// Whether no targets are found because the input lacks objects of one of these kinds.
    pub fn lacks_objects(&self, missing_kinds: &[ObservedKind]) -> bool {
        match self.missing() {
            Some(Missing::Objects) => self.role.is_some_and(|role| missing_kinds.contains(&role.kind())),
            // A Service of type `ExternalName` has no Endpoints in any cluster.
            Some(Missing::Targets) => {
                let is_external = |service: &&ClusterObject<'_>| service.is_external();
                !missing_kinds.is_empty()
                    && (self.role != Some(DiscoveryRole::Service) || !self.selected.iter().all(is_external))
            }
            _ => false,
        }
    }

    /// Returns the step at which the job loses its last target, or `None` if a target remains.
    pub fn missing(&self) -> Option<Missing> {
        let is_discovered = self.role.is_some();
        let last = self.left.iter().find(|(_, left)| *left == 0);
        Some(match (&self.ports, last) {
            _ if self.scraped > 0 => return None,
            _ if is_discovered && self.searched + self.searched_unserved == 0 => Missing::Objects,
            _ if is_discovered && self.selected.is_empty() && self.unserved.is_empty() => Missing::Selected,
            (Some(ports), _) if !ports.has_wanted && (self.found_count > 0 || !ports.known.is_empty()) => Missing::Port,
            _ if self.found_count == 0 => Missing::Targets,
            (_, Some((rule, _))) => Missing::Rule(*rule),
            (_, None) => Missing::Unfit(self.unfit.as_ref().and_then(|(_, rule)| *rule)),
        })
    }
}

impl<'o, 'd> Cluster<'o, 'd> {
    /// Returns the steps of a job, counting the targets on all shards.
    pub fn chain(&self, job: &Job<'d>) -> Chain<'o, 'd> {
        self.chain_with(job, &mut |_| {})
    }

    /// Returns the steps of a job, and visits its scraped and read targets.
    pub fn chain_with(&self, job: &Job<'d>, collected: &mut dyn FnMut(CollectedTarget<'_, 'd>)) -> Chain<'o, 'd> {
        let mut chain = Chain::default();
        for source in &job.sources {
            if let JobSource::Watch { watch, .. } = source {
                self.select(job, watch, &mut chain);
            }
        }
        self.follow(job, &mut chain, collected);
        chain
    }

    /// Finds the objects that a job's selector selects.
    fn select(&self, job: &Job<'d>, watch: &DiscoveryWatch, chain: &mut Chain<'o, 'd>) {
        let role = match watch.role {
            DiscoveryRole::Endpoints | DiscoveryRole::EndpointSlice => DiscoveryRole::Service,
            role => role,
        };
        let selectors: Vec<_> = job.rules.iter().filter(|rule| rule.part() == RulePurpose::Selector).collect();
        if watch.role == DiscoveryRole::Endpoints {
            let view = self.view(watch);
            for endpoints in self.endpoints_without_service().filter(|endpoints| view.is_searched(endpoints)) {
                let mut labels = selectable_labels(DiscoveryRole::Endpoints, endpoints);
                chain.searched_unserved += 1;
                if selectors.iter().all(|rule| rule.rule.apply(&mut labels)) {
                    chain.unserved.push(endpoints);
                }
            }
        }
        let watch = DiscoveryWatch { role, ..watch.clone() };
        let view = self.view(&watch);
        let is_selected = |object: &&ClusterObject<'d>| {
            let mut labels = selectable_labels(role, object);
            if object.is_potential {
                labels.mark_unknown(is_placeholder);
            }
            let mut selectors = selectors.iter();
            selectors.all(|rule| rule.rule.apply(&mut labels) || rule.rule.is_undecided(&labels))
        };
        chain.role = Some(role);
        chain.searched += view.positions().len();
        let candidates = self.positions(view, &job.rules, TargetScope::Selected).into_iter();
        let objects = self.objects.list(role.kind());
        let candidates = candidates.filter_map(|position| objects.get(position));
        let selected: Vec<_> = candidates.filter(is_selected).collect();
        if let (Some(rule), DiscoveryRole::Service) =
            (job.rules.iter().position(|rule| rule.part() == RulePurpose::Port), role)
        {
            let specs = selected.iter().map(|service| service.body.part("spec"));
            let names = specs.flat_map(|spec| Port::all(spec, "port")).map(|port| port.name);
            let ports = chain.ports.get_or_insert(Ports { rule, ..Ports::default() });
            if let Some(rule) = job.rules.get(rule).filter(|rule| depends_on(rule, ENDPOINT_PORT)) {
                for name in names {
                    ports.is_behind_service |= is_wanted_port(rule, name);
                    ports.known.insert(display_port(name, ""));
                }
                ports.has_wanted = ports.is_behind_service;
            }
        }
        chain.selected.extend(selected);
    }

    /// Returns the init container whose port is a target of Endpoints. Only Prometheus 3 discovers such targets.
    fn init_container(&self, target: &Labels<'d>) -> Option<(&'o ClusterObject<'d>, String)> {
        let is_init = target.get("__meta_kubernetes_pod_container_init") == "true";
        // In both versions, targets with the `pod` role have the label for init containers, so they are not reported
        // here.
        if !is_init || target.get("__meta_kubernetes_endpoints_name").is_empty() {
            return None;
        }
        // A workload names its pods after itself and adds a suffix that only the cluster knows.
        let pod = target.get("__meta_kubernetes_pod_name");
        let name = pod.split_once("-<").map_or(pod, |(workload, _)| workload);
        let namespace = target.get("__meta_kubernetes_namespace");
        let pod = self.objects.find(ObservedKind::Pod, namespace, name)?;
        Some((pod, target.get("__meta_kubernetes_pod_container_name").to_owned()))
    }

    /// Applies a job's rules to its targets.
    fn follow(&self, job: &Job<'d>, chain: &mut Chain<'o, 'd>, collected: &mut dyn FnMut(CollectedTarget<'_, 'd>)) {
        let mut dropped = vec![0_usize; job.rules.len()];
        let mut active = HashSet::new();
        let mut unfit = None;
        let mut seen = BTreeSet::new();
        let mut has_wanted = false;
        let port_rule = job.rules.iter().enumerate().find(|(_, rule)| rule.part() == RulePurpose::Port);
        self.for_each_discovered(job, TargetScope::Selected, &mut |object, mut labels, is_potential| {
            set_defaults(job, &mut labels);
            if is_potential {
                labels.mark_unknown(is_placeholder);
            }
            let discovered = labels.clone();
            let (mut is_open, mut is_certain) = (false, true);
            let rules = job.rules.iter().enumerate().filter(|(_, rule)| !rule.is_of_shard);
            for (number, rule) in rules {
                let part = rule.part();
                if part == RulePurpose::Port {
                    seen.insert(target_port(rule, &labels));
                }
                is_certain &= !rule.depends_on_unknown(&labels);
                if self.work.relabel([&rule.rule], &mut labels).is_some() {
                    if rule.rule.is_undecided(&labels) {
                        is_open = true;
                        continue;
                    }
                    if part != RulePurpose::Selector {
                        // `filterRunning` drops a pod before the rule for ports is applied, so the pod's port is
                        // recorded here.
                        if let Some(port) = port_rule.filter(|(at, _)| number < *at && part == RulePurpose::Operator) {
                            seen.insert(target_port(port.1, &labels));
                            has_wanted |= port.1.rule.apply(&mut labels);
                        }
                        chain.found_count += 1;
                        chain.is_potential |= is_potential;
                        dropped.get_mut(number).into_iter().for_each(|count| *count += 1);
                    }
                    return;
                }
                has_wanted |= part == RulePurpose::Port;
            }
            chain.found_count += 1;
            chain.is_potential |= is_potential;
            let state = finish(job, labels, &discovered, &mut active);
            if matches!(state, TargetState::Active { .. } | TargetState::Read { .. } | TargetState::StaticPod { .. }) {
                collected(CollectedTarget { object, discovered: &discovered, state: &state, is_potential, is_certain });
            }
            match state {
                TargetState::Active { .. } | TargetState::Read { .. } => {
                    chain.scraped += 1;
                    chain.undecided += usize::from(is_open);
                    if chain.init_container.is_none() {
                        chain.init_container = self.init_container(&discovered);
                    }
                }
                TargetState::Duplicate | TargetState::Dropped(_) | TargetState::Undecided(_) => {}
                state => drop(unfit.get_or_insert((state, discovered))),
            }
        });
        seen.remove("");
        if let Some(rule) = job.rules.iter().position(|rule| rule.part() == RulePurpose::Port) {
            let ports = chain.ports.get_or_insert(Ports { rule, ..Ports::default() });
            if chain.found_count > 0 {
                ports.is_behind_service &= !has_wanted;
                ports.has_wanted = has_wanted;
                ports.known = seen;
            }
        }
        let mut left = chain.found_count;
        for (number, count) in dropped.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            left -= count;
            chain.left.push((number, left));
        }
        chain.unfit = unfit.map(|(state, discovered)| {
            let rule = responsible_rule(job, &state, &discovered);
            (state, rule)
        });
    }
}

const ENDPOINT_PORT: &str = "__meta_kubernetes_endpoint_port_name";

/// Whether a rule keeps the endpoints of a Service port with this name.
fn is_wanted_port(rule: &JobRule<'_>, name: &str) -> bool {
    rule.rule.apply(&mut [(ENDPOINT_PORT, name)].into_iter().collect())
}

fn depends_on(rule: &JobRule<'_>, label: &str) -> bool {
    rule.config().source_labels.iter().any(|asked| asked == label)
}

/// Formats a target's port as tested by a rule.
fn target_port(rule: &JobRule<'_>, labels: &Labels<'_>) -> String {
    if depends_on(rule, ENDPOINT_PORT) {
        return display_port(labels.get(ENDPOINT_PORT), "");
    }
    let label = |what: &str| labels.get(&format!("__meta_kubernetes_pod_container_port_{what}"));
    display_port(label("name"), label("number"))
}

fn display_port(name: &str, number: &str) -> String {
    match (name, number) {
        ("", number) => number.to_owned(),
        (name, "") => name.to_owned(),
        (name, number) => format!("{name} ({number})"),
    }
}

/// Returns the last rule that changes the label whose value makes a target invalid.
fn responsible_rule(job: &Job<'_>, state: &TargetState<'_>, discovered: &Labels<'_>) -> Option<usize> {
    let label = match state {
        TargetState::NoPath => "__path__",
        TargetState::Invalid(Invalid::NoAddress | Invalid::AddressWithSlash) => "__address__",
        TargetState::Invalid(Invalid::Scheme) => "__scheme__",
        TargetState::Invalid(Invalid::Interval) => "__scrape_interval__",
        TargetState::Invalid(Invalid::Timeout | Invalid::TimeoutAboveInterval) => "__scrape_timeout__",
        _ => return None,
    };
    let steps = trace(job, discovered).into_iter().rev();
    let mut changing_steps = steps.filter(|step| step.changes.iter().any(|change| change.label == label));
    changing_steps.next().map(|step| step.rule)
}

#[cfg(test)]
mod tests {
    use super::super::shards::for_each_job;
    use super::*;
    use crate::plan::{ConfigKind, Plan};
    use crate::resolve::tests::{object, with_resources};
    use crate::resolve::{ResolveOptions, resolve};

    use crate::targets::observed::ObservedObjects;
    use crate::targets::relabel::{PrometheusVersion, RuleCompiler};
    use crate::testing::TestInput;

    #[test]
    fn reports_the_first_empty_step() {
        let ports = |known: &[&str], has_wanted| {
            Some(Ports { known: known.iter().map(|port| (*port).to_owned()).collect(), has_wanted, ..Ports::default() })
        };
        let chain = |role, searched, ports, found_count, left: &[(usize, usize)], scraped| Chain {
            role,
            searched,
            ports,
            found_count,
            left: left.to_vec(),
            unfit: Some((TargetState::NoPath, Some(7))),
            scraped,
            ..Chain::default()
        };
        let discovered = Some(DiscoveryRole::Pod);
        for (chain, expected) in [
            (chain(discovered, 0, None, 0, &[], 1), None),
            (chain(discovered, 0, None, 0, &[], 0), Some(Missing::Objects)),
            (chain(discovered, 1, None, 0, &[], 0), Some(Missing::Selected)),
            (chain(None, 0, None, 0, &[], 0), Some(Missing::Targets)),
            (chain(None, 0, ports(&["web"], false), 0, &[], 0), Some(Missing::Port)),
            (chain(None, 0, ports(&[], false), 1, &[], 0), Some(Missing::Port)),
            (chain(None, 0, ports(&[], false), 0, &[], 0), Some(Missing::Targets)),
            (chain(None, 0, ports(&["web"], true), 0, &[], 0), Some(Missing::Targets)),
            (chain(None, 0, ports(&["web"], true), 2, &[(3, 1), (4, 0)], 0), Some(Missing::Rule(4))),
            (chain(None, 0, None, 2, &[(3, 1)], 0), Some(Missing::Unfit(Some(7)))),
        ] {
            assert_eq!(chain.missing(), expected);
        }
    }

    #[test]
    fn shows_ports_by_name_and_number() {
        for (name, number, expected) in [("", "80", "80"), ("web", "", "web"), ("web", "80", "web (80)"), ("", "", "")]
        {
            assert_eq!(display_port(name, number), expected);
        }
    }

    /// Describes the targets of a monitor's only job in a cluster with the observed objects: the step that loses the
    /// last target, the numbers of objects searched and selected, the known ports, whether they include the required
    /// port, and the numbers of targets found and scraped.
    fn describe_chain(monitor: &str, observed: &str) -> String {
        let agent = object(crate::api::Kind::GrafanaAgent, "a", "{metrics: {instanceSelector: {}, shards: 2}}");
        let instance =
            object(crate::api::Kind::MetricsInstance, "m", "{podMonitorSelector: {}, serviceMonitorSelector: {}}");
        with_resources(&[&agent, &instance, monitor].concat(), |resources| {
            let hierarchies = resolve(&resources, &ResolveOptions::default()).output;
            let plan = Plan::new(&hierarchies[0], &ConfigKind::non_empty_kinds(&hierarchies[0]), &mut Vec::new());
            let input = TestInput::new(observed);
            let documents = input.documents();
            let objects = ObservedObjects::read(documents.iter(), &input.sources, "ns");
            let cluster = Cluster::new(&objects, PrometheusVersion::V2);
            let mut shown = String::new();
            for_each_job(&plan, None, &mut RuleCompiler::default(), &|_, _| true, &mut |group| {
                let job = &group.first;
                let chain = cluster.chain(job);
                let responsible_rule =
                    |rule: usize| job.rules[rule].field().map(|field| field.path().to_string()).unwrap_or_default();
                let missing = match chain.missing() {
                    Some(Missing::Rule(rule)) => format!("rule {}", responsible_rule(rule)),
                    Some(Missing::Unfit(rule)) => format!("unfit {}", rule.map(responsible_rule).unwrap_or_default()),
                    Some(missing) => format!("{missing:?}"),
                    None => "nothing".to_owned(),
                };
                let is_of_port = |ports: &Ports| job.rules[ports.rule].part() == RulePurpose::Port;
                assert!(chain.ports.as_ref().is_none_or(is_of_port));
                let ports = chain.ports.clone().unwrap_or_default();
                let known: Vec<_> = ports.known.into_iter().collect();
                let wanted = match (ports.has_wanted, ports.is_behind_service) {
                    (true, true) => "of Service",
                    (true, false) => "of target",
                    (false, true) => "of Service alone",
                    (false, false) => "no",
                };
                shown = format!(
                    "{missing}: {} searched, {} selected, port {wanted} [{}], {} found, {} scraped",
                    chain.searched,
                    chain.selected.len(),
                    known.join(" "),
                    chain.found_count,
                    chain.scraped
                );
            });
            shown
        })
    }

    fn pod(name: &str, app: &str, port: &str) -> String {
        format!(
            "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {name}, labels: {{app: {app}}}}}, spec: {{containers: [{{name: c, ports: \
             [{{name: {port}, containerPort: 80}}]}}]}}, status: {{podIP: 10.0.0.1, phase: Running}}}}\n"
        )
    }

    #[test]
    fn traces_pod_targets_step_by_step() {
        let monitor = |rules: &str| {
            let spec = format!(
                "{{selector: {{matchLabels: {{app: a}}}}, podMetricsEndpoints: [{{port: web, relabelings: [{rules}]}}]}}"
            );
            object(crate::api::Kind::PodMonitor, "p", &spec)
        };
        let other_pod = pod("p", "a", "web").replace("{name: p", "{namespace: b, name: p");
        let rule = |number: usize| format!("spec.podMetricsEndpoints[0].relabelings[{number}]");
        for (rules, observed, expected) in [
            ("", String::new(), "Objects: 0 searched, 0 selected, port no [], 0 found, 0 scraped".to_owned()),
            ("", other_pod, "Objects: 0 searched, 0 selected, port no [], 0 found, 0 scraped".to_owned()),
            ("", pod("p", "b", "web"), "Selected: 1 searched, 0 selected, port no [], 0 found, 0 scraped".to_owned()),
            (
                "",
                pod("p", "a", "other") + &pod("q", "b", "web"),
                "Port: 2 searched, 1 selected, port no [other (80)], 1 found, 0 scraped".to_owned(),
            ),
            (
                "",
                pod("p", "a", "web") + &pod("q", "a", "other"),
                "nothing: 2 searched, 2 selected, port of target [other (80) web (80)], 2 found, 1 scraped".to_owned(),
            ),
            (
                "",
                pod("p", "a", "web").replace("podIP: 10.0.0.1", "podIP: ''") + &pod("q", "b", "web"),
                "Targets: 2 searched, 1 selected, port no [], 0 found, 0 scraped".to_owned(),
            ),
            (
                "{action: keep}, {action: drop}",
                pod("p", "a", "web"),
                format!("rule {}: 1 searched, 1 selected, port of target [web (80)], 1 found, 0 scraped", rule(1)),
            ),
            (
                "{targetLabel: x, replacement: w}, {targetLabel: __address__, replacement: a/b}, {targetLabel: x, replacement: z}",
                pod("p", "a", "web"),
                format!("unfit {}: 1 searched, 1 selected, port of target [web (80)], 1 found, 0 scraped", rule(1)),
            ),
            (
                "{targetLabel: __scrape_timeout__, replacement: 2h}",
                pod("p", "a", "web"),
                format!("unfit {}: 1 searched, 1 selected, port of target [web (80)], 1 found, 0 scraped", rule(0)),
            ),
            (
                "{targetLabel: __scrape_interval__, replacement: x}",
                pod("p", "a", "web"),
                format!("unfit {}: 1 searched, 1 selected, port of target [web (80)], 1 found, 0 scraped", rule(0)),
            ),
        ] {
            assert_eq!(describe_chain(&monitor(rules), &observed), expected, "{rules} {observed}");
        }
    }

    #[test]
    fn traces_service_targets_step_by_step() {
        let monitor = object(
            crate::api::Kind::ServiceMonitor,
            "s",
            "{selector: {matchLabels: {app: a}}, endpoints: [{port: web}]}",
        );
        let service = |app: &str, port: &str| {
            format!(
                "---\n{{apiVersion: v1, kind: Service, metadata: {{name: s, labels: {{app: {app}}}}}, spec: {{ports: [{{name: {port}, port: \
                 80}}]}}}}\n"
            )
        };
        let endpoints = |addresses: &str, port: &str| {
            format!(
                "---\n{{apiVersion: v1, kind: Endpoints, metadata: {{name: s}}, subsets: [{{addresses: [{addresses}], ports: [{{name: \
                 {port}, port: 80}}]}}]}}\n"
            )
        };
        let one = "{ip: 10.0.0.1}";
        for (observed, expected) in [
            (endpoints(one, "web"), "Selected: 0 searched, 0 selected, port no [], 0 found, 0 scraped"),
            (
                service("b", "web") + &endpoints(one, "web"),
                "Selected: 1 searched, 0 selected, port no [], 0 found, 0 scraped",
            ),
            (
                service("a", "other") + &endpoints("", "other"),
                "Port: 1 searched, 1 selected, port no [other], 0 found, 0 scraped",
            ),
            (
                service("a", "web") + &endpoints("", "web"),
                "Targets: 1 searched, 1 selected, port of Service [web], 0 found, 0 scraped",
            ),
            (
                service("a", "web") + &endpoints(one, "other"),
                "Port: 1 searched, 1 selected, port of Service alone [other], 1 found, 0 scraped",
            ),
            (
                service("a", "web") + &endpoints(one, "web"),
                "nothing: 1 searched, 1 selected, port of target [web], 1 found, 1 scraped",
            ),
        ] {
            assert_eq!(describe_chain(&monitor, &observed), expected, "{observed}");
        }
    }
}
