//! All resources, each once, and what depends on several of them.

use std::collections::{HashMap, HashSet};

use super::logs;
use super::place::{Place, Subject};
use super::prometheus::additional::{self, Jobs};
use super::prometheus::{self, ScrapeTimes};
use super::verdict::as_warnings;
use crate::api::{
    AnyResource, Endpoint, KeySelector, Kind, LogsInstance, MetricsInstance, ObjectRef, PodLogs, PodMonitor, Probe,
    RELATIONS, Resource, Resources, ServiceMonitor, find,
};
use crate::diagnostic::Diagnostic;
use crate::resolve::{AssetKey, Hierarchy, LogsHierarchy, MetricsHierarchy, SecretStore, Selections};

/// What the agent or Prometheus would refuse at start, though the operator renders it.
///
/// An error is what Prometheus itself refuses, as `promtool` shows, or can never send to. What the agent alone refuses is a warning.
pub fn check<'d>(resources: &Resources<'d>, hierarchies: &[Hierarchy<'_, 'd>]) -> Vec<Diagnostic> {
    let mut checker = Checker::new(resources);
    for hierarchy in hierarchies {
        checker.hierarchy(hierarchy);
    }
    checker.found
}

/// The same of what no agent of the input selects, as far as it says things for itself: its agent may be elsewhere, or was
/// refused. What only agents select that are not compiled is left alone with them.
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
    /// What agents and instances may have in common, of what was found.
    shared: HashSet<Diagnostic>,
}

impl<'c, 'd> Checker<'c, 'd> {
    /// Nothing was seen yet.
    fn new(resources: &'c Resources<'d>) -> Self {
        Self {
            resources,
            seen: HashSet::new(),
            found: Vec::new(),
            shared: HashSet::new(),
        }
    }

    /// Checks an agent and what it selects.
    fn hierarchy(&mut self, hierarchy: &'c Hierarchy<'_, 'd>) {
        let subject = Subject::new(hierarchy.agent);
        prometheus::agent(hierarchy, &subject.spec(), &mut self.found);
        as_warnings(&mut self.found, |found| logs::agent(hierarchy, &subject.spec(), found));
        for metrics in &hierarchy.metrics {
            self.metrics(hierarchy, metrics);
        }
        for logs in &hierarchy.logs {
            self.logs(hierarchy, logs);
        }
    }

    /// Checks what no agent selects. Nothing is known of the values that it refers to.
    fn unselected(&mut self, selections: &Selections<'d>) {
        let (resources, store) = (self.resources, SecretStore::default());
        let times = ScrapeTimes::default();
        let mut selected: HashMap<Kind, Vec<bool>> = HashMap::new();
        selected.insert(Kind::GrafanaAgent, vec![true; resources.agents.len()]);
        for relation in &RELATIONS {
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
                match child {
                    AnyResource::MetricsInstance(instance) => self.metrics_instance(instance, &store),
                    AnyResource::ServiceMonitor(monitor) => self.service_monitor(monitor, &store, &times),
                    AnyResource::PodMonitor(monitor) => self.pod_monitor(monitor, &store, &times),
                    AnyResource::Probe(probe) => self.probe(probe, &store, &times),
                    AnyResource::LogsInstance(instance) => self.logs_instance(instance, &store),
                    AnyResource::PodLogs(pod_logs) => self.pod_logs(pod_logs),
                    AnyResource::GrafanaAgent(_)
                    | AnyResource::Integration(_)
                    | AnyResource::Data(_)
                    | AnyResource::Namespace(_)
                    | AnyResource::Node(_) => {}
                }
            }
            selected.insert(relation.child, by_agents);
        }
    }

    /// Whether a resource comes for the first time.
    fn is_new<S>(&mut self, resource: &'c Resource<'d, S>) -> bool {
        self.seen.insert(resource.object_ref())
    }

    fn metrics(&mut self, hierarchy: &'c Hierarchy<'_, 'd>, metrics: &'c MetricsHierarchy<'_, 'd>) {
        let (store, agent) = (&hierarchy.secrets, &hierarchy.agent.spec.metrics);
        self.metrics_instance(metrics.instance, store);
        let instance = Subject::new(metrics.instance);
        let instance_spec = instance.spec();
        let mut times = ScrapeTimes::new(agent, &metrics.instance.spec, &instance_spec);
        let refusals = &self.resources.refusals;
        if refusals.touch(hierarchy.agent.object_ref(), "spec.metrics.scrapeInterval") {
            times = times.without_interval();
        }
        if instance_spec.key("walTruncateFrequency").is_refused(refusals) {
            times = times.without_truncation();
        }
        let selector = metrics.instance.spec.additional_scrape_configs.as_ref();
        self.additional(hierarchy, metrics.instance, selector, |jobs, at| {
            additional::check(jobs, metrics, &times, at)
        });
        for monitor in &metrics.service_monitors {
            self.service_monitor(monitor, store, &times);
        }
        for monitor in &metrics.pod_monitors {
            self.pod_monitor(monitor, store, &times);
        }
        for probe in &metrics.probes {
            self.probe(probe, store, &times);
        }
    }

    fn metrics_instance(&mut self, instance: &'c Resource<'d, MetricsInstance<'d>>, store: &SecretStore<'_, 'd>) {
        if self.is_new(instance) {
            let subject = Subject::new(instance);
            prometheus::metrics_instance(instance, store, &subject.spec(), &mut self.found);
        }
    }

    fn service_monitor(
        &mut self,
        monitor: &'c Resource<'d, ServiceMonitor<'d>>,
        store: &SecretStore<'_, 'd>,
        times: &ScrapeTimes<'_>,
    ) {
        let subject = Subject::new(monitor);
        let spec = subject.spec();
        if self.is_new(monitor) {
            prometheus::service_monitor(monitor, store, &spec, &mut self.found);
        }
        self.times(times, &monitor.spec.endpoints, &spec.key("endpoints"));
    }

    fn pod_monitor(
        &mut self,
        monitor: &'c Resource<'d, PodMonitor<'d>>,
        store: &SecretStore<'_, 'd>,
        times: &ScrapeTimes<'_>,
    ) {
        let subject = Subject::new(monitor);
        let spec = subject.spec();
        if self.is_new(monitor) {
            prometheus::pod_monitor(monitor, store, &spec, &mut self.found);
        }
        self.times(
            times,
            &monitor.spec.pod_metrics_endpoints,
            &spec.key("podMetricsEndpoints"),
        );
    }

    fn probe(&mut self, probe: &'c Resource<'d, Probe<'d>>, store: &SecretStore<'_, 'd>, times: &ScrapeTimes<'_>) {
        let subject = Subject::new(probe);
        let spec = subject.spec();
        if self.is_new(probe) {
            let targets_are_known = !spec.key("targets").is_refused(&self.resources.refusals);
            prometheus::probe(probe, store, &spec, targets_are_known, &mut self.found);
        }
        if !spec.key("interval").is_refused(&self.resources.refusals) {
            self.add_once(times.check(probe.spec.interval, probe.spec.scrape_timeout, &spec));
        }
    }

    /// The jobs in the Secret that an instance refers to; the Secret is labelled too.
    fn additional<S>(
        &mut self,
        hierarchy: &Hierarchy<'_, 'd>,
        instance: &Resource<'d, S>,
        selector: Option<&KeySelector<'d>>,
        check: impl FnOnce(&Jobs<'_>, &Place<'_>) -> Vec<Diagnostic>,
    ) {
        let key = selector.map(|selector| AssetKey::secret(instance.meta.namespace, selector));
        let Some((key, text)) = key.and_then(|key| Some((key, hierarchy.secrets.text(&key)?))) else {
            return;
        };
        let subject = Subject::new(instance);
        let spec = subject.spec();
        let jobs = Jobs::read(instance.root.span().source, &text);
        let mut findings = check(&jobs, &spec.key("additionalScrapeConfigs").secret());
        if let Some(secret) = find(&self.resources.secrets, key.namespace, key.name) {
            let labelled = findings
                .into_iter()
                .map(|finding| finding.label(secret.name_span(), "the Secret"));
            findings = labelled.collect();
        }
        self.add_once(findings);
    }

    fn times(&mut self, times: &ScrapeTimes<'_>, endpoints: &[Endpoint<'_>], at: &Place<'_>) {
        for (i, endpoint) in endpoints.iter().enumerate() {
            let at = at.index(i);
            if !at.key("interval").is_refused(&self.resources.refusals) {
                self.add_once(times.check(endpoint.interval, endpoint.scrape_timeout, &at));
            }
        }
    }

    /// Adds what agents and instances may have in common.
    fn add_once(&mut self, findings: Vec<Diagnostic>) {
        for finding in findings {
            if self.shared.insert(finding.clone()) {
                self.found.push(finding);
            }
        }
    }

    fn logs(&mut self, hierarchy: &'c Hierarchy<'_, 'd>, logs: &'c LogsHierarchy<'_, 'd>) {
        self.logs_instance(logs.instance, &hierarchy.secrets);
        let selector = logs.instance.spec.additional_scrape_configs.as_ref();
        self.additional(hierarchy, logs.instance, selector, |jobs, at| {
            let mut found = Vec::new();
            as_warnings(&mut found, |found| logs::additional(jobs, at, found));
            found
        });
        for pod_logs in &logs.pod_logs {
            self.pod_logs(pod_logs);
        }
    }

    fn logs_instance(&mut self, instance: &'c Resource<'d, LogsInstance<'d>>, store: &SecretStore<'_, 'd>) {
        if self.is_new(instance) {
            let subject = Subject::new(instance);
            as_warnings(&mut self.found, |found| {
                logs::instance(instance, store, &subject.spec(), found);
            });
        }
    }

    fn pod_logs(&mut self, pod_logs: &'c Resource<'d, PodLogs<'d>>) {
        if self.is_new(pod_logs) {
            let subject = Subject::new(pod_logs);
            as_warnings(&mut self.found, |found| {
                logs::pod_logs(pod_logs, &subject.spec(), found)
            });
        }
    }
}
