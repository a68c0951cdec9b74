//! What an agent collects twice: a monitor that two of its instances select, and two endpoints of one instance that
//! surely find the same targets.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use super::diagnostics::{self, Site, Twice};
use super::target;
use crate::api::{Kind, ObjectRef, Refusals, Resource};
use crate::check::prometheus::Monitor;
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, MetricsHierarchy};

/// Reports what the agents of these hierarchies collect twice.
pub fn check(refusals: &Refusals<'_>, hierarchies: &[Hierarchy<'_, '_>], found: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for hierarchy in hierarchies {
        let agent = hierarchy.agent.object_ref();
        let metrics = &hierarchy.metrics;
        let instances = || metrics.iter().map(|m| m.instance);
        let service_monitors = instances().zip(metrics.iter().map(|m| m.service_monitors.as_slice()));
        by_two_instances(agent, "spec.serviceMonitorSelector", service_monitors, found);
        let pod_monitors = instances().zip(metrics.iter().map(|m| m.pod_monitors.as_slice()));
        by_two_instances(agent, "spec.podMonitorSelector", pod_monitors, found);
        let probes = instances().zip(metrics.iter().map(|m| m.probes.as_slice()));
        by_two_instances(agent, "spec.probeSelector", probes, found);
        let logs = hierarchy.logs.iter().map(|l| (l.instance, l.pod_logs.as_slice()));
        by_two_instances(agent, "spec.podLogsSelector", logs, found);
        // An instance that two agents share has its findings once.
        for metrics in metrics.iter().filter(|m| seen.insert(m.instance.object_ref())) {
            equal_endpoints(
                refusals,
                metrics,
                hierarchy.agent.spec.metrics.ignore_namespace_selectors,
                found,
            );
        }
    }
}

/// Each pair of instances once, with how many children they share: the first that selects a child, and each further one.
fn by_two_instances<'h, 'd: 'h, P: 'h, C: 'h>(
    agent: ObjectRef<'_>,
    field: &'static str,
    instances: impl Iterator<Item = (&'h Resource<'d, P>, &'h [&'h Resource<'d, C>])>,
    found: &mut Vec<Diagnostic>,
) {
    let instances: Vec<_> = instances.collect();
    let mut selected_by: HashMap<(&str, &str), usize> = HashMap::new();
    let mut shared: BTreeMap<(usize, usize), (usize, &Resource<'d, C>)> = BTreeMap::new();
    for (i, (_, children)) in instances.iter().enumerate() {
        for &child in *children {
            let first = *selected_by.entry((child.meta.namespace, child.meta.name)).or_insert(i);
            if first != i {
                shared.entry((first, i)).or_insert((0, child)).0 += 1;
            }
        }
    }
    for ((first, second), (children, example)) in shared {
        if let (Some((first, _)), Some((second, _))) = (instances.get(first), instances.get(second)) {
            found.push(diagnostics::selected_twice(
                agent, field, first, second, children, example,
            ));
        }
    }
}

fn equal_endpoints(
    refusals: &Refusals<'_>,
    metrics: &MetricsHierarchy<'_, '_>,
    own_namespace_only: bool,
    found: &mut Vec<Diagnostic>,
) {
    let of_services = metrics.service_monitors.iter().map(|m| m.spec.endpoints.len());
    let of_pods = metrics.pod_monitors.iter().map(|m| m.spec.pod_metrics_endpoints.len());
    let mut targets = Targets {
        refusals,
        instance: metrics.instance.object_ref(),
        own_namespace_only,
        lists: Vec::with_capacity(metrics.service_monitors.len() + metrics.pod_monitors.len()),
        seen: HashMap::with_capacity(of_services.chain(of_pods).sum()),
        found,
    };
    for monitor in &metrics.service_monitors {
        targets.add(Kind::ServiceMonitor, monitor);
    }
    for monitor in &metrics.pod_monitors {
        targets.add(Kind::PodMonitor, monitor);
    }
}

/// What stands for a target: its text is many times as long as its endpoint, and no two are met that have the same.
type Fingerprint = [u64; 2];

fn fingerprint(objects: &str, endpoint: &str) -> Fingerprint {
    [0, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, objects, endpoint).hash(&mut hasher);
        hasher.finish()
    })
}

/// The endpoints of an instance by what they scrape.
struct Targets<'d, 'o> {
    refusals: &'o Refusals<'o>,
    instance: ObjectRef<'d>,
    own_namespace_only: bool,
    /// The lists of endpoints that have been added, each as the site of its first one.
    lists: Vec<Site<'d>>,
    /// The list and the index of the first endpoint of a target: of many endpoints, a site each would be most of the memory
    /// of a run.
    seen: HashMap<Fingerprint, (u32, u32)>,
    found: &'o mut Vec<Diagnostic>,
}

impl<'d> Targets<'d, '_> {
    fn add<M: Monitor<'d>>(&mut self, kind: Kind, monitor: &Resource<'d, M>) {
        let field = M::ENDPOINTS;
        let objects = target::objects(kind, monitor, monitor.spec.namespaces(), self.own_namespace_only);
        let nodes = monitor.root.get("spec").and_then(|spec| spec.get(field));
        let nodes = nodes.into_iter().flat_map(|list| list.items());
        let mut twice: BTreeMap<ObjectRef<'d>, Twice<'d>> = BTreeMap::new();
        let list = Site {
            object: monitor.object_ref(),
            root: monitor.root,
            field,
            index: 0,
        };
        let is_refused = |path: &str| self.refusals.touch(list.object, path);
        if is_refused("spec.selector") || is_refused("spec.namespaceSelector") {
            return;
        }
        let number = self.lists.len() as u32;
        self.lists.push(list);
        for (index, (endpoint, node)) in monitor.spec.endpoints().iter().zip(nodes).enumerate() {
            if self.refusals.has_any(list.object) && is_refused(&Site { index, ..list }.path().to_string()) {
                continue;
            }
            match self
                .seen
                .entry(fingerprint(&objects, &target::endpoint(endpoint, node)))
            {
                Entry::Vacant(free) => {
                    free.insert((number, index as u32));
                }
                Entry::Occupied(taken) => {
                    let (number, place) = *taken.get();
                    let Some(first) = self.lists.get(number as usize) else {
                        continue;
                    };
                    let first = Site {
                        index: place as usize,
                        ..*first
                    };
                    let site = Site { index, ..list };
                    let instance = self.instance;
                    twice
                        .entry(first.object)
                        .and_modify(|twice| twice.more += 1)
                        .or_insert(Twice {
                            instance,
                            first,
                            second: site,
                            more: 0,
                        });
                }
            }
        }
        self.found.extend(twice.values().map(diagnostics::scraped_twice));
    }
}
