//! Limits on agents' selections, checked before anything is generated. The limits are required because, for example, a
//! thousand instances that select a thousand monitors yield a million scrape jobs from an input of a few hundred KiB.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use super::references::{self, AgentUse, KeyReference, References, Usage};
use super::{Selections, diagnostics};
use crate::api::{AnyResource, GrafanaAgent, Kind, Monitor, RELATIONS, Resource, Resources};
use crate::budget::{Budget, BudgetExhausted};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Entry, FIELD_BYTES, Node};

/// Maximum number of scrape jobs across all agents, or `None` for the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobLimit(pub Option<u64>);

impl JobLimit {
    /// Lower bound of the default limit, which depends on the size of the input.
    pub const MIN: u64 = 50_000;
    /// Upper bound of the default limit.
    pub const MAX: u64 = 200_000;

    /// Returns the maximum number of jobs. The default is one job for every 20 bytes of resources, but at least `MIN`
    /// and at most `MAX`.
    fn jobs(self, bytes: u64) -> u64 {
        self.0.unwrap_or((bytes / 20).clamp(Self::MIN, Self::MAX))
    }
}

/// Number of fields equivalent to one job. A monitor's job has about this many fields, and every job counts as at least
/// this many fields.
const FIELDS_PER_JOB: u64 = 24;
/// Number of fields to count for a monitor, in addition to the fields of its jobs.
const FIELDS_PER_MONITOR: u64 = 8;
/// Number of bytes that count as one field in a string that is parsed for each instance.
const PARSED_BYTES_PER_FIELD: usize = 4;

/// Returns the number of jobs that is equivalent to this number of fields.
fn jobs(fields: u64) -> u64 {
    fields.div_ceil(FIELDS_PER_JOB)
}

/// Returns the number of fields in a list of clients. Each client is written with as many additional fields as a job
/// contains.
fn client_fields(clients: Node<'_>) -> u64 {
    clients.size() + FIELDS_PER_JOB * clients.items().count() as u64
}

/// Number of fields that the operator sets in every workload.
const FIELDS_PER_WORKLOAD: u64 = 150;

/// Returns the number of an agent's fields that are copied to the pods of each workload.
fn pod_fields(root: Node<'_>) -> u64 {
    const CONFIGURATION_FIELDS: [&str; 4] = ["apiServer", "integrations", "logs", "metrics"];
    let spec = root.get("spec").into_iter().flat_map(Node::entries);
    let pod_fields = spec.filter(|entry| !CONFIGURATION_FIELDS.contains(&entry.key));
    // Mounts are written to two containers.
    let count = |entry: Entry<'_>| entry.value.size() * if entry.key == "volumeMounts" { 2 } else { 1 };
    pod_fields.map(count).sum()
}

/// Returns the number of StatefulSets for an agent, capped at a thousand. A higher number is rejected unless `--limit
/// shards` allows it.
fn shards(agent: &Resource<'_, GrafanaAgent<'_>>) -> u64 {
    let count = agent.spec.metrics.shard_count().clamp(0, 1_000);
    u64::try_from(count).unwrap_or_default()
}

/// Checks that the agents' selections do not exceed the limit.
///
/// # Errors
///
/// Returns a finding that names the instances with the largest selections.
pub(super) fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    agents: &[&Resource<'d, GrafanaAgent<'d>>],
    survey: &ResourceCosts<'d>,
    limit: JobLimit,
) -> Result<(), Box<Diagnostic>> {
    if selections.are_too_many() {
        return Err(Box::new(diagnostics::too_many_selected()));
    }
    let limit = limit.jobs(bytes(resources));
    let costs = costs(resources, selections, survey);
    let mut total = 0_u64;
    let mut costs_by_resource = BTreeMap::new();
    for &agent in agents {
        let agent_resource = AnyResource::GrafanaAgent(agent);
        let references = references::collect(agent_resource, AgentUse::EVERYTHING);
        let mut agent_cost = agent.root.size() + values(resources, agent_resource, &references);
        let part = |path| agent.root.at(path).map_or(0, client_fields);
        let mut workloads = 0;
        for relation in RELATIONS.iter().filter(|relation| relation.parent == Kind::GrafanaAgent) {
            let Some(selected_children) = selections.for_parent(agent, relation.child) else {
                continue;
            };
            workloads += match relation.child {
                _ if selected_children.indices.is_empty() => 0,
                Kind::MetricsInstance => shards(agent),
                Kind::Integration => 2,
                _ => 1,
            };
            let (clients, labels) = match relation.child {
                // Alloy repeats the labels for each client.
                Kind::MetricsInstance => (part("spec.metrics.remoteWrite"), part("spec.metrics.externalLabels")),
                Kind::LogsInstance => (part("spec.logs.clients"), 0),
                _ => Default::default(),
            };
            let child_costs = costs.get(&relation.child).into_iter();
            let selected_costs =
                child_costs.flat_map(|all| selected_children.indices.iter().filter_map(|&i| all.get(i)));
            for &(child, own_cost, inherits_clients) in selected_costs {
                let inherited_cost = if inherits_clients { clients } else { 0 };
                let cost = own_cost.saturating_add(inherited_cost + labels);
                agent_cost = agent_cost.saturating_add(cost);
                let (_, sum) = costs_by_resource.entry(child.object_ref()).or_insert((child, 0));
                *sum = cost.saturating_add(*sum);
            }
        }
        let pods = (FIELDS_PER_WORKLOAD + pod_fields(agent.root)) * workloads;
        total = total.saturating_add(agent_cost).saturating_add(pods);
        costs_by_resource.insert(agent.object_ref(), (agent_resource, pods));
    }
    let budget = Budget::new(limit.saturating_mul(FIELDS_PER_JOB));
    budget.spend(total).map_err(|BudgetExhausted| {
        let costs_in_jobs = costs_by_resource.values().map(|(any, fields)| (any.header(), jobs(*fields)));
        let mut largest_costs: Vec<_> = costs_in_jobs.filter(|(_, jobs)| *jobs > 0).collect();
        largest_costs.sort_by_key(|(_, jobs)| Reverse(*jobs));
        let (largest_named, remaining) = largest_costs.split_at(largest_costs.len().min(3));
        Box::new(diagnostics::too_many_jobs(largest_named, remaining.len(), jobs(total), limit))
    })
}

/// Returns the total length in bytes of the agents and of all resources that selectors can match.
fn bytes(resources: &Resources<'_>) -> u64 {
    let selectable_kinds = RELATIONS.iter().map(|relation| relation.child).collect::<BTreeSet<_>>();
    let kinds = [Kind::GrafanaAgent].into_iter().chain(selectable_kinds);
    let headers = kinds.flat_map(|kind| resources.list(kind));
    headers.map(|any| any.header().root.span()).map(|span| u64::from(span.end - span.start)).sum()
}

/// Costs and references of all resources that agents or instances can select.
pub(super) struct ResourceCosts<'d> {
    /// Costs of the resources of each kind, measured in fields, in the order of the resources. The cost of a resource
    /// does not include the resources that it selects.
    costs: HashMap<Kind, Vec<u64>>,
    pub(super) references: References<'d>,
}

impl<'d> ResourceCosts<'d> {
    /// Reads each resource only once, in parallel.
    pub(super) fn new(resources: &Resources<'d>) -> Self {
        let (mut costs, mut references) = (HashMap::new(), References::default());
        for relation in RELATIONS {
            let resources_of_kind = resources.list(relation.child);
            let surveyed = resources_of_kind.par_iter().map(|any| {
                let references = references::collect(*any, AgentUse::EVERYTHING);
                (child_cost(resources, *any, &references), references)
            });
            let surveyed_resources: Vec<_> = surveyed.collect();
            let costs: &mut Vec<_> = costs.entry(relation.child).or_default();
            for (resource, (cost, found_references)) in resources_of_kind.iter().zip(surveyed_resources) {
                costs.push(cost);
                references.add(resource, found_references);
            }
        }
        Self { costs, references }
    }
}

/// Returns all selectable resources by kind. Each resource comes with its cost in fields, including the cost of the
/// resources that it selects, and with a flag that is set if it uses the agent's clients.
fn costs<'h, 'd>(
    resources: &'h Resources<'d>,
    selections: &Selections<'d>,
    survey: &ResourceCosts<'d>,
) -> HashMap<Kind, Vec<(AnyResource<'h, 'd>, u64, bool)>> {
    let mut known_costs: HashMap<Kind, Vec<(AnyResource<'h, 'd>, u64, bool)>> = HashMap::new();
    // Children are processed before their parents.
    for relation in RELATIONS.iter().rev() {
        let with_children_cost = |(any, own_cost): (AnyResource<'h, 'd>, &u64)| {
            let Some(clients) = clients(any) else {
                return (any, *own_cost, false);
            };
            let mut cost = *own_cost;
            for relation in RELATIONS.iter().filter(|relation| relation.parent == any.kind) {
                let (Some(selected_children), Some(child_costs)) =
                    (selections.for_parent(&any, relation.child), known_costs.get(&relation.child))
                else {
                    continue;
                };
                let children = selected_children.indices.iter().filter_map(|&i| child_costs.get(i));
                cost = children.fold(cost, |cost, (_, child, _)| cost.saturating_add(*child));
            }
            (any, cost, clients.is_none_or(|clients| clients.items().len() == 0))
        };
        let own_cost = survey.costs.get(&relation.child).into_iter().flatten();
        let resources_with_cost = resources.list(relation.child).into_iter().zip(own_cost);
        let total_costs = resources_with_cost.map(with_children_cost).collect();
        known_costs.insert(relation.child, total_costs);
    }
    known_costs
}

/// Returns the clients that an instance sets (`Some(None)` if it sets none), or `None` for other resources.
fn clients<'d>(any: AnyResource<'_, 'd>) -> Option<Option<Node<'d>>> {
    match any.kind {
        Kind::MetricsInstance => Some(any.root.at("spec.remoteWrite")),
        Kind::LogsInstance => Some(any.root.at("spec.clients")),
        _ => None,
    }
}

/// Returns the number of fields to count for the Secret and ConfigMap values that a resource refers to.
fn values<'d>(resources: &Resources<'d>, referrer: AnyResource<'_, 'd>, references: &[KeyReference<'d>]) -> u64 {
    let sizes = references.iter().filter_map(|reference| {
        let key = reference.key(referrer.meta.namespace);
        let value = resources.data_object(key.object())?.spec.values.get(key.key)?;
        let bytes = match reference.usage {
            Usage::ScrapeConfigs => PARSED_BYTES_PER_FIELD,
            Usage::Value | Usage::File | Usage::Unused => FIELD_BYTES,
        };
        Some((value.as_bytes().len() / bytes) as u64)
    });
    sizes.sum()
}

/// Returns the cost of a resource in fields, excluding the resources that it selects.
fn child_cost<'d>(resources: &Resources<'d>, child: AnyResource<'_, 'd>, references: &[KeyReference<'d>]) -> u64 {
    let values = values(resources, child, references);
    let monitor: Monitor<'_, '_> = match child {
        AnyResource::ServiceMonitor(monitor) => monitor.into(),
        AnyResource::PodMonitor(monitor) => monitor.into(),
        other => {
            let clients = clients(other);
            let client_cost = clients.flatten().map_or(0, client_fields);
            return FIELDS_PER_JOB + other.root.size() + client_cost + values;
        }
    };
    let spec = monitor.header.root.get("spec");
    // Each job repeats the fields outside the list of endpoints. Even a monitor without endpoints takes time to
    // process.
    let is_shared_field = |entry: Entry<'_>| {
        if entry.key == monitor.field { 1 } else { entry.size() }
    };
    let shared_fields = 1 + spec.into_iter().flat_map(Node::entries).map(is_shared_field).sum::<u64>();
    let endpoints = spec.into_iter().flat_map(|spec| spec.items_at(monitor.field));
    let jobs = endpoints.map(|endpoint| FIELDS_PER_JOB.max(shared_fields + endpoint.size()));
    jobs.fold(FIELDS_PER_MONITOR + values, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::tests::{object, with_resources};
    use crate::testing;

    /// Calls `make` with the first document in a YAML string.
    fn first_document_cost(text: &str, make: impl Fn(Node<'_>) -> u64) -> u64 {
        let documents = testing::documents(text);
        make(documents[0].root())
    }

    #[test]
    fn limit_grows_with_the_input() {
        for (requested_limit, bytes, expected) in [
            (None, 0, 50_000),
            (None, 1_000_000, 50_000),
            (None, 1_000_020, 50_001),
            (None, 4_000_000, 200_000),
            (None, 9_000_000, 200_000),
            (Some(5), 9_000_000, 5),
        ] {
            assert_eq!(JobLimit(requested_limit).jobs(bytes), expected, "{requested_limit:?} {bytes}");
        }
    }

    #[test]
    fn every_24_fields_count_as_a_job() {
        for (fields, expected) in [(0, 0), (1, 1), (24, 1), (25, 2), (48, 2)] {
            assert_eq!(jobs(fields), expected, "{fields}");
        }
    }

    #[test]
    fn each_client_counts_as_a_job() {
        for (text, expected) in [("[]", 1), ("[{url: a}]", 33), ("[{url: a}, {url: b}]", 65)] {
            assert_eq!(first_document_cost(text, client_fields), expected, "{text}");
        }
    }

    #[test]
    fn counts_the_length_of_selectable_documents() {
        let (monitor, secret) =
            ("{selector: {}, endpoints: []}", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n");
        let monitor_object = object(Kind::ServiceMonitor, "a", monitor);
        let agent_object = object(Kind::GrafanaAgent, "b", "{}");
        let text = format!("{monitor_object}{agent_object}---\n{secret}");
        let lengths =
            [&monitor_object, &agent_object].map(|text| text.trim_start_matches("---\n").trim_end().len() as u64);
        assert_eq!(with_resources(&text, |resources| bytes(&resources)), lengths.iter().sum::<u64>());
    }

    /// Returns the cost in fields of the first resource of a kind, excluding the resources that it selects.
    fn own_cost(text: &str, kind: Kind) -> u64 {
        with_resources(text, |resources| ResourceCosts::new(&resources).costs[&kind][0])
    }

    #[test]
    fn jobs_include_shared_fields() {
        let (small, rules) = ("{port: a}", "{port: a, relabelings: [{}, {}, {}, {}]}");
        let pods = |endpoints: &str| format!("{{selector: {{}}, podMetricsEndpoints: [{endpoints}]}}");
        let services = |endpoints: &str| format!("{{selector: {{}}, endpoints: [{endpoints}]}}");
        for (kind, spec, expected) in [
            (Kind::ServiceMonitor, services(""), 8),
            // A job counts as at least 24 fields.
            (Kind::ServiceMonitor, services(small), 8 + 24),
            // `spec` counts as three fields, the endpoint and its port count as two, and each rule in the list counts
            // as eight.
            (Kind::ServiceMonitor, services(rules), 8 + 3 + 2 + 33),
            (Kind::PodMonitor, pods(rules), 8 + 3 + 2 + 33),
            (Kind::ServiceMonitor, services(&format!("{small}, {rules}")), 8 + 24 + 38),
            // The object counts as five fields, including itself, and `metadata` and `spec` each add two fields.
            (Kind::PodLogs, "{selector: {}, pipelineStages: []}".to_owned(), 24 + 5 + 2 + 2),
        ] {
            let text = object(kind, "a", &spec);
            let actual = own_cost(&text, kind);
            assert_eq!(actual, expected, "{text}");
        }
    }

    #[test]
    fn counts_secret_values_by_size() {
        let reference = "bearerTokenSecret: {name: s, key: k}";
        for (kind, spec) in [
            (Kind::ServiceMonitor, format!("{{selector: {{}}, endpoints: [{{port: a, {reference}}}]}}")),
            (Kind::Probe, format!("{{prober: {{url: p}}, targets: {{staticConfig: {{static: [a]}}}}, {reference}}}")),
        ] {
            let with_value = |bytes: u64| {
                let value = "a".repeat(usize::try_from(bytes).unwrap());
                let secret = format!(
                    "---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: ns}}\nstringData: {{k: '{value}'}}\n"
                );
                let text = object(kind, "a", &spec) + &secret;
                own_cost(&text, kind)
            };
            let mut expected = with_value(0);
            expected += 5;
            assert_eq!(with_value(5 * FIELD_BYTES as u64), expected, "{kind}");
        }
    }

    /// A string with the length of ten jobs counts as ten jobs each time it is written.
    #[test]
    fn counts_long_strings_each_time_they_are_written() {
        let fields = |count: u64| "a".repeat(usize::try_from(count).unwrap() * FIELD_BYTES);
        let long_text = fields(10 * FIELDS_PER_JOB);
        // Returns the smallest job limit that the input does not exceed.
        let min_jobs = |long_at: &str, shards: u64| {
            let text_at = |place: &str| if place == long_at { long_text.as_str() } else { "a" };
            let instance_selector = "instanceSelector: {}";
            // A client with this many fields costs more than the minimum for a list item.
            let client = |place| {
                format!(
                    "url: {}, proxyUrl: b, tlsConfig: {{caFile: b, certFile: b, keyFile: b, serverName: b}}",
                    text_at(place)
                )
            };
            let agent = format!(
                "{{metrics: {{{instance_selector}, shards: {shards}, externalLabels: {{a: {}}}, remoteWrite: [{{{}, basicAuth: \
                 {{username: {{name: s, key: k}}}}}}]}}, logs: {{{instance_selector}, clients: [{{{}}}]}}, integrations: \
                 {{selector: {{}}}}, nodeSelector: {{a: {}}}}}",
                text_at("label"),
                client("remote write"),
                client("client"),
                text_at("pods"),
            );
            let integration = format!("{{name: {}, type: {{}}, config: {{}}}}", text_at("integration"));
            let own_instance =
                format!("{{serviceMonitorSelector: {{}}, remoteWrite: [{{{}}}]}}", client("own remote write"));
            let own_logs = format!("{{podLogsSelector: {{}}, clients: [{{{}}}]}}", client("own client"));
            let endpoint = "{port: b, relabelings: [{}, {}, {}]}";
            let monitor =
                format!("{{jobLabel: {}, selector: {{}}, endpoints: [{endpoint}, {endpoint}]}}", text_at("monitor"));
            let pod_logs = format!("{{jobLabel: {}, selector: {{}}, pipelineStages: []}}", text_at("logs"));
            let scrape_configs = "additionalScrapeConfigs: {name: s, key: jobs}";
            let (value, jobs) = (text_at("value"), text_at("scrape configs"));
            let text = [
                object(Kind::GrafanaAgent, "a", &agent),
                object(Kind::Integration, "a", &integration),
                object(Kind::MetricsInstance, "a", &own_instance),
                object(Kind::MetricsInstance, "b", &format!("{{serviceMonitorSelector: {{}}, {scrape_configs}}}")),
                object(Kind::MetricsInstance, "c", "{remoteWrite: []}"),
                object(Kind::LogsInstance, "a", &own_logs),
                object(Kind::LogsInstance, "b", "{podLogsSelector: {}}"),
                object(Kind::ServiceMonitor, "a", &monitor),
                object(Kind::PodLogs, "a", &pod_logs),
                format!(
                    "---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: ns}}\nstringData: {{k: {value}, jobs: {jobs}}}\n"
                ),
            ];
            with_resources(&text.concat(), |resources| {
                let selections = Selections::new(&resources);
                let agents: Vec<_> = resources.agents.iter().collect();
                let survey = ResourceCosts::new(&resources);
                let is_enough =
                    |limit: &u64| check(&resources, &selections, &agents, &survey, JobLimit(Some(*limit))).is_ok();
                (0..).find(is_enough).unwrap()
            })
        };
        let base_jobs = min_jobs("", 3);
        for (long_at, times) in [
            // The client is written for the agent and for each of the two instances without their own clients.
            ("remote write", 1 + 2),
            ("client", 1 + 1),
            // Alloy repeats the label in each of the three metrics instances.
            ("label", 1 + 3),
            // The value is written to each workload: three shards, one workload for logs, and two for integrations.
            ("pods", 1 + 3 + 1 + 2),
            ("integration", 1),
            // The value is written for the instance and for its client.
            ("own remote write", 2),
            ("own client", 2),
            // The monitor is written to both jobs of both instances that select it. The PodLogs are written to both
            // logs instances.
            ("monitor", 2 * 2),
            ("logs", 2),
            ("value", 1),
            // Scrape configurations are parsed, so four bytes of them count as much as 32 bytes of other strings.
            ("scrape configs", 8),
        ] {
            assert_eq!(min_jobs(long_at, 3) - base_jobs, 10 * times, "{long_at}");
        }
        assert_eq!(min_jobs("pods", 4) - min_jobs("", 4), 10 * 8);
    }

    #[test]
    fn counts_mounts_once_per_container() {
        let count =
            |field: &str| first_document_cost(&format!("spec: {{{field}: [{{name: a}}, {{name: b}}]}}"), pod_fields);
        let single_count = count("volumes");
        assert!(single_count > 0);
        assert_eq!(count("volumeMounts"), 2 * single_count);
        assert_eq!(count("logs"), 0);
    }
}
