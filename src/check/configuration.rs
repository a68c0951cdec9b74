//! Rules for the agent's configuration: checks each resource once, and what depends on several resources.

use std::collections::{HashMap, HashSet};
use std::iter;

use super::conditions::Conditions;
use super::logs;
use super::place::{Place, Subject};
use super::prometheus::additional::{self, Jobs};
use super::prometheus::{self, ScrapeTimes};
use crate::api::{
    AnyResource, KeySelector, Kind, Monitor, ObjectRef, Probe, RELATIONS, Resource, ResourceHeader, Resources, find,
};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::bound::Bound;
use crate::resolve::{AssetKey, Hierarchy, MetricsHierarchy, SecretStore, Selections};

/// Reports what the operator renders but the agent or Prometheus refuses at start.
///
/// What Prometheus itself refuses, as `promtool` shows, is an error. What only the agent refuses is a warning.
pub fn check<'d>(
    resources: &Resources<'d>,
    hierarchies: &[Hierarchy<'_, 'd>],
    conditions: Conditions<'_>,
) -> Vec<Diagnostic> {
    let mut checker = Checker::new(resources);
    for hierarchy in hierarchies {
        checker.hierarchy(hierarchy, conditions);
    }
    checker.found
}

/// Checks the resources that no agent of the input selects, by themselves: their agent may be in another input, or was refused.
/// Resources that only agents select which are not compiled are not checked.
pub fn check_unselected<'d>(resources: &Resources<'d>, selections: &Selections<'d>) -> Vec<Diagnostic> {
    let mut checker = Checker::new(resources);
    checker.unselected(selections);
    checker.found
}

/// Goes through hierarchies and collects what it finds.
struct Checker<'c, 'd> {
    resources: &'c Resources<'d>,
    seen: HashSet<ObjectRef<'c>>,
    found: Vec<Diagnostic>,
    bound: Bound,
}

impl<'c, 'd> Checker<'c, 'd> {
    /// A checker without findings.
    fn new(resources: &'c Resources<'d>) -> Self {
        Self {
            resources,
            seen: HashSet::new(),
            found: Vec::new(),
            bound: Bound::default(),
        }
    }

    /// Checks an agent and what it selects.
    fn hierarchy(&mut self, hierarchy: &'c Hierarchy<'_, 'd>, conditions: Conditions<'_>) {
        self.of(hierarchy.agent, |spec| {
            prometheus::agent(hierarchy, spec);
            logs::agent(hierarchy, &spec.lenient());
        });
        for metrics in &hierarchy.metrics {
            self.metrics(hierarchy, metrics, conditions);
        }
        let times = ScrapeTimes::unknown(&self.resources.rejected_fields);
        for logs in &hierarchy.logs {
            let selector = logs.instance.spec.additional_scrape_configs.as_ref();
            self.additional(hierarchy, logs.instance, selector, |jobs, at| {
                logs::additional(jobs, &at.lenient());
            });
            let instance = AnyResource::LogsInstance(logs.instance);
            for resource in iter::once(instance).chain(logs.children()) {
                self.resource(resource, &hierarchy.secrets, &times);
            }
        }
    }

    /// Checks what no agent selects. The Secrets that it refers to are not known.
    fn unselected(&mut self, selections: &Selections<'d>) {
        let (resources, store) = (self.resources, SecretStore::default());
        let times = ScrapeTimes::unknown(&resources.rejected_fields);
        let mut selected: HashMap<Kind, Vec<bool>> = HashMap::new();
        selected.insert(Kind::GrafanaAgent, vec![true; resources.agents.len()]);
        for relation in RELATIONS {
            let children = resources.of(relation.child);
            let mut by_agents = vec![false; children.len()];
            let parents = selected.get(&relation.parent).into_iter().flatten();
            let parents = parents
                .zip(selections.of(relation.child))
                .filter(|(counts, _)| **counts);
            for &child in parents.flat_map(|(_, parent)| parent.positions.iter()) {
                if let Some(selected) = by_agents.get_mut(child) {
                    *selected = true;
                }
            }
            for (child, _) in children.into_iter().zip(&by_agents).filter(|(_, selected)| !**selected) {
                self.resource(child, &store, &times);
            }
            selected.insert(relation.child, by_agents);
        }
    }

    fn of(&mut self, resource: &ResourceHeader<'d>, check: impl FnOnce(&Place<'_>)) {
        let subject = Subject::new(resource);
        check(&subject.spec());
        self.found.extend(subject.findings());
        self.bound.keep(&mut self.found);
    }

    /// Checks a resource, unless it was checked before.
    fn once(&mut self, resource: &'c ResourceHeader<'d>, check: impl FnOnce(&Place<'_>)) {
        if self.seen.insert(resource.object_ref()) {
            self.of(resource, check);
        }
    }

    fn metrics(
        &mut self,
        hierarchy: &'c Hierarchy<'_, 'd>,
        metrics: &'c MetricsHierarchy<'_, 'd>,
        conditions: Conditions<'_>,
    ) {
        let (store, agent) = (&hierarchy.secrets, &hierarchy.agent.spec.metrics);
        let (subject, instance) = (Subject::new(hierarchy.agent), Subject::new(metrics.instance));
        let (agent_at, instance_at) = (subject.spec(), instance.spec());
        let rejected = &self.resources.rejected_fields;
        let times = ScrapeTimes::new(
            agent,
            &agent_at.key("metrics"),
            &metrics.instance.spec,
            &instance_at,
            rejected,
        );
        let selector = metrics.instance.spec.additional_scrape_configs.as_ref();
        self.additional(hierarchy, metrics.instance, selector, |jobs, at| {
            additional::check(jobs, metrics, &times, conditions, at);
        });
        let instance = AnyResource::MetricsInstance(metrics.instance);
        for resource in iter::once(instance).chain(metrics.children()) {
            self.resource(resource, store, &times);
        }
    }

    /// Checks a resource that an agent selects, or could.
    fn resource(&mut self, resource: AnyResource<'c, 'd>, store: &SecretStore<'_, 'd>, times: &ScrapeTimes<'_>) {
        match resource {
            AnyResource::MetricsInstance(instance) => {
                self.once(instance, |spec| prometheus::metrics_instance(instance, store, spec));
            }
            AnyResource::ServiceMonitor(monitor) => self.monitor(monitor.into(), store, times),
            AnyResource::PodMonitor(monitor) => self.monitor(monitor.into(), store, times),
            AnyResource::Probe(probe) => self.probe(probe, store, times),
            AnyResource::LogsInstance(instance) => {
                self.once(instance, |spec| logs::instance(instance, store, &spec.lenient()));
            }
            AnyResource::PodLogs(pod_logs) => {
                self.once(pod_logs, |spec| logs::pod_logs(pod_logs, &spec.lenient()));
            }
            AnyResource::GrafanaAgent(_)
            | AnyResource::Integration(_)
            | AnyResource::Secret(_)
            | AnyResource::ConfigMap(_)
            | AnyResource::Namespace(_)
            | AnyResource::Node(_) => {}
        }
    }

    fn monitor(&mut self, monitor: Monitor<'c, 'd>, store: &SecretStore<'_, 'd>, times: &ScrapeTimes<'_>) {
        self.once(monitor.head, |spec| prometheus::monitor(&monitor, store, spec));
        self.of(monitor.head, |spec| {
            for (i, endpoint) in monitor.endpoints.iter().enumerate() {
                let at = spec.key(monitor.field);
                let at = at.index(i);
                times.check_monitor(endpoint.interval, endpoint.scrape_timeout, &at);
            }
        });
    }

    fn probe(&mut self, probe: &'c Resource<'d, Probe<'d>>, store: &SecretStore<'_, 'd>, times: &ScrapeTimes<'_>) {
        let rejected = &self.resources.rejected_fields;
        self.once(probe, |spec| {
            let targets_are_known = !spec.key("targets").is_refused(rejected);
            prometheus::probe(probe, store, targets_are_known, spec);
        });
        self.of(probe, |spec| {
            times.check_monitor(probe.spec.interval, probe.spec.scrape_timeout, spec);
        });
    }

    /// Checks the jobs in the Secret that an instance refers to, and labels the Secret.
    fn additional<S>(
        &mut self,
        hierarchy: &Hierarchy<'_, 'd>,
        instance: &Resource<'d, S>,
        selector: Option<&KeySelector<'d>>,
        check: impl FnOnce(&Jobs<'_>, &Place<'_>),
    ) {
        let key = selector.map(|selector| AssetKey::secret(instance.meta.namespace, selector));
        let Some((key, text)) = key.and_then(|key| Some((key, hierarchy.secrets.text(&key)?))) else {
            return;
        };
        let subject = Subject::new(instance);
        let jobs = Jobs::read(instance.root.span().source, &text);
        check(&jobs, &subject.spec().key("additionalScrapeConfigs").secret());
        let secret = find(&self.resources.secrets, key.namespace, key.name);
        let findings = subject.findings().into_iter();
        self.found.extend(findings.map(|finding| match secret {
            Some(secret) => finding.label(secret.name_span(), "the Secret"),
            None => finding,
        }));
    }
}
