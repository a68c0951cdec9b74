//! How much agents select, counted before anything is made of it: a thousand instances that select a thousand monitors are a
//! million scrape jobs, from an input of a few hundred KiB.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::AddAssign;

use super::references::{self, AgentUse, Usage};
use super::{Selections, diagnostics};
use crate::api::{AnyResource, GrafanaAgent, Kind, Monitor, RELATIONS, Resource, Resources};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Entry, Node, NodeValue};

/// Maximum number of scrape jobs of all agents together, where one is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobLimit(pub Option<u64>);

impl JobLimit {
    /// What an input of any size may select.
    pub const LEAST: u64 = 50_000;
    /// What none may select unless it is asked for.
    pub const MOST: u64 = 200_000;

    /// The limit for resources with so many bytes: one job for each 20.
    fn of(self, bytes: u64) -> u64 {
        self.0.unwrap_or((bytes / 20).clamp(Self::LEAST, Self::MOST))
    }
}

/// Jobs, and the fields and texts that they are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Scrape jobs; a PodLogs, a Probe and an Integration are one each.
    pub jobs: u64,
    fields: u64,
}

/// Number of fields that count as one job: a job of a monitor has about as many.
const FIELDS: u64 = 24;
/// Number of fields for a monitor beside its jobs.
const MONITOR: u64 = 8;
/// Number of fields for a mapping in a list, such as a rule: what it leaves out has an effect, too.
const ITEM: u64 = 8;
/// Number of bytes of a text that count as one field.
const BYTES: u64 = 32;
/// The same of a text that is parsed for each instance.
const PARSED_BYTES: u64 = 4;

impl Extent {
    /// Something with so many fields.
    fn of(jobs: u64, fields: u64) -> Self {
        Self { jobs, fields }
    }

    /// The number that is limited: the jobs, and more where they are large.
    fn counted(self) -> u64 {
        self.jobs.max(self.fields / FIELDS)
    }

    fn times(self, count: u64) -> Self {
        Self::of(self.jobs.saturating_mul(count), self.fields.saturating_mul(count))
    }
}

impl AddAssign for Extent {
    fn add_assign(&mut self, other: Self) {
        self.jobs = self.jobs.saturating_add(other.jobs);
        self.fields = self.fields.saturating_add(other.fields);
    }
}

/// The fields below a node, itself included; longer texts are several.
fn fields(node: Node<'_>) -> u64 {
    let text = |text: &str| text.len() as u64 / BYTES;
    let entry = |entry: Entry<'_>| text(entry.key) + fields(entry.value);
    1 + match node.value() {
        NodeValue::String(value) => text(value),
        NodeValue::Sequence => node.items().map(item_fields).sum(),
        NodeValue::Mapping => node.entries().map(entry).sum(),
        _ => 0,
    }
}

/// The fields of an item of a list.
fn item_fields(item: Node<'_>) -> u64 {
    let least = if item.is_mapping() { ITEM } else { 0 };
    fields(item).max(least)
}

/// The fields of clients, of which each is written with as many as a job.
fn client_fields(clients: Node<'_>) -> u64 {
    fields(clients) + FIELDS * clients.items().count() as u64
}

/// Number of fields that the operator itself gives a workload.
const WORKLOAD: u64 = 150;

/// The fields of an agent that the pods of each workload have.
fn of_pods(root: Node<'_>) -> u64 {
    const IN_CONFIGURATIONS: [&str; 4] = ["apiServer", "integrations", "logs", "metrics"];
    let spec = root.get("spec").into_iter().flat_map(Node::entries);
    let of_pods = spec.filter(|entry| !IN_CONFIGURATIONS.contains(&entry.key));
    // A mount is in two containers.
    let count = |entry: Entry<'_>| fields(entry.value) * if entry.key == "volumeMounts" { 2 } else { 1 };
    of_pods.map(count).sum()
}

/// How many StatefulSets an agent has. More than a thousand are refused, or asked for (`--max-shards`).
fn shards(agent: &Resource<'_, GrafanaAgent<'_>>) -> u64 {
    let count = agent.spec.metrics.shard_count().clamp(0, 1_000);
    u64::try_from(count).unwrap_or_default()
}

/// Reports agents that select more than the limit allows, with the instances that select the most.
///
/// # Errors
///
/// The finding.
pub(super) fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    agents: &[&Resource<'d, GrafanaAgent<'d>>],
    limit: JobLimit,
) -> Result<(), Box<Diagnostic>> {
    if selections.are_too_many() {
        return Err(Box::new(diagnostics::too_many_selected()));
    }
    let limit = limit.of(bytes(resources));
    let extents = extents(resources, selections);
    let mut total = Extent::default();
    let mut used = BTreeMap::new();
    for &agent in agents {
        let any = AnyResource::GrafanaAgent(agent);
        let mut own = Extent::of(0, fields(agent.root) + values(resources, any));
        let part = |path| Extent::of(0, agent.root.at(path).map_or(0, client_fields));
        let mut workloads = 0;
        for relation in RELATIONS
            .iter()
            .filter(|relation| relation.parent == Kind::GrafanaAgent)
        {
            let Some(selected) = selections.by(agent, relation.child) else {
                continue;
            };
            workloads += match relation.child {
                _ if selected.positions.is_empty() => 0,
                Kind::MetricsInstance => shards(agent),
                Kind::Integration => 2,
                _ => 1,
            };
            let (clients, labels) = match relation.child {
                // Alloy has the labels at each client.
                Kind::MetricsInstance => (part("spec.metrics.remoteWrite"), part("spec.metrics.externalLabels")),
                Kind::LogsInstance => (part("spec.logs.clients"), Extent::default()),
                _ => Default::default(),
            };
            let known = extents.get(&relation.child).into_iter();
            let known = known.flat_map(|all| selected.positions.iter().filter_map(|&i| all.get(i)));
            for &(any, mut extent, inherits) in known {
                if inherits {
                    extent += clients;
                }
                extent += labels;
                own += extent;
                let (_, sum) = used.entry(any.object_ref()).or_insert((any, Extent::default()));
                *sum += extent;
            }
        }
        let pods = Extent::of(0, WORKLOAD + of_pods(agent.root)).times(workloads);
        own += pods;
        total += own;
        used.insert(agent.object_ref(), (any, pods));
    }
    if total.counted() <= limit {
        return Ok(());
    }
    let is_jobs = total.jobs > limit;
    let number = |extent: &Extent| if is_jobs { extent.jobs } else { extent.counted() };
    let largest = used.values().map(|(any, extent)| (any.head(), number(extent)));
    let mut largest: Vec<_> = largest.filter(|(_, number)| *number > 0).collect();
    largest.sort_by_key(|(_, number)| Reverse(*number));
    let (named, more) = largest.split_at(largest.len().min(3));
    Err(Box::new(diagnostics::too_many_jobs(
        named,
        more.len(),
        number(&total),
        is_jobs,
        limit,
    )))
}

/// The length of all that agents select from.
fn bytes(resources: &Resources<'_>) -> u64 {
    let selected = RELATIONS.iter().map(|relation| relation.child).collect::<BTreeSet<_>>();
    let kinds = [Kind::GrafanaAgent].into_iter().chain(selected);
    let heads = kinds.flat_map(|kind| resources.of(kind));
    heads
        .map(|any| any.head().root.span())
        .map(|span| u64::from(span.end - span.start))
        .sum()
}

/// The extents of all that is selected, each with all that it selects, and whether it takes the clients of its agent.
fn extents<'h, 'd>(
    resources: &'h Resources<'d>,
    selections: &Selections<'d>,
) -> HashMap<Kind, Vec<(AnyResource<'h, 'd>, Extent, bool)>> {
    let mut known: HashMap<Kind, Vec<(AnyResource<'h, 'd>, Extent, bool)>> = HashMap::new();
    // Children come before their parents.
    for relation in RELATIONS.iter().rev() {
        let measured = |any: AnyResource<'h, 'd>| {
            let clients = match any.kind {
                Kind::MetricsInstance => any.root.at("spec.remoteWrite"),
                Kind::LogsInstance => any.root.at("spec.clients"),
                _ => return (any, of_child(resources, any), false),
            };
            let own = fields(any.root) + clients.map_or(0, client_fields) + values(resources, any);
            let mut extent = Extent::of(0, FIELDS + own);
            for relation in RELATIONS.iter().filter(|relation| relation.parent == any.kind) {
                let (Some(selected), Some(all)) = (selections.by(&any, relation.child), known.get(&relation.child))
                else {
                    continue;
                };
                let children = selected.positions.iter().filter_map(|&i| all.get(i));
                children.for_each(|(_, child, _)| extent += *child);
            }
            (any, extent, clients.is_none_or(|clients| clients.items().len() == 0))
        };
        let all = resources.of(relation.child).into_iter().map(measured).collect();
        known.insert(relation.child, all);
    }
    known
}

/// The texts of Secrets and ConfigMaps that a resource refers to, as fields.
fn values(resources: &Resources<'_>, referrer: AnyResource<'_, '_>) -> u64 {
    let references = references::of(referrer, AgentUse::EVERYTHING).into_iter();
    let sizes = references.filter_map(|reference| {
        let key = reference.key(referrer.meta.namespace);
        let value = resources.data_object(key.object())?.spec.values.get(key.key)?;
        let bytes = match reference.usage {
            Usage::ScrapeConfigs => PARSED_BYTES,
            Usage::Value | Usage::File | Usage::Unused => BYTES,
        };
        Some(value.as_bytes().len() as u64 / bytes)
    });
    sizes.sum()
}

/// The extent of a monitor, a PodLogs or an Integration.
fn of_child(resources: &Resources<'_>, child: AnyResource<'_, '_>) -> Extent {
    let monitor: Monitor<'_, '_> = match child {
        AnyResource::ServiceMonitor(monitor) => monitor.into(),
        AnyResource::PodMonitor(monitor) => monitor.into(),
        other => return Extent::of(1, FIELDS + fields(other.root) + values(resources, other)),
    };
    let spec = monitor.head.root.get("spec");
    let endpoints = spec.into_iter().flat_map(|spec| spec.items_at(monitor.field));
    let endpoints: Vec<_> = endpoints.map(item_fields).collect();
    // Each job has what the endpoints have in common. A monitor without endpoints is gone through, too.
    let shared = spec.map_or(0, fields).saturating_sub(endpoints.iter().sum());
    let mut extent = Extent::of(0, MONITOR + values(resources, child));
    endpoints
        .iter()
        .for_each(|own| extent += Extent::of(1, FIELDS.max(shared + own)));
    extent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read};

    #[test]
    fn a_mount_counts_in_both_containers() {
        let count = |field: &str| {
            let text = format!("spec: {{{field}: [{{name: a}}, {{name: b}}]}}");
            let mut sources = Sources::default();
            let id = sources.add(Source::new("t", text.as_str(), true));
            let documents = read(id, &text, &Limits::default()).output;
            of_pods(documents[0].root())
        };
        let once = count("volumes");
        assert!(once > 0);
        assert_eq!(count("volumeMounts"), 2 * once);
        assert_eq!(count("logs"), 0);
    }
}
