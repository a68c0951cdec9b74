//! Whole configurations of small inputs.

use super::Part;
use crate::admit::{self, UnknownFields, decode_base64};
use crate::api::{Data, KeyedData, Kind, ObjectMeta, Resource, Resources, sort_by_name};
use crate::diagnostic::Diagnostic;
use crate::resolve;
use crate::source::{Source, Sources};
use crate::yaml::{Document, Edits, Limits, Node, decode, read};

/// The documents of a text, as the API server leaves them.
fn admitted(text: &str) -> Vec<Document<'_>> {
    let source = Sources::default().add(Source::new("x.yaml", "", true));
    let mut documents = read(source, text, &Limits::default()).output;
    for document in &mut documents {
        let mut edits = Edits::default();
        if let Some(kind) = kind(document.root()) {
            admit::admit(kind, document.root(), UnknownFields::Warn, &mut edits, &mut Vec::new());
        }
        document.apply(edits);
    }
    documents
}

fn kind(root: Node<'_>) -> Option<Kind> {
    let text = |key| root.get(key).and_then(Node::as_str).unwrap_or_default();
    Kind::of(text("apiVersion"), text("kind"))
}

fn resources<'d>(documents: &'d [Document<'d>]) -> Resources<'d> {
    let mut all = Resources::default();
    for root in documents.iter().map(Document::root) {
        let Some(kind) = kind(root) else { continue };
        match kind {
            Kind::GrafanaAgent => all.agents.push(resource(kind, root, spec(root))),
            Kind::MetricsInstance => all.metrics_instances.push(resource(kind, root, spec(root))),
            Kind::LogsInstance => all.logs_instances.push(resource(kind, root, spec(root))),
            Kind::Integration => all.integrations.push(resource(kind, root, spec(root))),
            Kind::PodLogs => all.pod_logs.push(resource(kind, root, spec(root))),
            Kind::ServiceMonitor => all.service_monitors.push(resource(kind, root, spec(root))),
            Kind::PodMonitor => all.pod_monitors.push(resource(kind, root, spec(root))),
            Kind::Probe => all.probes.push(resource(kind, root, spec(root))),
            Kind::Secret => all.secrets.push(resource(kind, root, data(root))),
            Kind::ConfigMap => all.config_maps.push(resource(kind, root, data(root))),
            Kind::Namespace => all.namespaces.push(resource(kind, root, ())),
            Kind::Node => {}
        }
    }
    sort_by_name(&mut all.agents);
    sort_by_name(&mut all.metrics_instances);
    sort_by_name(&mut all.logs_instances);
    sort_by_name(&mut all.integrations);
    sort_by_name(&mut all.pod_logs);
    sort_by_name(&mut all.service_monitors);
    sort_by_name(&mut all.pod_monitors);
    sort_by_name(&mut all.probes);
    sort_by_name(&mut all.secrets);
    sort_by_name(&mut all.config_maps);
    sort_by_name(&mut all.namespaces);
    all
}

fn resource<'d, S>(kind: Kind, root: Node<'d>, spec: S) -> Resource<'d, S> {
    let mut meta: ObjectMeta<'d> = decode(root.get("metadata").unwrap()).unwrap();
    if meta.namespace.is_empty() {
        meta.namespace = "default";
    }
    Resource { kind, meta, spec, root }
}

fn spec<'d, S: serde::Deserialize<'d> + Default>(root: Node<'d>) -> S {
    root.get("spec").map(|spec| decode(spec).unwrap()).unwrap_or_default()
}

fn data(root: Node<'_>) -> KeyedData<'_> {
    let mut values = KeyedData::default();
    let is_secret = kind(root) == Some(Kind::Secret);
    for key in ["binaryData", "data", "stringData"] {
        for entry in root.get(key).into_iter().flat_map(Node::entries) {
            let text = entry.value.as_str().unwrap();
            let is_base64 = key == "binaryData" || (key == "data" && is_secret);
            let value = match is_base64 {
                true => Data::Bytes(decode_base64(text).unwrap()),
                false => Data::Text(text),
            };
            values.values.insert(entry.key, value);
        }
    }
    values
}

/// The text of one configuration of each agent, and what was found.
fn lowered(text: &str, part: Part) -> (Vec<(String, String)>, Vec<Diagnostic>) {
    let documents = admitted(text);
    let resources = resources(&documents);
    let resolved = resolve::resolve(&resources, &resolve::Options::default());
    let mut diagnostics = resolved.diagnostics;
    let texts = resolved.output.iter().map(|hierarchy| {
        let meta = &hierarchy.agent.meta;
        (
            format!("{}_{}", meta.namespace, meta.name),
            super::text(hierarchy, part, &mut diagnostics),
        )
    });
    (texts.collect(), diagnostics)
}

const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: ns}
spec:
  metrics: {instanceSelector: {}, enforcedNamespaceLabel: ns, shards: 3}
  logs: {instanceSelector: {}}
  integrations: {selector: {}}
";

const METRICS_INSTANCE: &str = "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: ns}
spec: {serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}
";

fn text_of(input: &str, part: Part) -> String {
    let (mut texts, diagnostics) = lowered(input, part);
    assert_eq!(diagnostics, []);
    texts.remove(0).1
}

/// The relabelling rules of a configuration, one a line: labels read, action, regular expression, label written, value.
fn rules(config: &str) -> Vec<String> {
    let config: serde_yaml::Value = serde_yaml::from_str(config).unwrap();
    let rules = config["metrics"]["configs"][0]["scrape_configs"][0]["relabel_configs"]
        .as_sequence()
        .unwrap();
    let word = |rule: &serde_yaml::Value, key: &str| match &rule[key] {
        serde_yaml::Value::Null => "-".to_owned(),
        serde_yaml::Value::Sequence(items) => items.iter().map(|i| i.as_str().unwrap()).collect::<Vec<_>>().join(","),
        other => other.as_str().map_or_else(|| format!("{other:?}"), str::to_owned),
    };
    let keys = ["source_labels", "action", "regex", "target_label", "replacement"];
    let line = |rule| {
        keys.map(|key| word(rule, key))
            .join(" ")
            .replace("__meta_kubernetes_", "~")
    };
    rules.iter().map(line).collect()
}

#[test]
fn rules_of_a_service_monitor_stand_in_the_order_of_the_operator() {
    let monitor = "
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: ns}
spec:
  jobLabel: job.name
  targetLabels: [a/b]
  podTargetLabels: [ünï]
  selector:
    matchLabels: {b: '', a: '1'}
    matchExpressions:
    - {key: c, operator: In, values: [x, w]}
    - {key: d, operator: NotIn, values: [z]}
    - {key: e, operator: Exists}
    - {key: f, operator: DoesNotExist}
  endpoints:
  - targetPort: 8080
    filterRunning: true
    relabelings: [{action: labeldrop, regex: x}]
";
    let config = text_of(&format!("{AGENT}{METRICS_INSTANCE}{monitor}"), Part::Metrics);
    let kind_and_name = "~endpoint_address_target_kind,~endpoint_address_target_name";
    let expected = [
        "job - - __tmp_prometheus_job_name -",
        "~service_label_a keep 1 - -",
        "~service_label_b keep  - -",
        "~service_label_c keep x|w - -",
        "~service_label_d drop z - -",
        "~service_labelpresent_e keep true - -",
        "~service_labelpresent_f drop true - -",
        "~pod_container_port_number keep 8080 - -",
        &format!("{kind_and_name} - Node;(.*) node $1"),
        &format!("{kind_and_name} - Pod;(.*) pod $1"),
        "~namespace - - namespace -",
        "~service_name - - service -",
        "~pod_name - - pod -",
        "~pod_container_name - - container -",
        "~pod_phase drop (Failed|Succeeded) - -",
        "~service_label_a_b - (.+) a_b $1",
        "~pod_label__n_ - (.+) _n_ $1",
        "~service_name - - job $1",
        "~service_label_job_name - (.+) job $1",
        "- - - endpoint 8080",
        "- labeldrop x - -",
        "- - - ns ns",
        "__address__ hashmod - __tmp_hash -",
        "__tmp_hash keep $(SHARD) - -",
    ];
    assert_eq!(rules(&config), expected);
    assert!(config.contains("modulus: 3\n"), "{config}");
}

#[test]
fn rules_of_a_pod_monitor_stand_in_the_order_of_the_operator() {
    let monitor = "
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: p, namespace: ns}
spec:
  selector: {matchLabels: {a: '1'}}
  podMetricsEndpoints: [{port: web, targetPort: ignored, filterRunning: true}]
";
    let config = text_of(&format!("{AGENT}{METRICS_INSTANCE}{monitor}"), Part::Metrics);
    let expected = [
        "job - - __tmp_prometheus_job_name -",
        "~pod_phase drop (Failed|Succeeded) - -",
        "~pod_label_a keep 1 - -",
        "~pod_container_port_name keep web - -",
        "~namespace - - namespace -",
        "~service_name - - service -",
        "~pod_name - - pod -",
        "~pod_container_name - - container -",
        "- - - job ns/p",
        "- - - endpoint web",
        "- - - ns ns",
        "__address__ hashmod - __tmp_hash -",
        "__tmp_hash keep $(SHARD) - -",
    ];
    assert_eq!(rules(&config), expected);
}

#[test]
fn rules_of_a_probe_depend_on_its_targets() {
    let probe = |targets: &str| {
        let probe = "
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: p, namespace: ns}
spec:
  jobName: j
  prober: {url: prober:9115}";
        let input = format!("{AGENT}{METRICS_INSTANCE}{probe}\n  targets: {targets}\n");
        rules(&text_of(&input, Part::Metrics))
    };
    let first = ["job - - __tmp_prometheus_job_name -", "- - - job j"];
    let last = ["w replace - x -", "- - - ns ns"];
    let relabelings = "relabelingConfigs: [{sourceLabels: [w], targetLabel: x}]";
    let cases: [(String, &[&str]); 2] = [
        (
            format!("{{staticConfig: {{static: [t], {relabelings}}}, ingress: {{selector: {{}}}}}}"),
            &[
                "__address__ - - __param_target -",
                "__param_target - - instance -",
                "- - - __address__ prober:9115",
            ],
        ),
        (
            format!("{{ingress: {{selector: {{matchLabels: {{a: '1'}}}}, {relabelings}}}}}"),
            &[
                "~ingress_label_a keep 1 - -",
                "~ingress_scheme,__address__,~ingress_path replace (.+);(.+);(.+) __param_target $1://$2$3",
                "~namespace - - namespace -",
                "~ingress_name - - ingress -",
                "__param_target - - instance -",
                "- - - __address__ prober:9115",
            ],
        ),
    ];
    for (targets, between) in cases {
        let found = probe(&targets);
        let last: Vec<_> = last
            .iter()
            .map(|line| line.replace("y - - x", "y replace - x"))
            .collect();
        let expected: Vec<_> = first
            .iter()
            .chain(between)
            .map(|line| (*line).to_owned())
            .chain(last)
            .collect();
        assert_eq!(found, expected, "{targets}");
    }
}

/// An instance with this text in the Secret that its additional scrape configurations come from.
fn additional(text: &str) -> (String, Vec<Diagnostic>) {
    let text = text.replace('\n', "\n    ");
    let input = format!(
        "{AGENT}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {{name: m, namespace: ns}}
spec: {{additionalScrapeConfigs: {{name: s, key: k}}}}
---
apiVersion: v1
kind: Secret
metadata: {{name: s, namespace: ns}}
stringData:
  k: |
    {text}
"
    );
    let (mut texts, diagnostics) = lowered(&input, Part::Metrics);
    let text = texts.remove(0).1;
    let (_, jobs) = text.split_once("name: ns/m\n").unwrap();
    let (jobs, _) = jobs.split_once("    global:").unwrap();
    (jobs.replace("          ", ""), diagnostics)
}

#[test]
fn additional_scrape_configs_are_written_as_json_has_them() {
    let cases = [
        ("# nothing", ""),
        ("null", ""),
        ("[]", ""),
        ("[null]", "scrape_configs: []\n"),
        (
            "- {b: 1000000, d: ~, on: no, c: [~, {}, [~]]}\n-",
            "scrape_configs:\n  - b: 1e+06\n    c:\n      - {}\n      - []\n    \"true\": false\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(additional(text), (expected.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn additional_scrape_configs_are_reported_without_their_content() {
    let job = "scrape_configs:\n  - a: 2\n";
    let cases = [
        ("- a: [hush", "", "invalid-scrape-configs", "line 1 of "),
        ("- x\n- a: *hush", "", "invalid-scrape-configs", "line 2 of "),
        ("hush: 1", "", "invalid-scrape-configs", "does not hold a YAML list"),
        ("hush", "", "invalid-scrape-configs", "does not hold a YAML list"),
        ("- a: 1\n  a: 2", job, "duplicate-key", "line 2 of "),
        ("- a: 2\n---\n- hush: 1", job, "ignored-document", "line 3 of "),
    ];
    for (text, expected, code, message) in cases {
        let (jobs, diagnostics) = additional(text);
        assert_eq!(jobs, expected, "{text}");
        let [diagnostic] = diagnostics.as_slice() else {
            panic!("{text}: {diagnostics:?}")
        };
        assert_eq!(diagnostic.code.as_str(), code, "{text}");
        assert_eq!(diagnostic.path.as_deref(), Some("spec.additionalScrapeConfigs"));
        assert!(diagnostic.message.contains(message), "{text}: {}", diagnostic.message);
        assert!(!format!("{diagnostic:?}").contains("hush"), "{diagnostic:?}");
    }
    let (jobs, diagnostics) = additional("- a: 2\n---\n- [b");
    assert_eq!((jobs.as_str(), diagnostics), (job, Vec::new()), "Go reads one document");
}

/// The stages of a PodLogs with one stage.
fn stage(stage: &str) -> (String, Vec<Diagnostic>) {
    let input = format!(
        "{AGENT}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {{name: l, namespace: ns}}
spec: {{podLogsSelector: {{}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {{name: p, namespace: ns}}
spec:
  selector: {{}}
  pipelineStages:
  - {}
",
        stage.replace('\n', "\n    ")
    );
    let (mut texts, diagnostics) = lowered(&input, Part::Logs);
    let text = texts.remove(0).1;
    let (_, stages) = text.split_once("pipeline_stages:\n").unwrap();
    let (stages, _) = stages.split_once("              relabel_configs:").unwrap();
    (
        stages.replace("                ", "").trim_end().to_owned(),
        diagnostics,
    )
}

fn nested(stages: &str) -> (String, Vec<Diagnostic>) {
    stage(&format!(
        "match:\n  selector: s\n  stages: |\n    {}",
        stages.replace('\n', "\n    ")
    ))
}

#[test]
fn stages_write_what_they_are_given() {
    let cases = [
        ("docker: {}", "- docker: {}"),
        ("json: {expressions: {}}", "- json: {}"),
        ("labels: {}", "- {}"),
        ("limit: {rate: 0}", "- limit:\n    drop: false"),
        (
            "metrics: {m: {type: GAUGE, action: set, buckets: []}}",
            "- metrics:\n    m:\n        config:\n            action: set\n        type: Gauge",
        ),
        ("match: {selector: s, stages: ''}", "- match:\n    selector: s"),
    ];
    for (text, expected) in cases {
        assert_eq!(stage(text), (expected.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn nested_stages_are_decoded_as_go_decodes_json() {
    let cases = [
        ("# nothing", "[]"),
        (
            "- {REGEX: {Expression: e}, unknown: 1}",
            "\n        - regex:\n            expression: e",
        ),
        (
            "- json: {expressions: {}}",
            "\n        - json:\n            expressions: {}",
        ),
        ("- labels: {a: ~}", "\n        - labels:\n            a: \"\""),
        ("- labelDrop: [~]", "\n        - labeldrop:\n            - \"\""),
        ("- docker: ~", "\n        - {}"),
    ];
    for (text, expected) in cases {
        let separator = if expected.starts_with('\n') { "" } else { " " };
        let expected = format!("- match:\n    selector: s\n    stages:{separator}{expected}");
        assert_eq!(nested(text), (expected, Vec::new()), "{text}");
    }
}

#[test]
fn nested_stages_are_reported_by_their_line() {
    let deep = (0..40).fold("[]".to_owned(), |inner, _| {
        format!(
            "- match:\n    selector: s\n    stages: |\n      {}",
            inner.replace('\n', "\n      ")
        )
    });
    let cases = [
        (
            "- docker: {}\n- ~",
            "line 2 of the nested stages: found null, expected a stage",
        ),
        (
            "regex: {}",
            "line 1 of the nested stages: found object, expected a sequence",
        ),
        ("- a: 1\n- b: [", "line 2 of the nested stages: "),
        (
            "- cri: {}\n- limit: {rate: 1.5}",
            "line 2 of the nested stages: [1].limit.rate: found number",
        ),
        (
            "- docker: x",
            "line 1 of the nested stages: [0].docker: found string, expected an object",
        ),
        (deep.as_str(), "found more than 32 levels of nested stages"),
    ];
    for (text, message) in cases {
        let (_, diagnostics) = nested(text);
        let [diagnostic] = diagnostics.as_slice() else {
            panic!("{text}: {diagnostics:?}")
        };
        assert!(diagnostic.message.starts_with(message), "{}", diagnostic.message);
        assert_eq!(diagnostic.path.as_deref(), Some("spec.pipelineStages[0].match.stages"));
    }
}

#[test]
fn a_bucket_that_is_no_number_is_found_where_it_stands() {
    let metric = "metrics: {m.x: {type: histogram, action: set, buckets: ['1', .5]}}";
    let (_, diagnostics) = stage(&metric.replace(".5", "'.5'"));
    let paths: Vec<_> = diagnostics.iter().map(|d| d.path.as_deref().unwrap()).collect();
    assert_eq!(paths, ["spec.pipelineStages[0].metrics.m.x.buckets[1]"]);
}

#[test]
fn integrations_are_collected_by_name() {
    let integration = |name: &str, kind: &str, all_nodes: bool, config: &str| {
        format!(
            "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {{name: {name}, namespace: ns}}
spec: {{name: {kind}, type: {{allNodes: {all_nodes}}}, config: {config}}}
"
        )
    };
    let input = [
        AGENT.to_owned(),
        METRICS_INSTANCE.to_owned(),
        integration("i1", "mysql", false, "{m: 1000000, x: ~, l: [~, 1]}"),
        integration("i2", "redis", false, "{}"),
        integration("i3", "mysql", false, "{}"),
        integration("i4", "node_exporter", true, "{}"),
    ];
    let text = text_of(&input.concat(), Part::Integrations { all_nodes: false });
    let expected = "\
integrations:
    metrics:
        autoscrape:
            enable: false
    mysql_configs:
        - l:
            - 1
          m: 1e+06
        - {}
    redis_configs:
        - {}
logs:
    positions_directory: /var/lib/grafana-agent/data
metrics:
    configs:
        - name: ns/m
    global:
        external_labels:
            cluster: ns/a
    wal_directory: /var/lib/grafana-agent/data
server: {}

";
    assert_eq!(text, expected);
    let text = text_of(&input.concat(), Part::Integrations { all_nodes: true });
    assert!(
        text.contains("node_exporter_configs:") && !text.contains("mysql"),
        "{text}"
    );
}
