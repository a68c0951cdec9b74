//! Endpoints and PodLogs whose targets another selector of the same instance also matches: the other selector has all
//! or some of the same requirements, and all other settings are the same. The findings are certain regardless of the
//! objects in the cluster.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::api::{
    Endpoint, IntOrString, LabelSelector, Monitor, NamespaceSelector, ObjectRef, PodLogs, RejectedFields,
    RelabelConfig, Resource, ResourceHeader,
};
use crate::check::collected_data::{collect_same_data, filters_by_scrape_label};
use crate::plan::DiscoveryNamespaces;
use crate::resolve::{LogsHierarchy, MetricsHierarchy};
use crate::yaml::Node;

/// Selector of an endpoint or of PodLogs.
#[derive(Clone)]
pub struct SelectedTargets<'h, 'd> {
    pub head: &'h ResourceHeader<'d>,
    /// Field in `spec` that lists the endpoints, and the index of the endpoint; `None` for PodLogs.
    pub endpoint: Option<(&'static str, usize)>,
    pub selector: &'h LabelSelector<'d>,
    /// Hash of each requirement of the selector, sorted.
    requirements: Rc<[u64]>,
    /// Hash of the names of the namespaces to search, or [`EVERYWHERE`].
    namespaces: u64,
    /// Hash of the other settings that determine the targets.
    settings: u64,
    relabelings: &'h [RelabelConfig<'d>],
}

/// Hash that stands for all namespaces.
const EVERYWHERE: u64 = 0;

/// A selection whose targets are all in another selection of the same instance.
pub struct NarrowSelection<'h, 'd> {
    pub instance: &'h ResourceHeader<'d>,
    pub narrow: SelectedTargets<'h, 'd>,
    /// Selection that contains at least the targets of `narrow`.
    pub wide: SelectedTargets<'h, 'd>,
    /// Whether the narrow selection is defined after the wide one.
    pub is_narrow_last: bool,
}

/// Maximum number of requirements. If a selector has more, it is compared only with selectors that have the same
/// requirements.
const MAX_REQUIREMENTS: usize = 5;

/// Maximum number of selectors with the same requirements and settings to compare.
const MAX_COMPARED_SELECTIONS: usize = 4;

/// Selections whose targets another selector of the instance also matches, keyed by the two resources.
pub type NarrowSelections<'h, 'd> = BTreeMap<(ObjectRef<'d>, ObjectRef<'d>), NarrowSelection<'h, 'd>>;

/// Adds an instance's endpoints whose targets are also targets of another of its endpoints.
pub fn check_metrics<'h, 'd: 'h>(
    rejected: &RejectedFields<'_>,
    metrics: &MetricsHierarchy<'h, 'd>,
    own_namespace_only: bool,
    narrow_selections: &mut NarrowSelections<'h, 'd>,
) {
    let monitors = metrics.monitors().filter(|monitor| !rejected.has_any(monitor.header.object_ref()));
    let all_targets = monitors.flat_map(|monitor| endpoints(&monitor, own_namespace_only)).collect();
    compare(metrics.instance, all_targets, narrow_selections);
}

/// Adds an instance's PodLogs whose files are also read by another of its PodLogs.
pub fn check_logs<'h, 'd: 'h>(
    rejected: &RejectedFields<'_>,
    logs: &LogsHierarchy<'h, 'd>,
    own_namespace_only: bool,
    narrow_selections: &mut NarrowSelections<'h, 'd>,
) {
    let pod_logs = logs.pod_logs.iter().filter(|pod_logs| !rejected.has_any(pod_logs.object_ref()));
    let all_targets = pod_logs.map(|pod_logs| files(pod_logs, own_namespace_only)).collect();
    compare(logs.instance, all_targets, narrow_selections);
}

fn endpoints<'h, 'd: 'h>(
    monitor: &Monitor<'h, 'd>,
    own_namespace_only: bool,
) -> impl Iterator<Item = SelectedTargets<'h, 'd>> + use<'h, 'd> {
    let (head, field) = (monitor.header, monitor.field);
    let base = selected_targets(head, monitor.selector, monitor.namespaces, own_namespace_only);
    monitor.endpoints.iter().enumerate().map(move |(index, endpoint)| SelectedTargets {
        endpoint: Some((field, index)),
        settings: settings(base.settings, endpoint),
        relabelings: &endpoint.relabelings,
        ..base.clone()
    })
}

/// Returns a hash of the settings that determine an endpoint's targets and their URLs.
fn settings(kind: u64, endpoint: &Endpoint<'_>) -> u64 {
    let path = if endpoint.path.is_empty() { "/metrics" } else { endpoint.path };
    let scheme = if endpoint.scheme.is_empty() { "http" } else { endpoint.scheme };
    let target_port = endpoint.target_port.map(|port| match port {
        IntOrString::Int(number) => (number, ""),
        IntOrString::String(name) => (0, name),
    });
    hash(&(kind, endpoint.port, target_port, path, scheme, &endpoint.params, endpoint.filter_running))
}

fn files<'h, 'd: 'h>(pod_logs: &'h Resource<'d, PodLogs<'d>>, own_namespace_only: bool) -> SelectedTargets<'h, 'd> {
    let spec = &pod_logs.spec;
    let base = selected_targets(pod_logs, &spec.selector, &spec.namespace_selector, own_namespace_only);
    SelectedTargets { relabelings: &spec.relabelings, ..base }
}

fn selected_targets<'h, 'd: 'h>(
    head: &'h ResourceHeader<'d>,
    selector: &'h LabelSelector<'d>,
    namespaces: &'h NamespaceSelector<'d>,
    own_namespace_only: bool,
) -> SelectedTargets<'h, 'd> {
    let labels = selector.match_labels.iter().map(|(key, value)| hash(&(key, "In", [value].as_slice())));
    let expressions = selector.match_expressions.iter().map(|expression| {
        let mut values = expression.values.clone();
        values.sort_unstable();
        values.dedup();
        hash(&(expression.key, expression.operator, values.as_slice()))
    });
    let mut requirements: Vec<_> = labels.chain(expressions).collect();
    requirements.sort_unstable();
    requirements.dedup();
    let namespaces = DiscoveryNamespaces::from_selector(namespaces, head.meta.namespace, own_namespace_only);
    let namespaces = namespaces.names().map_or(EVERYWHERE, |names| {
        let mut names = names.to_vec();
        names.sort_unstable();
        names.dedup();
        hash(&names)
    });
    let settings = hash(&head.kind);
    let requirements = requirements.into();
    SelectedTargets { head, endpoint: None, selector, requirements, namespaces, settings, relabelings: &[] }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns a sum that depends on the requirements, but not on their order.
fn sum<'s>(hashes: impl Iterator<Item = &'s u64>) -> u64 {
    hashes.fold(0, |sum: u64, hash| sum.wrapping_add(*hash))
}

/// Returns a key that is the same for selections with the same settings, namespaces and requirements. All arguments are
/// hashes.
fn key(settings: u64, namespaces: u64, requirements: u64) -> u64 {
    settings.wrapping_add(namespaces.rotate_left(17)).wrapping_add(requirements.rotate_left(41))
}

/// Filter that rules out most keys without a search. It has one bit for each value of a key's upper bits.
struct KnownKeys(Vec<bool>);

impl KnownKeys {
    const BITS: u32 = 17;

    fn new(keys: impl Iterator<Item = u64>) -> Self {
        let mut known = vec![false; 1 << Self::BITS];
        keys.for_each(|key| known.get_mut(Self::bit(key)).into_iter().for_each(|known| *known = true));
        Self(known)
    }

    fn bit(key: u64) -> usize {
        (key >> (u64::BITS - Self::BITS)) as usize
    }

    fn may_contain(&self, key: u64) -> bool {
        self.0.get(Self::bit(key)) == Some(&true)
    }
}

/// Adds an instance's selections whose targets are all in another of its selections.
fn compare<'h, 'd: 'h>(
    instance: &'h ResourceHeader<'d>,
    all_targets: Vec<SelectedTargets<'h, 'd>>,
    narrow_selections: &mut NarrowSelections<'h, 'd>,
) {
    if all_targets.len() < 2 {
        return;
    }
    let whole_key = |selection: &SelectedTargets<'_, '_>| {
        key(selection.settings, selection.namespaces, sum(selection.requirements.iter()))
    };
    let mut by_key: Vec<_> =
        all_targets.iter().enumerate().map(|(number, selection)| (whole_key(selection), number)).collect();
    by_key.sort_unstable();
    let known_keys = KnownKeys::new(by_key.iter().map(|(key, _)| *key));
    let selections_with_key = |key: u64| {
        let start = by_key.partition_point(|(other, _)| *other < key);
        let equal_keys = by_key.iter().skip(start).take_while(move |(other, _)| *other == key);
        equal_keys.map(|(_, number)| *number).take(MAX_COMPARED_SELECTIONS)
    };
    for (number, selection) in all_targets.iter().enumerate() {
        let wider = selection
            .wider_keys()
            .filter(|key| known_keys.may_contain(*key))
            .flat_map(selections_with_key)
            .filter(|other| *other != number);
        let mut wider = wider.filter_map(|other| Some((other, all_targets.get(other)?)));
        let Some((other, wide)) = wider.find(|(_, wide)| wide.covers_targets_of(selection)) else { continue };
        // Both selections may match the same targets.
        if wide.requirements == selection.requirements && wide.namespaces == selection.namespaces && other > number {
            continue;
        }
        let (first, second) = if other < number { (wide, selection) } else { (selection, wide) };
        let narrow =
            NarrowSelection { instance, narrow: selection.clone(), wide: wide.clone(), is_narrow_last: other < number };
        narrow_selections.entry((first.head.object_ref(), second.head.object_ref())).or_insert(narrow);
    }
}

impl<'d> SelectedTargets<'_, 'd> {
    /// Returns the keys of the selections that match all of the same objects, and possibly more.
    fn wider_keys(&self) -> impl Iterator<Item = u64> + '_ {
        let parts = match self.requirements.len() {
            count if count > MAX_REQUIREMENTS => 0,
            count => (1_usize << count) - 1,
        };
        let parts = (0..parts).map(move |part| {
            let bits = self.requirements.iter().enumerate();
            sum(bits.filter(move |(bit, _)| part & (1 << bit) != 0).map(|(_, hash)| hash))
        });
        let parts = parts.chain([sum(self.requirements.iter())]);
        let namespaces = [Some(self.namespaces), (self.namespaces != EVERYWHERE).then_some(EVERYWHERE)];
        parts.flat_map(move |part| {
            namespaces.into_iter().flatten().map(move |namespaces| key(self.settings, namespaces, part))
        })
    }

    /// Returns the endpoint, or the entire PodLogs.
    fn node(&self) -> Option<Node<'d>> {
        match self.endpoint {
            Some((field, index)) => self.head.root.get("spec")?.get(field)?.item(index),
            None => Some(self.head.root),
        }
    }

    /// Whether every target of `narrow` is also a target of this selection, with the same data.
    fn covers_targets_of(&self, narrow: &SelectedTargets<'_, 'd>) -> bool {
        let (Some(wide), Some(other)) = (self.node(), narrow.node()) else { return false };
        self.settings == narrow.settings
            && self.requirements.iter().all(|hash| narrow.requirements.contains(hash))
            && (self.namespaces == EVERYWHERE || self.namespaces == narrow.namespaces)
            && (are_equal_rules(wide, other)
                || [self, narrow].iter().all(|selection| selection.relabelings.iter().all(keeps_target)))
            && collect_same_data(wide, other)
            && !filters_by_scrape_label(wide)
    }
}

fn are_equal_rules(first: Node<'_>, second: Node<'_>) -> bool {
    match (rules(first), rules(second)) {
        (Some(first), Some(second)) => first.equals(second),
        (first, second) => first.is_none() && second.is_none(),
    }
}

fn rules<'d>(endpoint: Node<'d>) -> Option<Node<'d>> {
    endpoint.get("relabelings").or_else(|| endpoint.get("spec")?.get("relabelings"))
}

/// Whether a rule neither drops a target nor changes what is collected from it.
fn keeps_target(rule: &RelabelConfig<'_>) -> bool {
    let is_plain = !rule.target_label.starts_with("__") && !rule.target_label.contains('$');
    let action = if rule.action.is_empty() { "replace" } else { rule.action };
    is_plain && ["replace", "lowercase", "uppercase"].iter().any(|candidate| action.eq_ignore_ascii_case(candidate))
}
