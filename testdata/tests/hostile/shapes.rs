//! Tests small inputs with large results: many resources that all select one another, and long lists in every field
//! that accepts a list. The tests count results instead of measuring time.

use crate::testing::TestInput;
use agentctl::api::schema::{Schema, ValueType, schema as schema_of};
use agentctl::api::{Kind, RELATIONS, Relation};
use agentctl::diagnostic::bound::MAX_LISTED;
use agentctl::diagnostic::made::created_count;
use agentctl::diagnostic::{Code, Diagnostic};
use serde_json::{Value, json};

use crate::support;

/// Returns the findings for an input and the number of rendered objects.
fn compile_texts(texts: &[String]) -> (Vec<Diagnostic>, usize) {
    let compiled = TestInput::numbered(texts).compile();
    (compiled.diagnostics, compiled.output.objects.iter().count())
}

pub(crate) fn object(kind: Kind, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": kind.api_version(),
        "kind": kind.as_str(),
        "metadata": {"name": name, "namespace": "default"},
        "spec": spec,
    })
}

/// Returns a spec that has the required fields of its kind and selects everything.
pub(crate) fn spec(kind: Kind) -> Value {
    let mut spec = match kind {
        Kind::Integration => json!({"name": "redis", "type": {"unique": false, "allNodes": false}, "config": {}}),
        Kind::PodLogs => json!({"selector": {}, "pipelineStages": []}),
        Kind::ServiceMonitor => json!({"selector": {}, "endpoints": [{"port": "http"}]}),
        Kind::PodMonitor => json!({"selector": {}, "podMetricsEndpoints": [{"port": "http"}]}),
        Kind::Probe => json!({"prober": {"url": "p:1"}, "targets": {"staticConfig": {"static": ["a"]}}}),
        _ => json!({}),
    };
    for relation in RELATIONS.iter().filter(|relation| relation.parent == kind) {
        for field in [relation.labels, relation.namespaces] {
            let keys = field.trim_start_matches("spec.").split('.');
            *keys.fold(&mut spec, |inner, key| &mut inner[key]) = json!({});
        }
    }
    spec
}

/// Returns `count` resources of a kind that select everything.
pub(crate) fn repeat_objects(kind: Kind, count: usize) -> String {
    let spec = spec(kind);
    (0..count).map(|i| format!("---\n{}\n", object(kind, &format!("a{i}"), &spec))).collect()
}

/// Returns the kinds that directly or indirectly select `child`, ending with the agent.
pub(crate) fn ancestors(child: Kind) -> impl Iterator<Item = Kind> {
    let rows = std::iter::successors(Relation::for_child(child), |relation| Relation::for_child(relation.parent));
    rows.map(|relation| relation.parent)
}

#[test]
fn limits_combinations_of_two_kinds_before_rendering() {
    for relation in RELATIONS {
        let mut kinds = vec![repeat_objects(relation.parent, 460), repeat_objects(relation.child, 460)];
        kinds.extend(ancestors(relation.parent).map(|kind| repeat_objects(kind, 1)));
        let (actual, objects) = compile_texts(&kinds);
        let kind_pair = format!("{} × {}", relation.parent, relation.child);
        let codes: Vec<_> = actual.iter().map(|finding| finding.code).collect();
        assert_eq!((codes.as_slice(), objects), (&[Code::JobLimit][..], 0), "{kind_pair}");
        let help = actual[0].help.as_deref().unwrap_or_default();
        assert!(help.contains("--limit jobs=") && help.contains("default/a"), "{kind_pair}: {help}");
    }
}

#[test]
fn limits_combinations_of_three_kinds_before_rendering() {
    for child in [Kind::ServiceMonitor, Kind::PodMonitor, Kind::Probe, Kind::PodLogs] {
        let mut kinds = vec![repeat_objects(child, 60)];
        kinds.extend(ancestors(child).map(|kind| repeat_objects(kind, 60)));
        let (actual, objects) = compile_texts(&kinds);
        assert_eq!((actual.len(), actual[0].code, objects), (1, Code::JobLimit, 0), "{child}");
    }
}

#[test]
fn shared_settings_count_once_per_job() {
    let endpoints = vec![json!({}); 2_000];
    let names = vec!["a"; 4_000];
    let long_value = "a".repeat(200_000);
    for shared_settings in [
        json!({"namespaceSelector": {"matchNames": names}}),
        json!({"targetLabels": names}),
        json!({"jobLabel": long_value}),
    ] {
        let mut monitor = json!({"selector": {}, "endpoints": endpoints});
        let fields = shared_settings.as_object().unwrap().clone();
        monitor.as_object_mut().unwrap().extend(fields);
        let monitor = object(Kind::ServiceMonitor, "a", &monitor).to_string();
        let kinds = [repeat_objects(Kind::GrafanaAgent, 1), repeat_objects(Kind::MetricsInstance, 1), monitor];
        let (actual, _) = compile_texts(&kinds);
        assert_eq!(actual.first().map(|finding| finding.code), Some(Code::JobLimit));
    }
    // A secret value is part of the configuration of every agent that uses it.
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "default"},
                        "stringData": {"k": long_value}});
    let agent_spec = json!({"metrics": {"instanceSelector": {}, "remoteWrite": [
        {"url": "http://a", "basicAuth": {"username": {"name": "s", "key": "k"}}}]}});
    let agents: String =
        (0..1_100).map(|i| format!("---\n{}\n", object(Kind::GrafanaAgent, &format!("a{i}"), &agent_spec))).collect();
    let (actual, _) = compile_texts(&[agents, repeat_objects(Kind::MetricsInstance, 1), secret.to_string()]);
    assert_eq!(actual.first().map(|finding| finding.code), Some(Code::JobLimit));
}

/// Tests that the computed size of a rule without settings, and of a client with only a URL, includes all of their
/// defaults.
#[test]
fn defaults_count_the_same_as_explicit_settings() {
    let with_rules = |rules: usize| {
        let endpoint = json!({"port": "http", "relabelings": vec![json!({}); rules]});
        let monitor = object(Kind::ServiceMonitor, "a", &json!({"selector": {}, "endpoints": [endpoint]}));
        [repeat_objects(Kind::MetricsInstance, 1), monitor.to_string()]
    };
    let with_clients = |clients: usize| {
        let spec = json!({"podLogsSelector": {}, "clients": vec![json!({"url": "a"}); clients]});
        let instance = object(Kind::LogsInstance, "a", &spec);
        [repeat_objects(Kind::PodLogs, 1), instance.to_string()]
    };
    let rules = [(140_000, None), (160_000, Some(Code::JobLimit))].map(|(count, code)| (with_rules(count), code));
    let clients = [(29_000, None), (31_000, Some(Code::JobLimit))].map(|(count, code)| (with_clients(count), code));
    for (kinds, code) in support::take_turn(&[rules, clients], 1).into_iter().flatten() {
        let (actual, _) = compile_texts(&[&kinds[..], &[repeat_objects(Kind::GrafanaAgent, 1)]].concat());
        let limit = actual.iter().map(|finding| finding.code).find(|code| *code == Code::JobLimit);
        assert_eq!(limit, code, "{} bytes", kinds.concat().len());
    }
}

/// Tests that the size of pods is checked before the pods are built. Each mount is counted for two containers, and the
/// pod template is counted for each shard's StatefulSet.
#[test]
fn rejects_pods_too_large_for_a_request() {
    let mount = json!({"name": "a", "mountPath": "/a"});
    let container = json!({"name": "x", "env": vec![json!({"name": "A".repeat(100)}); 60_000]});
    for (field, list) in [
        ("volumeMounts", json!(vec![mount; 60_000])),
        ("configMaps", json!(vec!["a"; 20_000])),
        ("initContainers", json!([container])),
    ] {
        let mut agent = spec(Kind::GrafanaAgent);
        agent[field] = list;
        let agent = object(Kind::GrafanaAgent, "a", &agent).to_string();
        let (actual, objects) = compile_texts(&[agent, repeat_objects(Kind::MetricsInstance, 1)]);
        let actual: Vec<_> = actual.iter().filter(|finding| finding.code == Code::ObjectTooLarge).collect();
        assert_eq!((actual.len(), objects), (1, 0), "{field}");
        assert_eq!(actual[0].path.as_deref(), Some(format!("spec.{field}").as_str()));
    }
    let mut agent = spec(Kind::GrafanaAgent);
    agent["metrics"]["shards"] = json!(1_000);
    agent["tolerations"] = json!(vec![json!({}); 7_000]);
    let agent = object(Kind::GrafanaAgent, "a", &agent).to_string();
    let (actual, objects) = compile_texts(&[agent, repeat_objects(Kind::MetricsInstance, 1)]);
    assert_eq!((actual.len(), actual[0].code, objects), (1, Code::JobLimit, 0));
    let help = actual[0].help.as_deref().unwrap_or_default();
    assert!(help.starts_with("lower `shards` or shorten the lists of GrafanaAgent `default/a`"), "{help}");
}

/// Tests that the numbers of targets, of their labels and of the rules applied to them are checked before any target is
/// built.
#[test]
fn limits_targets_before_rendering() {
    let folder = support::scratch("hostile-shapes-targets");
    let monitors = |count: usize, rules: usize| -> String {
        let endpoint = json!({"port": "http", "relabelings": vec![json!({"targetLabel": "a"}); rules]});
        let spec = json!({"selector": {}, "endpoints": [endpoint]});
        let monitor = |i| object(Kind::ServiceMonitor, &format!("a{i}"), &spec);
        (0..count).map(|i| format!("---\n{}\n", monitor(i))).collect()
    };
    let cluster_object = |kind: &str, fields: Value| {
        let mut object = json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "s", "namespace": "default"}});
        merge(&mut object, fields);
        format!("---\n{object}\n")
    };
    let service = |labels: usize| {
        let labels: serde_json::Map<_, _> = (0..labels).map(|i| (format!("l{i}"), json!("v"))).collect();
        cluster_object(
            "Service",
            json!({"metadata": {"labels": labels}, "spec": {"ports": [{"name": "http", "port": 80}]}}),
        )
    };
    let addresses = |count: usize, labels: usize| {
        let ips: Vec<_> = (0..count).map(|i| json!({"ip": format!("10.0.{}.{}", i / 250, i % 250)})).collect();
        let labels: serde_json::Map<_, _> = (0..labels).map(|i| (format!("l{i}"), json!("v"))).collect();
        let subset = json!({"addresses": ips, "ports": [{"name": "http", "port": 80}]});
        cluster_object("Endpoints", json!({"metadata": {"labels": labels}, "subsets": [subset]}))
    };
    let inputs = [
        (monitors(70, 0), service(0), addresses(5_000, 0)),
        (monitors(1, 6_000), service(0), addresses(2_000, 0)),
        (monitors(1, 0), service(0), addresses(2_000, 6_000)),
        (monitors(1, 0), service(6_000), addresses(2_000, 0)),
    ];
    for (monitors, service, endpoints) in support::sample(inputs, 2) {
        let kinds = [
            repeat_objects(Kind::GrafanaAgent, 1),
            repeat_objects(Kind::MetricsInstance, 1),
            monitors,
            service,
            endpoints,
        ];
        std::fs::write(folder.join("in.yaml"), kinds.concat()).unwrap();
        let run = |args: &[&str]| support::run(&folder, args, b"");
        let targets_run = run(&["targets", "in.yaml", "--message-format", "short"]);
        assert_eq!((targets_run.status, targets_run.stdout.as_str()), (Some(1), ""));
        assert!(targets_run.stderr.contains("error[target-limit]"), "{}", targets_run.stderr);
        let check_run = run(&["check", "in.yaml", "--message-format", "short"]);
        let warnings = check_run.stdout.matches("warning[target-limit]: the targets of ").count();
        assert_eq!(warnings, 1, "{}", check_run.stdout);
    }
}

/// Tests that the number of targets is checked if it is the product of two list lengths within one service discovery
/// role.
#[test]
fn limits_combinations_within_one_discovery_role() {
    let folder = support::scratch("hostile-shapes-roles");
    let cluster_object = |kind: &str, name: &str, fields: Value| {
        let api_version = match kind {
            "Ingress" => "networking.k8s.io/v1",
            "EndpointSlice" => "discovery.k8s.io/v1",
            _ => "v1",
        };
        let metadata = json!({"name": name, "namespace": "default"});
        let mut object = json!({"apiVersion": api_version, "kind": kind, "metadata": metadata});
        merge(&mut object, fields);
        format!("---\n{object}\n")
    };
    let repeat_item = |count: usize, item: Value| Value::Array(vec![item; count]);
    let labels = |count: usize| -> Value { (0..count).map(|i| (format!("l{i}"), json!("v"))).collect() };
    let ports = |count: usize, field: &str| -> Value { (1..=count).map(|i| json!({(field): i})).collect() };
    let repeat_object = |count: usize, kind: &str, fields: &Value| -> String {
        let objects = (0..count).map(|i| cluster_object(kind, &format!("o{i}"), fields.clone()));
        objects.collect()
    };
    let pod = json!({"status": {"podIP": "10.0.0.1"}, "spec": {"containers": [{"name": "c", "ports": ports(3_000, "containerPort")}]}});
    let address = json!({"ip": "10.0.0.1", "targetRef": {"kind": "Pod", "namespace": "default", "name": "p"}});
    let endpoints = json!({"subsets": [{"ports": [{"port": 1}], "addresses": [address]}]});
    let pod_on_node =
        json!({"status": {"podIP": "10.0.0.1"}, "spec": {"nodeName": "n", "containers": [{"name": "c"}]}});
    let selectors = format!(r#", selectors: [{{role: pod, label: "a in (v{})"}}]"#, ",v".repeat(50_000));
    for (role, extra_settings, objects) in [
        // Many pods, each matched against a long selector.
        ("pod", selectors.as_str(), [repeat_object(1_000, "Pod", &pod_on_node), String::new()]),
        // A Service with many ports that selects many pods.
        (
            "endpoints",
            "",
            [
                cluster_object(
                    "Service",
                    "s",
                    json!({"spec": {"selector": {"a": "b"}, "ports": ports(1_000, "port")}}),
                ),
                repeat_object(1_000, "Pod", &json!({"metadata": {"labels": {"a": "b"}}})),
            ],
        ),
        // Many Endpoints whose pod has many additional ports.
        ("endpoints", "", [cluster_object("Pod", "p", pod), repeat_object(1_000, "Endpoints", &endpoints)]),
        // Many pods on a node with many labels.
        (
            "pod",
            ", attach_metadata: {node: true}",
            [
                cluster_object("Node", "n", json!({"metadata": {"labels": labels(5_000)}})),
                repeat_object(1_000, "Pod", &pod_on_node),
            ],
        ),
        // An Ingress with many paths and many labels.
        (
            "ingress",
            "",
            [
                cluster_object(
                    "Ingress",
                    "i",
                    json!({
                        "metadata": {"labels": labels(2_000)},
                        "spec": {"rules": [{"http": {"paths": repeat_item(2_000, json!({"path": "/"}))}}]},
                    }),
                ),
                String::new(),
            ],
        ),
        // An EndpointSlice with many addresses and ports, whose endpoints have many topology labels.
        (
            "endpointslice",
            "",
            [
                cluster_object(
                    "EndpointSlice",
                    "e",
                    json!({
                        "ports": ports(100, "port"),
                        "endpoints": [{"addresses": repeat_item(100, json!("10.0.0.1")), "deprecatedTopology": labels(1_000)}],
                    }),
                ),
                String::new(),
            ],
        ),
        // Nodes with a label for each of their addresses, and many jobs that discover them.
        (
            "node",
            "",
            [
                cluster_object(
                    "Node",
                    "n",
                    json!({"status": {"addresses": (0..5_000).map(|i| json!({"type": format!("t{i}"), "address": "a"})).collect::<Value>()}}),
                ),
                String::new(),
            ],
        ),
    ] {
        let count = if role == "node" { 400 } else { 1 };
        let job = |i| format!("    - {{job_name: j{i}, kubernetes_sd_configs: [{{role: {role}{extra_settings}}}]}}\n");
        let jobs: String = (0..count).map(job).collect();
        let secret = format!(
            "---\napiVersion: v1\nkind: Secret\nmetadata: {{name: x, namespace: default}}\nstringData:\n  k: |\n{jobs}"
        );
        let instance =
            object(Kind::MetricsInstance, "i", &json!({"additionalScrapeConfigs": {"name": "x", "key": "k"}}));
        let input = [repeat_objects(Kind::GrafanaAgent, 1), format!("---\n{instance}\n"), secret, objects.concat()];
        std::fs::write(folder.join("in.yaml"), input.concat()).unwrap();
        let run = support::run(&folder, ["targets", "in.yaml", "--message-format", "short"], b"");
        assert_eq!((run.status, run.stdout.as_str()), (Some(1), ""), "{role}: {}", run.stderr);
        assert!(run.stderr.contains("error[target-limit]"), "{role}: {}", run.stderr);
    }
}

/// Tests the limits on rules that double a value or the number of labels, and on long annotations, which are copied to
/// each target.
#[test]
fn limits_labels_that_grow_with_each_rule() {
    let folder = support::scratch("hostile-shapes-labels");
    let ips: Vec<_> = (0..1_000).map(|i| json!({"ip": format!("10.0.{}.{}", i / 250, i % 250)})).collect();
    let metadata =
        |annotation: usize| json!({"name": "s", "namespace": "default", "annotations": {"a": "x".repeat(annotation)}});
    let service = |annotation| json!({"apiVersion": "v1", "kind": "Service", "metadata": metadata(annotation), "spec": {"ports": [{"name": "http", "port": 80}]}});
    let subsets = json!([{"addresses": ips, "ports": [{"name": "http", "port": 80}]}]);
    let endpoints = json!({"apiVersion": "v1", "kind": "Endpoints", "metadata": metadata(0), "subsets": subsets});
    let doubling_rule = json!({"sourceLabels": ["job"], "targetLabel": "job", "replacement": "$1$1"});
    let map = |i: usize| json!({"action": "labelmap", "regex": "(.+)", "replacement": format!("a{i}_$1")});
    let copying_rule = json!({"sourceLabels": ["__meta_kubernetes_service_annotation_a"], "targetLabel": "a"});
    for (rules, annotation, is_all) in support::sample(
        [
            (vec![doubling_rule; 40], 0, true),
            ((0..40).map(map).collect(), 0, true),
            (vec![copying_rule], 400_000, false),
        ],
        2,
    ) {
        let spec = json!({"selector": {}, "endpoints": [{"port": "http", "relabelings": rules}]});
        let kinds = [
            repeat_objects(Kind::GrafanaAgent, 1),
            repeat_objects(Kind::MetricsInstance, 1),
            format!("---\n{}\n", object(Kind::ServiceMonitor, "a0", &spec)),
            format!("---\n{}\n---\n{endpoints}\n", service(annotation)),
        ];
        std::fs::write(folder.join("in.yaml"), kinds.concat()).unwrap();
        let run = |args: &[&str]| support::run(&folder, args, b"");
        let targets_run = run(&["targets", "in.yaml"]);
        assert_eq!(targets_run.status, Some(0), "{}", targets_run.stderr);
        assert!(
            targets_run.stdout.contains("relabeling creates labels that are too large to trace"),
            "{}",
            targets_run.stdout
        );
        assert_eq!(targets_run.stdout.contains("\n0 targets of 1 job"), is_all, "{}", targets_run.stdout);
        let check_run = run(&["check", "in.yaml", "--message-format", "short"]);
        assert_eq!(check_run.stdout.contains("warning[target-limit]"), is_all, "{}", check_run.stdout);
    }
}

/// Tests the limit on repetition in Alloy configurations: a group's labels are written for each of its targets, and log
/// clients for each job.
#[test]
fn limits_alloy_repetitions_before_rendering() {
    let folder = support::scratch("hostile-shapes-repeated");
    let labels: serde_json::Map<_, _> = (0..1_500).map(|i| (format!("l{i}"), json!("v"))).collect();
    let targets: Vec<_> = (0..1_500).map(|i| format!("a{i}:1")).collect();
    let secret = |jobs: Value| {
        let keys = json!({"k": jobs.to_string()});
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "default"}, "stringData": keys})
    };
    let jobs = json!([{"job_name": "j", "static_configs": [{"labels": labels, "targets": targets}]}]);
    let additional = json!({"name": "s", "key": "k"});
    let metrics = object(Kind::MetricsInstance, "a", &json!({"additionalScrapeConfigs": additional}));
    let clients = vec![json!({"url": "a"}); 2_000];
    let logs = |fields: Value| {
        let mut spec = json!({"clients": clients});
        merge(&mut spec, fields);
        format!("{}\n---\n", object(Kind::LogsInstance, "a", &spec))
    };
    let job = json!({"job_name": "j", "static_configs": [{"targets": ["localhost"], "labels": {"__path__": "/a"}}]});
    let events = json!({"name": "eventhandler", "type": {"unique": true, "allNodes": false},
                        "config": {"logs_instance": "default/a"}});
    let events = |i| format!("{}\n---\n", object(Kind::Integration, &format!("a{i}"), &events));
    let inputs = [
        format!("{metrics}\n---\n{}\n", secret(jobs)),
        logs(json!({"podLogsSelector": {}})) + &repeat_objects(Kind::PodLogs, 1_100),
        logs(json!({"additionalScrapeConfigs": additional})) + &secret(json!(vec![job; 1_100])).to_string(),
        logs(json!({})) + &(0..1_100).map(events).collect::<String>(),
    ];
    for (number, input) in inputs.into_iter().enumerate() {
        std::fs::write(folder.join("in.yaml"), format!("{}---\n{input}", repeat_objects(Kind::GrafanaAgent, 1)))
            .unwrap();
        for command in support::take_turn(&["check", "render", "config --of in.yaml", "config --source-map"], number) {
            let args: Vec<_> = command.split(' ').chain(["-f", "in.yaml", "--target", "alloy"]).collect();
            let run = support::run(&folder, &args, b"");
            let actual = [&run.stdout, &run.stderr].map(|text| text.matches("[output-limit]").count());
            assert_eq!((run.status, actual.iter().sum()), (Some(1), 1), "{command}: {}", run.stderr);
        }
        let page = support::run(&folder, ["tree", "in.yaml", "-o", "html", "--target", "alloy"], b"");
        assert_eq!(page.status, Some(0));
        assert!(page.stdout.len() < 2_000_000, "{}", page.stdout.len());
    }
}

#[test]
fn limits_paths_from_agents_to_resources() {
    let folder = support::scratch("many-ways");
    let object_with_selector = |kind: Kind, field: &str, i: usize| {
        let mut spec = json!({});
        let keys = field.split('.');
        *keys.fold(&mut spec, |inner, key| &mut inner[key]) = json!({"matchLabels": {"number": i.to_string()}});
        format!("---\n{}\n", object(kind, &format!("a{i}"), &spec))
    };
    for (count, expected) in [(100, Some(0)), (470, Some(1))] {
        let agents = (0..count).map(|i| object_with_selector(Kind::GrafanaAgent, "metrics.instanceSelector", i));
        let instances = (0..count).map(|i| object_with_selector(Kind::MetricsInstance, "serviceMonitorSelector", i));
        let input: String = agents.chain(instances).collect();
        std::fs::write(folder.join("in.yaml"), input + &repeat_objects(Kind::ServiceMonitor, count)).unwrap();
        let run = support::run(&folder, ["why", "smon", "-f", "in.yaml", "-o", "json"], b"");
        assert_eq!(run.status, expected, "{}", run.stderr);
        assert_eq!(run.stdout.is_empty(), run.stderr.contains("error[output-limit]"));
        let run_of_one = support::run(&folder, ["why", "smon/a1", "-f", "in.yaml"], b"");
        assert_eq!(run_of_one.status, Some(0), "{}", run_of_one.stderr);
    }
}

#[test]
fn limits_selections_in_trees() {
    let folder = support::scratch("many-selected");
    for (count, expected) in [(100, Some(0)), (640, Some(1))] {
        let instance =
            |i| format!("{}\n---\n", object(Kind::MetricsInstance, &format!("a{i}"), &json!({"probeSelector": {}})));
        let input: String = (0..count).map(instance).collect();
        std::fs::write(folder.join("in.yaml"), input + &repeat_objects(Kind::Probe, count)).unwrap();
        let run = support::run(&folder, ["tree", "in.yaml"], b"");
        assert_eq!(run.status, expected, "{}", run.stderr);
        assert_eq!(run.stdout.is_empty(), run.stderr.contains("error[output-limit]"));
    }
}

/// Collects the lists in a schema, each as its path and an example item.
pub(crate) fn collect_lists(schema: &Schema, at: &mut Vec<String>, all: &mut Vec<(Vec<String>, Value)>) {
    if let Some(items) = &schema.items {
        let item = match items.value_type {
            Some(ValueType::Object) => json!({}),
            Some(ValueType::String) => json!("a"),
            _ => json!(1),
        };
        all.push((at.clone(), item));
        at.push("0".to_owned());
        collect_lists(items, at, all);
        at.pop();
    }
    for (name, field) in &schema.properties {
        at.push(name.to_string());
        collect_lists(field, at, all);
        at.pop();
    }
}

/// Returns an object with `value` at the path `keys`, in which `0` is the only item of a list.
pub(crate) fn nest(keys: &[String], value: Value) -> Value {
    keys.iter().rev().fold(value, |inner, key| match key.as_str() {
        "0" => json!([inner]),
        key => json!({ key: inner }),
    })
}

pub(crate) fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

/// Tests that a long list causes at most as many findings as can be listed, plus a finding that counts the others.
#[test]
fn long_lists_cause_a_limited_number_of_findings() {
    const ITEMS: usize = 3 * MAX_LISTED;
    let mut failures = Vec::new();
    for kind in Kind::ALL.iter().copied().filter(|kind| kind.is_custom()) {
        let mut lists_of_kind = Vec::new();
        collect_lists(schema_of(kind), &mut Vec::new(), &mut lists_of_kind);
        let lists_of_kind: Vec<_> =
            lists_of_kind.into_iter().filter(|(keys, _)| keys.first().is_some_and(|key| key == "spec")).collect();
        assert!(!lists_of_kind.is_empty(), "{kind}");
        // Fields with the same name follow the same rules, so only one of them is tested.
        let mut seen_lists = std::collections::HashSet::new();
        for (keys, item) in support::sample(lists_of_kind, 12) {
            let name = keys[keys.len().saturating_sub(2)..].to_vec();
            if !seen_lists.insert(name) {
                continue;
            }
            let mut resource = object(kind, "a", &spec(kind));
            merge(&mut resource, nest(&keys, json!(vec![item; ITEMS])));
            let parents = ancestors(kind).map(|kind| repeat_objects(kind, 1));
            let inputs: Vec<_> = parents.chain([resource.to_string()]).collect();
            let (actual, _) = compile_texts(&inputs);
            for code in Code::ALL {
                let listed_count = actual.iter().filter(|finding| finding.code == *code).count();
                // Findings with the same code can have two severities, each of which is limited separately.
                if listed_count > 2 * (MAX_LISTED + 1) {
                    failures.push(format!("{kind} {}: {listed_count} of {code}", keys.join(".")));
                }
            }
        }
    }
    support::report(&failures);
}

/// Tests an input with many dropped keys and a missing field. The finding for the field must refer to only two of the
/// keys.
#[test]
fn findings_refer_to_at_most_two_of_many_dropped_keys() {
    let letters = ('a'..='z').chain('A'..='Z');
    let misspelled = letters.map(|letter| (format!("endpoints{letter}"), json!([])));
    let mut monitor = json!({"selector": {}});
    merge(&mut monitor, misspelled.collect::<serde_json::Map<_, _>>().into());
    let (actual, _) = compile_texts(&[object(Kind::ServiceMonitor, "a", &monitor).to_string()]);
    let missing_fields: Vec<_> = actual.iter().filter(|finding| finding.code == Code::MissingField).collect();
    let labels: Vec<_> = missing_fields.iter().map(|finding| finding.labels.len()).collect();
    assert_eq!((actual.len(), labels), (53, vec![3]));
}

/// Tests that findings about long lists are limited while they are created, regardless of what is wrong with the items.
/// Findings over the limit are counted but not built.
#[test]
fn limits_findings_as_they_are_created() {
    const ITEMS: usize = 16 * MAX_LISTED;
    let wrong = [json!({}), json!(1), json!({"nam": 1}), json!("!"), json!({"x": []})];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (mut seen_names, mut failures) = (std::collections::HashSet::new(), Vec::new());
    let mut max_created = 0;
    for kind in Kind::ALL.iter().copied().filter(|kind| kind.is_custom()) {
        let mut lists_of_kind = Vec::new();
        collect_lists(schema_of(kind), &mut Vec::new(), &mut lists_of_kind);
        for (keys, _) in support::sample(lists_of_kind, 30) {
            let is_of_pods = matches!(kind, Kind::GrafanaAgent | Kind::Integration);
            let name = keys[keys.len().saturating_sub(2)..].to_vec();
            // Fields with the same name follow the same rules, so only one of them is tested.
            if !seen_names.insert((is_of_pods, name)) {
                continue;
            }
            let mut resource = object(kind, "a", &spec(kind));
            let items = wrong.iter().cycle().take(ITEMS).cloned().collect();
            merge(&mut resource, nest(&keys, Value::Array(items)));
            let parents = ancestors(kind).map(|kind| repeat_objects(kind, 1));
            let inputs: Vec<_> = parents.chain([resource.to_string()]).collect();
            let created = pool.install(|| {
                let before = created_count();
                compile_texts(&inputs);
                created_count() - before
            });
            max_created = max_created.max(created);
            if created > ITEMS / 2 {
                failures.push(format!("{kind} {}: {created} findings", keys.join(".")));
            }
        }
    }
    assert!(max_created > MAX_LISTED || !cfg!(debug_assertions), "{max_created}");
    assert!(seen_names.len() > support::many_or_few(60, 4), "tried only {} fields", seen_names.len());
    support::report(&failures);
}

/// Tests that each pair of monitors causes one finding, regardless of how many instances select both monitors.
#[test]
fn reports_each_pair_of_duplicate_monitors_once() {
    let kinds = [
        repeat_objects(Kind::GrafanaAgent, 1),
        repeat_objects(Kind::MetricsInstance, 40),
        repeat_objects(Kind::ServiceMonitor, 30),
    ];
    let (actual, _) = compile_texts(&kinds);
    let duplicates: Vec<_> = actual.iter().filter(|finding| finding.code == Code::DuplicateScrape).collect();
    assert_eq!(duplicates.len(), 29);
    // The agent merges the instances because their settings are equal, and then stops all but one of the jobs with the
    // same name.
    let duplicate_jobs = actual.iter().filter(|finding| finding.code == Code::DuplicateJob);
    assert_eq!(duplicate_jobs.count(), 39);
    let shared_count = duplicates.iter().filter(|finding| finding.message.contains("`default/a0` and 39 more"));
    assert_eq!(shared_count.count(), 29, "{:#?}", duplicates.last());
}

/// Tests that machine-readable formats report the number of unlisted findings.
#[test]
fn every_format_counts_unlisted_findings() {
    let fields: String = (0..MAX_LISTED + 500).map(|i| format!("  f{i}: 1\n")).collect();
    let monitor = format!(
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: a}}\nspec:\n  selector: {{}}\n  \
         endpoints: []\n{fields}"
    );
    let check = |flags: &[&str]| {
        let args = [&["check", "-", "--message-format"], flags].concat();
        support::run(support::root(), args, monitor.as_bytes()).stdout
    };
    for (number, format) in ["human", "short", "json", "sarif", "github", "junit"].into_iter().enumerate() {
        // All formats start from the same list of findings, so the run without a limit is sampled. Each format shortens
        // the list differently, so the run with `--max-findings` is not sampled.
        if support::all_cases() || number % 3 == 0 {
            let text = check(&[format]);
            assert!(text.contains("500 more findings with this code are not listed"), "{format}");
        }
        let text = check(&[format, "--max-findings", "10"]);
        let expected = match format {
            "human" | "short" => "1490 not shown (--max-findings)",
            _ => "1490 more findings with this code are not listed",
        };
        assert!(text.contains(expected), "{format}: {text}");
        assert!(text.len() < 40_000, "{format}");
    }
    let last_line = check(&["short"]);
    let last_line = last_line.lines().last().unwrap();
    assert_eq!(last_line, "checked 1 resource in 1 file: 1500 warnings");
}

/// Tests that a binary file is read only up to its first NUL byte.
#[test]
fn stops_reading_binary_files() {
    let folder = support::scratch("hostile-shapes-nul");
    std::fs::write(folder.join("disk.yaml"), [&b"a: 1\n"[..], &[0; 3_000_000]].concat()).unwrap();
    let run = support::run(&folder, ["check", "disk.yaml", "--message-format", "short"], b"");
    let expected = "disk.yaml:2:1: error[not-utf8]: expected UTF-8, found the byte `0x00`; help: pass files that contain YAML or JSON in UTF-8: this file is not text";
    assert_eq!((run.status, run.stdout.lines().next()), (Some(1), Some(expected)));
}

/// Tests the size limits on a single file and on all files together.
#[test]
fn limits_total_size_of_all_files() {
    let folder = support::scratch("hostile-shapes-sum");
    for name in ["a.yaml", "b.yaml", "c.yaml"] {
        std::fs::write(folder.join(name), "# ".repeat(300)).unwrap();
    }
    let run = support::run(&folder, ["check", ".", "--limit", "input-size=1500"], b"");
    let expected = "error: the files are larger than 1500 bytes in total, the limit set by `--limit input-size=SIZE`\n";
    assert_eq!((run.status, run.stderr.as_str()), (Some(2), expected));
    let run = support::run(&folder, ["check", ".", "--limit", "input-size=1800", "--allow-empty"], b"");
    assert_eq!(run.status, Some(0), "{}", run.stderr);
}
