//! Tests the table of relations: in each row, the parent selects the child through the row's two fields, and every
//! stage supports the relation. A new row requires no change here unless it introduces a kind, which needs a minimal
//! spec.

use crate::testing::TestInput;
use std::collections::BTreeSet;

use agentctl::admit;
use agentctl::api::{Kind, RELATIONS, Relation, Resources};
use agentctl::check;
use agentctl::diagnostic::Code;
use agentctl::insight::graph::Graph;
use agentctl::insight::tree;
use agentctl::output::{AlloyDiscovery, Target, alloy};
use agentctl::plan::{ConfigKind, JobName, Plan, SecretRepresentation};
use agentctl::resolve::{Selections, resolve_selected};
use agentctl::secrecy::is_monitor_job_name;
use agentctl::targets::observed::ObservedObjects;
use serde_json::{Value, json};

/// Returns the minimal spec of a kind.
fn spec(kind: Kind) -> Value {
    match kind {
        Kind::GrafanaAgent | Kind::MetricsInstance | Kind::LogsInstance => json!({}),
        Kind::Integration => json!({"name": "redis", "type": {"unique": false, "allNodes": false}, "config": {}}),
        Kind::PodLogs => json!({"selector": {}, "pipelineStages": []}),
        Kind::ServiceMonitor => json!({"selector": {}, "endpoints": [{"port": "web"}]}),
        Kind::PodMonitor => json!({"selector": {}, "podMetricsEndpoints": [{"port": "web"}]}),
        Kind::Probe => json!({"prober": {"url": "p:1"}, "targets": {"staticConfig": {"static": ["a"]}}}),
        Kind::Secret | Kind::ConfigMap | Kind::Namespace | Kind::Node => panic!("{kind} is selected by nothing"),
    }
}

fn object(kind: Kind, name: &str, namespace: &str, spec: Value) -> Value {
    json!({
        "apiVersion": kind.api_version(),
        "kind": kind.as_str(),
        "metadata": {"name": name, "namespace": namespace, "labels": {"is": name}},
        "spec": spec,
    })
}

/// Sets a field of a resource. `field` is a path such as `spec.metrics.instanceSelector`.
fn set(object: &mut Value, field: &str, value: Value) {
    let pointer = field.split('.').fold(&mut *object, |inner, key| &mut inner[key]);
    *pointer = value;
}

/// Returns the row of `child` and the rows above it, up to the agent.
fn relations_above(child: Kind) -> Vec<&'static Relation> {
    std::iter::successors(Relation::for_child(child), |relation| Relation::for_child(relation.parent)).collect()
}

/// Returns the row's child in a separate namespace, and all resources above it. The row's parent selects the child by
/// label and namespace.
fn chain(row: &Relation, label: &str) -> Vec<Value> {
    let mut chain = vec![object(row.child, "child", "alone", spec(row.child))];
    for relation in relations_above(row.child) {
        let is_row = relation.child == row.child;
        let selector = if is_row { json!({"is": label}) } else { json!({}) };
        let namespaces = match is_row {
            true => json!({"matchLabels": {"kubernetes.io/metadata.name": "alone"}}),
            false => json!({}),
        };
        let mut parent = object(relation.parent, "parent", "above", spec(relation.parent));
        set(&mut parent, relation.labels, json!({"matchLabels": selector}));
        set(&mut parent, relation.namespaces, namespaces);
        chain.push(parent);
    }
    chain
}

/// Results for an input: the agents' members, the resources that have a parent in the tree, and the unselected
/// resources.
struct Selection {
    members: BTreeSet<String>,
    tree_children: BTreeSet<String>,
    unselected: BTreeSet<String>,
}

fn select(objects: &[Value]) -> Selection {
    let input = TestInput::numbered(objects.iter().map(Value::to_string));
    let (documents, findings) = input.read();
    assert!(findings.list.is_empty(), "{:#?}", findings.list);
    let resources: Resources<'_> = admit::decode(&documents, "default").output;
    let selections = Selections::new(&resources);
    let hierarchies = resolve_selected(&resources, &selections, &input.options.resolve).output;
    let graph = Graph { resources: &resources, selections: &selections, hierarchies: &hierarchies };
    let resource_tree = tree::build(graph, &input.sources, &input.options.resolve, &[]);
    let edges = resource_tree.iter().flat_map(|(_, entry)| &entry.edges);
    let conditions = check::Conditions { target: &Target::Agent, certificate_time: None, follows_labels: true };
    let actual =
        check::check(&resources, &selections, &hierarchies, &ObservedObjects::default(), conditions).into_iter();
    let unselected = actual.filter(|finding| finding.code == Code::Unselected);
    let members = hierarchies.iter().flat_map(|hierarchy| hierarchy.members());
    Selection {
        members: members.map(|member| member.object_ref().to_string()).collect(),
        tree_children: edges
            .filter_map(|edge| resource_tree.get(edge.to))
            .map(|entry| entry.object.to_string())
            .collect(),
        unselected: unselected.filter_map(|finding| finding.resource).map(|resource| resource.to_string()).collect(),
    }
}

#[test]
fn every_custom_kind_except_the_root_has_one_relation() {
    for &kind in Kind::ALL.iter().filter(|kind| kind.is_custom()) {
        let rows = RELATIONS.iter().filter(|relation| relation.child == kind).count();
        assert_eq!(rows, usize::from(kind != Kind::GrafanaAgent), "{kind}");
        if kind != Kind::GrafanaAgent {
            assert_eq!(relations_above(kind).last().unwrap().parent, Kind::GrafanaAgent, "{kind}");
        }
    }
}

#[test]
fn every_relation_selects_through_its_fields() {
    for row in RELATIONS {
        let child = format!("{}/alone/child", row.child);
        let with_matching_label = select(&chain(row, "child"));
        assert!(with_matching_label.members.contains(&child), "{row:?}: {:?}", with_matching_label.members);
        assert!(with_matching_label.tree_children.contains(&child), "{row:?}: {:?}", with_matching_label.tree_children);
        assert!(!with_matching_label.unselected.contains(&child), "{row:?}: {:?}", with_matching_label.unselected);

        let with_other_label = select(&chain(row, "other"));
        assert!(!with_other_label.members.contains(&child), "{row:?}: {:?}", with_other_label.members);
        assert!(!with_other_label.tree_children.contains(&child), "{row:?}: {:?}", with_other_label.tree_children);
        assert!(with_other_label.unselected.contains(&child), "{row:?}: {:?}", with_other_label.unselected);
    }
}

/// Tests that jobs of every kind can be named and looked up, even if Alloy discovers the monitors itself.
#[test]
fn every_child_of_an_instance_has_jobs() {
    for row in RELATIONS.iter().filter(|row| row.parent != Kind::GrafanaAgent) {
        let input = TestInput::numbered(chain(row, "child").iter().map(Value::to_string));
        let (documents, _) = input.read();
        let resources: Resources<'_> = admit::decode(&documents, "default").output;
        let hierarchies = resolve_selected(&resources, &Selections::new(&resources), &input.options.resolve).output;
        let (hierarchy, part) = (&hierarchies[0], ConfigKind::non_empty_kinds(&hierarchies[0])[0]);
        let plan = Plan::new(hierarchy, &[part], &mut Vec::new());
        let metrics = plan.metrics.iter().flat_map(|instance| instance.jobs());
        let logs = plan.logs.iter().flat_map(|instance| instance.jobs());
        let jobs = metrics.map(|job| job.name).chain(logs.map(|job| job.name));
        let jobs: Vec<_> = jobs.map(|name| name.to_string()).collect();
        let expected_jobs = resources.list(row.child).into_iter().flat_map(JobName::for_resource);
        assert_eq!(jobs, expected_jobs.map(|name| name.to_string()).collect::<Vec<_>>(), "{row:?}");
        assert!(!jobs.is_empty(), "{row:?}");
        let page = include_str!("../../../src/insight/tree/html/details.js");
        assert!(page.contains(&format!("\"{}\"", row.child)), "{row:?}");
        assert!(jobs.iter().all(|name| is_monitor_job_name(name)), "{jobs:?}");

        let settings = alloy::AlloySettings {
            image: String::new(),
            has_files_of_credentials: true,
            is_public: false,
            discovery: AlloyDiscovery::Dynamic,
        };
        let mut text = String::new();
        alloy::write(&plan, part, &settings, SecretRepresentation::Values, &mut |piece| text.push_str(piece));
        let component = format!("prometheus.operator.{} ", row.child.names()[0]);
        let is_of_logs = row.parent == Kind::LogsInstance;
        assert!(is_of_logs || text.contains(&component), "{row:?}: {text}");
    }
}

#[test]
fn resource_lists_include_every_kind() {
    for row in RELATIONS {
        let objects = chain(row, "child");
        let input = TestInput::numbered(objects.iter().map(Value::to_string));
        let (documents, _) = input.read();
        let resources = admit::decode(&documents, "default").output;
        let listed_kinds = Kind::ALL.iter().flat_map(|&kind| {
            let resources = resources.list(kind);
            assert!(resources.iter().all(|resource| resource.kind == kind), "{kind}");
            resources
        });
        assert_eq!(listed_kinds.count(), objects.len(), "{row:?}");
    }
}
