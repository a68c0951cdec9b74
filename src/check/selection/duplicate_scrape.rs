//! Data that an agent collects twice. Either two of its instances select the same monitor, or two endpoints of one
//! instance have the same targets: the same objects in the same namespaces, and the same port, path, scheme, parameters
//! and relabeling rules.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use super::diagnostics::{self, DuplicateEndpoints, EndpointRef, OverlappingInstances};
use super::merged::{self, MergedInstances};
use super::{same_probe, wider_diagnostics, wider_selector};
use crate::api::{
    AnyResource, Endpoint, Kind, Monitor, NamespaceSelector, ObjectRef, RELATIONS, RejectedFields, ResourceHeader,
};
use crate::check::rule::RuleInput;
use crate::diagnostic::Diagnostic;
use crate::output::Target;
use crate::plan::DiscoveryNamespaces;
use crate::resolve::MetricsHierarchy;
use crate::yaml::{Node, NodeValue};

/// Reports everything that agents collect twice, and instances that do not run because they share a job with another
/// instance.
pub fn check(input: &RuleInput<'_, '_>, findings: &mut Vec<Diagnostic>) {
    let rejected = &input.resources.rejected_fields;
    let mut seen_instances = BTreeSet::new();
    let (mut overlaps, mut duplicates) = (BTreeMap::new(), BTreeMap::new());
    let mut narrow_selections = wider_selector::NarrowSelections::new();
    for hierarchy in input.hierarchies {
        let merged = match input.conditions.target {
            Target::Agent => merged::check(hierarchy),
            Target::Alloy(_) => MergedInstances::default(),
        };
        let instances = hierarchy.instances();
        let instances = instances.filter(|(instance, _)| !merged.stopped.contains(&instance.object_ref()));
        let instances: Vec<_> = instances.collect();
        findings.extend(merged.diagnostics);
        for relation in RELATIONS {
            add_instance_pairs(hierarchy.agent, relation.child, &instances, &mut overlaps);
        }
        // An instance that two agents select is reported only once.
        let metrics = hierarchy.metrics.iter();
        for metrics in metrics.filter(|m| seen_instances.insert(m.instance.object_ref())) {
            let own_namespace_only = hierarchy.agent.spec.metrics.ignore_namespace_selectors;
            find_equal_endpoints(rejected, metrics, own_namespace_only, &mut duplicates);
            if input.conditions.follows_labels {
                wider_selector::check_metrics(rejected, metrics, own_namespace_only, &mut narrow_selections);
            }
            findings.extend(same_probe::check(metrics));
        }
        let logs = hierarchy.logs.iter().filter(|_| input.conditions.follows_labels);
        for logs in logs.filter(|logs| seen_instances.insert(logs.instance.object_ref())) {
            let own_namespace_only = hierarchy.agent.spec.logs.ignore_namespace_selectors;
            wider_selector::check_logs(rejected, logs, own_namespace_only, &mut narrow_selections);
        }
    }
    narrow_selections.retain(|pair, _| !duplicates.contains_key(pair));
    findings.extend(narrow_selections.values().map(wider_diagnostics::selected_by_wider));
    findings.extend(overlaps.values().map(diagnostics::selected_twice));
    // The agent spreads the scrapes of equal targets over time, because each target has a copy of its job name
    // (`Target.hash`). Alloy's targets lack this copy.
    let is_at_once = *input.conditions.target != Target::Agent;
    let duplicates = duplicates.values();
    findings.extend(duplicates.map(|twice| diagnostics::scraped_twice(twice, is_at_once)));
}

/// Children that two instances share, by kind and by the instances' names, regardless of which agents select both.
type SharedChildren<'h, 'd> = BTreeMap<(Kind, ObjectRef<'d>, ObjectRef<'d>), OverlappingInstances<'h, 'd>>;

/// Identical endpoints in two monitors, keyed by the monitors' names, regardless of which instances select both.
type IdenticalEndpoints<'h, 'd> = BTreeMap<(ObjectRef<'d>, ObjectRef<'d>), DuplicateEndpoints<'h, 'd>>;

/// Adds each pair of instances once, with the number of children of `kind` that they share. A pair consists of the
/// first instance that selects a child and one of the other instances that select it.
fn add_instance_pairs<'h, 'd: 'h>(
    agent: &'h ResourceHeader<'d>,
    kind: Kind,
    instances: &[(AnyResource<'h, 'd>, Vec<AnyResource<'h, 'd>>)],
    shared_children: &mut SharedChildren<'h, 'd>,
) {
    let mut selected_by: HashMap<(&str, &str), usize> = HashMap::new();
    let mut shared: BTreeMap<(usize, usize), (usize, AnyResource<'h, 'd>)> = BTreeMap::new();
    for (i, (_, children)) in instances.iter().enumerate() {
        for &child in children.iter().filter(|child| child.kind == kind) {
            let name = (child.meta.namespace, child.meta.name);
            let first = *selected_by.entry(name).or_insert(i);
            if first != i {
                shared.entry((first, i)).or_insert((0, child)).0 += 1;
            }
        }
    }
    for ((first, second), (children, example)) in shared {
        if let (Some((first, _)), Some((second, _))) = (instances.get(first), instances.get(second)) {
            let (first, second) = (first.header(), second.header());
            let overlap = shared_children.entry((kind, first.object_ref(), second.object_ref()));
            let overlap = overlap.or_insert(OverlappingInstances {
                agent,
                agents: 0,
                first,
                second,
                children,
                example: example.header(),
            });
            overlap.agents += 1;
        }
    }
}

/// Finds pairs of monitors in an instance that have endpoints with the same targets.
fn find_equal_endpoints<'h, 'd>(
    rejected: &RejectedFields<'_>,
    metrics: &MetricsHierarchy<'h, 'd>,
    own_namespace_only: bool,
    scraped: &mut IdenticalEndpoints<'h, 'd>,
) {
    let hashes = metrics.monitors().flat_map(|monitor| {
        let endpoint_hash = coarse_hash(&monitor);
        monitor.endpoints.iter().map(endpoint_hash)
    });
    let mut hashes: Vec<_> = hashes.collect();
    hashes.sort_unstable();
    // Coarse hashes that at least two endpoints share.
    let shared_hashes = hashes.windows(2).filter_map(|pair| pair.first().filter(|first| Some(*first) == pair.last()));
    let shared_hashes: HashSet<_> = shared_hashes.copied().collect();
    if shared_hashes.is_empty() {
        return;
    }
    // Lists of endpoints that have been examined, each represented by its first endpoint.
    let mut endpoint_refs: Vec<EndpointRef<'h, 'd>> = Vec::new();
    // For each target, the list and the index of its first endpoint. With many endpoints, storing an `EndpointRef` for
    // each would dominate memory usage.
    let mut firsts: HashMap<Fingerprint, (u32, u32)> = HashMap::new();
    for monitor in metrics.monitors() {
        let Monitor { header: head, field, .. } = monitor;
        let site = |index| EndpointRef { monitor: head, field, index };
        let object = head.object_ref();
        let is_refused = |path: &str| rejected.overlap(object, path);
        let mut endpoints = monitor.endpoints.iter();
        let coarse_hash = coarse_hash(&monitor);
        if !endpoints.any(|endpoint| shared_hashes.contains(&coarse_hash(endpoint)))
            || is_refused("spec.selector")
            || is_refused("spec.namespaceSelector")
        {
            continue;
        }
        let objects = objects(head, monitor.namespaces, own_namespace_only);
        let nodes = head.root.get("spec").into_iter().flat_map(|spec| spec.items_at(field));
        let mut duplicates: BTreeMap<ObjectRef<'d>, DuplicateEndpoints<'h, 'd>> = BTreeMap::new();
        let number = endpoint_refs.len() as u32;
        endpoint_refs.push(site(0));
        for (index, (endpoint, node)) in monitor.endpoints.iter().zip(nodes).enumerate() {
            if rejected.has_any(object) && is_refused(&site(index).path().to_string()) {
                continue;
            }
            let (number, place) = match firsts.entry(fingerprint(&objects, &target(endpoint, node))) {
                Entry::Occupied(first) => *first.get(),
                Entry::Vacant(free) => {
                    free.insert((number, index as u32));
                    continue;
                }
            };
            if let Some(list) = endpoint_refs.get(number as usize) {
                let duplicate = duplicates.entry(list.monitor.object_ref()).or_insert(DuplicateEndpoints {
                    first: EndpointRef { index: place as usize, ..*list },
                    second: site(index),
                    times: 0,
                    instance: metrics.instance,
                    instances: 0,
                });
                duplicate.times += 1;
            }
        }
        for (first, duplicate) in duplicates {
            scraped.entry((first, object)).or_insert(duplicate).instances += 1;
        }
    }
}

/// Returns a function that computes a cheap hash of an endpoint. Endpoints with equal targets have the same hash, and
/// most other endpoints have different hashes.
fn coarse_hash<'d>(monitor: &Monitor<'_, 'd>) -> impl Fn(&Endpoint<'d>) -> u64 + use<'d> {
    let mut hasher = DefaultHasher::new();
    for label in &monitor.selector.match_labels {
        label.hash(&mut hasher);
    }
    monitor.header.kind.hash(&mut hasher);
    move |endpoint| {
        let mut hasher = hasher.clone();
        (endpoint.port, path(endpoint), scheme(endpoint)).hash(&mut hasher);
        hasher.finish()
    }
}

/// Hash of a target, stored instead of the target itself to save memory. Collisions do not occur in practice.
type Fingerprint = [u64; 2];

fn fingerprint(objects: &impl Hash, endpoint: &impl Hash) -> Fingerprint {
    [0, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, objects, endpoint).hash(&mut hasher);
        hasher.finish()
    })
}

/// Endpoint fields without a default that determine what is scraped.
const FIELDS: [&str; 6] = ["port", "targetPort", "params", "relabelings", "metricRelabelings", "filterRunning"];

/// Returns the part of a target that comes from the monitor. It is the same for monitors that discover the same
/// objects.
fn objects<'m>(
    monitor: &'m ResourceHeader<'m>,
    namespaces: &'m NamespaceSelector<'m>,
    own_namespace_only: bool,
) -> impl Hash {
    let namespaces = DiscoveryNamespaces::from_selector(namespaces, monitor.meta.namespace, own_namespace_only);
    let mut names = namespaces.names().map_or_else(|| vec!["*"], <[_]>::to_vec);
    names.sort_unstable();
    names.dedup();
    (monitor.kind, names, CanonicalValue(monitor.root.at("spec.selector")))
}

/// Returns the part of a target that comes from the endpoint.
fn target(endpoint: &Endpoint<'_>, node: Node<'_>) -> impl Hash {
    (path(endpoint), scheme(endpoint), FIELDS.map(|field| CanonicalValue(node.get(field))))
}

fn path<'d>(endpoint: &Endpoint<'d>) -> &'d str {
    match endpoint.path {
        "" => "/metrics",
        path => path,
    }
}

fn scheme<'d>(endpoint: &Endpoint<'d>) -> &'d str {
    match endpoint.scheme {
        "" => "http",
        scheme => scheme,
    }
}

/// A value whose hash ignores the order of keys and treats null as missing.
struct CanonicalValue<'d>(Option<Node<'d>>);

impl Hash for CanonicalValue<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Some(node) = self.0 else {
            return discriminant(&NodeValue::Null).hash(state);
        };
        let value = node.value();
        discriminant(&value).hash(state);
        match value {
            NodeValue::Null => {}
            NodeValue::Bool(value) => value.hash(state),
            NodeValue::Int(value) => value.hash(state),
            NodeValue::Float(value) => value.to_bits().hash(state),
            NodeValue::String(text) => text.hash(state),
            NodeValue::Sequence => {
                node.items().len().hash(state);
                node.items().for_each(|item| CanonicalValue(Some(item)).hash(state));
            }
            NodeValue::Mapping => {
                let mut entries: Vec<_> = node.entries().collect();
                entries.sort_unstable_by_key(|entry| entry.key);
                entries.len().hash(state);
                for entry in entries {
                    (entry.key, CanonicalValue(Some(entry.value))).hash(state);
                }
            }
        }
    }
}
